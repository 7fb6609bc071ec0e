#include <stdio.h>
#include <string.h>

#include "cli/check_text.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/import_text.h"
#include "cli/output.h"

struct check_settings {
    const char *software, *accelerated;
    bool strict, quiet;
};

struct checking {
    const struct check_settings *settings;
    struct arena arena;
    struct buffer out;
    struct table_style style;
    enum verdict worst;
    unsigned runs;
    struct versus_side *side; /* where the runs of this log are gathered; NULL: nowhere */
};

static bool on_run(void *context, const struct import_run *run, struct error *error)
{
    struct checking *checking = context;
    struct verdict_report report;
    struct arena arena = {0};
    bool done = verdict_judge(run, &arena, &report, error) &&
                check_print_run(run, &report, &checking->style, checking->settings->quiet,
                                &checking->out, error);
    checking->runs++;
    if (done && report.verdict > checking->worst)
        checking->worst = report.verdict;
    arena_free(&arena);
    if (done && checking->side != NULL)
        done = versus_collect(checking->side, run, error);
    output_buffer(&checking->out);
    buffer_clear(&checking->out);
    return done;
}

/* EXIT_DONE, or what to end with. */
static int check_file(struct checking *checking, const char *path)
{
    struct error error = {0};
    struct import_sink sink = {.context = checking, .run = on_run};
    struct import_result result;
    unsigned before = checking->runs;
    if (!import_file(path, &sink, &result, &error))
        return output_error("check", error.text, EXIT_NOT_MEASURED);
    if (checking->runs > before)
        return EXIT_DONE;
    char text[1024];
    snprintf(text, sizeof text, "%s: no log of a known tool; known are %s", path,
             import_known_tools());
    return output_error("check", text, EXIT_WRONG_USE);
}

static int exit_code(const struct checking *checking)
{
    if (checking->worst == VERDICT_DO_NOT_USE ||
        (checking->settings->strict && checking->worst == VERDICT_CARE))
        return EXIT_GATE;
    return EXIT_DONE;
}

static int check_files(struct checking *checking, const char *const *operands, size_t count)
{
    static const char *const standard_input[] = {"-"};
    int worst = EXIT_DONE;
    if (count == 0) {
        operands = standard_input;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        int code = check_file(checking, operands[i]);
        if (code == EXIT_NOT_MEASURED)
            return code;
        if (code != EXIT_DONE)
            worst = code;
    }
    int code = exit_code(checking);
    return code != EXIT_DONE ? code : worst;
}

/* --- two logs ------------------------------------------------------------------------------ */

static int compare_logs(struct checking *checking)
{
    const struct check_settings *settings = checking->settings;
    struct error error = {0};
    struct versus_side *sides[2] = {versus_side_new(&checking->arena),
                                    versus_side_new(&checking->arena)};
    const char *paths[2] = {settings->software, settings->accelerated};
    for (int i = 0; i < 2; i++) {
        if (sides[i] == NULL)
            return output_error("check", "memory ran out", EXIT_NOT_MEASURED);
        checking->side = sides[i];
        int code = check_file(checking, paths[i]);
        if (code != EXIT_DONE)
            return code;
    }
    struct versus versus;
    if (!versus_compare(sides[0], sides[1], &checking->arena, &versus, &error) ||
        !check_print_versus(&versus, &checking->style, &checking->out, &error))
        return output_error("check", error.text, EXIT_NOT_MEASURED);
    output_buffer(&checking->out);
    if (versus.answer == HARDWARE_NOT_USED)
        return EXIT_GATE;
    /* the printed figures may be wrong: the comparison stands on the true ones */
    if (versus.answer == HARDWARE_UNCLEAR)
        return settings->strict || versus.pair_count == 0 ? EXIT_GATE : exit_code(checking);
    return settings->strict && checking->worst != VERDICT_TRUST ? EXIT_GATE : EXIT_DONE;
}

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    const struct check_settings *asked = settings;
    struct checking checking = {.settings = asked, .style = output_style(false, false)};
    bool both = asked->software != NULL && asked->accelerated != NULL;
    if ((asked->software != NULL || asked->accelerated != NULL) && !both)
        return output_error("check",
                            "--software and --accelerated go together: two logs of the "
                            "same command, without and with the engine",
                            EXIT_WRONG_USE);
    if (both && operand_count > 0)
        return output_error("check", "with --software and --accelerated no other file is read",
                            EXIT_WRONG_USE);
    buffer_init(&checking.out, SIZE_MAX / 2);
    int code = both ? compare_logs(&checking) : check_files(&checking, operands, operand_count);
    buffer_free(&checking.out);
    arena_free(&checking.arena);
    return code;
}

static const struct option options[] = {
    {.name = "software",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct check_settings, software),
     .argument = "FILE",
     .help = "The log of the run without the accelerator; needs --accelerated."},
    {.name = "accelerated",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct check_settings, accelerated),
     .argument = "FILE",
     .help = "The log of the run with it: whether it is used, from which size it pays, and what "
             "it saves."},
    {.name = "strict",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct check_settings, strict),
     .help = "End with 3 for \"trust with care\" too."},
    OPTION_QUIET(struct check_settings, quiet),
};

static const char *const examples[] = {
    "tlsmeter check speed.log",
    "Is what this log says true?",
    "tlsmeter check --software plain.log --accelerated engine.log",
    "Is the accelerator used, and from which block size does it pay?",
    "openssl speed -evp aes-128-cbc 2>&1 | tlsmeter check",
    "Judge a run while it ends.",
    NULL,
};

const struct command command_check = {
    .name = "check",
    .summary = "say what a benchmark log is worth",
    .operands = "[FILE...]",
    .minimum_operands = 0,
    .maximum_operands = SIZE_MAX,
    .description =
        "Reads the logs that tlsmeter import reads and gives one verdict per run: trust, trust "
        "with "
        "care, or do not use, with the reasons and their lines, the true figures where the log's "
        "counts give them, and what to run instead. Ends with 0 for trust and trust with care, 3 "
        "for do not use, 2 when a file is no known log. docs/check.md explains each reason. "
        "Without "
        "a file, or with \"-\", standard input is read.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct check_settings),
    .run = run,
};
