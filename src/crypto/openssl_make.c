/* Keys of every kind: made, or taken from a known answer. */
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "crypto/openssl_internal.h"
#include "crypto/test_key.h"

struct name_row {
    const char *ours;
    const char *type;
    const char *group;
};

static const struct name_row names[] = {
    {"secp256r1", "EC", "P-256"},
    {"secp384r1", "EC", "P-384"},
    {"secp521r1", "EC", "P-521"},
    {"brainpoolp256r1", "EC", "brainpoolP256r1"},
    {"brainpoolp384r1", "EC", "brainpoolP384r1"},
    {"brainpoolp512r1", "EC", "brainpoolP512r1"},
    {"x25519", "X25519", NULL},
    {"x448", "X448", NULL},
    {"ed25519", "ED25519", NULL},
    {"ed448", "ED448", NULL},
    {"ffdhe2048", "DH", "ffdhe2048"},
    {"ffdhe3072", "DH", "ffdhe3072"},
    {"ml-kem-512", "ML-KEM-512", NULL},
    {"ml-kem-768", "ML-KEM-768", NULL},
    {"ml-kem-1024", "ML-KEM-1024", NULL},
    {"ml-dsa-44", "ML-DSA-44", NULL},
    {"ml-dsa-65", "ML-DSA-65", NULL},
    {"ml-dsa-87", "ML-DSA-87", NULL},
};

static const struct name_row *find(const struct crypto_algorithm *algorithm)
{
    const char *name = algorithm->curve == NULL ? algorithm->name : algorithm->curve;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i].ours, name) == 0)
            return &names[i];
    return NULL;
}

const char *crypto_openssl_key_type(const struct crypto_algorithm *algorithm)
{
    const struct name_row *row = find(algorithm);
    return row == NULL ? "RSA" : row->type;
}

const char *crypto_openssl_group(const struct crypto_algorithm *algorithm)
{
    const struct name_row *row = find(algorithm);
    return row == NULL ? NULL : row->group;
}

EVP_PKEY_CTX *crypto_openssl_keygen(const struct crypto_algorithm *algorithm, struct error *error)
{
    const char *group = crypto_openssl_group(algorithm);
    char name[32] = "";
    size_t bits = algorithm->key_bits;
    OSSL_PARAM parameters[2] = {OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
    if (group != NULL) {
        (void)snprintf(name, sizeof name, "%s", group);
        parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name, 0);
    } else if (algorithm->kind == CRYPTO_RSA) {
        parameters[0] = OSSL_PARAM_construct_size_t(OSSL_PKEY_PARAM_RSA_BITS, &bits);
    }
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, crypto_openssl_key_type(algorithm), NULL);
    if (ctx != NULL && EVP_PKEY_keygen_init(ctx) == 1 &&
        EVP_PKEY_CTX_set_params(ctx, parameters) == 1)
        return ctx;
    (void)crypto_openssl_failed(error, algorithm->name);
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

EVP_PKEY *crypto_openssl_make_key(const struct crypto_algorithm *algorithm, struct error *error)
{
    EVP_PKEY *key = NULL;
    if (algorithm->kind == CRYPTO_RSA) {
        struct crypto_bytes der = crypto_test_rsa_key(algorithm->key_bits);
        const unsigned char *next = der.data;
        key = d2i_PrivateKey(EVP_PKEY_RSA, NULL, &next, (long)der.length);
        if (key == NULL)
            (void)crypto_openssl_failed(error, algorithm->name);
        return key;
    }
    EVP_PKEY_CTX *ctx = crypto_openssl_keygen(algorithm, error);
    if (ctx != NULL && EVP_PKEY_generate(ctx, &key) != 1)
        (void)crypto_openssl_failed(error, algorithm->name);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *import_ec(const struct crypto_algorithm *algorithm, bool private_key,
                           const unsigned char *bytes, size_t length)
{
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *scalar = private_key ? BN_bin2bn(bytes, (int)length, NULL) : NULL;
    bool built = build != NULL &&
                 OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME,
                                                 crypto_openssl_group(algorithm), 0) == 1 &&
                 (private_key ? scalar != NULL && OSSL_PARAM_BLD_push_BN(
                                                      build, OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1
                              : OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY,
                                                                 bytes, length) == 1);
    OSSL_PARAM *parameters = built ? OSSL_PARAM_BLD_to_param(build) : NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (parameters != NULL && ctx != NULL && EVP_PKEY_fromdata_init(ctx) == 1 &&
        EVP_PKEY_fromdata(ctx, &key, private_key ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
                          parameters) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(build);
    BN_free(scalar);
    return key;
}

EVP_PKEY *crypto_openssl_import(const struct crypto_algorithm *algorithm, bool private_key,
                                const unsigned char *bytes, size_t length, struct error *error)
{
    const char *type = crypto_openssl_key_type(algorithm);
    EVP_PKEY *key;
    if (strcmp(type, "EC") == 0)
        key = import_ec(algorithm, private_key, bytes, length);
    else if (private_key)
        key = EVP_PKEY_new_raw_private_key_ex(NULL, type, NULL, bytes, length);
    else
        key = EVP_PKEY_new_raw_public_key_ex(NULL, type, NULL, bytes, length);
    if (key == NULL)
        (void)crypto_openssl_failed(error, algorithm->name);
    return key;
}
