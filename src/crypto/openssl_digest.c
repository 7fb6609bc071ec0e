/* Digests, MACs, HKDF and random bytes through EVP. */
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <string.h>

#include "crypto/digest_work.h"
#include "crypto/libraries.h"
#include "crypto/openssl_internal.h"

struct digest_operation {
    struct digest_work work;
    EVP_MD *md;
    EVP_MD_CTX *md_ctx;
    EVP_MAC *mac;
    EVP_MAC_CTX *mac_ctx;
    EVP_KDF *kdf;
    EVP_KDF_CTX *kdf_ctx;
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
           EVP_DigestUpdate(own->md_ctx, own->work.input, own->work.size) == 1 &&
           EVP_DigestFinal_ex(own->md_ctx, own->work.output, NULL) == 1;
}

/* `key` NULL: the key stays. */
static inline bool mac(struct digest_operation *own, const unsigned char *key)
{
    size_t length;
    return EVP_MAC_init(own->mac_ctx, key, key == NULL ? 0 : own->work.key_bytes, NULL) == 1 &&
           EVP_MAC_update(own->mac_ctx, own->work.input, own->work.size) == 1 &&
           EVP_MAC_final(own->mac_ctx, own->work.output, &length, sizeof own->work.output) == 1;
}

static inline bool kdf(struct digest_operation *own)
{
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, own->work.key, own->work.key_bytes),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, own->work.salt,
                                          own->work.salt_bytes),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, own->work.info,
                                          own->work.info_bytes),
        OSSL_PARAM_construct_end()};
    return EVP_KDF_derive(own->kdf_ctx, own->work.output, own->work.output_bytes, parameters) == 1;
}

static bool run_digests(struct digest_operation *own, uint64_t count)
{
    enum crypto_mode mode = own->work.head.request.mode;
    if (mode == CRYPTO_MODE_OPENSSL_SPEED) {
        for (uint64_t i = 0; i < count; i++)
            if (EVP_Digest(own->work.input, own->work.size, own->work.output, NULL, own->md,
                           NULL) != 1)
                return false;
        return true;
    }
    if (mode == CRYPTO_MODE_STREAM) {
        if (EVP_DigestInit_ex2(own->md_ctx, NULL, NULL) != 1)
            return false;
        for (uint64_t i = 0; i < count; i++)
            if (EVP_DigestUpdate(own->md_ctx, own->work.input, own->work.size) != 1)
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
    enum crypto_mode mode = own->work.head.request.mode;
    if (mode == CRYPTO_MODE_STREAM) {
        if (EVP_MAC_init(own->mac_ctx, NULL, 0, NULL) != 1)
            return false;
        for (uint64_t i = 0; i < count; i++)
            if (EVP_MAC_update(own->mac_ctx, own->work.input, own->work.size) != 1)
                return false;
        return true;
    }
    const unsigned char *key = mode == CRYPTO_MODE_MESSAGE ? own->work.key : NULL;
    for (uint64_t i = 0; i < count; i++) {
        if (!mac(own, key))
            return false;
        own->work.key[0]++; /* the next message's, in mode message */
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
            done = RAND_bytes(own->work.input, (int)own->work.size) == 1;
        break;
    }
    return done || crypto_openssl_failed(error, operation->request.algorithm->name);
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
           EVP_MAC_init(own->mac_ctx, own->work.key, own->work.key_bytes, parameters) == 1;
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

static bool prepare(struct digest_work *work, struct error *error)
{
    struct digest_operation *own = (struct digest_operation *)work;
    const struct crypto_algorithm *algorithm = work->head.request.algorithm;
    bool ready = true;
    if (algorithm->kind == CRYPTO_DIGEST)
        ready = prepare_digest(own, algorithm->name);
    else if (algorithm->kind == CRYPTO_MAC)
        ready = prepare_mac(own, algorithm->name);
    else if (algorithm->kind == CRYPTO_KDF)
        ready = prepare_kdf(own);
    return ready || crypto_openssl_failed(error, algorithm->name);
}

static bool finish(struct digest_work *work, struct error *error)
{
    struct digest_operation *own = (struct digest_operation *)work;
    size_t length;
    bool done = own->md != NULL
                    ? EVP_DigestFinal_ex(own->md_ctx, work->output, NULL) == 1
                    : EVP_MAC_final(own->mac_ctx, work->output, &length, sizeof work->output) == 1;
    return done || crypto_openssl_failed(error, work->head.request.algorithm->name);
}

static void release(struct digest_work *work)
{
    struct digest_operation *own = (struct digest_operation *)work;
    EVP_MD_CTX_free(own->md_ctx);
    EVP_MD_free(own->md);
    EVP_MAC_CTX_free(own->mac_ctx);
    EVP_MAC_free(own->mac);
    EVP_KDF_CTX_free(own->kdf_ctx);
    EVP_KDF_free(own->kdf);
}

static const struct digest_hooks hooks = {
    .library = &crypto_openssl,
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
    .verify = digest_work_verify,
    .once = digest_work_once,
    .provider = provider,
    .close = digest_work_close,
};
