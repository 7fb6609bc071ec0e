/* Ciphers and AEAD through EVP_CIPHER: one context, fetched and keyed when opened. */
#include <string.h>

#include "crypto/cipher_work.h"
#include "crypto/libraries.h"
#include "crypto/openssl_internal.h"

struct cipher_operation {
    struct cipher_work work;
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *ctx;
    bool ccm;
    int size; /* of the work, as OpenSSL takes it */
};

static const char *openssl_name(const struct crypto_algorithm *algorithm)
{
    return strcmp(algorithm->name, "chacha20-poly1305") == 0 ? "ChaCha20-Poly1305"
                                                             : algorithm->name;
}

static const char *supports(const struct crypto_request *request)
{
    const char *name = request->algorithm->name;
    if (request->mode == CRYPTO_MODE_STREAM && strstr(name, "-ccm") != NULL)
        return "CCM needs the message's length first: it has no stream";
    if (request->mode == CRYPTO_MODE_STREAM && strstr(name, "-xts") != NULL)
        return "XTS encrypts data units, each with its tweak: it has no stream";
    if (request->mode == CRYPTO_MODE_OPENSSL_SPEED && strcmp(name, "aes-128-cbc") != 0 &&
        strcmp(name, "aes-128-gcm") != 0 && strcmp(name, "chacha20-poly1305") != 0)
        return "mode openssl-speed is there for four algorithms only";
    if (request->mode == CRYPTO_MODE_OPENSSL_SPEED && request->operation == CRYPTO_DECRYPT)
        return "mode openssl-speed encrypts only";
    return NULL;
}

/* One message, from nonce to tag. `key` NULL: the key stays. */
static inline bool message(struct cipher_operation *own, const unsigned char *key)
{
    EVP_CIPHER_CTX *ctx = own->ctx;
    int length;
    const unsigned char *nonce = own->work.nonce_bytes == 0 ? NULL : own->work.nonce;
    if (EVP_CipherInit_ex2(ctx, NULL, key, nonce, -1, NULL) != 1)
        return false;
    if (!own->work.aead)
        return EVP_CipherUpdate(ctx, own->work.output, &length, own->work.input, own->size) == 1;
    if (!own->work.encrypt && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG,
                                                  (int)own->work.tag_bytes, own->work.tag) != 1)
        return false;
    if (own->ccm && EVP_CipherUpdate(ctx, NULL, &length, NULL, own->size) != 1)
        return false;
    if (own->work.aad_bytes > 0 &&
        EVP_CipherUpdate(ctx, NULL, &length, own->work.aad, (int)own->work.aad_bytes) != 1)
        return false;
    if (EVP_CipherUpdate(ctx, own->work.output, &length, own->work.input, own->size) != 1)
        return false;
    if (own->ccm && !own->work.encrypt)
        return true; /* CCM checks the tag in the update, and has no final step then */
    if (EVP_CipherFinal_ex(ctx, own->work.output + own->size, &length) != 1)
        return false;
    return !own->work.encrypt || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG,
                                                     (int)own->work.tag_bytes, own->work.tag) == 1;
}

static bool run_records(struct cipher_operation *own, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!message(own, NULL))
            return false;
        cipher_work_next_nonce(&own->work);
    }
    return true;
}

static bool run_messages(struct cipher_operation *own, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!message(own, own->work.key))
            return false;
        cipher_work_next_key(&own->work);
    }
    return true;
}

static bool run_stream(struct cipher_operation *own, uint64_t count)
{
    int length;
    if (EVP_CipherInit_ex2(own->ctx, NULL, NULL, own->work.nonce, -1, NULL) != 1)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (EVP_CipherUpdate(own->ctx, own->work.output, &length, own->work.input, own->size) != 1)
            return false;
    return true;
}

/* The calls of `openssl speed -evp`, traced on 3.0.22. AES-GCM: the nonce's length, key and nonce,
 * the data in place, and the end without taking the tag. All others: bare updates in place. */
