/*
 * Where the time of a handshake goes, each side, by named operation.
 *
 * Handshakes of their own, every other one with contexts that are visible to tls/trace.h; means of
 * the faster half of both, so that a preempted one does not count. What tracing itself costs is
 * taken off each operation (tls_trace_net_ns); how well that works shows in traced_ns beside
 * untraced_ns.
 */
#ifndef TLSMETER_HANDSHAKE_EXPLAIN_H
#define TLSMETER_HANDSHAKE_EXPLAIN_H

#include <stddef.h>

#include "core/error.h"
#include "handshake/config.h"
#include "tls/trace.h"

struct explained_operation {
    const struct tls_trace_point *point;
    double count;   /* per handshake */
    double self_ns; /* per handshake, all calls together */
};

struct explanation {
    struct explained_operation operations[TRACE_MOST_POINTS]; /* the costliest first */
    size_t operation_count;
    double unattributed_ns; /* in no operation: the library's own messages, and the rest */
    double traced_ns;       /* operations and unattributed together */
    double untraced_ns;     /* the side's compute in the handshakes between that were not traced */
};

/* By enum tls_role. ERROR_UNAVAILABLE when one of the libraries cannot be traced. */
MUST_USE bool explain_handshake(const struct handshake_config *config,
                                struct explanation explanations[2], struct error *error);

#endif
