/* What the wolfSSL files of this room share. Nothing here leaves them. */
#ifndef TLSMETER_CRYPTO_WOLFSSL_INTERNAL_H
#define TLSMETER_CRYPTO_WOLFSSL_INTERNAL_H

/* clang-format off: options.h tells the other headers how the library was built */
#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/random.h>
#include <wolfssl/wolfcrypt/types.h>
/* clang-format on */

#include "core/error.h"
#include "crypto/crypto.h"
#include "crypto/family.h"

/* Names a negative code of wolfCrypt; returns false. */
bool crypto_wolfssl_failed(struct error *error, int code, const char *what);
/* The random source of the calling thread; NULL with the code when it cannot be seeded. */
WC_RNG *crypto_wolfssl_rng(int *code);

extern const struct crypto_family crypto_wolfssl_cipher; /* ciphers and AEAD */
extern const struct crypto_family crypto_wolfssl_digest; /* digests, MAC, KDF, random */
extern const struct crypto_family crypto_wolfssl_rsa;
extern const struct crypto_family crypto_wolfssl_ecc;     /* ECDSA and ECDH on Weierstrass curves */
extern const struct crypto_family crypto_wolfssl_edwards; /* Ed25519, Ed448, X25519, X448 */
extern const struct crypto_family crypto_wolfssl_dh;
extern const struct crypto_family crypto_wolfssl_x509;

#endif
