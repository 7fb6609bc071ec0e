#include <string.h>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/crypto_measure.h"
#include "cli/default_plan.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "core/attributes.h"
#include "crypto/workers.h"

/* The default plan's selection with the user's word on everything else. */
static bool measure_default(struct session *session, const struct crypto_settings *settings,
                            struct error *error)
{
    struct plan plan;
    if (!plan_read_text(&plan, default_plan, default_plan_length, "default plan", error))
        return false;
    bool good = true;
    for (size_t i = 0; good && i < plan.job_count; i++) {
        if (plan.jobs[i].command != &command_crypto)
            continue;
        const struct crypto_settings *job = plan.jobs[i].settings;
        struct crypto_settings merged = *settings;
        merged.libraries = job->libraries;
        merged.algorithms = job->algorithms;
        merged.operations = job->operations;
        merged.modes = job->modes;
        merged.paddings = job->paddings;
        merged.peer_keys = job->peer_keys;
        merged.sizes = job->sizes;
        merged.planned = true; /* not named by the user */
        good = crypto_measure(session, &merged, error);
    }
    plan_free(&plan);
    return good;
}

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    struct crypto_settings own = *(const struct crypto_settings *)settings;
    struct session_settings session_settings = {
        .command = "crypto",
        .output = own.output,
        .resume = own.resume,
        .seed = own.seed,
        .samples = own.samples,
        .csv = own.csv,
        .markdown = own.markdown,
        .quiet = own.quiet,
        .records_only = own.child_run_id != NULL,
    };
    struct session session;
    struct error error;
    (void)operands;
    (void)operand_count;
    if (own.csv && own.markdown)
        return output_error("crypto", "--csv and --markdown exclude each other", EXIT_WRONG_USE);
    own.planned = own.child_run_id != NULL; /* the parent has judged the selection */
    bool selects = crypto_settings_select(&own);
    if (!crypto_check(&own, &error))
        return output_error("crypto", error.text, EXIT_WRONG_USE);
    if (!session_open(&session, &session_settings, &error))
        return output_error("crypto", error.text,
                            error.code == ERROR_USAGE ? EXIT_WRONG_USE : EXIT_NOT_MEASURED);
    own.seed = session.run.seed;
    if (own.child_run_id != NULL)
        session.run.id = own.child_run_id;
    bool good =
        selects ? crypto_measure(&session, &own, &error) : measure_default(&session, &own, &error);
    return session_close(&session, good ? NULL : &error);
}

static bool check(const void *settings, struct error *error)
{
    struct crypto_settings own = *(const struct crypto_settings *)settings;
    own.planned = true;
    return crypto_check(&own, error);
}

static bool measure(struct session *session, const void *settings, struct error *error)
{
    struct crypto_settings own = *(const struct crypto_settings *)settings;
    own.planned = true;
    if (own.seed == 0)
        own.seed = session->run.seed;
    return crypto_measure(session, &own, error);
}

static const char *const feature_choices[] = {"on", "off", "both", NULL};

