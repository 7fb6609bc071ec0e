/* Digests, MACs, HKDF and random bytes. */
#include <mbedtls/cmac.h>
#include <mbedtls/hkdf.h>
#include <string.h>

#include "core/attributes.h"
#include "crypto/digest_work.h"
#include "crypto/libraries.h"
#include "crypto/mbedtls_internal.h"

struct digest_operation {
    struct digest_work work;
    const mbedtls_md_info_t *info;
    mbedtls_md_context_t md;
    mbedtls_cipher_context_t cmac;
    bool is_cmac;
};

struct name_row {
    const char *name;
    const char *digest; /* of mbedtls_md_info_from_string */
};

static const struct name_row names[] = {
    {"sha1", "SHA1"},          {"sha256", "SHA256"},      {"sha384", "SHA384"},
    {"sha512", "SHA512"},      {"sha3-256", "SHA3-256"},  {"hmac-sha256", "SHA256"},
    {"hmac-sha384", "SHA384"}, {"hkdf-sha256", "SHA256"},
};

static const mbedtls_md_info_t *find_info(const struct crypto_algorithm *algorithm)
{
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i].name, algorithm->name) == 0)
            return mbedtls_md_info_from_string(names[i].digest);
    return NULL;
}

static bool needs_digest(const struct crypto_algorithm *algorithm)
{
    return algorithm->kind != CRYPTO_RANDOM && strcmp(algorithm->name, "aes-128-cmac") != 0;
}

static const char *supports(const struct crypto_request *request)
{
    if (needs_digest(request->algorithm) && find_info(request->algorithm) == NULL)
        return crypto_reason("this build of Mbed TLS has no %s", request->algorithm->name);
    if (request->mode == CRYPTO_MODE_STREAM && request->algorithm->kind == CRYPTO_RANDOM)
        return "random bytes have no stream";
    return NULL;
}

static int digest(struct digest_operation *own)
{
    int code = mbedtls_md_starts(&own->md);
    if (code == 0)
        code = mbedtls_md_update(&own->md, own->work.input, own->work.size);
    return code != 0 ? code : mbedtls_md_finish(&own->md, own->work.output);
}

/* A keyed context cannot be keyed again without a leak: it is made anew. */
static int cmac_start(struct digest_operation *own)
{
    mbedtls_cipher_free(&own->cmac);
    mbedtls_cipher_init(&own->cmac);
    int code =
        mbedtls_cipher_setup(&own->cmac, mbedtls_cipher_info_from_type(MBEDTLS_CIPHER_AES_128_ECB));
    return code != 0
               ? code
               : mbedtls_cipher_cmac_starts(&own->cmac, own->work.key, own->work.key_bytes * 8);
}

/* Starts a MAC: with the key anew, or with the key that stays. */
static int mac_start(struct digest_operation *own, bool new_key)
{
    if (own->is_cmac)
        return new_key ? cmac_start(own) : mbedtls_cipher_cmac_reset(&own->cmac);
    return new_key ? mbedtls_md_hmac_starts(&own->md, own->work.key, own->work.key_bytes)
                   : mbedtls_md_hmac_reset(&own->md);
}

static int mac_update(struct digest_operation *own)
{
    return own->is_cmac ? mbedtls_cipher_cmac_update(&own->cmac, own->work.input, own->work.size)
                        : mbedtls_md_hmac_update(&own->md, own->work.input, own->work.size);
}

static int mac_finish(struct digest_operation *own)
{
    return own->is_cmac ? mbedtls_cipher_cmac_finish(&own->cmac, own->work.output)
                        : mbedtls_md_hmac_finish(&own->md, own->work.output);
}

static int mac(struct digest_operation *own, bool new_key)
{
    int code = mac_start(own, new_key);
    if (code == 0)
        code = mac_update(own);
    own->work.key[0]++; /* the next message's, in mode message */
    return code != 0 ? code : mac_finish(own);
}

static int kdf(struct digest_operation *own)
{
    return mbedtls_hkdf(own->info, own->work.salt, own->work.salt_bytes, own->work.key,
                        own->work.key_bytes, own->work.info, own->work.info_bytes, own->work.output,
                        own->work.output_bytes);
}

static int step(struct digest_operation *own)
{
    bool stream = own->work.head.request.mode == CRYPTO_MODE_STREAM;
    switch (own->work.head.request.algorithm->kind) {
    case CRYPTO_DIGEST:
        return stream ? mbedtls_md_update(&own->md, own->work.input, own->work.size) : digest(own);
    case CRYPTO_MAC:
        return stream ? mac_update(own)
                      : mac(own, own->work.head.request.mode == CRYPTO_MODE_MESSAGE);
    case CRYPTO_KDF:
        return kdf(own);
    default:
        return crypto_mbedtls_random(NULL, own->work.input, own->work.size);
    }
}

static int start_stream(struct digest_operation *own)
{
    if (own->work.head.request.mode != CRYPTO_MODE_STREAM)
        return 0;
    return own->work.head.request.algorithm->kind == CRYPTO_DIGEST ? mbedtls_md_starts(&own->md)
                                                                   : mac_start(own, false);
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct digest_operation *own = (struct digest_operation *)operation;
    int code = start_stream(own);
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_mbedtls_failed(error, code, operation->request.algorithm->name);
}

static bool prepare(struct digest_work *work, struct error *error)
{
    struct digest_operation *own = (struct digest_operation *)work;
    const struct crypto_algorithm *algorithm = work->head.request.algorithm;
    int code = 0;
    own->is_cmac = strcmp(algorithm->name, "aes-128-cmac") == 0;
    own->info = find_info(algorithm);
    mbedtls_md_init(&own->md);
    mbedtls_cipher_init(&own->cmac);
    if (own->info != NULL)
        code = mbedtls_md_setup(&own->md, own->info, algorithm->kind == CRYPTO_MAC);
    if (code == 0 && algorithm->kind == CRYPTO_MAC)
        code = mac_start(own, true);
    return code == 0 || crypto_mbedtls_failed(error, code, algorithm->name);
}

static bool finish(struct digest_work *work, struct error *error)
{
    struct digest_operation *own = (struct digest_operation *)work;
    bool is_digest = work->head.request.algorithm->kind == CRYPTO_DIGEST;
    int code = is_digest ? mbedtls_md_finish(&own->md, work->output) : mac_finish(own);
    return code == 0 || crypto_mbedtls_failed(error, code, work->head.request.algorithm->name);
}

static void release(struct digest_work *work)
{
    struct digest_operation *own = (struct digest_operation *)work;
    mbedtls_md_free(&own->md);
    mbedtls_cipher_free(&own->cmac);
}

static const struct digest_hooks hooks = {
    .library = &crypto_mbedtls,
    .operation_bytes = sizeof(struct digest_operation),
    .prepare = prepare,
    .run = run,
    .finish = finish,
    .release = release,
};

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    return digest_work_open(&hooks, request, error);
}

const struct crypto_family crypto_mbedtls_digest = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = digest_work_verify,
    .once = digest_work_once,
    .close = digest_work_close,
};
