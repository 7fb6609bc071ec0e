/* Ciphers and AEAD through wolfCrypt's own functions. */
#include "crypto/wolfssl_internal.h"

#include <stdlib.h>
#include <string.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>

#include "core/attributes.h"
#include "crypto/known_answer.h"
#include "crypto/libraries.h"

enum { MOST_KEY_BYTES = 64, NONCE_BYTES = 16, TAG_BYTES = 16 };

struct cipher_operation;

/* How one kind of cipher is keyed, started with a nonce, and run. A kind without `start` takes the
 * nonce with the message. */
struct cipher_way {
    const char *suffix; /* of the algorithm's name */
    int (*set_key)(struct cipher_operation *own);
    int (*start)(struct cipher_operation *own);
    int (*update)(struct cipher_operation *own);
};

struct cipher_operation {
    struct crypto_operation head;
    const struct cipher_way *way;
    Aes aes;
    XtsAes xts;
    ChaCha chacha;
    bool encrypt, aead;
    unsigned char key[MOST_KEY_BYTES], nonce[NONCE_BYTES], tag[TAG_BYTES];
    unsigned char aad[KNOWN_ANSWER_BYTES];
    unsigned key_bytes, nonce_bytes, tag_bytes, aad_bytes, size;
    unsigned char *input, *output;
};

static int key_block(struct cipher_operation *own)
{
    return wc_AesSetKey(&own->aes, own->key, own->key_bytes, NULL,
                        own->encrypt ? AES_ENCRYPTION : AES_DECRYPTION);
}

/* CTR encrypts its counter in both directions. */
static int key_ctr(struct cipher_operation *own)
{
    return wc_AesSetKey(&own->aes, own->key, own->key_bytes, NULL, AES_ENCRYPTION);
}

static int key_gcm(struct cipher_operation *own)
{
    return wc_AesGcmSetKey(&own->aes, own->key, own->key_bytes);
}

static int key_ccm(struct cipher_operation *own)
{
    return wc_AesCcmSetKey(&own->aes, own->key, own->key_bytes);
}

static int key_xts(struct cipher_operation *own)
{
    (void)wc_AesXtsFree(&own->xts);
    return wc_AesXtsSetKey(&own->xts, own->key, own->key_bytes,
                           own->encrypt ? AES_ENCRYPTION : AES_DECRYPTION, NULL, INVALID_DEVID);
}

static int key_chacha(struct cipher_operation *own)
{
    return wc_Chacha_SetKey(&own->chacha, own->key, own->key_bytes);
}

/* ChaCha20-Poly1305 takes its key with every message: there is nothing to keep. */
static int key_none(struct cipher_operation *own)
{
    (void)own;
    return 0;
}

static int start_aes(struct cipher_operation *own)
{
    return wc_AesSetIV(&own->aes, own->nonce);
}

/* The counter stands before the nonce, little-endian (RFC 8439 section 2.3). */
static int start_chacha(struct cipher_operation *own)
{
    const unsigned char *n = own->nonce;
    uint32_t counter =
        (uint32_t)n[0] | (uint32_t)n[1] << 8 | (uint32_t)n[2] << 16 | (uint32_t)n[3] << 24;
    return wc_Chacha_SetIV(&own->chacha, n + 4, counter);
}

static int update_ecb(struct cipher_operation *own)
{
    return own->encrypt ? wc_AesEcbEncrypt(&own->aes, own->output, own->input, own->size)
                        : wc_AesEcbDecrypt(&own->aes, own->output, own->input, own->size);
}

static int update_cbc(struct cipher_operation *own)
{
    return own->encrypt ? wc_AesCbcEncrypt(&own->aes, own->output, own->input, own->size)
                        : wc_AesCbcDecrypt(&own->aes, own->output, own->input, own->size);
}

static int update_ctr(struct cipher_operation *own)
{
    return wc_AesCtrEncrypt(&own->aes, own->output, own->input, own->size);
}

static int update_gcm(struct cipher_operation *own)
{
    return own->encrypt ? wc_AesGcmEncrypt(&own->aes, own->output, own->input, own->size,
                                           own->nonce, own->nonce_bytes, own->tag, own->tag_bytes,
                                           own->aad, own->aad_bytes)
                        : wc_AesGcmDecrypt(&own->aes, own->output, own->input, own->size,
                                           own->nonce, own->nonce_bytes, own->tag, own->tag_bytes,
                                           own->aad, own->aad_bytes);
}

static int update_ccm(struct cipher_operation *own)
{
    return own->encrypt ? wc_AesCcmEncrypt(&own->aes, own->output, own->input, own->size,
                                           own->nonce, own->nonce_bytes, own->tag, own->tag_bytes,
                                           own->aad, own->aad_bytes)
                        : wc_AesCcmDecrypt(&own->aes, own->output, own->input, own->size,
                                           own->nonce, own->nonce_bytes, own->tag, own->tag_bytes,
                                           own->aad, own->aad_bytes);
}

static int update_xts(struct cipher_operation *own)
{
    return own->encrypt ? wc_AesXtsEncrypt(&own->xts, own->output, own->input, own->size,
                                           own->nonce, own->nonce_bytes)
                        : wc_AesXtsDecrypt(&own->xts, own->output, own->input, own->size,
                                           own->nonce, own->nonce_bytes);
}

static int update_chacha(struct cipher_operation *own)
{
    return wc_Chacha_Process(&own->chacha, own->output, own->input, own->size);
}

