/*
 * Configurations under load, one after another, as cells: what `--connections` and `--rate`
 * measure.
 *
 * Rates, percentiles of single handshakes, failures by class, CPU of the client and of a server
 * that tells its own, and which of the two, or neither, is the bottleneck: every load generator
 * measures its own limit when its core is full.
 */
#ifndef TLSMETER_HANDSHAKE_LOAD_BENCH_H
#define TLSMETER_HANDSHAKE_LOAD_BENCH_H

#include "handshake/bench.h"

struct load_bench_settings {
    unsigned connections;
    double rate_per_s; /* 0: closed loop */
    uint64_t duration_ns;
    const char *request;                   /* NULL: close after the handshake */
    bool server_figures;                   /* a server that is not ours is a tlsmeter: ask it */
    struct handshake_bench_settings bench; /* over loopback or network; no sampler but its stop */
};

MUST_USE bool load_bench_run(const struct handshake_config *configs, size_t count,
                             const struct load_bench_settings *settings,
                             const struct handshake_bench_events *events, struct error *error);

#endif
