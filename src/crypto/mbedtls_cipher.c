/* Ciphers and AEAD through mbedtls_cipher, as the library's own TLS uses it; ChaCha20 by itself,
 * since only so its counter can be set. */
#include <mbedtls/chacha20.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "crypto/known_answer.h"
#include "crypto/libraries.h"
#include "crypto/mbedtls_internal.h"

enum { MOST_KEY_BYTES = 64, NONCE_BYTES = 16, TAG_BYTES = 16, BLOCK_BYTES = 16 };

struct cipher_operation {
    struct crypto_operation head;
    mbedtls_cipher_context_t ctx;
    mbedtls_chacha20_context chacha;
    bool aead, ecb, chacha20, encrypt;
    unsigned char key[MOST_KEY_BYTES], nonce[NONCE_BYTES];
    unsigned char aad[KNOWN_ANSWER_BYTES];
    size_t key_bytes, nonce_bytes, tag_bytes, aad_bytes;
    unsigned char *input, *output; /* with room for a tag behind the data */
    size_t size;
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

/* RFC 5116 section 3.2 counts nonces up; the library's own counter bytes stay below (CTR). */
static inline void next_nonce(unsigned char nonce[NONCE_BYTES])
{
    uint32_t counter;
    memcpy(&counter, nonce + 4, sizeof counter);
    counter++;
    memcpy(nonce + 4, &counter, sizeof counter);
}

static int set_key(struct cipher_operation *own)
{
    if (own->chacha20)
        return mbedtls_chacha20_setkey(&own->chacha, own->key);
    return mbedtls_cipher_setkey(&own->ctx, own->key, (int)own->key_bytes * 8,
                                 own->encrypt ? MBEDTLS_ENCRYPT : MBEDTLS_DECRYPT);
}

/* The counter stands before the nonce, little-endian (RFC 8439 section 2.3). */
static int start_chacha(struct cipher_operation *own)
{
    const unsigned char *n = own->nonce;
    uint32_t counter =
        (uint32_t)n[0] | (uint32_t)n[1] << 8 | (uint32_t)n[2] << 16 | (uint32_t)n[3] << 24;
    return mbedtls_chacha20_starts(&own->chacha, n + 4, counter);
}

static int seal(struct cipher_operation *own)
{
    size_t length;
    if (own->encrypt)
        return mbedtls_cipher_auth_encrypt_ext(&own->ctx, own->nonce, own->nonce_bytes, own->aad,
                                               own->aad_bytes, own->input, own->size, own->output,
                                               own->size + own->tag_bytes, &length, own->tag_bytes);
    return mbedtls_cipher_auth_decrypt_ext(&own->ctx, own->nonce, own->nonce_bytes, own->aad,
                                           own->aad_bytes, own->input, own->size + own->tag_bytes,
                                           own->output, own->size + own->tag_bytes, &length,
                                           own->tag_bytes);
}

static int update(struct cipher_operation *own)
{
    size_t length;
    int code = 0;
    if (own->chacha20)
        return mbedtls_chacha20_update(&own->chacha, own->size, own->input, own->output);
    if (!own->ecb)
        return mbedtls_cipher_update(&own->ctx, own->input, own->size, own->output, &length);
    for (size_t at = 0; code == 0 && at < own->size; at += BLOCK_BYTES) /* all it takes at once */
        code = mbedtls_cipher_update(&own->ctx, own->input + at, BLOCK_BYTES, own->output + at,
                                     &length);
    return code;
}

static int start(struct cipher_operation *own)
{
    if (own->chacha20)
        return start_chacha(own);
    int code = own->ecb ? 0 : mbedtls_cipher_set_iv(&own->ctx, own->nonce, own->nonce_bytes);
    return code != 0 ? code : mbedtls_cipher_reset(&own->ctx);
}

/* One message, from nonce to tag. */
static inline int message(struct cipher_operation *own)
{
    if (own->aead)
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
        if (own->encrypt) /* a ciphertext belongs to its nonce */
            next_nonce(own->nonce);
    }
    return code == 0 || crypto_mbedtls_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct cipher_operation *own = (struct cipher_operation *)operation;
    mbedtls_cipher_free(&own->ctx);
    mbedtls_chacha20_free(&own->chacha);
    free(own->input);
    free(own->output);
    free(own);
}

static void fill(struct cipher_operation *own, const struct known_values *values)
{
    if (values == NULL) {
        known_fill('k', own->key, own->key_bytes);
        known_fill('n', own->nonce, own->nonce_bytes);
        known_fill('a', own->aad, own->aad_bytes);
        known_fill('p', own->input, own->size);
        return;
    }
    memcpy(own->key, values->key.bytes, own->key_bytes);
    own->nonce_bytes = values->nonce.length;
    memcpy(own->nonce, values->nonce.bytes, own->nonce_bytes);
    own->aad_bytes = values->aad.length;
    memcpy(own->aad, values->aad.bytes, own->aad_bytes);
    own->tag_bytes = values->tag_bytes;
    if (own->encrypt)
        memcpy(own->input, values->input.bytes, own->size);
    else
        memcpy(own->input, values->output.bytes, own->size + own->tag_bytes);
}

