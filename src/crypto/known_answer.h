/*
 * Published test vectors, the same for every library, and the input of the cross-check.
 *
 * A vector's fields are hexadecimal text; NULL is empty. What a field holds depends on the kind:
 *
 * kind       key                nonce         aad   input              output
 * cipher     key                IV (1)              plaintext          ciphertext
 * AEAD       key                nonce         aad   plaintext          ciphertext, then tag
 * digest                                            message            digest
 * MAC        key                                    message            MAC
 * KDF        keying material    salt          info                     output keying material
 * RSA        modulus            exponent            digest (SHA-256)   signature of the padding
 * ECDSA      point 04 x y                           digest             r, s, each padded
 * EdDSA      private seed       public key          message            signature
 * ECDH       private                                peer's public key  shared secret
 * KEM                                                                  accumulated digest (2)
 * signature                                                            accumulated digest (3)
 *
 * (1) CTR: the first counter block; XTS: the tweak; ChaCha20: 4 bytes of counter, little-endian,
 *     then the nonce (RFC 8439 section 2.3)
 * (2) ML-KEM: a stream of SHAKE128 without input gives, 100 times, the seed (d, z) of a key, the
 *     randomness m of an encapsulation, and a ciphertext of random bytes. The encapsulation key,
 *     the ciphertext, the shared secret, and the secret that decapsulation gives for the random
 *     ciphertext go into another SHAKE128, whose first 32 bytes are the answer.
 * (3) ML-DSA: the stream gives, 100 times, the seed of a key; the public key and the deterministic
 *     signature of an empty message with an empty context go into the other SHAKE128.
 */
#ifndef TLSMETER_CRYPTO_KNOWN_ANSWER_H
#define TLSMETER_CRYPTO_KNOWN_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "crypto/crypto.h"

struct known_answer {
    const char *algorithm;
    const char *source; /* document and section, or file and test */
    const char *key, *nonce, *aad, *input, *output;
    size_t tag_bytes;            /* AEAD: how many of the output's last bytes are the tag */
    enum crypto_padding padding; /* RSA */
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

/* Of an accumulated digest. */
enum { KNOWN_ANSWER_ITERATIONS = 100, KNOWN_ANSWER_DIGEST_BYTES = 32 };

/* The vectors of one algorithm: begin with after = NULL; NULL when there is no further one. */
const struct known_answer *known_answer_next(const char *algorithm,
                                             const struct known_answer *after);
/* The first one. */
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
