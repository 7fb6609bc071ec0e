/*
 * What a handshake takes of memory, each side: heap and stack.
 *
 * Measured in handshakes of their own, so that the timed ones are not disturbed. The contexts
 * (keys, certificates, caches) exist already and do not count.
 */
#ifndef TLSMETER_HANDSHAKE_FOOTPRINT_H
#define TLSMETER_HANDSHAKE_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "handshake/pair.h"

struct footprint {
    bool has_heap, has_stack; /* else heap_unavailable(), stack_unavailable() */
    uint64_t heap_peak_bytes; /* the most held at once, from making the connection on */
    uint64_t heap_allocations;
    uint64_t heap_idle_bytes; /* held by the connection when the handshake is over */
    uint64_t stack_peak_bytes;
};

/* By enum tls_role. */
MUST_USE bool footprint_measure(struct pair *pair, struct footprint footprints[2],
                                struct error *error);

#endif
