/* Digests, MACs, HKDF and random bytes through EVP. */
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/known_answer.h"
#include "crypto/libraries.h"
#include "crypto/openssl_internal.h"

enum { MOST_KEY_BYTES = 64, MOST_DIGEST_BYTES = 64, KDF_BYTES = 32 };

struct digest_operation {
    struct crypto_operation head;
    EVP_MD *md;
    EVP_MD_CTX *md_ctx;
    EVP_MAC *mac;
    EVP_MAC_CTX *mac_ctx;
    EVP_KDF *kdf;
    EVP_KDF_CTX *kdf_ctx;
    unsigned char key[MOST_KEY_BYTES], salt[MOST_KEY_BYTES], info[MOST_KEY_BYTES];
    size_t key_bytes, salt_bytes, info_bytes;
    unsigned char output[MOST_DIGEST_BYTES];
    size_t output_bytes;
    unsigned char *input;
    size_t size;
};

static const char *supports(const struct crypto_request *request)
{
    enum crypto_kind kind = request->algorithm->kind;
    if (request->mode == CRYPTO_MODE_OPENSSL_SPEED &&
        strcmp(request->algorithm->name, "sha256") != 0)
        return "mode openssl-speed is there for four algorithms only";
    if (request->mode == CRYPTO_MODE_STREAM && kind == CRYPTO_RANDOM)
        return "random bytes have no stream";
    return NULL;
}

static inline bool digest(struct digest_operation *own)
{
    return EVP_DigestInit_ex2(own->md_ctx, NULL, NULL) == 1 &&
           EVP_DigestUpdate(own->md_ctx, own->input, own->size) == 1 &&
           EVP_DigestFinal_ex(own->md_ctx, own->output, NULL) == 1;
}

/* `key` NULL: the key stays. */
static inline bool mac(struct digest_operation *own, const unsigned char *key)
{
    size_t length;
    return EVP_MAC_init(own->mac_ctx, key, key == NULL ? 0 : own->key_bytes, NULL) == 1 &&
           EVP_MAC_update(own->mac_ctx, own->input, own->size) == 1 &&
           EVP_MAC_final(own->mac_ctx, own->output, &length, sizeof own->output) == 1;
}

static inline bool kdf(struct digest_operation *own)
{
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, own->key, own->key_bytes),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, own->salt, own->salt_bytes),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, own->info, own->info_bytes),
        OSSL_PARAM_construct_end()};
    return EVP_KDF_derive(own->kdf_ctx, own->output, own->output_bytes, parameters) == 1;
}

static bool run_digests(struct digest_operation *own, uint64_t count)
{
    enum crypto_mode mode = own->head.request.mode;
    if (mode == CRYPTO_MODE_OPENSSL_SPEED) {
        for (uint64_t i = 0; i < count; i++)
            if (EVP_Digest(own->input, own->size, own->output, NULL, own->md, NULL) != 1)
                return false;
        return true;
    }
    if (mode == CRYPTO_MODE_STREAM) {
        if (EVP_DigestInit_ex2(own->md_ctx, NULL, NULL) != 1)
            return false;
        for (uint64_t i = 0; i < count; i++)
            if (EVP_DigestUpdate(own->md_ctx, own->input, own->size) != 1)
                return false;
        return true;
    }
    for (uint64_t i = 0; i < count; i++)
        if (!digest(own))
            return false;
    return true;
}

