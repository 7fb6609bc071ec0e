/* Ciphers and AEAD through EVP_CIPHER: one context, fetched and keyed when opened. */
#include <stdlib.h>
#include <string.h>

#include "crypto/known_answer.h"
#include "crypto/libraries.h"
#include "crypto/openssl_internal.h"

enum { MOST_KEY_BYTES = 64, NONCE_BYTES = 16, TAG_BYTES = 16 };

struct cipher_operation {
    struct crypto_operation head;
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *ctx;
    bool aead, ccm, encrypt;
    unsigned char key[MOST_KEY_BYTES], nonce[NONCE_BYTES], tag[TAG_BYTES];
    unsigned char aad[KNOWN_ANSWER_BYTES];
    size_t key_bytes, nonce_bytes, tag_bytes, aad_bytes;
    unsigned char *input, *output;
    int size;
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

/* RFC 5116 section 3.2 counts nonces up; the library's own counter bytes stay below (CTR). */
static inline void next_nonce(unsigned char nonce[NONCE_BYTES])
{
    uint32_t counter;
    memcpy(&counter, nonce + 4, sizeof counter);
    counter++;
    memcpy(nonce + 4, &counter, sizeof counter);
}

/* One message, from nonce to tag. `key` NULL: the key stays. */
static inline bool message(struct cipher_operation *own, const unsigned char *key)
{
    EVP_CIPHER_CTX *ctx = own->ctx;
    int length;
    const unsigned char *nonce = own->nonce_bytes == 0 ? NULL : own->nonce;
    if (EVP_CipherInit_ex2(ctx, NULL, key, nonce, -1, NULL) != 1)
        return false;
    if (!own->aead)
        return EVP_CipherUpdate(ctx, own->output, &length, own->input, own->size) == 1;
    if (!own->encrypt &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)own->tag_bytes, own->tag) != 1)
        return false;
    if (own->ccm && EVP_CipherUpdate(ctx, NULL, &length, NULL, own->size) != 1)
        return false;
    if (own->aad_bytes > 0 &&
        EVP_CipherUpdate(ctx, NULL, &length, own->aad, (int)own->aad_bytes) != 1)
        return false;
    if (EVP_CipherUpdate(ctx, own->output, &length, own->input, own->size) != 1)
        return false;
    if (own->ccm && !own->encrypt)
        return true; /* CCM checks the tag in the update, and has no final step then */
    if (EVP_CipherFinal_ex(ctx, own->output + own->size, &length) != 1)
        return false;
    return !own->encrypt ||
           EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, (int)own->tag_bytes, own->tag) == 1;
}

static bool run_records(struct cipher_operation *own, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!message(own, NULL))
            return false;
        if (own->encrypt) /* a ciphertext belongs to its nonce */
            next_nonce(own->nonce);
    }
    return true;
}

/* Decryption sets the same key again: there is one ciphertext. */
static bool run_messages(struct cipher_operation *own, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!message(own, own->key))
            return false;
        if (own->encrypt)
            own->key[0]++;
    }
    return true;
}

static bool run_stream(struct cipher_operation *own, uint64_t count)
{
    int length;
    if (EVP_CipherInit_ex2(own->ctx, NULL, NULL, own->nonce, -1, NULL) != 1)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (EVP_CipherUpdate(own->ctx, own->output, &length, own->input, own->size) != 1)
            return false;
    return true;
}

/* Streams and openssl speed never ask for the tag. */
static bool takes_tag(const struct crypto_request *request)
{
    return request->algorithm->kind == CRYPTO_AEAD && request->mode != CRYPTO_MODE_STREAM &&
           request->mode != CRYPTO_MODE_OPENSSL_SPEED;
}

/* The calls of `openssl speed -evp`, traced on 3.0.22. AES-GCM: the nonce's length, key and nonce,
 * the data in place, and the end without taking the tag. All others: bare updates in place. */
