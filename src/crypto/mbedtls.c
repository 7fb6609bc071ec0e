#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <string.h>

#include "core/attributes.h"
#include "crypto/libraries.h"
#include "crypto/mbedtls_internal.h"

static const struct crypto_family *const families[] = {
    [CRYPTO_CIPHER] = &crypto_mbedtls_cipher,
    [CRYPTO_AEAD] = &crypto_mbedtls_cipher,
    [CRYPTO_DIGEST] = &crypto_mbedtls_digest,
    [CRYPTO_MAC] = &crypto_mbedtls_digest,
    [CRYPTO_KDF] = &crypto_mbedtls_digest,
    [CRYPTO_RANDOM] = &crypto_mbedtls_digest,
    [CRYPTO_RSA] = &crypto_mbedtls_key,
    [CRYPTO_ECDSA] = &crypto_mbedtls_key,
    [CRYPTO_ECDH] = &crypto_mbedtls_exchange,
    [CRYPTO_EDDSA] = NULL,
    [CRYPTO_KEM] = NULL,
    [CRYPTO_SIGNATURE] = NULL,
    [CRYPTO_X509] = &crypto_mbedtls_x509,
};

struct group_row {
    const char *name;
    mbedtls_ecp_group_id id;
};

static const struct group_row groups[] = {
    {"secp256r1", MBEDTLS_ECP_DP_SECP256R1},     {"secp384r1", MBEDTLS_ECP_DP_SECP384R1},
    {"secp521r1", MBEDTLS_ECP_DP_SECP521R1},     {"brainpoolp256r1", MBEDTLS_ECP_DP_BP256R1},
    {"brainpoolp384r1", MBEDTLS_ECP_DP_BP384R1}, {"brainpoolp512r1", MBEDTLS_ECP_DP_BP512R1},
    {"x25519", MBEDTLS_ECP_DP_CURVE25519},       {"x448", MBEDTLS_ECP_DP_CURVE448},
};

mbedtls_ecp_group_id crypto_mbedtls_group(const struct crypto_algorithm *algorithm)
{
    for (size_t i = 0; algorithm->curve != NULL && i < COUNT_OF(groups); i++)
        if (strcmp(groups[i].name, algorithm->curve) == 0)
            return groups[i].id;
    return MBEDTLS_ECP_DP_NONE;
}

bool crypto_mbedtls_failed(struct error *error, int code, const char *what)
{
    char text[160];
    mbedtls_strerror(code, text, sizeof text);
    return error_set_library(error, ORIGIN_MBEDTLS, code, "%s: %s", what, text);
}

/* One source per thread: Debian's builds have no locks in a CTR_DRBG. It lives as long as the
 * process. */
int crypto_mbedtls_random(void *unused, unsigned char *bytes, size_t length)
{
    static _Thread_local mbedtls_entropy_context entropy;
    static _Thread_local mbedtls_ctr_drbg_context drbg;
    static _Thread_local bool seeded;
    (void)unused;
    if (!seeded) {
        mbedtls_entropy_init(&entropy);
        mbedtls_ctr_drbg_init(&drbg);
        int code = mbedtls_ctr_drbg_seed(&drbg, mbedtls_entropy_func, &entropy, NULL, 0);
        if (code != 0)
            return code;
        seeded = true;
    }
    while (length > 0) {
        size_t part = length < MBEDTLS_CTR_DRBG_MAX_REQUEST ? length : MBEDTLS_CTR_DRBG_MAX_REQUEST;
        int code = mbedtls_ctr_drbg_random(&drbg, bytes, part);
        if (code != 0)
            return code;
        bytes += part;
        length -= part;
    }
    return 0;
}

static const char *version(void)
{
    static char text[18];
    mbedtls_version_get_string(text);
    return text;
}

static const char *unavailable(void)
{
    return NULL;
}

static const char *supports(const struct crypto_request *request)
{
    const struct crypto_family *family = families[request->algorithm->kind];
    if (request->mode == CRYPTO_MODE_OPENSSL_SPEED)
        return "mode openssl-speed is OpenSSL's";
    if (family == NULL)
        return crypto_reason("Mbed TLS %s has no %s", version(), request->algorithm->name);
    return family->supports(request);
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    if (!crypto_mbedtls_start(error))
        return NULL;
    return crypto_family_open(&crypto_mbedtls, families[request->algorithm->kind], request, error);
}

static void describe(const struct crypto_operation *operation, struct cell *cell)
{
    (void)operation;
    cell_set_text(cell, &cell->implementation, "cpu_features", crypto_mbedtls_features());
}

const struct crypto_library crypto_mbedtls = {
    .name = "mbedtls",
    .version = version,
    .unavailable = unavailable,
    .supports = supports,
    .open = open_operation,
    .run = crypto_family_run,
    .verify = crypto_family_verify,
    .describe = describe,
    .once = crypto_family_once,
    .close = crypto_family_close,
    .features_off = crypto_mbedtls_features_off,
};