static const struct option options[] = {
    {.name = "library",
     .kind = OPTION_LIST,
     .offset = offsetof(struct crypto_settings, libraries),
     .argument = "GLOB,...",
     .help = "Measure these libraries: openssl, mbedtls, wolfssl, or null for the harness alone."},
    {.name = "algorithm",
     .kind = OPTION_LIST,
     .offset = offsetof(struct crypto_settings, algorithms),
     .argument = "GLOB,...",
     .help = "Measure these algorithms; '*' is all of them. `tlsmeter list` names them."},
    {.name = "operation",
     .kind = OPTION_LIST,
     .offset = offsetof(struct crypto_settings, operations),
     .argument = "GLOB,...",
     .help = "Measure these operations only: encrypt, decrypt, digest, mac, kdf, random, sign, "
             "verify, derive, keygen, encaps, decaps, parse, verify-chain."},
    {.name = "sizes",
     .kind = OPTION_SIZES,
     .offset = offsetof(struct crypto_settings, sizes),
     .argument = "SIZE,...",
     .help = "Measure these message sizes instead of 16 to 16384 bytes."},
    {.name = "mode",
     .kind = OPTION_LIST,
     .offset = offsetof(struct crypto_settings, modes),
     .argument = "MODE,...",
     .help = "What is done per message: record (as TLS does it: fixed key, new nonce, additional "
             "data, tag; the default), message (a new key as well), stream (one long run of "
             "updates), openssl-speed (the calls of `openssl speed -evp`)."},
    {.name = "padding",
     .kind = OPTION_LIST,
     .offset = offsetof(struct crypto_settings, paddings),
     .argument = "NAME,...",
     .help = "RSA with these paddings only: pkcs1, pss, oaep."},
    {.name = "peer-key",
     .kind = OPTION_LIST,
     .offset = offsetof(struct crypto_settings, peer_keys),
     .argument = "NAME,...",
     .help = "verify and derive with these keys of the peer only: fresh (read and checked each "
             "time, what a handshake pays) or known."},
    OPTION_TARGET(struct crypto_settings, target),
    OPTION_MAX_TIME(struct crypto_settings, max_time_ns),
    OPTION_QUICK(struct crypto_settings, quick),
    {.name = "threads",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct crypto_settings, threads),
     .argument = "N",
     .help = "Measure on N threads at once, each with contexts of its own.",
     .otherwise = "1",
     .minimum = 1,
     .maximum = CRYPTO_MOST_THREADS},
    {.name = "cpu-features",
     .kind = OPTION_CHOICE,
     .offset = offsetof(struct crypto_settings, cpu_features),
     .argument = "WHICH",
     .help =
         "Measure with the CPU's crypto instructions, without them in a child process, or both.",
     .otherwise = "on",
     .choices = feature_choices},
    {.name = "cpu",
     .kind = OPTION_LIST,
     .offset = offsetof(struct crypto_settings, cpus),
     .argument = "N,...",
     .help =
         "Measure pinned to each of these CPUs in turn; each-cluster is one CPU of every kind."},
    {.name = "accounting",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct crypto_settings, accounting),
     .help = "Add a second per cell that tells user, system and the whole machine's CPU time."},
    OPTION_OUTPUT(struct crypto_settings, output),
    OPTION_RESUME(struct crypto_settings, resume),
    OPTION_SEED(struct crypto_settings, seed),
    OPTION_SAMPLES(struct crypto_settings, samples),
    OPTION_CSV(struct crypto_settings, csv),
    OPTION_MARKDOWN(struct crypto_settings, markdown),
    OPTION_QUIET(struct crypto_settings, quiet),
    {.name = "child-run-id",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct crypto_settings, child_run_id),
     .argument = "ID",
     .help = "Measure for another process: records to standard output.",
     .hidden = true},
};

static const char *const examples[] = {
    "tlsmeter crypto --algorithm 'aes-*-gcm,chacha20-poly1305' --output ecu.jsonl",
    "Compare the ciphers of TLS 1.3 in every library.",
    "tlsmeter crypto --algorithm ecdsa-p256,rsa-2048 --operation sign,verify",
    "What a handshake pays for signatures.",
    "tlsmeter crypto --library openssl --algorithm sha256 --cpu-features both",
    "What the CPU's own instructions gain.",
    NULL,
};

const struct command command_crypto = {
    .name = "crypto",
    .summary = "measure what cryptography costs on this machine",
    .maximum_operands = 0,
    .description =
        "Measures algorithms of each crypto library side by side, in interleaved rounds, until the "
        "95 % interval of the median is within the target or the time is up. The result of every "
        "operation is checked against published answers before it is timed. Without a selection "
        "the crypto part of the default plan is measured.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct crypto_settings),
    .run = run,
    .measure = measure,
    .check = check,
};
