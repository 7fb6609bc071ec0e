/* What the OpenSSL files of this room share. Nothing here leaves them. */
#ifndef TLSMETER_CRYPTO_OPENSSL_INTERNAL_H
#define TLSMETER_CRYPTO_OPENSSL_INTERNAL_H

#include <openssl/evp.h>
#include <openssl/provider.h>

#include "core/error.h"
#include "crypto/crypto.h"
#include "crypto/family.h"

/* Takes the error queue's first entry, empties the queue, returns false. */
bool crypto_openssl_failed(struct error *error, const char *what);

extern const struct crypto_family crypto_openssl_cipher;   /* ciphers and AEAD */
extern const struct crypto_family crypto_openssl_digest;   /* digests, MAC, KDF, random */
extern const struct crypto_family crypto_openssl_key;      /* RSA, signatures */
extern const struct crypto_family crypto_openssl_exchange; /* key agreement and KEM */
extern const struct crypto_family crypto_openssl_x509;

/* openssl_make.c: keys of any kind. NULL with an error. */
EVP_PKEY *crypto_openssl_make_key(const struct crypto_algorithm *algorithm, struct error *error);
/* A context ready for EVP_PKEY_generate. */
EVP_PKEY_CTX *crypto_openssl_keygen(const struct crypto_algorithm *algorithm, struct error *error);
/* OpenSSL's name of the algorithm's key type ("EC", "ML-KEM-768"), and of its group, or NULL. */
const char *crypto_openssl_key_type(const struct crypto_algorithm *algorithm);
const char *crypto_openssl_group(const struct crypto_algorithm *algorithm);
/* Key of a known answer: an EC point or scalar, or raw bytes. */
EVP_PKEY *crypto_openssl_import(const struct crypto_algorithm *algorithm, bool private_key,
                                const unsigned char *bytes, size_t length, struct error *error);

/* openssl_lattice.c: ML-KEM and ML-DSA against the accumulated digest of known_answer.h. */
MUST_USE bool crypto_openssl_check_lattice(const struct crypto_algorithm *algorithm,
                                           struct error *error);

#endif
