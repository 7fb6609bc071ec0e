/* Keys and certificates to measure with: the same for all libraries, so that all do the same work.
 * They protect nothing. The bytes are static. */
#ifndef TLSMETER_CRYPTO_TEST_KEY_H
#define TLSMETER_CRYPTO_TEST_KEY_H

#include <stdbool.h>
#include <stddef.h>

struct crypto_bytes {
    const unsigned char *data;
    size_t length;
};

/* PKCS#1 RSAPrivateKey (RFC 8017 section A.1.2) of 2048, 3072 or 4096 bits. */
struct crypto_bytes crypto_test_rsa_key(unsigned bits);
/* PKCS#1 v1.5 signature with the 2048-bit key of the SHA-256 digest 00 01 ... 1f. */
struct crypto_bytes crypto_test_rsa_signature(void);
/* X.509 certificates: a server's, signed by the root. */
struct crypto_bytes crypto_test_leaf(bool rsa);
struct crypto_bytes crypto_test_root(bool rsa);

#endif