static bool run_speed_gcm(struct cipher_operation *own, uint64_t count)
{
    int length;
    int nonce_bytes = (int)own->work.nonce_bytes;
    for (uint64_t i = 0; i < count; i++)
        if (EVP_CIPHER_CTX_ctrl(own->ctx, EVP_CTRL_AEAD_SET_IVLEN, nonce_bytes, NULL) != 1 ||
            EVP_CipherInit_ex(own->ctx, NULL, NULL, own->work.key, own->work.nonce, -1) != 1 ||
            EVP_EncryptUpdate(own->ctx, own->work.output, &length, own->work.output, own->size) !=
                1 ||
            EVP_EncryptFinal_ex(own->ctx, own->work.output + length, &length) != 1)
            return false;
    return true;
}

static bool run_speed_update(struct cipher_operation *own, uint64_t count)
{
    int length;
    for (uint64_t i = 0; i < count; i++)
        if (EVP_EncryptUpdate(own->ctx, own->work.output, &length, own->work.output, own->size) !=
            1)
            return false;
    return true;
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct cipher_operation *own = (struct cipher_operation *)operation;
    bool done = false;
    switch (operation->request.mode) {
    case CRYPTO_MODE_RECORD:
        done = run_records(own, count);
        break;
    case CRYPTO_MODE_MESSAGE:
        done = run_messages(own, count);
        break;
    case CRYPTO_MODE_STREAM:
        done = run_stream(own, count);
        break;
    case CRYPTO_MODE_OPENSSL_SPEED:
        done = strcmp(operation->request.algorithm->name, "aes-128-gcm") == 0
                   ? run_speed_gcm(own, count)
                   : run_speed_update(own, count);
        break;
    }
    return done || crypto_openssl_failed(error, operation->request.algorithm->name);
}

/* Keys the context and gives CCM its lengths, which come before the key. */
static bool prepare_context(struct cipher_operation *own)
{
    EVP_CIPHER_CTX *ctx = own->ctx;
    if (EVP_CipherInit_ex2(ctx, own->cipher, NULL, NULL, own->work.encrypt, NULL) != 1)
        return false;
    if (own->work.aead &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)own->work.nonce_bytes, NULL) != 1)
        return false;
    if (own->ccm &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)own->work.tag_bytes, NULL) != 1)
        return false;
    (void)EVP_CIPHER_CTX_set_padding(ctx, 0);
    const unsigned char *nonce = own->work.nonce_bytes == 0 ? NULL : own->work.nonce;
    return EVP_CipherInit_ex2(ctx, NULL, own->work.key, nonce, own->work.encrypt, NULL) == 1;
}

static bool prepare(struct cipher_work *work, struct error *error)
{
    struct cipher_operation *own = (struct cipher_operation *)work;
    const struct crypto_algorithm *algorithm = work->head.request.algorithm;
    own->ccm = strstr(algorithm->name, "-ccm") != NULL;
    own->size = (int)work->size;
    own->cipher = EVP_CIPHER_fetch(NULL, openssl_name(algorithm), NULL);
    own->ctx = EVP_CIPHER_CTX_new();
    return (own->cipher != NULL && own->ctx != NULL && prepare_context(own)) ||
           crypto_openssl_failed(error, algorithm->name);
}

static bool send_message(struct cipher_work *work, struct error *error)
{
    return message((struct cipher_operation *)work, NULL) ||
           crypto_openssl_failed(error, work->head.request.algorithm->name);
}

static void release(struct cipher_work *work)
{
    struct cipher_operation *own = (struct cipher_operation *)work;
    EVP_CIPHER_CTX_free(own->ctx);
    EVP_CIPHER_free(own->cipher);
}

static const struct cipher_hooks hooks = {
    .library = &crypto_openssl,
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

static const char *provider(const struct crypto_operation *operation)
{
    const struct cipher_operation *own = (const struct cipher_operation *)operation;
    return OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(own->cipher));
}

const struct crypto_family crypto_openssl_cipher = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = cipher_work_verify,
    .once = cipher_work_once,
    .provider = provider,
    .close = cipher_work_close,
};
