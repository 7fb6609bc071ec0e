/*
 * Handshakes over memory: both sides in one thread, a pipe in place of the network, contexts kept
 * between handshakes as a server keeps them. What it takes is compute alone.
 *
 * One handshake is: make both connections, drive each side in turn until both are done, let the
 * client read its session ticket where one is asked for, check what was negotiated, free both.
 * Turns alternate strictly, the client first; what a side does in one turn answers the peer's
 * flight and makes its own, so turn i is what flight i costs the side that sends it (and the last
 * turn of each side what it takes to finish). Making a connection belongs to a side's first turn,
 * freeing it to its last.
 *
 * A pair that resumes makes one full handshake when it is opened and offers that session every
 * time: the same work in each.
 */
#ifndef TLSMETER_HANDSHAKE_PAIR_H
#define TLSMETER_HANDSHAKE_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/error.h"
#include "handshake/config.h"
#include "handshake/wire.h"
#include "tls/pipe.h"
#include "tls/trace.h"

enum { PAIR_MOST_TURNS = 10 };

/* Sums over handshakes since they were zeroed; the first ones by enum tls_role. A turn above
 * PAIR_MOST_TURNS is charged to the last. */
enum pair_reading {
    PAIR_COMPUTE_NS,                   /* 2: wall time inside a side's library */
    PAIR_CPU_NS = PAIR_COMPUTE_NS + 2, /* 2 */
    PAIR_BYTES = PAIR_CPU_NS + 2,      /* 2: sent by a side, as records */
    PAIR_TURN_CPU_NS = PAIR_BYTES + 2, /* PAIR_MOST_TURNS */
    PAIR_READINGS = PAIR_TURN_CPU_NS + PAIR_MOST_TURNS,
};

struct pair_side {
    const struct tls_library *library;
    struct tls_context *context;
    struct tls_endpoint *endpoint;
    bool done;
};

struct pair {
    const struct handshake_config *config;
    const struct clock *clock; /* real */
    struct pki_set pki;
    struct pair_side sides[2]; /* by enum tls_role */
    struct pipe *pipe;
    double readings[PAIR_READINGS];
    unsigned turns, client_turns;        /* of the last handshake; client_turns until it was done */
    struct tls_negotiated negotiated[2]; /* text is dead after the endpoints; see pair_observe */
    uint64_t stamp_ns, stamp_cpu_ns;     /* when the turn under way began */
    /* Calls a side's work, on an own stack or charged to an account; NULL: it is called plainly. */
    void (*around)(void *context, enum tls_role side, void (*work)(void *turn), void *turn);
    void *around_context;
};

/* What one handshake looked like: copied, so that it outlives the connections. */
struct pair_view {
    struct wire wire;
    struct {
        char suite[96], group[64], signature[64];
        bool resumed, peer_verified;
        enum tls_protocol protocol;
    } negotiated[2];
    unsigned round_trips; /* times the client waited for the server before it was done */
};

/* Copies what a side reports. */
void pair_view_keep(struct pair_view *view, enum tls_role role,
                    const struct tls_negotiated *negotiated);

/* False with ERROR_UNAVAILABLE when a library cannot do it, else with what failed. `trace` makes
 * contexts that are visible to tls/trace.h. On failure the pair needs no closing. */
MUST_USE bool pair_open(struct pair *pair, const struct handshake_config *config, bool trace,
                        struct error *error);
void pair_close(struct pair *pair);
/* One handshake, metered and checked against the configuration. */
MUST_USE bool pair_handshake(struct pair *pair, struct error *error);
/* `count` handshakes: fits struct sampler_task, with the pair as context. */
MUST_USE bool pair_run(void *pair, uint64_t count, struct error *error);
/* One handshake, looked at and not metered. */
MUST_USE bool pair_observe(struct pair *pair, struct pair_view *view, struct error *error);
/* The same, with both connections left open; then pair_disconnect. */
MUST_USE bool pair_connect(struct pair *pair, struct error *error);
void pair_disconnect(struct pair *pair);

#endif