static bool run_speed_gcm(struct cipher_operation *own, uint64_t count)
{
    int length;
    int nonce_bytes = (int)own->nonce_bytes;
    for (uint64_t i = 0; i < count; i++)
        if (EVP_CIPHER_CTX_ctrl(own->ctx, EVP_CTRL_AEAD_SET_IVLEN, nonce_bytes, NULL) != 1 ||
            EVP_CipherInit_ex(own->ctx, NULL, NULL, own->key, own->nonce, -1) != 1 ||
            EVP_EncryptUpdate(own->ctx, own->output, &length, own->output, own->size) != 1 ||
            EVP_EncryptFinal_ex(own->ctx, own->output + length, &length) != 1)
            return false;
    return true;
}

static bool run_speed_update(struct cipher_operation *own, uint64_t count)
{
    int length;
    for (uint64_t i = 0; i < count; i++)
        if (EVP_EncryptUpdate(own->ctx, own->output, &length, own->output, own->size) != 1)
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

static void close_operation(struct crypto_operation *operation)
{
    struct cipher_operation *own = (struct cipher_operation *)operation;
    EVP_CIPHER_CTX_free(own->ctx);
    EVP_CIPHER_free(own->cipher);
    free(own->input);
    free(own->output);
    free(own);
}

/* Keys the context and gives CCM its lengths, which come before the key. */
static bool prepare(struct cipher_operation *own)
{
    EVP_CIPHER_CTX *ctx = own->ctx;
    if (EVP_CipherInit_ex2(ctx, own->cipher, NULL, NULL, own->encrypt, NULL) != 1)
        return false;
    if (own->aead &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)own->nonce_bytes, NULL) != 1)
        return false;
    if (own->ccm && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)own->tag_bytes, NULL) != 1)
        return false;
    (void)EVP_CIPHER_CTX_set_padding(ctx, 0);
    const unsigned char *nonce = own->nonce_bytes == 0 ? NULL : own->nonce;
    return EVP_CipherInit_ex2(ctx, NULL, own->key, nonce, own->encrypt, NULL) == 1;
}

/* An operation on the given values; those that are NULL get the cross-check's. */
static struct cipher_operation *make(const struct crypto_request *request, bool encrypt,
                                     const struct known_values *values, struct error *error)
{
    const struct crypto_algorithm *algorithm = request->algorithm;
    size_t size = values == NULL ? request->size_bytes : values->output.length - values->tag_bytes;
    struct cipher_operation *own = calloc(1, sizeof *own);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){&crypto_openssl, *request};
    own->aead = algorithm->kind == CRYPTO_AEAD;
    own->ccm = strstr(algorithm->name, "-ccm") != NULL;
    own->encrypt = encrypt;
    own->size = (int)size;
    own->cipher = EVP_CIPHER_fetch(NULL, openssl_name(algorithm), NULL);
    own->ctx = EVP_CIPHER_CTX_new();
    own->input = calloc(1, size + NONCE_BYTES);
    own->output = calloc(1, size + NONCE_BYTES);
    if (own->cipher == NULL || own->ctx == NULL || own->input == NULL || own->output == NULL) {
        (void)crypto_openssl_failed(error, algorithm->name);
        close_operation(&own->head);
        return NULL;
    }
    own->key_bytes = (size_t)EVP_CIPHER_get_key_length(own->cipher);
    own->nonce_bytes =
        own->aead ? algorithm->nonce_bytes : (size_t)EVP_CIPHER_get_iv_length(own->cipher);
    own->tag_bytes = algorithm->tag_bytes;
    own->aad_bytes = own->aead ? CRYPTO_AAD_BYTES : 0;
    known_fill('k', own->key, own->key_bytes);
    known_fill('n', own->nonce, own->nonce_bytes);
    known_fill('a', own->aad, own->aad_bytes);
    known_fill('p', own->input, size);
    if (values != NULL) {
        memcpy(own->key, values->key.bytes, own->key_bytes);
        own->nonce_bytes = values->nonce.length;
        memcpy(own->nonce, values->nonce.bytes, own->nonce_bytes);
        own->aad_bytes = values->aad.length;
        memcpy(own->aad, values->aad.bytes, own->aad_bytes);
        own->tag_bytes = values->tag_bytes;
        memcpy(own->input, encrypt ? values->input.bytes : values->output.bytes, size);
        memcpy(own->tag, values->output.bytes + size, own->tag_bytes);
    }
    memcpy(own->output, own->input, size); /* for what works in place */
    if (prepare(own))
        return own;
    (void)crypto_openssl_failed(error, algorithm->name);
    close_operation(&own->head);
    return NULL;
}

