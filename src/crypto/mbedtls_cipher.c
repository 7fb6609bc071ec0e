/* Ciphers and AEAD through mbedtls_cipher, as the library's own TLS uses it; ChaCha20 by itself,
 * since only so its counter can be set. */
#include <mbedtls/chacha20.h>
#include <string.h>

#include "core/attributes.h"
#include "crypto/cipher_work.h"
#include "crypto/libraries.h"
#include "crypto/mbedtls_internal.h"

enum { BLOCK_BYTES = 16 };

struct cipher_operation {
    struct cipher_work work;
    mbedtls_cipher_context_t ctx;
    mbedtls_chacha20_context chacha;
    bool ecb, chacha20;
};

struct name_row {
    const char *name;
    mbedtls_cipher_type_t type;
};

static const struct name_row names[] = {
    {"aes-128-ecb", MBEDTLS_CIPHER_AES_128_ECB},
    {"aes-192-ecb", MBEDTLS_CIPHER_AES_192_ECB},
    {"aes-256-ecb", MBEDTLS_CIPHER_AES_256_ECB},
    {"aes-128-cbc", MBEDTLS_CIPHER_AES_128_CBC},
    {"aes-192-cbc", MBEDTLS_CIPHER_AES_192_CBC},
    {"aes-256-cbc", MBEDTLS_CIPHER_AES_256_CBC},
    {"aes-128-ctr", MBEDTLS_CIPHER_AES_128_CTR},
    {"aes-192-ctr", MBEDTLS_CIPHER_AES_192_CTR},
    {"aes-256-ctr", MBEDTLS_CIPHER_AES_256_CTR},
    {"aes-128-gcm", MBEDTLS_CIPHER_AES_128_GCM},
    {"aes-192-gcm", MBEDTLS_CIPHER_AES_192_GCM},
    {"aes-256-gcm", MBEDTLS_CIPHER_AES_256_GCM},
    {"aes-128-ccm", MBEDTLS_CIPHER_AES_128_CCM},
    {"aes-192-ccm", MBEDTLS_CIPHER_AES_192_CCM},
    {"aes-256-ccm", MBEDTLS_CIPHER_AES_256_CCM},
    {"aes-128-xts", MBEDTLS_CIPHER_AES_128_XTS},
    {"aes-256-xts", MBEDTLS_CIPHER_AES_256_XTS},
    {"chacha20", MBEDTLS_CIPHER_CHACHA20},
    {"chacha20-poly1305", MBEDTLS_CIPHER_CHACHA20_POLY1305},
};

static const mbedtls_cipher_info_t *find_info(const struct crypto_algorithm *algorithm)
{
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i].name, algorithm->name) == 0)
            return mbedtls_cipher_info_from_type(names[i].type);
    return NULL;
}

static const char *supports(const struct crypto_request *request)
{
    if (find_info(request->algorithm) == NULL)
        return crypto_reason("this build of Mbed TLS has no %s", request->algorithm->name);
    if (request->mode == CRYPTO_MODE_STREAM && request->algorithm->kind == CRYPTO_AEAD)
        return "Mbed TLS seals whole messages: no stream is measured";
    if (request->mode == CRYPTO_MODE_STREAM && strstr(request->algorithm->name, "-xts") != NULL)
        return "XTS encrypts data units, each with its tweak: it has no stream";
    return NULL;
}

static int set_key(struct cipher_operation *own)
{
    if (own->chacha20)
        return mbedtls_chacha20_setkey(&own->chacha, own->work.key);
    return mbedtls_cipher_setkey(&own->ctx, own->work.key, (int)own->work.key_bytes * 8,
                                 own->work.encrypt ? MBEDTLS_ENCRYPT : MBEDTLS_DECRYPT);
}

/* The counter stands before the nonce, little-endian (RFC 8439 section 2.3). */
static int start_chacha(struct cipher_operation *own)
{
    const unsigned char *n = own->work.nonce;
    uint32_t counter =
        (uint32_t)n[0] | (uint32_t)n[1] << 8 | (uint32_t)n[2] << 16 | (uint32_t)n[3] << 24;
    return mbedtls_chacha20_starts(&own->chacha, n + 4, counter);
}

