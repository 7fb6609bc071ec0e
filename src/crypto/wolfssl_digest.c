/* Digests, MACs, HKDF and random bytes. */
#include "crypto/wolfssl_internal.h"

#include <stdlib.h>
#include <string.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/hmac.h>
#include <wolfssl/wolfcrypt/kdf.h>

#include "core/attributes.h"
#include "crypto/known_answer.h"
#include "crypto/libraries.h"

enum { MOST_KEY_BYTES = 64, MOST_DIGEST_BYTES = 64, KDF_BYTES = 32, MOST_RANDOM_BYTES = 0x10000 };

struct digest_operation {
    struct crypto_operation head;
    enum wc_HashType type;
    bool is_cmac;
    wc_HashAlg hash;
    Hmac hmac;
    Cmac cmac;
    unsigned char key[MOST_KEY_BYTES], salt[MOST_KEY_BYTES], info[MOST_KEY_BYTES];
    unsigned key_bytes, salt_bytes, info_bytes;
    unsigned char output[MOST_DIGEST_BYTES];
    unsigned output_bytes;
    unsigned char *input;
    unsigned size;
};

struct name_row {
    const char *name;
    enum wc_HashType type;
};

static const struct name_row names[] = {
    {"sha1", WC_HASH_TYPE_SHA},           {"sha256", WC_HASH_TYPE_SHA256},
    {"sha384", WC_HASH_TYPE_SHA384},      {"sha512", WC_HASH_TYPE_SHA512},
    {"sha3-256", WC_HASH_TYPE_SHA3_256},  {"hmac-sha256", WC_HASH_TYPE_SHA256},
    {"hmac-sha384", WC_HASH_TYPE_SHA384}, {"hkdf-sha256", WC_HASH_TYPE_SHA256},
};

static enum wc_HashType find_type(const struct crypto_algorithm *algorithm)
{
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i].name, algorithm->name) == 0)
            return names[i].type;
    return WC_HASH_TYPE_NONE;
}

static bool is_cmac(const struct crypto_algorithm *algorithm)
{
    return strcmp(algorithm->name, "aes-128-cmac") == 0;
}

static const char *supports(const struct crypto_request *request)
{
    const struct crypto_algorithm *algorithm = request->algorithm;
    if (algorithm->kind != CRYPTO_RANDOM && !is_cmac(algorithm) &&
        wc_HashGetDigestSize(find_type(algorithm)) <= 0)
        return crypto_reason("wolfSSL has no %s as built here", algorithm->name);
    if (request->mode == CRYPTO_MODE_STREAM && algorithm->kind == CRYPTO_RANDOM)
        return "random bytes have no stream";
    return NULL;
}

static int digest(struct digest_operation *own)
{
    int code = wc_HashInit(&own->hash, own->type);
    if (code == 0)
        code = wc_HashUpdate(&own->hash, own->type, own->input, own->size);
    return code != 0 ? code : wc_HashFinal(&own->hash, own->type, own->output);
}

/* A CMAC forgets its key at the end: it is keyed for every message, whatever the mode. An HMAC
 * keeps it. */
static int mac_start(struct digest_operation *own, bool new_key)
{
    if (own->is_cmac)
        return wc_InitCmac(&own->cmac, own->key, own->key_bytes, WC_CMAC_AES, NULL);
    return new_key ? wc_HmacSetKey(&own->hmac, (int)own->type, own->key, own->key_bytes) : 0;
}

static int mac_update(struct digest_operation *own)
{
    return own->is_cmac ? wc_CmacUpdate(&own->cmac, own->input, own->size)
                        : wc_HmacUpdate(&own->hmac, own->input, own->size);
}

static int mac(struct digest_operation *own, bool new_key)
{
    word32 length = WC_CMAC_TAG_MAX_SZ;
    int code = mac_start(own, new_key);
    if (code == 0)
        code = mac_update(own);
    if (code != 0)
        return code;
    return own->is_cmac ? wc_CmacFinal(&own->cmac, own->output, &length)
                        : wc_HmacFinal(&own->hmac, own->output);
}

static int kdf(struct digest_operation *own)
{
    return wc_HKDF((int)own->type, own->key, own->key_bytes, own->salt, own->salt_bytes, own->info,
                   own->info_bytes, own->output, own->output_bytes);
}

