/* The HTTP instrument from the command line's point of view: its settings, and how a session
 * measures them. `http` and `run` both use it. */
#ifndef TLSMETER_CLI_HTTP_MEASURE_H
#define TLSMETER_CLI_HTTP_MEASURE_H

#include "cli/option.h"
#include "cli/session.h"
#include "cli/tls_options.h"

struct http_options {
    struct tls_options tls;
    struct peer_options peer;
    struct text_list connections, directions; /* "new", "kept"; "download", "upload" */
    struct size_list requests, payloads;
    struct text_list cpus;
    double target;
    uint64_t max_time_ns, seed, time_out_ns;
    uint64_t load_connections, rate_per_s, duration_ns; /* 0, 0: no load */
    const char *server_cpu;
    const char *link; /* "wifi", "FILE.ini"; NULL: the loopback */
    const char *url;  /* NULL: our own server */
    bool plain;       /* plain HTTP beside HTTPS */
    bool follow;      /* redirects, before measuring */
    bool quick, planned;
    const char *output, *resume;
    bool samples, csv, markdown, quiet;
};

MUST_USE bool http_check_options(const struct http_options *options, struct error *error);
MUST_USE bool http_measure(struct session *session, const struct http_options *options,
                           struct error *error);

#endif
