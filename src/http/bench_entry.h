/* One configuration under measurement, between the files of the HTTP bench. */
#ifndef TLSMETER_HTTP_BENCH_ENTRY_H
#define TLSMETER_HTTP_BENCH_ENTRY_H

#include "handshake/server_process.h"
#include "http/bench.h"
#include "http/client.h"

enum http_reading {
    HTTP_WALL_NS, /* the response time: connecting included where the connection is new */
    HTTP_CLIENT_CPU_NS,
    HTTP_SERVER_CPU_NS,
    HTTP_CONNECT_NS,
    HTTP_TLS_NS, /* the handshake */
    HTTP_TLS_COMPUTE_NS,
    HTTP_REQUEST_NS,    /* handing the request over */
    HTTP_FIRST_BYTE_NS, /* from then to the first byte of the answer */
    HTTP_BODY_NS,       /* from then to its last */
    HTTP_CLOSE_NS,
    HTTP_SENT_BYTES, /* of TCP, handshakes included */
    HTTP_RECEIVED_BYTES,
    HTTP_TLS_BYTES, /* what of these is not HTTP */
    HTTP_READINGS,
};

struct http_entry {
    double resolve_ns; /* NaN: nothing was resolved */
    const struct http_config *config;
    bool wanted[2];
    struct pki_set pki;
    struct attempt_setting attempts;
    struct tls_context *context;
    char head[HTTP_TARGET_BYTES + 512];
    struct http_request request;
    struct http_client client;
    const struct server_process *process; /* NULL: not ours */
    unsigned status;                      /* of the last answer */
    char location[HTTP_TARGET_BYTES];
    uint64_t errors; /* answers of 400 and above */
    double readings[HTTP_READINGS];
};

/* Makes certificates, contexts and the request, and runs the operation once so that what cannot
 * work fails here; a session to resume is taken. */
MUST_USE bool http_entry_open(struct http_entry *entry, const struct http_bench_settings *settings,
                              const struct net_address *address, struct error *error);
void http_entry_close(struct http_entry *entry);
/* False with ERROR_UNAVAILABLE when a library cannot do it. */
MUST_USE bool http_entry_possible(const struct http_config *config, struct error *error);
/* The certificates a server of ours needs. */
MUST_USE bool http_entry_pki(struct http_entry *entry, struct error *error);
/* Starts a server process for these ports, at the far end of the link where there is one. */
MUST_USE bool http_serve(struct server_process *process, const struct server_port *ports,
                         size_t count, const struct http_bench_settings *settings,
                         struct error *error);
/* What of a cell's subject the settings say. */
void http_put_settings(const struct http_bench_settings *settings, struct cell *cell);
/* `count` operations: the run function of a sampler task. */
bool http_entry_run(void *entry, uint64_t count, struct error *error);

/* Metrics, checks and flags of a side. */
void http_entry_fill(const struct http_entry *entry, enum tls_role side,
                     const struct sampler_result *result, struct cell *cell);

#endif
