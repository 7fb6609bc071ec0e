/* What is particular to Mbed TLS 2.28. */
#include "crypto/mbedtls_internal.h"

#if MBEDTLS_VERSION_MAJOR < 3

bool crypto_mbedtls_start(struct error *error)
{
    (void)error;
    return true;
}

int crypto_mbedtls_parse_key(mbedtls_pk_context *key, const unsigned char *der, size_t length)
{
    return mbedtls_pk_parse_key(key, der, length, NULL, 0);
}

int crypto_mbedtls_sign(mbedtls_pk_context *key, mbedtls_md_type_t digest,
                        const unsigned char *hash, size_t hash_bytes, unsigned char *signature,
                        size_t capacity, size_t *length)
{
    (void)capacity; /* MBEDTLS_PK_SIGNATURE_MAX_SIZE is what it needs at most */
    return mbedtls_pk_sign(key, digest, hash, hash_bytes, signature, length, crypto_mbedtls_random,
                           NULL);
}

#endif
