/* What the Mbed TLS files of this room share. Nothing here leaves them. */
#ifndef TLSMETER_CRYPTO_MBEDTLS_INTERNAL_H
#define TLSMETER_CRYPTO_MBEDTLS_INTERNAL_H

#include <mbedtls/cipher.h>
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/ecp.h>
#include <mbedtls/md.h>
#include <mbedtls/pk.h>
#include <mbedtls/version.h>

#include "core/error.h"
#include "crypto/crypto.h"
#include "crypto/family.h"

/* Names a negative code of Mbed TLS; returns false. */
bool crypto_mbedtls_failed(struct error *error, int code, const char *what);

extern const struct crypto_family crypto_mbedtls_cipher;   /* ciphers and AEAD */
extern const struct crypto_family crypto_mbedtls_digest;   /* digests, MAC, KDF, random */
extern const struct crypto_family crypto_mbedtls_key;      /* RSA and ECDSA */
extern const struct crypto_family crypto_mbedtls_exchange; /* key agreement */
extern const struct crypto_family crypto_mbedtls_x509;

/* The random source of all operations of the calling thread: CTR_DRBG seeded from the system. */
int crypto_mbedtls_random(void *unused, unsigned char *bytes, size_t length);
/* MBEDTLS_ECP_DP_NONE when the library lacks the curve. */
mbedtls_ecp_group_id crypto_mbedtls_group(const struct crypto_algorithm *algorithm);

/* mbedtls_v2.c and mbedtls_v3.c: what differs between the two major versions. */
MUST_USE bool crypto_mbedtls_start(struct error *error);
int crypto_mbedtls_parse_key(mbedtls_pk_context *key, const unsigned char *der, size_t length);
int crypto_mbedtls_sign(mbedtls_pk_context *key, mbedtls_md_type_t digest,
                        const unsigned char *hash, size_t hash_bytes, unsigned char *signature,
                        size_t capacity, size_t *length);

/* mbedtls_features.c: the CPU's instructions in use, "aes,pclmul" or "none". */
const char *crypto_mbedtls_features(void);
/* "NAME=VALUE" that turns them off, or NULL where the library has no such code. */
const char *crypto_mbedtls_features_off(const char **why);

#endif