static bool run_macs(struct digest_operation *own, uint64_t count)
{
    enum crypto_mode mode = own->head.request.mode;
    if (mode == CRYPTO_MODE_STREAM) {
        if (EVP_MAC_init(own->mac_ctx, NULL, 0, NULL) != 1)
            return false;
        for (uint64_t i = 0; i < count; i++)
            if (EVP_MAC_update(own->mac_ctx, own->input, own->size) != 1)
                return false;
        return true;
    }
    const unsigned char *key = mode == CRYPTO_MODE_MESSAGE ? own->key : NULL;
    for (uint64_t i = 0; i < count; i++) {
        if (!mac(own, key))
            return false;
        own->key[0]++; /* the next message's, in mode message */
    }
    return true;
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct digest_operation *own = (struct digest_operation *)operation;
    bool done = true;
    switch (operation->request.algorithm->kind) {
    case CRYPTO_DIGEST:
        done = run_digests(own, count);
        break;
    case CRYPTO_MAC:
        done = run_macs(own, count);
        break;
    case CRYPTO_KDF:
        for (uint64_t i = 0; done && i < count; i++)
            done = kdf(own);
        break;
    default:
        for (uint64_t i = 0; done && i < count; i++)
            done = RAND_bytes(own->input, (int)own->size) == 1;
        break;
    }
    return done || crypto_openssl_failed(error, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct digest_operation *own = (struct digest_operation *)operation;
    EVP_MD_CTX_free(own->md_ctx);
    EVP_MD_free(own->md);
    EVP_MAC_CTX_free(own->mac_ctx);
    EVP_MAC_free(own->mac);
    EVP_KDF_CTX_free(own->kdf_ctx);
    EVP_KDF_free(own->kdf);
    free(own->input);
    free(own);
}

static bool prepare_digest(struct digest_operation *own, const char *name)
{
    own->md = EVP_MD_fetch(NULL, name, NULL);
    own->md_ctx = EVP_MD_CTX_new();
    return own->md != NULL && own->md_ctx != NULL &&
           EVP_DigestInit_ex2(own->md_ctx, own->md, NULL) == 1;
}

static bool prepare_mac(struct digest_operation *own, const char *name)
{
    bool hmac = strncmp(name, "hmac-", 5) == 0;
    char cipher[] = "AES-128-CBC";
    char sha256[] = "SHA256";
    char sha384[] = "SHA384";
    char *digest_name = strcmp(name, "hmac-sha384") == 0 ? sha384 : sha256;
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(hmac ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER,
                                         hmac ? digest_name : cipher, 0),
        OSSL_PARAM_construct_end()};
    own->mac = EVP_MAC_fetch(NULL, hmac ? "HMAC" : "CMAC", NULL);
    own->mac_ctx = own->mac == NULL ? NULL : EVP_MAC_CTX_new(own->mac);
    return own->mac_ctx != NULL &&
           EVP_MAC_init(own->mac_ctx, own->key, own->key_bytes, parameters) == 1;
}

static bool prepare_kdf(struct digest_operation *own)
{
    own->kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    own->kdf_ctx = own->kdf == NULL ? NULL : EVP_KDF_CTX_new(own->kdf);
    char name[] = "SHA256"; /* here, so that it is fetched once and not for each derivation */
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, name, 0),
        OSSL_PARAM_construct_end()};
    return own->kdf_ctx != NULL && EVP_KDF_CTX_set_params(own->kdf_ctx, parameters) == 1;
}

static bool prepare(struct digest_operation *own, const struct crypto_algorithm *algorithm)
{
    switch (algorithm->kind) {
    case CRYPTO_DIGEST:
        return prepare_digest(own, algorithm->name);
    case CRYPTO_MAC:
        return prepare_mac(own, algorithm->name);
    case CRYPTO_KDF:
        return prepare_kdf(own);
    default:
        return true;
    }
}

static void take_values(struct digest_operation *own, const struct known_values *values)
{
    memcpy(own->key, values->key.bytes, values->key.length);
    memcpy(own->salt, values->nonce.bytes, values->nonce.length);
    memcpy(own->info, values->aad.bytes, values->aad.length);
    own->key_bytes = values->key.length;
    own->salt_bytes = values->nonce.length;
    own->info_bytes = values->aad.length;
    own->output_bytes = values->output.length;
    memcpy(own->input, values->input.bytes, values->input.length);
}

