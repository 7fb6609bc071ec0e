#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/default_plan.h"
#include "cli/handshake_measure.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "cli/tls_options.h"
#include "core/attributes.h"

/* The default plan's selection with the user's word on everything else. */
static bool measure_default(struct session *session, const struct handshake_options *options,
                            struct error *error)
{
    struct plan plan;
    if (!plan_read_text(&plan, default_plan, default_plan_length, "default plan", error))
        return false;
    bool good = true;
    for (size_t i = 0; good && i < plan.job_count; i++) {
        if (plan.jobs[i].command != &command_handshake)
            continue;
        struct handshake_options job = *(const struct handshake_options *)plan.jobs[i].settings;
        job.cpus = options->cpus;
        job.target = options->target;
        job.max_time_ns = options->max_time_ns;
        job.seed = options->seed;
        job.trace = options->trace;
        job.quick = options->quick;
        job.time_out_ns = options->time_out_ns;
        job.planned = true; /* not named by the user */
        good = handshake_measure(session, &job, error);
    }
    plan_free(&plan);
    return good;
}

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    struct handshake_options own = *(const struct handshake_options *)settings;
    struct session_settings session_settings = {
        .command = "handshake",
        .output = own.output,
        .resume = own.resume,
        .seed = own.seed,
        .samples = own.samples,
        .csv = own.csv,
        .markdown = own.markdown,
        .quiet = own.quiet,
    };
    struct session session;
    struct error error;
    own.server = operand_count > 0 ? operands[0] : NULL;
    if (own.csv && own.markdown)
        return output_error("handshake", "--csv and --markdown exclude each other", EXIT_WRONG_USE);
    bool selects = tls_options_select(&own.tls) || own.server != NULL;
    if (!handshake_check_options(&own, &error))
        return output_error("handshake", error.text, EXIT_WRONG_USE);
    if (!session_open(&session, &session_settings, &error))
        return output_error("handshake", error.text,
                            error.code == ERROR_USAGE ? EXIT_WRONG_USE : EXIT_NOT_MEASURED);
    own.seed = session.run.seed;
    bool good = selects ? handshake_measure(&session, &own, &error)
                        : measure_default(&session, &own, &error);
    return session_close(&session, good ? NULL : &error);
}

static bool check(const void *settings, struct error *error)
{
    struct handshake_options own = *(const struct handshake_options *)settings;
    own.planned = true;
    return handshake_check_options(&own, error);
}

static bool measure(struct session *session, const void *settings, struct error *error)
{
    struct handshake_options own = *(const struct handshake_options *)settings;
    own.planned = true;
    if (own.seed == 0)
        own.seed = session->run.seed;
    return handshake_measure(session, &own, error);
}

static const char *const over_choices[] = {"memory", "loopback", NULL};
static const struct option options[] = {
    TLS_OPTIONS(struct handshake_options, tls),
    {.name = "over",
     .kind = OPTION_CHOICE,
     .offset = offsetof(struct handshake_options, over),
     .argument = "WHAT",
     .help = "memory: both sides in this process, compute alone. loopback: TCP or UDP to a server "
             "process of our own. A server named as HOST:PORT is measured over the network.",
     .otherwise = "memory",
     .choices = over_choices},
    PEER_OPTIONS(struct handshake_options, peer),
    {.name = "server-cpu",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct handshake_options, server_cpu),
     .argument = "N",
     .help = "Pin the server process of --over loopback to this CPU."},
    {.name = "connections",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct handshake_options, connections),
     .argument = "N",
     .help = "Load: so many handshakes at once, as fast as they go, over the loopback or to the "
             "server named.",
     .maximum = 20000},
    {.name = "rate",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct handshake_options, rate_per_s),
     .argument = "N",
     .help = "Load: begin so many handshakes a second, whatever becomes of those before; latencies "
             "count from when each was due.",
     .maximum = 1000000},
    {.name = "duration",
     .kind = OPTION_DURATION,
     .offset = offsetof(struct handshake_options, duration_ns),
     .argument = "TIME",
     .help = "How long each configuration is put under load.",
     .otherwise = "2s"},
    {.name = "time-out",
     .kind = OPTION_DURATION,
     .offset = offsetof(struct handshake_options, time_out_ns),
     .argument = "TIME",
     .help = "Over a network: an attempt that takes longer has failed.",
     .otherwise = "10s"},
    {.name = "get",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct handshake_options, request),
     .argument = "PATH",
     .help = "Load: after each handshake GET this path and read the answer to its end, the work of "
             "a load generator such as h2load."},
    {.name = "server-figures",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct handshake_options, server_figures),
     .help = "Load: the server named is tlsmeter serve; ask it for its CPU time."},
    {.name = "trace",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct handshake_options, trace),
     .help = "Also show where the time goes, by operation, from handshakes of their own."},
    OPTION_TARGET(struct handshake_options, target),
    OPTION_MAX_TIME(struct handshake_options, max_time_ns),
    OPTION_QUICK(struct handshake_options, quick),
    {.name = "cpu",
     .kind = OPTION_LIST,
     .offset = offsetof(struct handshake_options, cpus),
     .argument = "N,...",
     .help =
         "Measure pinned to each of these CPUs in turn; each-cluster is one CPU of every kind."},
    OPTION_OUTPUT(struct handshake_options, output),
    OPTION_RESUME(struct handshake_options, resume),
    OPTION_SEED(struct handshake_options, seed),
    OPTION_SAMPLES(struct handshake_options, samples),
    OPTION_CSV(struct handshake_options, csv),
    OPTION_MARKDOWN(struct handshake_options, markdown),
    OPTION_QUIET(struct handshake_options, quiet),
};

static const char *const examples[] = {
    "tlsmeter handshake",
    "What a TLS handshake costs here, each library, a dozen configurations.",
    "tlsmeter handshake --protocol tls1.2,tls1.3 --key ecdsa-p256,rsa-2048 --output ecu.jsonl",
    "Which version and which key.",
    "tlsmeter handshake --library openssl --resumption none,ticket --trace",
    "What resumption saves, and where the time goes.",
    "tlsmeter handshake --over loopback --library openssl --protocol tls1.3,dtls1.2",
    "The same with the kernel's TCP and UDP: compute, waiting, connection set-up.",
    NULL,
};

const struct command command_handshake = {
    .name = "handshake",
    .summary = "measure what TLS and DTLS handshakes cost, each side",
    .operands = "[HOST:PORT]",
    .maximum_operands = 1,
    .description =
        "Measures handshakes with both sides in this process and memory in place of a network, in "
        "interleaved rounds, until the 95 % interval of the median is within the target or the "
        "time is up: CPU of client and server, bytes, round trips, heap and stack. What was "
        "negotiated is checked in every handshake. Every combination of the lists is measured. "
        "Without a selection the handshake part of the default plan is.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct handshake_options),
    .run = run,
    .measure = measure,
    .check = check,
};
