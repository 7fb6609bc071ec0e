/*
 * The handshake instrument: measures configurations and hands out finished cells, one per side:
 * over memory, over the loopback with a server process of its own, or against a server that is not
 * ours.
 *
 * Configurations are measured in groups (at most HANDSHAKE_GROUP_MAXIMUM open pairs), interleaved
 * by the sampler. Every handshake is checked against what was asked for; a pair that negotiates
 * something else, or does not resume, is a failed cell. Memory is measured in handshakes of their
 * own, and so are the operations when `trace` asks for them. Nothing is printed here.
 */
#ifndef TLSMETER_HANDSHAKE_BENCH_H
#define TLSMETER_HANDSHAKE_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/clock.h"
#include "core/error.h"
#include "handshake/config.h"
#include "measure/sampler.h"
#include "net/socket.h"
#include "record/cell.h"

enum { HANDSHAKE_GROUP_MAXIMUM = 24 };

enum handshake_over { OVER_MEMORY, OVER_LOOPBACK, OVER_NETWORK };

struct handshake_bench_settings {
    struct sampler_settings sampler;
    enum handshake_over over;
    uint64_t time_out_ns; /* of one attempt over a network */
    bool trace;           /* over memory only */
    const char *run_id;   /* borrowed */
    int pinned_cpu;       /* kept in the subject; -1: not pinned */
    int server_cpu;       /* the CPU that a server process is pinned to; -1: not pinned */
    struct net_address address, datagram_address; /* of a server that is not ours */
};

struct handshake_bench_events {
    void *context;
    /* True: this cell is wanted (not in a file that is resumed). Only its key is filled. */
    bool (*wanted)(void *context, const struct cell *cell);
    /* A final cell, valid until it returns. False with an error ends everything. */
    bool (*cell)(void *context, const struct cell *cell, const struct handshake_config *config,
                 struct error *error);
    /* `done` of `total` configurations are final. */
    void (*progress)(void *context, const char *label, size_t done, size_t total);
};

/* False with ERROR_INTERRUPTED when the stop flag of the sampler's settings was set, or with what
 * an event said. */
MUST_USE bool handshake_bench_run(const struct handshake_config *configs, size_t count,
                                  const struct handshake_bench_settings *settings,
                                  const struct handshake_bench_events *events, struct error *error);

#endif