/* Encrypts the cross-check's input once and hands ciphertext and tag to a decrypting operation. */
static bool give_ciphertext(struct cipher_operation *own, struct error *error)
{
    struct cipher_operation *sender = make(&own->head.request, true, NULL, error);
    if (sender == NULL)
        return false;
    bool sent = message(sender, NULL);
    if (sent) {
        memcpy(own->input, sender->output, (size_t)own->size);
        memcpy(own->tag, sender->tag, own->tag_bytes);
    } else {
        (void)crypto_openssl_failed(error, "encrypting what is to be decrypted");
    }
    close_operation(&sender->head);
    return sent;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    bool encrypt = request->operation == CRYPTO_ENCRYPT;
    struct cipher_operation *own = make(request, encrypt, NULL, error);
    if (own == NULL)
        return NULL;
    if (!encrypt && !give_ciphertext(own, error)) {
        close_operation(&own->head);
        return NULL;
    }
    return &own->head;
}

/* run() itself does the work, so that what is timed is what is checked. */
static bool verify_answer(const struct cipher_operation *own, const struct known_answer *answer,
                          struct error *error)
{
    struct known_values values;
    known_answer_decode(answer, &values);
    struct cipher_operation *known = make(&own->head.request, own->encrypt, &values, error);
    if (known == NULL)
        return false;
    size_t size = (size_t)known->size;
    const unsigned char *expected = own->encrypt ? values.output.bytes : values.input.bytes;
    bool good = run(&known->head, 1, error) &&
                known_answer_compare(answer, known->output, size, expected, size, error);
    if (good && own->encrypt && takes_tag(&own->head.request))
        good = known_answer_compare(answer, known->tag, known->tag_bytes,
                                    values.output.bytes + size, values.tag_bytes, error);
    close_operation(&known->head);
    return good;
}

static bool verify_published(const struct cipher_operation *own, struct error *error)
{
    const char *name = own->head.request.algorithm->name;
    const struct known_answer *answer = known_answer_find(name);
    if (answer == NULL)
        return error_set(error, ERROR_KNOWN_ANSWER, "no published answer to check %s with", name);
    for (; answer != NULL; answer = known_answer_next(name, answer))
        if (!verify_answer(own, answer, error))
            return false;
    return true;
}

/* What is encrypted decrypts to itself at this operation's own size; a changed tag is refused. */
static bool verify_round_trip(const struct cipher_operation *own, struct error *error)
{
    const char *name = own->head.request.algorithm->name;
    struct cipher_operation *receiver = make(&own->head.request, false, NULL, error);
    if (receiver == NULL)
        return false;
    bool good = give_ciphertext(receiver, error);
    unsigned char *expected = calloc(1, (size_t)own->size);
    if (good && expected != NULL) {
        known_fill('p', expected, (size_t)own->size);
        good = (message(receiver, NULL) &&
                memcmp(expected, receiver->output, (size_t)own->size) == 0) ||
               error_set(error, ERROR_KNOWN_ANSWER, "%s does not decrypt what it encrypted", name);
    }
    if (good && own->aead) {
        receiver->tag[0] ^= 1;
        good = !message(receiver, NULL) ||
               error_set(error, ERROR_KNOWN_ANSWER, "%s accepts a wrong tag", name);
    }
    free(expected);
    close_operation(&receiver->head);
    return good;
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    const struct cipher_operation *own = (const struct cipher_operation *)operation;
    return verify_published(own, error) && verify_round_trip(own, error);
}

static size_t once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    const struct cipher_operation *own = (const struct cipher_operation *)operation;
    size_t size = (size_t)own->size;
    struct cipher_operation *fresh = make(&operation->request, true, NULL, NULL);
    size_t length = 0;
    if (fresh != NULL && size + fresh->tag_bytes <= capacity && message(fresh, NULL)) {
        memcpy(output, fresh->output, size);
        memcpy(output + size, fresh->tag, fresh->tag_bytes);
        length = size + fresh->tag_bytes;
    }
    if (fresh != NULL)
        close_operation(&fresh->head);
    return length;
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
    .verify = verify,
    .once = once,
    .provider = provider,
    .close = close_operation,
};
