/* Ciphers and AEAD through wolfCrypt's own functions. */
#include "crypto/wolfssl_internal.h"

#include <string.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>

#include "core/attributes.h"
#include "crypto/cipher_work.h"
#include "crypto/libraries.h"

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
    struct cipher_work work;
    const struct cipher_way *way;
    Aes aes;
    XtsAes xts;
    ChaCha chacha;
    /* The work's lengths as wolfCrypt takes them. */
    word32 key_bytes, nonce_bytes, tag_bytes, aad_bytes, size;
};

static int key_block(struct cipher_operation *own)
{
    return wc_AesSetKey(&own->aes, own->work.key, own->key_bytes, NULL,
                        own->work.encrypt ? AES_ENCRYPTION : AES_DECRYPTION);
}

/* CTR encrypts its counter in both directions. */
static int key_ctr(struct cipher_operation *own)
{
    return wc_AesSetKey(&own->aes, own->work.key, own->key_bytes, NULL, AES_ENCRYPTION);
}

static int key_gcm(struct cipher_operation *own)
{
    return wc_AesGcmSetKey(&own->aes, own->work.key, own->key_bytes);
}

static int key_ccm(struct cipher_operation *own)
{
    return wc_AesCcmSetKey(&own->aes, own->work.key, own->key_bytes);
}

static int key_xts(struct cipher_operation *own)
{
    (void)wc_AesXtsFree(&own->xts);
    return wc_AesXtsSetKey(&own->xts, own->work.key, own->key_bytes,
                           own->work.encrypt ? AES_ENCRYPTION : AES_DECRYPTION, NULL,
                           INVALID_DEVID);
}

static int key_chacha(struct cipher_operation *own)
{
    return wc_Chacha_SetKey(&own->chacha, own->work.key, own->key_bytes);
}

/* ChaCha20-Poly1305 takes its key with every message: there is nothing to keep. */
static int key_none(struct cipher_operation *own)
{
    (void)own;
    return 0;
}

static int start_aes(struct cipher_operation *own)
{
    return wc_AesSetIV(&own->aes, own->work.nonce);
}

/* The counter stands before the nonce, little-endian (RFC 8439 section 2.3). */
static int start_chacha(struct cipher_operation *own)
{
    const unsigned char *n = own->work.nonce;
    uint32_t counter =
        (uint32_t)n[0] | (uint32_t)n[1] << 8 | (uint32_t)n[2] << 16 | (uint32_t)n[3] << 24;
    return wc_Chacha_SetIV(&own->chacha, n + 4, counter);
}

static int update_ecb(struct cipher_operation *own)
{
    return own->work.encrypt
               ? wc_AesEcbEncrypt(&own->aes, own->work.output, own->work.input, own->size)
               : wc_AesEcbDecrypt(&own->aes, own->work.output, own->work.input, own->size);
}

static int update_cbc(struct cipher_operation *own)
{
    return own->work.encrypt
               ? wc_AesCbcEncrypt(&own->aes, own->work.output, own->work.input, own->size)
               : wc_AesCbcDecrypt(&own->aes, own->work.output, own->work.input, own->size);
}

static int update_ctr(struct cipher_operation *own)
{
    return wc_AesCtrEncrypt(&own->aes, own->work.output, own->work.input, own->size);
}

static int update_gcm(struct cipher_operation *own)
{
    return own->work.encrypt
               ? wc_AesGcmEncrypt(&own->aes, own->work.output, own->work.input, own->size,
                                  own->work.nonce, own->nonce_bytes, own->work.tag, own->tag_bytes,
                                  own->work.aad, own->aad_bytes)
               : wc_AesGcmDecrypt(&own->aes, own->work.output, own->work.input, own->size,
                                  own->work.nonce, own->nonce_bytes, own->work.tag, own->tag_bytes,
                                  own->work.aad, own->aad_bytes);
}

static int update_ccm(struct cipher_operation *own)
{
    return own->work.encrypt
               ? wc_AesCcmEncrypt(&own->aes, own->work.output, own->work.input, own->size,
                                  own->work.nonce, own->nonce_bytes, own->work.tag, own->tag_bytes,
                                  own->work.aad, own->aad_bytes)
               : wc_AesCcmDecrypt(&own->aes, own->work.output, own->work.input, own->size,
                                  own->work.nonce, own->nonce_bytes, own->work.tag, own->tag_bytes,
                                  own->work.aad, own->aad_bytes);
}

static int update_xts(struct cipher_operation *own)
{
    return own->work.encrypt ? wc_AesXtsEncrypt(&own->xts, own->work.output, own->work.input,
                                                own->size, own->work.nonce, own->nonce_bytes)
                             : wc_AesXtsDecrypt(&own->xts, own->work.output, own->work.input,
                                                own->size, own->work.nonce, own->nonce_bytes);
}

static int update_chacha(struct cipher_operation *own)
{
    return wc_Chacha_Process(&own->chacha, own->work.output, own->work.input, own->size);
}

static int update_chachapoly(struct cipher_operation *own)
{
    return own->work.encrypt
               ? wc_ChaCha20Poly1305_Encrypt(own->work.key, own->work.nonce, own->work.aad,
                                             own->aad_bytes, own->work.input, own->size,
                                             own->work.output, own->work.tag)
               : wc_ChaCha20Poly1305_Decrypt(own->work.key, own->work.nonce, own->work.aad,
                                             own->aad_bytes, own->work.input, own->size,
                                             own->work.tag, own->work.output);
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
        if (mode == CRYPTO_MODE_MESSAGE)
            cipher_work_next_key(&own->work);
        else
            cipher_work_next_nonce(&own->work);
    }
    return code == 0 || crypto_wolfssl_failed(error, code, operation->request.algorithm->name);
}

static bool prepare(struct cipher_work *work, struct error *error)
{
    struct cipher_operation *own = (struct cipher_operation *)work;
    const struct crypto_algorithm *algorithm = work->head.request.algorithm;
    own->way = find_way(algorithm);
    own->key_bytes = (word32)work->key_bytes;
    own->nonce_bytes = (word32)work->nonce_bytes;
    own->tag_bytes = (word32)work->tag_bytes;
    own->aad_bytes = (word32)work->aad_bytes;
    own->size = (word32)work->size;
    int code = wc_AesInit(&own->aes, NULL, INVALID_DEVID);
    if (code == 0)
        code = own->way->set_key(own);
    return code == 0 || crypto_wolfssl_failed(error, code, algorithm->name);
}

static bool send_message(struct cipher_work *work, struct error *error)
{
    int code = message((struct cipher_operation *)work);
    return code == 0 || crypto_wolfssl_failed(error, code, work->head.request.algorithm->name);
}

static void release(struct cipher_work *work)
{
    struct cipher_operation *own = (struct cipher_operation *)work;
    if (own->way == NULL)
        return;
    wc_AesFree(&own->aes);
    if (own->way->set_key == key_xts)
        (void)wc_AesXtsFree(&own->xts);
}

static const struct cipher_hooks hooks = {
    .library = &crypto_wolfssl,
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

const struct crypto_family crypto_wolfssl_cipher = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = cipher_work_verify,
    .once = cipher_work_once,
    .close = cipher_work_close,
};
