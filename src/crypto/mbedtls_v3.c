/* What is particular to Mbed TLS 3.6. */
#include "crypto/mbedtls_internal.h"

#if MBEDTLS_VERSION_MAJOR >= 3

#include <psa/crypto.h>

bool crypto_mbedtls_start(struct error *error)
{
    psa_status_t status = psa_crypto_init();
    return status == PSA_SUCCESS
               ? true
               : error_set_library(error, ORIGIN_MBEDTLS, status, "PSA could not be started");
}

int crypto_mbedtls_parse_key(mbedtls_pk_context *key, const unsigned char *der, size_t length)
{
    return mbedtls_pk_parse_key(key, der, length, NULL, 0, crypto_mbedtls_random, NULL);
}

int crypto_mbedtls_sign(mbedtls_pk_context *key, mbedtls_md_type_t digest,
                        const unsigned char *hash, size_t hash_bytes, unsigned char *signature,
                        size_t capacity, size_t *length)
{
    return mbedtls_pk_sign(key, digest, hash, hash_bytes, signature, capacity, length,
                           crypto_mbedtls_random, NULL);
}

#endif
