/*
 * Published test vectors, the same for every library, and the input of the cross-check.
 *
 * A vector's fields are hexadecimal text. What a field holds depends on the kind:
 *   cipher, AEAD   key, nonce (CTR: first counter block; XTS: tweak; ChaCha20: counter and nonce,
 * 16 bytes, RFC 8439 section 2.3), additional data, input; output, for AEAD with the tag digest
 * input; output MAC            key, input; output KDF            key (input keying material), nonce
 * (salt), additional data (info); output ECDSA          key (public point 04 X Y), input (digest);
 * output (r || s), each padded EdDSA          key (private seed), nonce (public key), input; output
 * (signature) ECDH           key (private), input (the peer's public key as on the wire); output
 * (shared secret)
 */
#ifndef TLSMETER_CRYPTO_KNOWN_ANSWER_H
#define TLSMETER_CRYPTO_KNOWN_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "crypto/crypto.h"

struct known_answer {
    const char *algorithm;
    const char *source; /* document and section */
    const char *key, *nonce, *aad, *input, *output;
    size_t tag_bytes; /* AEAD: how many of the output's last bytes are the tag */
};

/* The vector's fields as bytes. */
enum { KNOWN_ANSWER_BYTES = 512 };
struct known_bytes {
    unsigned char bytes[KNOWN_ANSWER_BYTES];
    size_t length;
};

struct known_values {
    struct known_bytes key, nonce, aad, input, output;
    size_t tag_bytes;
};

/* NULL when nothing is published here for this algorithm. */
const struct known_answer *known_answer_find(const char *algorithm);
void known_answer_decode(const struct known_answer *answer, struct known_values *values);

/* True when equal; else false with ERROR_KNOWN_ANSWER that names the algorithm and the source. */
MUST_USE bool known_answer_compare(const struct known_answer *answer, const void *got,
                                   size_t got_length, const void *expected, size_t expected_length,
                                   struct error *error);

/* The cross-check's input: byte i of purpose p is (i * 131 + p * 17 + 7) mod 256; any fixed bytes
 * would do. Purposes: 'k' key, 'n' nonce, 'a' additional data, 'p' plaintext. */
void known_fill(char purpose, unsigned char *bytes, size_t length);

#endif