static int update_chachapoly(struct cipher_operation *own)
{
    return own->encrypt
               ? wc_ChaCha20Poly1305_Encrypt(own->key, own->nonce, own->aad, own->aad_bytes,
                                             own->input, own->size, own->output, own->tag)
               : wc_ChaCha20Poly1305_Decrypt(own->key, own->nonce, own->aad, own->aad_bytes,
                                             own->input, own->size, own->tag, own->output);
}

static const struct cipher_way ways[] = {
    {"-ecb", key_block, NULL, update_ecb},
    {"-cbc", key_block, start_aes, update_cbc},
    {"-ctr", key_ctr, start_aes, update_ctr},
    {"-gcm", key_gcm, NULL, update_gcm},
    {"-ccm", key_ccm, NULL, update_ccm},
    {"-xts", key_xts, NULL, update_xts},
    {"chacha20-poly1305", key_none, NULL, update_chachapoly},
    {"chacha20", key_chacha, start_chacha, update_chacha},
};

static const struct cipher_way *find_way(const struct crypto_algorithm *algorithm)
{
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        if (strstr(algorithm->name, ways[i].suffix) != NULL)
            return &ways[i];
    return NULL;
}

static const char *supports(const struct crypto_request *request)
{
    const struct cipher_way *way = find_way(request->algorithm);
    if (way == NULL)
        return crypto_reason("wolfSSL has no %s as built here", request->algorithm->name);
    if (request->mode == CRYPTO_MODE_STREAM && request->algorithm->kind == CRYPTO_AEAD)
        return "wolfSSL seals whole messages: no stream is measured";
    if (request->mode == CRYPTO_MODE_STREAM && strcmp(way->suffix, "-xts") == 0)
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

static inline int message(struct cipher_operation *own)
{
    int code = own->way->start == NULL ? 0 : own->way->start(own);
    return code != 0 ? code : own->way->update(own);
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct cipher_operation *own = (struct cipher_operation *)operation;
    enum crypto_mode mode = operation->request.mode;
    int code = 0;
    if (mode == CRYPTO_MODE_STREAM && own->way->start != NULL)
        code = own->way->start(own);
    for (uint64_t i = 0; code == 0 && i < count; i++) {
        if (mode == CRYPTO_MODE_STREAM) {
            code = own->way->update(own);
            continue;
        }
        if (mode == CRYPTO_MODE_MESSAGE)
            code = own->way->set_key(own);
        if (code == 0)
            code = message(own);
        if (own->encrypt) /* a ciphertext belongs to its nonce */
            next_nonce(own->nonce);
    }
    return code == 0 || crypto_wolfssl_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct cipher_operation *own = (struct cipher_operation *)operation;
    wc_AesFree(&own->aes);
    if (own->way->set_key == key_xts)
        (void)wc_AesXtsFree(&own->xts);
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
    own->nonce_bytes = (unsigned)values->nonce.length;
    memcpy(own->nonce, values->nonce.bytes, own->nonce_bytes);
    own->aad_bytes = (unsigned)values->aad.length;
    memcpy(own->aad, values->aad.bytes, own->aad_bytes);
    own->tag_bytes = (unsigned)values->tag_bytes;
    memcpy(own->input, own->encrypt ? values->input.bytes : values->output.bytes, own->size);
    memcpy(own->tag, values->output.bytes + own->size, own->tag_bytes);
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
    own->head = (struct crypto_operation){&crypto_wolfssl, *request};
    own->way = find_way(algorithm);
    own->encrypt = encrypt;
    own->aead = algorithm->kind == CRYPTO_AEAD;
    own->size = values == NULL ? request->size_bytes
                               : (unsigned)(values->output.length - values->tag_bytes);
    bool two_keys = strcmp(own->way->suffix, "-xts") == 0;
    own->key_bytes = algorithm->key_bits / 8u * (two_keys ? 2 : 1);
    own->nonce_bytes =
        strcmp(algorithm->name, "chacha20") == 0 ? NONCE_BYTES : algorithm->nonce_bytes;
    own->tag_bytes = algorithm->tag_bytes;
    own->aad_bytes = own->aead ? CRYPTO_AAD_BYTES : 0;
    own->input = calloc(1, own->size + 1u);
    own->output = calloc(1, own->size + 1u);
    int code = MEMORY_E;
    if (own->input != NULL && own->output != NULL) {
        fill(own, values);
        code = wc_AesInit(&own->aes, NULL, INVALID_DEVID);
    }
    if (code == 0)
        code = own->way->set_key(own);
    if (code == 0)
        return own;
    (void)crypto_wolfssl_failed(error, code, algorithm->name);
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
    if (code == 0) {
        memcpy(own->input, sender->output, own->size);
        memcpy(own->tag, sender->tag, own->tag_bytes);
    }
    close_operation(&sender->head);
    return code == 0 || crypto_wolfssl_failed(error, code, "encrypting what is to be decrypted");
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
    bool good = code == 0 || crypto_wolfssl_failed(error, code, answer->algorithm);
    if (good && own->encrypt)
        good = known_answer_compare(answer, known->output, known->size, values.output.bytes,
                                    known->size, error) &&
               known_answer_compare(answer, known->tag, known->tag_bytes,
                                    values.output.bytes + known->size, known->tag_bytes, error);
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
        receiver->tag[0] ^= 1;
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
        memcpy(output, fresh->output, fresh->size);
        memcpy(output + fresh->size, fresh->tag, fresh->tag_bytes);
        length = fresh->size + fresh->tag_bytes;
    }
    close_operation(&fresh->head);
    return length;
}

const struct crypto_family crypto_wolfssl_cipher = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = once,
    .close = close_operation,
};