static int seal(struct cipher_operation *own)
{
    size_t length;
    if (own->work.encrypt)
        return mbedtls_cipher_auth_encrypt_ext(
            &own->ctx, own->work.nonce, own->work.nonce_bytes, own->work.aad, own->work.aad_bytes,
            own->work.input, own->work.size, own->work.output, own->work.size + own->work.tag_bytes,
            &length, own->work.tag_bytes);
    return mbedtls_cipher_auth_decrypt_ext(
        &own->ctx, own->work.nonce, own->work.nonce_bytes, own->work.aad, own->work.aad_bytes,
        own->work.input, own->work.size + own->work.tag_bytes, own->work.output,
        own->work.size + own->work.tag_bytes, &length, own->work.tag_bytes);
}

static int update(struct cipher_operation *own)
{
    size_t length;
    int code = 0;
    if (own->chacha20)
        return mbedtls_chacha20_update(&own->chacha, own->work.size, own->work.input,
                                       own->work.output);
    if (!own->ecb)
        return mbedtls_cipher_update(&own->ctx, own->work.input, own->work.size, own->work.output,
                                     &length);
    for (size_t at = 0; code == 0 && at < own->work.size;
         at += BLOCK_BYTES) /* all it takes at once */
        code = mbedtls_cipher_update(&own->ctx, own->work.input + at, BLOCK_BYTES,
                                     own->work.output + at, &length);
    return code;
}

static int start(struct cipher_operation *own)
{
    if (own->chacha20)
        return start_chacha(own);
    int code =
        own->ecb ? 0 : mbedtls_cipher_set_iv(&own->ctx, own->work.nonce, own->work.nonce_bytes);
    return code != 0 ? code : mbedtls_cipher_reset(&own->ctx);
}

/* One message, from nonce to tag. */
static inline int message(struct cipher_operation *own)
{
    if (own->work.aead)
        return seal(own);
    int code = start(own);
    return code != 0 ? code : update(own);
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct cipher_operation *own = (struct cipher_operation *)operation;
    enum crypto_mode mode = operation->request.mode;
    int code = mode == CRYPTO_MODE_STREAM ? start(own) : 0;
    for (uint64_t i = 0; code == 0 && i < count; i++) {
        if (mode == CRYPTO_MODE_STREAM) {
            code = update(own);
            continue;
        }
        if (mode == CRYPTO_MODE_MESSAGE)
            code = set_key(own);
        if (code == 0)
            code = message(own);
        if (mode == CRYPTO_MODE_MESSAGE)
            cipher_work_next_key(&own->work);
        else
            cipher_work_next_nonce(&own->work);
    }
    return code == 0 || crypto_mbedtls_failed(error, code, operation->request.algorithm->name);
}

static bool prepare(struct cipher_work *work, struct error *error)
{
    struct cipher_operation *own = (struct cipher_operation *)work;
    const struct crypto_algorithm *algorithm = work->head.request.algorithm;
    own->ecb = strstr(algorithm->name, "-ecb") != NULL;
    own->chacha20 = strcmp(algorithm->name, "chacha20") == 0;
    mbedtls_cipher_init(&own->ctx);
    mbedtls_chacha20_init(&own->chacha);
    int code = mbedtls_cipher_setup(&own->ctx, find_info(algorithm));
    if (code == 0)
        code = set_key(own);
    if (code == 0 && strstr(algorithm->name, "-cbc") != NULL)
        code = mbedtls_cipher_set_padding_mode(&own->ctx, MBEDTLS_PADDING_NONE);
    return code == 0 || crypto_mbedtls_failed(error, code, algorithm->name);
}

static bool send_message(struct cipher_work *work, struct error *error)
{
    int code = message((struct cipher_operation *)work);
    return code == 0 || crypto_mbedtls_failed(error, code, work->head.request.algorithm->name);
}

static void release(struct cipher_work *work)
{
    struct cipher_operation *own = (struct cipher_operation *)work;
    mbedtls_cipher_free(&own->ctx);
    mbedtls_chacha20_free(&own->chacha);
}

static const struct cipher_hooks hooks = {
    .library = &crypto_mbedtls,
    .operation_bytes = sizeof(struct cipher_operation),
    .prepare = prepare,
    .message = send_message,
    .run = run,
    .release = release,
};

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    return cipher_work_open(&hooks, request, error);
}

const struct crypto_family crypto_mbedtls_cipher = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = cipher_work_verify,
    .once = cipher_work_once,
    .close = cipher_work_close,
};
