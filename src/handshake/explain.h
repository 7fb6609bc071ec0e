/*
 * Where the time of a handshake goes, each side, by named operation.
 *
 * Handshakes of their own, with contexts that are visible to tls/trace.h; the mean of the faster
 * half of them, so that a preempted one does not count. Tracing costs time of its own: the sum is
 * to be shown beside the untraced time.
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
    double traced_ns; /* their sum: the side's time while traced */
};

/* By enum tls_role. ERROR_UNAVAILABLE when one of the libraries cannot be traced. */
MUST_USE bool explain_handshake(const struct handshake_config *config,
                                struct explanation explanations[2], struct error *error);

#endif
