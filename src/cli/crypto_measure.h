/* The crypto instrument from the command line's point of view: its settings, and how a session
 * measures them. `crypto` and `run` both use it. */
#ifndef TLSMETER_CLI_CRYPTO_MEASURE_H
#define TLSMETER_CLI_CRYPTO_MEASURE_H

#include "cli/option.h"
#include "cli/session.h"

struct crypto_settings {
    struct text_list libraries, algorithms, operations, modes, paddings, peer_keys;
    struct size_list sizes;
    double target;
    uint64_t max_time_ns, threads, seed;
    const char *cpu_features; /* "on", "off", "both" */
    struct text_list cpus;
    bool quick, accounting;
    /* The selection comes from a plan: sizes that an algorithm cannot take are left out, and what
     * is unavailable is no error. */
    bool planned;
    const char *output, *resume;
    bool samples, csv, markdown, quiet;
    const char *child_run_id; /* a child measures for this run, records to standard output */
};

/* Whether anything was selected by name; if not, the default plan's crypto part is meant. */
bool crypto_settings_select(const struct crypto_settings *settings);

/* False with ERROR_USAGE for a wrong selection, before anything is measured. */
MUST_USE bool crypto_measure(struct session *session, const struct crypto_settings *settings,
                             struct error *error);
/* Checks the selection and the CPUs alone. */
MUST_USE bool crypto_check(const struct crypto_settings *settings, struct error *error);

#endif
