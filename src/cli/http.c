#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/http_measure.h"
#include "cli/output.h"
#include "core/attributes.h"

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    struct http_options own = *(const struct http_options *)settings;
    struct session_settings session_settings = {
        .command = "http",
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
    own.url = operand_count > 0 ? operands[0] : NULL;
    if (own.csv && own.markdown)
        return output_error("http", "--csv and --markdown exclude each other", EXIT_WRONG_USE);
    if (!http_check_options(&own, &error))
        return output_error("http", error.text, EXIT_WRONG_USE);
    if (!session_open(&session, &session_settings, &error))
        return output_error("http", error.text,
                            error.code == ERROR_USAGE ? EXIT_WRONG_USE : EXIT_NOT_MEASURED);
    own.seed = session.run.seed;
    bool good = http_measure(&session, &own, &error);
    return session_close(&session, good ? NULL : &error);
}

static bool check(const void *settings, struct error *error)
{
    return http_check_options(settings, error);
}

static bool measure(struct session *session, const void *settings, struct error *error)
{
    struct http_options own = *(const struct http_options *)settings;
    own.planned = true;
    if (own.seed == 0)
        own.seed = session->run.seed;
    return http_measure(session, &own, error);
}

static const char *const connection_choices[] = {"new", "kept", NULL};
static const char *const direction_choices[] = {"download", "upload", NULL};

static const struct option options[] = {
    TLS_OPTIONS(struct http_options, tls),
    {.name = "connection",
     .kind = OPTION_LIST,
     .offset = offsetof(struct http_options, connections),
     .argument = "WHICH,...",
     .help = "new: the request opens its connection, handshake included. kept: the connection is "
             "there already. Otherwise both.",
     .choices = connection_choices},
    {.name = "requests",
     .kind = OPTION_SIZES,
     .offset = offsetof(struct http_options, requests),
     .argument = "N,...",
     .help = "Requests on each new connection, one after another; otherwise 1. Figures are per "
             "request."},
    {.name = "payload",
     .kind = OPTION_SIZES,
     .offset = offsetof(struct http_options, payloads),
     .argument = "SIZE,...",
     .help = "Bytes of the answer, or of the upload; otherwise 1KiB. With three sizes or more, a "
             "line is fitted: what a request costs, and what a byte."},
    {.name = "direction",
     .kind = OPTION_LIST,
     .offset = offsetof(struct http_options, directions),
     .argument = "WHICH,...",
     .help = "download (otherwise), upload.",
     .choices = direction_choices},
    {.name = "connections",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct http_options, load_connections),
     .argument = "N",
     .help = "Load: so many connections at once, each sending its next request when it has its "
             "answer.",
     .maximum = 20000},
    {.name = "rate",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct http_options, rate_per_s),
     .argument = "N",
     .help = "Load: so many requests a second, whatever becomes of those before; latencies count "
             "from when each was due.",
     .maximum = 1000000},
    {.name = "duration",
     .kind = OPTION_DURATION,
     .offset = offsetof(struct http_options, duration_ns),
     .argument = "TIME",
     .help = "How long each configuration is put under load.",
     .otherwise = "2s"},
    {.name = "link",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct http_options, link),
     .argument = "NAME|FILE.ini",
     .help = "Emulate a link between client and server: 10base-t1s, 100base-t1, wifi, lte, "
             "lossy-radio, or a file like those of data/networks. Needs root."},
    {.name = "plain",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct http_options, plain),
     .help = "Without plain HTTP beside HTTPS.",
     .otherwise = "true"},
    {.name = "follow",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct http_options, follow),
     .help = "Follow redirects of the URL first, and measure where they lead; otherwise the "
             "redirect itself is measured, and checks.location says where it leads."},
    PEER_OPTIONS(struct http_options, peer),
    {.name = "server-cpu",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct http_options, server_cpu),
     .argument = "N",
     .help = "Pin the server process to this CPU."},
    {.name = "time-out",
     .kind = OPTION_DURATION,
     .offset = offsetof(struct http_options, time_out_ns),
     .argument = "TIME",
     .help = "Connecting, or an answer, that takes longer has failed.",
     .otherwise = "10s"},
    OPTION_TARGET(struct http_options, target),
    OPTION_MAX_TIME(struct http_options, max_time_ns),
    OPTION_QUICK(struct http_options, quick),
    {.name = "cpu",
     .kind = OPTION_LIST,
     .offset = offsetof(struct http_options, cpus),
     .argument = "N,...",
     .help =
         "Measure pinned to each of these CPUs in turn; each-cluster is one CPU of every kind."},
    OPTION_OUTPUT(struct http_options, output),
    OPTION_RESUME(struct http_options, resume),
    OPTION_SEED(struct http_options, seed),
    OPTION_SAMPLES(struct http_options, samples),
    OPTION_CSV(struct http_options, csv),
    OPTION_MARKDOWN(struct http_options, markdown),
    OPTION_QUIET(struct http_options, quiet),
};

static const char *const examples[] = {
    "tlsmeter http",
    "What TLS adds to a request here: new and kept connections, TLS 1.3 and 1.2.",
    "tlsmeter http --protocol tls1.3 --resumption none,ticket --requests 1,2,5,10,100",
    "What resumption and keeping connections save, and from when TLS stops to matter.",
    "tlsmeter http --payload 0,100,1KiB,10KiB,100KiB,1MiB --direction download,upload",
    "The cost of a request and the cost of a byte, for HTTP and HTTPS.",
    NULL,
};

const struct command command_http = {
    .name = "http",
    .summary = "measure what TLS adds to HTTP response times, layer by layer",
    .operands = "[URL]",
    .maximum_operands = 1,
    .description =
        "Measures HTTP/1.1 requests one after another, plain and over TLS in turn, to a server "
        "process of our own on the loopback or to the server of a URL: response time, connecting, "
        "handshake, first byte, body, CPU of client and server, bytes. Every answer is checked, a "
        "resumed handshake must really be resumed.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct http_options),
    .run = run,
    .measure = measure,
    .check = check,
};
