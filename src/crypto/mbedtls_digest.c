/* Digests, MACs, HKDF and random bytes. */
#include <mbedtls/cmac.h>
#include <mbedtls/hkdf.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "crypto/known_answer.h"
#include "crypto/libraries.h"
#include "crypto/mbedtls_internal.h"

enum { MOST_KEY_BYTES = 64, MOST_DIGEST_BYTES = 64, KDF_BYTES = 32 };

struct digest_operation {
    struct crypto_operation head;
    const mbedtls_md_info_t *info;
    mbedtls_md_context_t md;
    mbedtls_cipher_context_t cmac;
    bool is_cmac;
    unsigned char key[MOST_KEY_BYTES], salt[MOST_KEY_BYTES], info_bytes[MOST_KEY_BYTES];
    size_t key_length, salt_length, info_length;
    unsigned char output[MOST_DIGEST_BYTES];
    size_t output_length;
    unsigned char *input;
    size_t size;
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
        code = mbedtls_md_update(&own->md, own->input, own->size);
    return code != 0 ? code : mbedtls_md_finish(&own->md, own->output);
}

/* A keyed context cannot be keyed again without a leak: it is made anew. */
static int cmac_start(struct digest_operation *own)
{
    mbedtls_cipher_free(&own->cmac);
    mbedtls_cipher_init(&own->cmac);
    int code =
        mbedtls_cipher_setup(&own->cmac, mbedtls_cipher_info_from_type(MBEDTLS_CIPHER_AES_128_ECB));
    return code != 0 ? code : mbedtls_cipher_cmac_starts(&own->cmac, own->key, own->key_length * 8);
}

/* Starts a MAC: with the key anew, or with the key that stays. */
static int mac_start(struct digest_operation *own, bool new_key)
{
    if (own->is_cmac)
        return new_key ? cmac_start(own) : mbedtls_cipher_cmac_reset(&own->cmac);
    return new_key ? mbedtls_md_hmac_starts(&own->md, own->key, own->key_length)
                   : mbedtls_md_hmac_reset(&own->md);
}

static int mac_update(struct digest_operation *own)
{
    return own->is_cmac ? mbedtls_cipher_cmac_update(&own->cmac, own->input, own->size)
                        : mbedtls_md_hmac_update(&own->md, own->input, own->size);
}

static int mac(struct digest_operation *own, bool new_key)
{
    int code = mac_start(own, new_key);
    if (code == 0)
        code = mac_update(own);
    if (code != 0)
        return code;
    return own->is_cmac ? mbedtls_cipher_cmac_finish(&own->cmac, own->output)
                        : mbedtls_md_hmac_finish(&own->md, own->output);
}

static int kdf(struct digest_operation *own)
{
    return mbedtls_hkdf(own->info, own->salt, own->salt_length, own->key, own->key_length,
                        own->info_bytes, own->info_length, own->output, own->output_length);
}

static int step(struct digest_operation *own)
{
    bool stream = own->head.request.mode == CRYPTO_MODE_STREAM;
    switch (own->head.request.algorithm->kind) {
    case CRYPTO_DIGEST:
        return stream ? mbedtls_md_update(&own->md, own->input, own->size) : digest(own);
    case CRYPTO_MAC:
        return stream ? mac_update(own) : mac(own, own->head.request.mode == CRYPTO_MODE_MESSAGE);
    case CRYPTO_KDF:
        return kdf(own);
    default:
        return crypto_mbedtls_random(NULL, own->input, own->size);
    }
}

