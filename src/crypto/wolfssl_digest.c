/* Digests, MACs, HKDF and random bytes. */
#include "crypto/wolfssl_internal.h"

#include <string.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/hmac.h>
#include <wolfssl/wolfcrypt/kdf.h>

#include "core/attributes.h"
#include "crypto/digest_work.h"
#include "crypto/libraries.h"

enum { MOST_RANDOM_BYTES = 0x10000 }; /* that wolfCrypt draws at once */

struct digest_operation {
    struct digest_work work;
    enum wc_HashType type;
    bool is_cmac;
    wc_HashAlg hash;
    Hmac hmac;
    Cmac cmac;
    /* The work's lengths as wolfCrypt takes them. */
    word32 key_bytes, salt_bytes, info_bytes, output_bytes, size;
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
        code = wc_HashUpdate(&own->hash, own->type, own->work.input, own->size);
    return code != 0 ? code : wc_HashFinal(&own->hash, own->type, own->work.output);
}

/* A CMAC forgets its key at the end: it is keyed for every message, whatever the mode. An HMAC
 * keeps it. */
static int mac_start(struct digest_operation *own, bool new_key)
{
    if (own->is_cmac)
        return wc_InitCmac(&own->cmac, own->work.key, own->key_bytes, WC_CMAC_AES, NULL);
    return new_key ? wc_HmacSetKey(&own->hmac, (int)own->type, own->work.key, own->key_bytes) : 0;
}

static int mac_update(struct digest_operation *own)
{
    return own->is_cmac ? wc_CmacUpdate(&own->cmac, own->work.input, own->size)
                        : wc_HmacUpdate(&own->hmac, own->work.input, own->size);
}

static int mac_finish(struct digest_operation *own)
{
    word32 length = WC_CMAC_TAG_MAX_SZ;
    return own->is_cmac ? wc_CmacFinal(&own->cmac, own->work.output, &length)
                        : wc_HmacFinal(&own->hmac, own->work.output);
}

static int mac(struct digest_operation *own, bool new_key)
{
    int code = mac_start(own, new_key);
    if (code == 0)
        code = mac_update(own);
    if (new_key)
        own->work.key[0]++; /* the next message's */
    return code != 0 ? code : mac_finish(own);
}

static int kdf(struct digest_operation *own)
{
    return wc_HKDF((int)own->type, own->work.key, own->key_bytes, own->work.salt, own->salt_bytes,
                   own->work.info, own->info_bytes, own->work.output, own->output_bytes);
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
    bool stream = own->work.head.request.mode == CRYPTO_MODE_STREAM;
    switch (own->work.head.request.algorithm->kind) {
    case CRYPTO_DIGEST:
        return stream ? wc_HashUpdate(&own->hash, own->type, own->work.input, own->size)
                      : digest(own);
    case CRYPTO_MAC:
        return stream ? mac_update(own)
                      : mac(own, own->work.head.request.mode == CRYPTO_MODE_MESSAGE);
    case CRYPTO_KDF:
        return kdf(own);
    default:
        return random_bytes(own->work.input, own->size);
    }
}

static int start_stream(struct digest_operation *own)
{
    if (own->work.head.request.mode != CRYPTO_MODE_STREAM)
        return 0;
    return own->work.head.request.algorithm->kind == CRYPTO_DIGEST
               ? wc_HashInit(&own->hash, own->type)
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

static bool prepare(struct digest_work *work, struct error *error)
{
    struct digest_operation *own = (struct digest_operation *)work;
    const struct crypto_algorithm *algorithm = work->head.request.algorithm;
    own->is_cmac = is_cmac(algorithm);
    own->type = find_type(algorithm);
    own->key_bytes = (word32)work->key_bytes;
    own->salt_bytes = (word32)work->salt_bytes;
    own->info_bytes = (word32)work->info_bytes;
    own->output_bytes = (word32)work->output_bytes;
    own->size = (word32)work->size;
    int code = wc_HmacInit(&own->hmac, NULL, INVALID_DEVID);
    if (code == 0 && algorithm->kind == CRYPTO_MAC)
        code = mac_start(own, true);
    return code == 0 || crypto_wolfssl_failed(error, code, algorithm->name);
}

static bool finish(struct digest_work *work, struct error *error)
{
    struct digest_operation *own = (struct digest_operation *)work;
    bool is_digest = work->head.request.algorithm->kind == CRYPTO_DIGEST;
    int code = is_digest ? wc_HashFinal(&own->hash, own->type, work->output) : mac_finish(own);
    return code == 0 || crypto_wolfssl_failed(error, code, work->head.request.algorithm->name);
}

static void release(struct digest_work *work)
{
    wc_HmacFree(&((struct digest_operation *)work)->hmac);
}

static const struct digest_hooks hooks = {
    .library = &crypto_wolfssl,
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

const struct crypto_family crypto_wolfssl_digest = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = digest_work_verify,
    .once = digest_work_once,
    .close = digest_work_close,
};
