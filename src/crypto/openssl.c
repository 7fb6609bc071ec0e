#include <inttypes.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/opensslv.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "core/buffer.h"
#include "crypto/libraries.h"
#include "crypto/openssl_internal.h"

static const struct crypto_family *const families[] = {
    [CRYPTO_CIPHER] = &crypto_openssl_cipher, [CRYPTO_AEAD] = &crypto_openssl_cipher,
    [CRYPTO_DIGEST] = &crypto_openssl_digest, [CRYPTO_MAC] = &crypto_openssl_digest,
    [CRYPTO_KDF] = &crypto_openssl_digest,    [CRYPTO_RANDOM] = &crypto_openssl_digest,
    [CRYPTO_RSA] = &crypto_openssl_key,       [CRYPTO_ECDSA] = &crypto_openssl_key,
    [CRYPTO_ECDH] = &crypto_openssl_exchange, [CRYPTO_EDDSA] = &crypto_openssl_key,
    [CRYPTO_KEM] = &crypto_openssl_exchange,  [CRYPTO_SIGNATURE] = &crypto_openssl_key,
    [CRYPTO_X509] = &crypto_openssl_x509,
};

static const struct crypto_family *family_of(const struct crypto_request *request)
{
    return families[request->algorithm->kind];
}

bool crypto_openssl_failed(struct error *error, const char *what)
{
    unsigned long code = ERR_get_error();
    const char *reason = ERR_reason_error_string(code);
    ERR_clear_error();
    return error_set_library(error, ORIGIN_OPENSSL, (int64_t)code, "%s: %s", what,
                             reason == NULL ? "no reason given" : reason);
}

static const char *version(void)
{
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}

static const char *unavailable(void)
{
    return NULL;
}

static const char *supports(const struct crypto_request *request)
{
    return family_of(request)->supports(request);
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    return crypto_family_open(&crypto_openssl, family_of(request), request, error);
}

struct feature {
    unsigned word, bit;
    const char *name;
};

/* x86: words of OPENSSL_ia32cap, CPUID leaf 1 EDX and ECX, then leaf 7 EBX and ECX (manual page
 * OPENSSL_ia32cap(3); Intel SDM volume 2, CPUID). Arm: OPENSSL_armcap, the ARMV8_ constants of
 * OpenSSL's arm_arch.h, 3.0 to 3.5. What is switched off is AES, carry-less multiplication and SHA,
 * not the vector units, which serve everything else too. */
#if defined(__x86_64__) || defined(__i386__)
static const struct feature features[] = {{0, 57, "aes"},  {0, 33, "pclmul"},  {0, 41, "ssse3"},
                                          {0, 60, "avx"},  {1, 5, "avx2"},     {1, 29, "sha"},
                                          {1, 41, "vaes"}, {1, 42, "vpclmul"}, {1, 8, "bmi2"},
                                          {1, 19, "adx"},  {1, 16, "avx512"}};
static const char *const off = "OPENSSL_ia32cap=~0x200000200000000:~0x60020000000";
static const char *const no_switch = NULL;
#elif defined(__aarch64__) || defined(__arm__)
static const struct feature features[] = {{0, 0, "neon"},   {0, 2, "aes"},   {0, 3, "sha1"},
                                          {0, 4, "sha256"}, {0, 5, "pmull"}, {0, 6, "sha512"},
                                          {0, 11, "sha3"}};
static const char *const off = "OPENSSL_armcap=0x1"; /* the whole vector: NEON alone */
static const char *const no_switch = NULL;
#else
static const struct feature features[] = {{0, 63, "unknown"}};
static const char *const off = NULL;
static const char *const no_switch =
    "tlsmeter knows OpenSSL's switch for the CPU's instructions on x86 and Arm only";
#endif

static void append_features(struct buffer *out)
{
    uint64_t words[2] = {0, 0};
    const char *text = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
    text = text == NULL ? NULL : strchr(text, '=');
    if (text == NULL)
        return;
    char *end;
    words[0] = strtoull(text + 1, &end, 0);
    if (*end == ':')
        words[1] = strtoull(end + 1, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(features); i++)
        if ((words[features[i].word] >> features[i].bit & 1) != 0)
            buffer_printf(out, "%s%s", out->length == 0 ? "" : ",", features[i].name);
}

static void describe(const struct crypto_operation *operation, struct cell *cell)
{
    struct buffer list;
    buffer_init(&list, 256);
    append_features(&list);
    if (operation != NULL)
        cell_set_text(cell, &cell->implementation, "provider",
                      operation->family->provider(operation));
    cell_set_text(cell, &cell->implementation, "cpu_features",
                  list.length == 0 ? "none" : buffer_text(&list));
    buffer_free(&list);
}

static const char *features_off(const char **why)
{
    *why = no_switch;
    return off;
}

const struct crypto_library crypto_openssl = {
    .name = "openssl",
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