static int prepare(struct cipher_operation *own, const mbedtls_cipher_info_t *info)
{
    int code = mbedtls_cipher_setup(&own->ctx, info);
    if (code == 0)
        code = set_key(own);
    if (code == 0 && strstr(own->head.request.algorithm->name, "-cbc") != NULL)
        code = mbedtls_cipher_set_padding_mode(&own->ctx, MBEDTLS_PADDING_NONE);
    return code;
}

/* An operation on the given values, or on the cross-check's. */
static struct cipher_operation *make(const struct crypto_request *request, bool encrypt,
                                     const struct known_values *values, struct error *error)
{
    const struct crypto_algorithm *algorithm = request->algorithm;
    struct cipher_operation *own = calloc(1, sizeof *own);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){&crypto_mbedtls, *request};
    own->aead = algorithm->kind == CRYPTO_AEAD;
    own->ecb = strstr(algorithm->name, "-ecb") != NULL;
    own->chacha20 = strcmp(algorithm->name, "chacha20") == 0;
    own->encrypt = encrypt;
    own->size = values == NULL ? request->size_bytes : values->output.length - values->tag_bytes;
    bool two_keys = strstr(algorithm->name, "-xts") != NULL;
    own->key_bytes = algorithm->key_bits / 8u * (two_keys ? 2 : 1);
    own->nonce_bytes = own->chacha20 ? NONCE_BYTES : algorithm->nonce_bytes;
    own->tag_bytes = algorithm->tag_bytes;
    own->aad_bytes = own->aead ? CRYPTO_AAD_BYTES : 0;
    own->input = calloc(1, own->size + TAG_BYTES);
    own->output = calloc(1, own->size + TAG_BYTES);
    mbedtls_cipher_init(&own->ctx);
    mbedtls_chacha20_init(&own->chacha);
    int code = MBEDTLS_ERR_CIPHER_ALLOC_FAILED;
    if (own->input != NULL && own->output != NULL) {
        fill(own, values);
        code = prepare(own, find_info(algorithm));
    }
    if (code == 0)
        return own;
    (void)crypto_mbedtls_failed(error, code, algorithm->name);
    close_operation(&own->head);
    return NULL;
}

/* Encrypts the cross-check's input once and hands ciphertext and tag to a decrypting operation. */
static bool give_ciphertext(struct cipher_operation *own, struct error *error)
{
    struct cipher_operation *sender = make(&own->head.request, true, NULL, error);
    if (sender == NULL)
        return false;
    int code = message(sender);
    if (code == 0)
        memcpy(own->input, sender->output, own->size + own->tag_bytes);
    close_operation(&sender->head);
    return code == 0 || crypto_mbedtls_failed(error, code, "encrypting what is to be decrypted");
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    bool encrypt = request->operation == CRYPTO_ENCRYPT;
    struct cipher_operation *own = make(request, encrypt, NULL, error);
    if (own == NULL)
        return NULL;
    if (encrypt || give_ciphertext(own, error))
        return &own->head;
    close_operation(&own->head);
    return NULL;
}

static bool verify_published(const struct cipher_operation *own, struct error *error)
{
    const struct known_answer *answer = known_answer_find(own->head.request.algorithm->name);
    struct known_values values;
    if (answer == NULL)
        return true;
    known_answer_decode(answer, &values);
    struct cipher_operation *known = make(&own->head.request, own->encrypt, &values, error);
    if (known == NULL)
        return false;
    int code = message(known);
    bool good = code == 0 || crypto_mbedtls_failed(error, code, answer->algorithm);
    if (good && own->encrypt)
        good = known_answer_compare(answer, known->output, known->size + known->tag_bytes,
                                    values.output.bytes, values.output.length, error);
    else if (good)
        good = known_answer_compare(answer, known->output, known->size, values.input.bytes,
                                    known->size, error);
    close_operation(&known->head);
    return good;
}

/* What is encrypted decrypts to itself at this operation's own size; a changed tag is refused. */
static bool verify_round_trip(const struct cipher_operation *own, struct error *error)
{
    const char *name = own->head.request.algorithm->name;
    struct cipher_operation *receiver = make(&own->head.request, false, NULL, error);
    if (receiver == NULL)
        return false;
    bool good = give_ciphertext(receiver, error);
    unsigned char *expected = calloc(1, own->size);
    if (good && expected != NULL) {
        known_fill('p', expected, own->size);
        good = (message(receiver) == 0 && memcmp(expected, receiver->output, own->size) == 0) ||
               error_set(error, ERROR_KNOWN_ANSWER, "%s does not decrypt what it encrypted", name);
    }
    if (good && own->aead) {
        receiver->input[own->size] ^= 1;
        good = message(receiver) != 0 ||
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
    struct cipher_operation *fresh = make(&operation->request, true, NULL, NULL);
    size_t length = 0;
    if (fresh == NULL)
        return 0;
    if (fresh->size + fresh->tag_bytes <= capacity && message(fresh) == 0) {
        length = fresh->size + fresh->tag_bytes;
        memcpy(output, fresh->output, length);
    }
    close_operation(&fresh->head);
    return length;
}

const struct crypto_family crypto_mbedtls_cipher = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = once,
    .close = close_operation,
};
