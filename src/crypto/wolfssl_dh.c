/* Key agreement in the groups of RFC 7919. */
#include "crypto/wolfssl_internal.h"

#include <stdlib.h>
#include <string.h>
#include <wolfssl/wolfcrypt/dh.h>

#include "crypto/libraries.h"

enum { MOST_BYTES = 512 };

struct dh_side {
    unsigned char secret[MOST_BYTES], public_bytes[MOST_BYTES];
    word32 secret_length, public_length;
};

struct dh_operation {
    struct crypto_operation head;
    DhKey group;
    struct dh_side own_side, peer_side;
    unsigned char shared[MOST_BYTES];
    word32 shared_length;
};

static const char *supports(const struct crypto_request *request)
{
    (void)request;
    return NULL;
}

static int generate(struct dh_operation *own, struct dh_side *side)
{
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    side->secret_length = side->public_length = MOST_BYTES;
    return rng == NULL ? code
                       : wc_DhGenerateKeyPair(&own->group, rng, side->secret, &side->secret_length,
                                              side->public_bytes, &side->public_length);
}

static int agree(struct dh_operation *own, const struct dh_side *mine, const struct dh_side *theirs)
{
    own->shared_length = MOST_BYTES;
    return wc_DhAgree(&own->group, own->shared, &own->shared_length, mine->secret,
                      mine->secret_length, theirs->public_bytes, theirs->public_length);
}

/* A peer's key has no other form than its bytes: fresh is known with the check of SP 800-56A. */
static int step(struct dh_operation *own)
{
    const struct crypto_request *request = &own->head.request;
    const struct dh_side *peer = &own->peer_side;
    int code = 0;
    if (request->operation == CRYPTO_KEYGEN)
        return generate(own, &own->own_side);
    if (request->peer_key == CRYPTO_PEER_FRESH)
        code = wc_DhCheckPubKey(&own->group, peer->public_bytes, peer->public_length);
    return code != 0 ? code : agree(own, &own->own_side, peer);
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct dh_operation *own = (struct dh_operation *)operation;
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_wolfssl_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct dh_operation *own = (struct dh_operation *)operation;
    (void)wc_FreeDhKey(&own->group);
    free(own);
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct dh_operation *own = calloc(1, sizeof *own);
    const DhParams *parameters =
        request->algorithm->key_bits > 2048 ? wc_Dh_ffdhe3072_Get() : wc_Dh_ffdhe2048_Get();
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_wolfssl, .request = *request};
    int code = wc_InitDhKey(&own->group);
    if (code == 0)
        code = wc_DhSetKey(&own->group, parameters->p, parameters->p_len, parameters->g,
                           parameters->g_len);
    if (code == 0)
        code = generate(own, &own->own_side);
    if (code == 0)
        code = generate(own, &own->peer_side);
    if (code == 0)
        return &own->head;
    (void)crypto_wolfssl_failed(error, code, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

/* The two sides, each with the other's public key, must agree. */
static bool verify(struct crypto_operation *operation, struct error *error)
{
    struct dh_operation *own = (struct dh_operation *)operation;
    unsigned char first[MOST_BYTES];
    int code = agree(own, &own->own_side, &own->peer_side);
    word32 length = own->shared_length;
    memcpy(first, own->shared, MOST_BYTES);
    if (code == 0)
        code = agree(own, &own->peer_side, &own->own_side);
    bool same =
        code == 0 && length == own->shared_length && memcmp(first, own->shared, length) == 0;
    return same || error_set(error, ERROR_KNOWN_ANSWER, "%s: the two sides do not agree",
                             operation->request.algorithm->name);
}

const struct crypto_family crypto_wolfssl_dh = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = crypto_once_nothing,
    .close = close_operation,
};
