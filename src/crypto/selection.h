/*
 * From what a user names to what is measured: lists and globs of libraries, algorithms, operations
 * and modes become targets, one per cell, in the order in which they are measured.
 *
 * An empty list means: no word was said, all of it (libraries: all but null; modes: record; sizes:
 * the defaults, of which those an algorithm cannot take are left out). What is named must exist: an
 * unknown name is an error that says which names are near. The targets own their memory.
 */
#ifndef TLSMETER_CRYPTO_SELECTION_H
#define TLSMETER_CRYPTO_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "crypto/crypto.h"

struct crypto_names {
    const char *const *items;
    size_t count;
};

/* All borrowed for the call only. */
struct crypto_selection {
    struct crypto_names libraries, algorithms, operations, modes, paddings, peer_keys;
    const uint64_t *sizes;
    size_t size_count;
    bool sizes_named; /* by the user: a size that an algorithm cannot take is an error, not left out
                       */
};

struct crypto_target {
    const struct crypto_library *library;
    struct crypto_request request;
    bool named; /* library and algorithm without a glob: unavailable is a failure then */
};

struct crypto_targets {
    struct crypto_target *items;
    size_t count, capacity;
    size_t sizes_left_out; /* default sizes that algorithms could not take */
};

MUST_USE bool crypto_select(const struct crypto_selection *selection,
                            struct crypto_targets *targets, struct error *error);
void crypto_targets_free(struct crypto_targets *targets);

/* 16, 64, 256, 1024, 1420, 8192, 16384 bytes: from a block to a TLS record (RFC 8446 section 5.1),
 * and what an Ethernet frame carries in between. */
const uint64_t *crypto_default_sizes(size_t *count);

#endif
