/*
 * One configuration of the handshake instrument: who talks to whom, and how.
 *
 * Libraries are named per side; text is static or lives as long as the configuration's user
 * promises. A configuration is plain data: it may be copied.
 */
#ifndef TLSMETER_HANDSHAKE_CONFIG_H
#define TLSMETER_HANDSHAKE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "record/cell.h"
#include "tls/endpoint.h"
#include "tls/pki.h"

/* A server that is not ours, or certificates that the user gave. Borrowed by configurations. */
struct handshake_peer {
    const char *host;            /* its name for SNI and verification; NULL: our own server */
    const char *address;         /* "example.org:443", for records */
    bool verify;                 /* the server's certificate */
    const struct pki_set *files; /* the user's certificate, key and roots; NULL: none */
};

enum { HANDSHAKE_MOST_EARLY_BYTES = 16384 }; /* a record */

struct handshake_config {
    const struct tls_library *libraries[2]; /* by enum tls_role */
    enum tls_protocol protocol;
    const char *suite; /* IANA name; NULL: what the library prefers */
    const char *group; /* IANA name in lower case; NULL: the key exchange has none */
    const char *key;   /* "ecdsa-p256"; NULL: no certificates, a pre-shared key */
    enum tls_key_exchange key_exchange;
    enum tls_resumption resumption;
    bool mutual;
    unsigned chain_length; /* certificates a side sends, 1 to 3; 0 without certificates */
    uint16_t max_fragment_length;
    uint16_t early_data_bytes;         /* TLS 1.3 by ticket: so many zeros as early data; 0: none */
    bool hello_verify;                 /* DTLS server: cookie exchange first */
    const struct handshake_peer *peer; /* NULL: our own server with the test PKI */
    bool named; /* library and all else named by the user: unavailable is a failure */
};

/* What a side is given. `pki` is borrowed by the settings; unused without certificates. */
struct tls_settings handshake_settings(const struct handshake_config *config, enum tls_role role,
                                       const struct pki_set *pki);
/* NULL, or why this cannot be done, by the first side that says so: "mbedtls: ...". Written to
 * `text`. Needs no certificates. */
const char *handshake_refusal(const struct handshake_config *config, char text[256]);
/* The certificates, from the cache. Nothing for a pre-shared key. */
MUST_USE bool handshake_pki(const struct handshake_config *config, struct pki_set *pki,
                            struct error *error);
/* Fills instrument, side, subject and implementation of a cell. `over`: "memory", "loopback",
 * "network". */
void handshake_subject(const struct handshake_config *config, enum tls_role side, const char *over,
                       struct cell *cell);
/* Whether what was negotiated is what was asked for: false with an error that says what is not. */
MUST_USE bool handshake_check(const struct handshake_config *config,
                              const struct tls_negotiated *negotiated, struct error *error);
/* "tls1.3, TLS_AES_128_GCM_SHA256, x25519, ecdsa-p256" for progress and messages. */
void handshake_label(const struct handshake_config *config, char text[160]);

#endif
