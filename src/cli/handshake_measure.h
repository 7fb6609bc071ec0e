/* The handshake instrument from the command line's point of view: its settings, and how a session
 * measures them over memory. `handshake` and `run` both use it. */
#ifndef TLSMETER_CLI_HANDSHAKE_MEASURE_H
#define TLSMETER_CLI_HANDSHAKE_MEASURE_H

#include "cli/option.h"
#include "cli/session.h"
#include "cli/tls_options.h"

struct handshake_options {
    struct tls_options tls;
    struct peer_options peer;
    struct text_list cpus;
    double target;
    uint64_t max_time_ns, seed;
    bool trace, quick;
    const char *over;       /* "memory", "loopback" */
    const char *server;     /* "HOST:PORT" to measure against; NULL: our own server */
    const char *server_cpu; /* NULL: not pinned */
    uint64_t time_out_ns;   /* of one attempt over a network */
    uint64_t connections;   /* 0: one after another, sampled */
    uint64_t rate_per_s;    /* 0: no open loop */
    uint64_t duration_ns;   /* of the load */
    const char *request;    /* path to GET after each handshake; NULL: none */
    bool server_figures;
    bool planned; /* from a plan: what is unavailable is no error */
    const char *output, *resume;
    bool samples, csv, markdown, quiet;
};

/* False with ERROR_USAGE for a wrong selection, before anything is measured. */
MUST_USE bool handshake_measure(struct session *session, const struct handshake_options *options,
                                struct error *error);
/* Checks the selection and the CPUs alone. */
MUST_USE bool handshake_check_options(const struct handshake_options *options, struct error *error);

#endif