static struct digest_operation *make(const struct crypto_request *request,
                                     const struct known_values *values, struct error *error)
{
    const struct crypto_algorithm *algorithm = request->algorithm;
    struct digest_operation *own = calloc(1, sizeof *own);
    size_t size = values == NULL ? request->size_bytes : values->input.length;
    if (own != NULL) {
        own->head = (struct crypto_operation){&crypto_openssl, *request};
        own->size = size;
        own->input = calloc(1, size + 1);
    }
    if (own == NULL || own->input == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        free(own);
        return NULL;
    }
    own->key_bytes = algorithm->key_bits / 8;
    own->salt_bytes = own->info_bytes = own->output_bytes = KDF_BYTES;
    if (algorithm->kind != CRYPTO_KDF)
        own->output_bytes = algorithm->tag_bytes;
    known_fill('k', own->key, own->key_bytes);
    known_fill('n', own->salt, own->salt_bytes);
    known_fill('a', own->info, own->info_bytes);
    known_fill('p', own->input, size);
    if (values != NULL)
        take_values(own, values);
    if (prepare(own, algorithm))
        return own;
    (void)crypto_openssl_failed(error, algorithm->name);
    close_operation(&own->head);
    return NULL;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct digest_operation *own = make(request, NULL, error);
    return own == NULL ? NULL : &own->head;
}

/* One message by run(), and the end of it where run() only updates. */
static bool compute(struct digest_operation *own, struct error *error)
{
    size_t length;
    bool streams = own->head.request.mode == CRYPTO_MODE_STREAM;
    if (!run(&own->head, 1, error))
        return false;
    if (streams && own->md != NULL && EVP_DigestFinal_ex(own->md_ctx, own->output, NULL) != 1)
        return crypto_openssl_failed(error, "EVP_DigestFinal_ex");
    if (streams && own->mac != NULL &&
        EVP_MAC_final(own->mac_ctx, own->output, &length, sizeof own->output) != 1)
        return crypto_openssl_failed(error, "EVP_MAC_final");
    return true;
}

/* Random bytes have no known answer. A source that stands still is seen: the first byte of sixteen
 * draws is not the same sixteen times (by chance once in 2^120). */
static bool verify_random(struct digest_operation *own, struct error *error)
{
    bool moves = false;
    unsigned char first = 0;
    for (int i = 0; i < 16; i++) {
        if (!run(&own->head, 1, error))
            return false;
        moves = moves || (i > 0 && own->input[0] != first);
        first = own->input[0];
    }
    return moves || error_set(error, ERROR_KNOWN_ANSWER, "random bytes stand still");
}

static bool verify_answer(const struct crypto_request *request, const struct known_answer *answer,
                          struct error *error)
{
    struct known_values values;
    known_answer_decode(answer, &values);
    struct digest_operation *known = make(request, &values, error);
    if (known == NULL)
        return false;
    bool good = compute(known, error) &&
                known_answer_compare(answer, known->output, known->output_bytes,
                                     values.output.bytes, values.output.length, error);
    close_operation(&known->head);
    return good;
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    const struct crypto_request *request = &operation->request;
    const char *name = request->algorithm->name;
    if (request->algorithm->kind == CRYPTO_RANDOM)
        return verify_random((struct digest_operation *)operation, error);
    const struct known_answer *answer = known_answer_find(name);
    if (answer == NULL)
        return error_set(error, ERROR_KNOWN_ANSWER, "no published answer to check %s with", name);
    for (; answer != NULL; answer = known_answer_next(name, answer))
        if (!verify_answer(request, answer, error))
            return false;
    return true;
}

static size_t once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    size_t length = 0;
    if (operation->request.algorithm->kind == CRYPTO_RANDOM)
        return 0;
    struct digest_operation *fresh = make(&operation->request, NULL, NULL);
    if (fresh == NULL)
        return 0;
    if (fresh->output_bytes <= capacity && compute(fresh, NULL)) {
        memcpy(output, fresh->output, fresh->output_bytes);
        length = fresh->output_bytes;
    }
    close_operation(&fresh->head);
    return length;
}

static const char *provider(const struct crypto_operation *operation)
{
    const struct digest_operation *own = (const struct digest_operation *)operation;
    if (own->md != NULL)
        return OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(own->md));
    if (own->mac != NULL)
        return OSSL_PROVIDER_get0_name(EVP_MAC_get0_provider(own->mac));
    if (own->kdf != NULL)
        return OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(own->kdf));
    return OSSL_PROVIDER_get0_name(
        EVP_RAND_get0_provider(EVP_RAND_CTX_get0_rand(RAND_get0_public(NULL))));
}

const struct crypto_family crypto_openssl_digest = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = once,
    .provider = provider,
    .close = close_operation,
};
