#include "crypto/wolfssl_internal.h"

#include <string.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/wc_port.h>

#include "core/attributes.h"
#include "crypto/libraries.h"

static const struct crypto_family *const families[] = {
    [CRYPTO_CIPHER] = &crypto_wolfssl_cipher,
    [CRYPTO_AEAD] = &crypto_wolfssl_cipher,
    [CRYPTO_DIGEST] = &crypto_wolfssl_digest,
    [CRYPTO_MAC] = &crypto_wolfssl_digest,
    [CRYPTO_KDF] = &crypto_wolfssl_digest,
    [CRYPTO_RANDOM] = &crypto_wolfssl_digest,
    [CRYPTO_RSA] = &crypto_wolfssl_rsa,
    [CRYPTO_ECDSA] = &crypto_wolfssl_ecc,
    [CRYPTO_ECDH] = &crypto_wolfssl_ecc,
    [CRYPTO_EDDSA] = &crypto_wolfssl_edwards,
    [CRYPTO_KEM] = NULL,
    [CRYPTO_SIGNATURE] = NULL,
    [CRYPTO_X509] = &crypto_wolfssl_x509,
};

static const struct crypto_family *family_of(const struct crypto_request *request)
{
    const char *name = request->algorithm->name;
    if (strncmp(name, "ffdhe", 5) == 0)
        return &crypto_wolfssl_dh;
    if (name[0] == 'x' && request->algorithm->kind == CRYPTO_ECDH)
        return &crypto_wolfssl_edwards;
    return families[request->algorithm->kind];
}

bool crypto_wolfssl_failed(struct error *error, int code, const char *what)
{
    return error_set_library(error, ORIGIN_WOLFSSL, code, "%s: %s", what, wc_GetErrorString(code));
}

/* One source per thread, which lives as long as the process. */
WC_RNG *crypto_wolfssl_rng(int *code)
{
    static _Thread_local WC_RNG rng;
    static _Thread_local bool seeded;
    *code = seeded ? 0 : wc_InitRng(&rng);
    seeded = *code == 0;
    return seeded ? &rng : NULL;
}

static const char *version(void)
{
    return wolfSSL_lib_version();
}

static const char *unavailable(void)
{
    return NULL;
}

static const char *supports(const struct crypto_request *request)
{
    const struct crypto_family *family = family_of(request);
    if (request->mode == CRYPTO_MODE_OPENSSL_SPEED)
        return "mode openssl-speed is OpenSSL's";
    if (family == NULL)
        return crypto_reason("wolfSSL %s has no %s as built here", version(),
                             request->algorithm->name);
    return family->supports(request);
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    int code = wolfCrypt_Init(); /* counted: the first call makes the locks of the point tables */
    if (code != 0) {
        (void)crypto_wolfssl_failed(error, code, "wolfCrypt could not be started");
        return NULL;
    }
    return crypto_family_open(&crypto_wolfssl, family_of(request), request, error);
}

/* Tables for points that were met before (FP_ECC): what was done earlier makes later operations on
 * a known key cheaper. */
#ifdef FP_ECC
static const bool keeps_point_tables = true;
#else
static const bool keeps_point_tables = false;
#endif

static void describe(const struct crypto_operation *operation, struct cell *cell)
{
    if (operation != NULL && operation->family == &crypto_wolfssl_ecc)
        cell_set_boolean(cell, &cell->implementation, "point_tables", keeps_point_tables);
    /* Debian builds wolfSSL without assembly. */
    cell_set_text(cell, &cell->implementation, "cpu_features", "none");
}

static const char *features_off(const char **why)
{
    *why = "this build of wolfSSL uses no crypto instructions";
    return NULL;
}

const struct crypto_library crypto_wolfssl = {
    .name = "wolfssl",
    .version = version,
    .unavailable = unavailable,
    .supports = supports,
    .open = open_operation,
    .run = crypto_family_run,
    .verify = crypto_family_verify,
    .describe = describe,
    .once = crypto_family_once,
    .close = crypto_family_close,
    .features_off = features_off,
};