static int random_bytes(unsigned char *bytes, unsigned length)
{
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    for (unsigned at = 0; code == 0 && at < length; at += MOST_RANDOM_BYTES) {
        unsigned part = length - at < MOST_RANDOM_BYTES ? length - at : MOST_RANDOM_BYTES;
        code = wc_RNG_GenerateBlock(rng, bytes + at, part);
    }
    return code;
}

static int step(struct digest_operation *own)
{
    bool stream = own->head.request.mode == CRYPTO_MODE_STREAM;
    switch (own->head.request.algorithm->kind) {
    case CRYPTO_DIGEST:
        return stream ? wc_HashUpdate(&own->hash, own->type, own->input, own->size) : digest(own);
    case CRYPTO_MAC:
        return stream ? mac_update(own) : mac(own, own->head.request.mode == CRYPTO_MODE_MESSAGE);
    case CRYPTO_KDF:
        return kdf(own);
    default:
        return random_bytes(own->input, own->size);
    }
}

static int start_stream(struct digest_operation *own)
{
    if (own->head.request.mode != CRYPTO_MODE_STREAM)
        return 0;
    return own->head.request.algorithm->kind == CRYPTO_DIGEST ? wc_HashInit(&own->hash, own->type)
                                                              : mac_start(own, true);
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct digest_operation *own = (struct digest_operation *)operation;
    int code = start_stream(own);
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_wolfssl_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct digest_operation *own = (struct digest_operation *)operation;
    wc_HmacFree(&own->hmac);
    free(own->input);
    free(own);
}

static void fill(struct digest_operation *own, const struct known_values *values)
{
    const struct crypto_algorithm *algorithm = own->head.request.algorithm;
    own->key_bytes = algorithm->key_bits / 8u;
    own->salt_bytes = own->info_bytes = KDF_BYTES;
    own->output_bytes = algorithm->kind == CRYPTO_KDF ? KDF_BYTES : algorithm->tag_bytes;
    known_fill('k', own->key, own->key_bytes);
    known_fill('n', own->salt, own->salt_bytes);
    known_fill('a', own->info, own->info_bytes);
    known_fill('p', own->input, own->size);
    if (values == NULL)
        return;
    own->key_bytes = (unsigned)values->key.length;
    own->salt_bytes = (unsigned)values->nonce.length;
    own->info_bytes = (unsigned)values->aad.length;
    own->output_bytes = (unsigned)values->output.length;
    memcpy(own->key, values->key.bytes, own->key_bytes);
    memcpy(own->salt, values->nonce.bytes, own->salt_bytes);
    memcpy(own->info, values->aad.bytes, own->info_bytes);
    memcpy(own->input, values->input.bytes, own->size);
}

static struct digest_operation *make(const struct crypto_request *request,
                                     const struct known_values *values, struct error *error)
{
    struct digest_operation *own = calloc(1, sizeof *own);
    unsigned size = values == NULL ? request->size_bytes : (unsigned)values->input.length;
    if (own != NULL) {
        own->head = (struct crypto_operation){&crypto_wolfssl, *request};
        own->size = size;
        own->input = calloc(1, size + 1u);
    }
    if (own == NULL || own->input == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        free(own);
        return NULL;
    }
    own->is_cmac = is_cmac(request->algorithm);
    own->type = find_type(request->algorithm);
    fill(own, values);
    int code = wc_HmacInit(&own->hmac, NULL, INVALID_DEVID);
    if (code == 0 && request->algorithm->kind == CRYPTO_MAC)
        code = mac_start(own, true);
    if (code == 0)
        return own;
    (void)crypto_wolfssl_failed(error, code, request->algorithm->name);
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
    if (random_bytes(first, sizeof first) == 0 && random_bytes(second, sizeof second) == 0 &&
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
    bool good = code == 0 || crypto_wolfssl_failed(error, code, answer->algorithm);
    good = good && known_answer_compare(answer, known->output, known->output_bytes,
                                        values.output.bytes, values.output.length, error);
    close_operation(&known->head);
    return good;
}

static size_t once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    struct digest_operation *own = (struct digest_operation *)operation;
    if (operation->request.algorithm->kind == CRYPTO_RANDOM || own->output_bytes > capacity ||
        compute(own) != 0)
        return 0;
    memcpy(output, own->output, own->output_bytes);
    return own->output_bytes;
}

const struct crypto_family crypto_wolfssl_digest = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = once,
    .close = close_operation,
};
