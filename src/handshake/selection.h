/*
 * From what a user names to what is measured: lists become configurations, every combination that
 * can exist, libraries side by side.
 *
 * An empty list stands for one default: TLS 1.3 and 1.2 (protocols), AES-128-GCM, secp256r1
 * (ffdhe2048 for DHE), ecdsa-p256 (rsa-2048 for DHE and RSA), ECDHE, server authentication, no
 * resumption, a chain of one, every library with itself. Combinations that cannot exist (a suite of
 * another protocol, an ECDSA suite with an RSA key) are left out and counted, with the first
 * reason; when nothing is left, that reason is the error. What one library lacks is no such thing:
 * it becomes an unavailable cell.
 */
#ifndef TLSMETER_HANDSHAKE_SELECTION_H
#define TLSMETER_HANDSHAKE_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "handshake/config.h"

struct handshake_names {
    const char *const *items;
    size_t count;
};

/* All borrowed for the call only. */
struct handshake_selection {
    struct handshake_names libraries, client_libraries, server_libraries;
    struct handshake_names protocols, suites, groups, keys, key_exchanges, auths, resumptions;
    const uint64_t *chain_lengths;
    size_t chain_length_count;
    uint16_t max_fragment_length, early_data_bytes;
    bool hello_verify;
};

struct handshake_configs {
    struct handshake_config *items;
    size_t count, capacity;
    size_t left_out;
    char left_out_reason[256]; /* of the first */
};

MUST_USE bool handshake_select(const struct handshake_selection *selection,
                               struct handshake_configs *configs, struct error *error);
void handshake_configs_free(struct handshake_configs *configs);

#endif
