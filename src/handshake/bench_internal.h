/* What the bench's files share: an entry is one configuration under measurement, its transport says
 * how. */
#ifndef TLSMETER_HANDSHAKE_BENCH_INTERNAL_H
#define TLSMETER_HANDSHAKE_BENCH_INTERNAL_H

#include "handshake/attempt.h"
#include "handshake/bench.h"
#include "handshake/explain.h"
#include "handshake/footprint.h"
#include "handshake/pair.h"
#include "handshake/server_process.h"

/* Sums over handshakes, as struct sampler_task's readings. */
enum network_reading {
    NETWORK_CLIENT_CPU_NS,
    NETWORK_SERVER_CPU_NS,
    NETWORK_CONNECT_NS,
    NETWORK_HANDSHAKE_NS,
    NETWORK_COMPUTE_NS,
    NETWORK_WAIT_NS,
    NETWORK_SENT_BYTES,
    NETWORK_RECEIVED_BYTES,
    NETWORK_READINGS,
};

struct bench_entry;

struct bench_transport {
    const char *over;
    bool has_server; /* the server is ours: it has a cell of its own */
    MUST_USE bool (*open)(struct bench_entry *entry,
                          const struct handshake_bench_settings *settings,
                          struct sampler_task *task, struct error *error);
    /* Fills what was measured into the cell of a side. */
    void (*fill)(const struct bench_entry *entry, enum tls_role side,
                 const struct sampler_result *result, struct cell *cell);
    void (*close)(struct bench_entry *entry);
};

struct bench_entry {
    const struct handshake_config *config;
    const struct bench_transport *transport;
    bool wanted[2];
    bool traced; /* a trace was asked for */
    struct pair_view view;
    /* memory */
    struct pair pair;
    struct footprint footprints[2];
    struct explanation *explanations; /* 2, NULL: none */
    struct error no_explanation;
    /* network */
    struct attempt_setting attempts;
    struct server_process process;
    struct pki_set pki;
    double readings[NETWORK_READINGS];
};

extern const struct bench_transport bench_memory, bench_loopback, bench_remote;

#endif
