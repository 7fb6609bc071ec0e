#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/default_plan.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "cli/session.h"
#include "core/attributes.h"

struct run_settings {
    const char *output, *resume;
    uint64_t seed;
    bool samples, csv, markdown, quiet, print_plan;
};

enum { NAME_BYTES = 128 };

/* "tlsmeter-HOST-20261201T034500Z.jsonl": a name that no other run takes. */
static const char *make_name(char name[NAME_BYTES])
{
    char host[64] = "host";
    char stamp[32];
    struct tm utc;
    time_t now = time(NULL);
    (void)gethostname(host, sizeof host - 1);
    for (char *c = host; *c != '\0'; c++)
        if (*c == '/' || (unsigned char)*c < 0x20)
            *c = '_';
    (void)strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
    (void)snprintf(name, NAME_BYTES, "tlsmeter-%s-%s.jsonl", host, stamp);
    return name;
}

static bool check_jobs(const struct plan *plan, const char *name, struct error *error)
{
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct plan_job *job = &plan->jobs[i];
        if (job->command->check != NULL && !job->command->check(job->settings, error))
            return error_prefix(error, "%s:%u: [%s]", name, job->line, job->name);
    }
    return true;
}

static bool measure_jobs(struct session *session, const struct plan *plan, struct error *error)
{
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct plan_job *job = &plan->jobs[i];
        if (!job->command->measure(session, job->settings, error))
            return error->code == ERROR_USAGE ? error_prefix(error, "[%s]", job->name) : false;
    }
    return true;
}

static int measure_plan(const struct run_settings *settings, const struct plan *plan)
{
    char name[NAME_BYTES];
    struct session_settings session_settings = {
        .command = "run",
        .output = settings->output != NULL ? settings->output : make_name(name),
        .resume = settings->resume,
        .seed = settings->seed,
        .samples = settings->samples,
        .csv = settings->csv,
        .markdown = settings->markdown,
        .quiet = settings->quiet,
    };
    struct session session;
    struct error error;
    if (!session_open(&session, &session_settings, &error))
        return output_error("run", error.text,
                            error.code == ERROR_USAGE ? EXIT_WRONG_USE : EXIT_NOT_MEASURED);
    session_say(&session, "records go to %s",
                settings->resume != NULL ? settings->resume : session_settings.output);
    bool good = measure_jobs(&session, plan, &error);
    return session_close(&session, good ? NULL : &error);
}

static int print_plan(void)
{
    struct buffer text;
    buffer_init(&text, default_plan_length + 1);
    buffer_append(&text, default_plan, default_plan_length);
    output_buffer(&text);
    buffer_free(&text);
    return EXIT_DONE;
}

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    const struct run_settings *own = settings;
    struct plan plan;
    struct error error;
    if (own->print_plan)
        return print_plan();
    if (own->csv && own->markdown)
        return output_error("run", "--csv and --markdown exclude each other", EXIT_WRONG_USE);
    bool read = operand_count > 0 ? plan_read_file(&plan, operands[0], &error)
                                  : plan_read_text(&plan, default_plan, default_plan_length,
                                                   "default plan", &error);
    if (read && !check_jobs(&plan, operand_count > 0 ? operands[0] : "default plan", &error)) {
        plan_free(&plan);
        read = false;
    }
    if (!read)
        return output_error("run", error.text, EXIT_WRONG_USE);
    int code = measure_plan(own, &plan);
    plan_free(&plan);
    return code;
}

static const struct option options[] = {
    {.name = "print-plan",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct run_settings, print_plan),
     .help = "Print the default plan, to be changed and given back as PLAN.ini."},
    OPTION_OUTPUT(struct run_settings, output),
    OPTION_RESUME(struct run_settings, resume),
    OPTION_SEED(struct run_settings, seed),
    OPTION_SAMPLES(struct run_settings, samples),
    OPTION_CSV(struct run_settings, csv),
    OPTION_MARKDOWN(struct run_settings, markdown),
    OPTION_QUIET(struct run_settings, quiet),
};

static const char *const examples[] = {
    "tlsmeter run",
    "Measure the default plan and keep the records.",
    "tlsmeter run --print-plan > ecu.ini",
    "Start a plan of your own.",
    "tlsmeter run ecu.ini --output ecu.jsonl",
    "Measure it.",
    NULL,
};

const struct command command_run = {
    .name = "run",
    .summary = "measure a plan; without one, what matters most in two minutes",
    .operands = "[PLAN.ini]",
    .maximum_operands = 1,
    .description =
        "Measures every job of a plan, prints the tables and writes the records to a file named "
        "after machine and time unless --output says otherwise. A plan is an INI file: a section "
        "per job, [global] inherited by all; the keys are the long options of the instrument.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct run_settings),
    .run = run,
};