static int start_stream(struct digest_operation *own)
{
    if (own->head.request.mode != CRYPTO_MODE_STREAM)
        return 0;
    return own->head.request.algorithm->kind == CRYPTO_DIGEST ? mbedtls_md_starts(&own->md)
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

static void close_operation(struct crypto_operation *operation)
{
    struct digest_operation *own = (struct digest_operation *)operation;
    mbedtls_md_free(&own->md);
    mbedtls_cipher_free(&own->cmac);
    free(own->input);
    free(own);
}

static int prepare(struct digest_operation *own)
{
    const struct crypto_algorithm *algorithm = own->head.request.algorithm;
    int code = 0;
    if (own->info != NULL)
        code = mbedtls_md_setup(&own->md, own->info, algorithm->kind == CRYPTO_MAC);
    if (code == 0 && algorithm->kind == CRYPTO_MAC)
        code = mac_start(own, true);
    return code;
}

static void fill(struct digest_operation *own, const struct known_values *values)
{
    const struct crypto_algorithm *algorithm = own->head.request.algorithm;
    own->key_length = algorithm->key_bits / 8;
    own->salt_length = own->info_length = KDF_BYTES;
    own->output_length = algorithm->kind == CRYPTO_KDF ? (size_t)KDF_BYTES : algorithm->tag_bytes;
    known_fill('k', own->key, own->key_length);
    known_fill('n', own->salt, own->salt_length);
    known_fill('a', own->info_bytes, own->info_length);
    known_fill('p', own->input, own->size);
    if (values == NULL)
        return;
    own->key_length = values->key.length;
    own->salt_length = values->nonce.length;
    own->info_length = values->aad.length;
    own->output_length = values->output.length;
    memcpy(own->key, values->key.bytes, own->key_length);
    memcpy(own->salt, values->nonce.bytes, own->salt_length);
    memcpy(own->info_bytes, values->aad.bytes, own->info_length);
    memcpy(own->input, values->input.bytes, own->size);
}

static struct digest_operation *make(const struct crypto_request *request,
                                     const struct known_values *values, struct error *error)
{
    struct digest_operation *own = calloc(1, sizeof *own);
    size_t size = values == NULL ? request->size_bytes : values->input.length;
    if (own != NULL) {
        own->head = (struct crypto_operation){&crypto_mbedtls, *request};
        own->size = size;
        own->input = calloc(1, size + 1);
    }
    if (own == NULL || own->input == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        free(own);
        return NULL;
    }
    own->is_cmac = strcmp(request->algorithm->name, "aes-128-cmac") == 0;
    own->info = find_info(request->algorithm);
    mbedtls_md_init(&own->md);
    mbedtls_cipher_init(&own->cmac);
    fill(own, values);
    int code = prepare(own);
    if (code == 0)
        return own;
    (void)crypto_mbedtls_failed(error, code, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct digest_operation *own = make(request, NULL, error);
    return own == NULL ? NULL : &own->head;
}

static int compute(struct digest_operation *own)
{
    int code;
    switch (own->head.request.algorithm->kind) {
    case CRYPTO_DIGEST:
        return digest(own);
    case CRYPTO_MAC:
        code = mac(own, true);
        return code != 0 ? code : mac(own, false); /* the key that stays must give the same */
    default:
        return kdf(own);
    }
}

/* Random bytes have no known answer: two draws differ, and neither is all one value. */
static bool verify_random(struct error *error)
{
    unsigned char first[32];
    unsigned char second[32];
    if (crypto_mbedtls_random(NULL, first, sizeof first) == 0 &&
        crypto_mbedtls_random(NULL, second, sizeof second) == 0 &&
        memcmp(first, second, sizeof first) != 0 && memcmp(first, first + 1, 31) != 0)
        return true;
    return error_set(error, ERROR_KNOWN_ANSWER, "random bytes repeat");
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    const struct known_answer *answer = known_answer_find(operation->request.algorithm->name);
    struct known_values values;
    if (operation->request.algorithm->kind == CRYPTO_RANDOM)
        return verify_random(error);
    if (answer == NULL)
        return error_set(error, ERROR_KNOWN_ANSWER, "no published answer to check with");
    known_answer_decode(answer, &values);
    struct digest_operation *known = make(&operation->request, &values, error);
    if (known == NULL)
        return false;
    int code = compute(known);
    bool good = code == 0 || crypto_mbedtls_failed(error, code, answer->algorithm);
    good = good && known_answer_compare(answer, known->output, known->output_length,
                                        values.output.bytes, values.output.length, error);
    close_operation(&known->head);
    return good;
}

static size_t once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    struct digest_operation *own = (struct digest_operation *)operation;
    if (operation->request.algorithm->kind == CRYPTO_RANDOM || own->output_length > capacity ||
        compute(own) != 0)
        return 0;
    memcpy(output, own->output, own->output_length);
    return own->output_length;
}

const struct crypto_family crypto_mbedtls_digest = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = once,
    .close = close_operation,
};
