/*
 * The cipher suites that the instrument knows, and what each demands.
 *
 * A suite is named by IANA (TLS Cipher Suites registry; RFC 5246, 5288, 5289, 5487, 5489, 6655,
 * 7251, 7905, 8442, 8446). Users may also name the cipher alone ("aes-128-gcm"): key exchange and
 * key then decide which suite it is. All text is static.
 */
#ifndef TLSMETER_HANDSHAKE_SUITE_H
#define TLSMETER_HANDSHAKE_SUITE_H

#include <stdbool.h>
#include <stddef.h>

#include "tls/endpoint.h"

enum suite_authentication { SUITE_ANY_KEY, SUITE_ECDSA, SUITE_RSA, SUITE_PSK };

struct suite {
    const char *iana;
    const char *cipher;                 /* "aes-128-gcm" */
    bool tls_1_3;                       /* for TLS 1.3 and DTLS 1.3, else for 1.2 */
    enum tls_key_exchange key_exchange; /* of 1.2; TLS 1.3 has it apart from the suite */
    enum suite_authentication authentication;
};

const struct suite *suite_list(size_t *count);
/* By IANA name or the spelling of OpenSSL, Mbed TLS or wolfSSL, in any case; NULL: not known. */
const struct suite *suite_find(const char *name);
/* The suite of a cipher for this protocol, key exchange and kind of key; NULL: there is none. */
const struct suite *suite_of_cipher(const char *cipher, enum tls_protocol protocol,
                                    enum tls_key_exchange key_exchange, const char *key);
/* Whether it may be negotiated so; a reason when not, else NULL. */
const char *suite_misfit(const struct suite *suite, enum tls_protocol protocol,
                         enum tls_key_exchange key_exchange, const char *key);
/* The ciphers' names, NULL-terminated. */
const char *const *suite_ciphers(void);

/* A group's IANA name in lower case from any common spelling ("P-256", "prime256v1", "X25519");
 * NULL: not known. */
const char *group_find(const char *name);
const char *const *group_names(void); /* NULL-terminated */

#endif
