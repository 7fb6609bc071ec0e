/* ECDSA and ECDH on Weierstrass curves. As Debian builds it, wolfSSL keeps tables for points it has
 * met before (FP_ECC): operations on a known key become cheaper with use. */
#include "crypto/wolfssl_internal.h"

#include <stdlib.h>
#include <string.h>
#include <wolfssl/wolfcrypt/ecc.h>

#include "core/attributes.h"
#include "crypto/known_answer.h"
#include "crypto/libraries.h"

enum { MOST_DIGEST_BYTES = 64, MOST_BYTES = 256 };

struct curve_row {
    const char *name;
    ecc_curve_id id;
    int bytes;
};

static const struct curve_row curves[] = {
    {"secp256r1", ECC_SECP256R1, 32},
    {"secp384r1", ECC_SECP384R1, 48},
    {"secp521r1", ECC_SECP521R1, 66},
    {"brainpoolp256r1", ECC_BRAINPOOLP256R1, 32},
    {"brainpoolp384r1", ECC_BRAINPOOLP384R1, 48},
    {"brainpoolp512r1", ECC_BRAINPOOLP512R1, 64},
};

struct ecc_operation {
    struct crypto_operation head;
    const struct curve_row *curve;
    ecc_key own_key, peer_key;
    unsigned char public_bytes[MOST_BYTES]; /* of whom verify and derive face, as on the wire */
    word32 public_length;
    unsigned char digest[MOST_DIGEST_BYTES];
    word32 digest_length;
    unsigned char signature[MOST_BYTES];
    word32 signature_length;
    unsigned char secret[MOST_BYTES];
    word32 secret_length;
};

static const struct curve_row *find_curve(const struct crypto_algorithm *algorithm)
{
    for (size_t i = 0; i < COUNT_OF(curves); i++)
        if (strcmp(curves[i].name, algorithm->curve) == 0)
            return &curves[i];
    return NULL;
}

static const char *supports(const struct crypto_request *request)
{
    const struct curve_row *curve = find_curve(request->algorithm);
    if (curve == NULL || wc_ecc_get_curve_idx(curve->id) == ECC_CURVE_INVALID)
        return crypto_reason("wolfSSL has no %s as built here", request->algorithm->name);
    return NULL;
}

static int generate(const struct curve_row *curve, ecc_key *key)
{
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    if (rng == NULL)
        return code;
    code = wc_ecc_init(key);
    if (code == 0)
        code = wc_ecc_make_key_ex(rng, curve->bytes, key, curve->id);
    return code != 0 ? code : wc_ecc_set_rng(key, rng);
}

static int sign(struct ecc_operation *own)
{
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    own->signature_length = sizeof own->signature;
    return rng == NULL ? code
                       : wc_ecc_sign_hash(own->digest, own->digest_length, own->signature,
                                          &own->signature_length, rng, &own->own_key);
}

static int check(struct ecc_operation *own, ecc_key *key)
{
    int valid = 0;
    int code = wc_ecc_verify_hash(own->signature, own->signature_length, own->digest,
                                  own->digest_length, &valid, key);
    return code != 0 ? code : valid == 1 ? 0 : SIG_VERIFY_E;
}

/* A key from its encoding, checked to lie on the curve. */
static int import_public(struct ecc_operation *own, ecc_key *key)
{
    int code = wc_ecc_init(key);
    if (code == 0)
        code = wc_ecc_import_x963_ex(own->public_bytes, own->public_length, key, own->curve->id);
    return code != 0 ? code : wc_ecc_check_key(key);
}

static int derive(struct ecc_operation *own, ecc_key *peer)
{
    own->secret_length = sizeof own->secret;
    return wc_ecc_shared_secret(&own->own_key, peer, own->secret, &own->secret_length);
}

/* What a handshake pays: the peer's key is read and checked first. */
static int with_fresh(struct ecc_operation *own, int (*use)(struct ecc_operation *, ecc_key *))
{
    ecc_key key;
    int code = import_public(own, &key);
    if (code == 0)
        code = use(own, &key);
    (void)wc_ecc_free(&key);
    return code;
}

static int step(struct ecc_operation *own)
{
    const struct crypto_request *request = &own->head.request;
    bool known = request->peer_key == CRYPTO_PEER_KNOWN;
    ecc_key fresh;
    int code;
    switch (request->operation) {
    case CRYPTO_SIGN:
        return sign(own);
    case CRYPTO_VERIFY:
        return known ? check(own, &own->own_key) : with_fresh(own, check);
    case CRYPTO_DERIVE:
        return known ? derive(own, &own->peer_key) : with_fresh(own, derive);
    default:
        code = generate(own->curve, &fresh);
        (void)wc_ecc_free(&fresh);
        return code;
    }
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct ecc_operation *own = (struct ecc_operation *)operation;
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_wolfssl_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct ecc_operation *own = (struct ecc_operation *)operation;
    (void)wc_ecc_free(&own->own_key);
    (void)wc_ecc_free(&own->peer_key);
    free(own);
}

/* Digests match the curve's strength: SHA-256 up to 256 bits, SHA-384, SHA-512 above 384. */
static word32 digest_length(const struct crypto_algorithm *algorithm)
{
    return algorithm->key_bits <= 256 ? 32 : algorithm->key_bits <= 384 ? 48 : 64;
}

static int prepare(struct ecc_operation *own)
{
    bool agreement = own->head.request.algorithm->kind == CRYPTO_ECDH;
    int code = generate(own->curve, &own->own_key);
    if (code == 0)
        code = generate(own->curve, &own->peer_key);
    own->public_length = sizeof own->public_bytes;
    if (code == 0)
        code = wc_ecc_export_x963(agreement ? &own->peer_key : &own->own_key, own->public_bytes,
                                  &own->public_length);
    if (code == 0 && own->head.request.operation == CRYPTO_VERIFY)
        code = sign(own);
    return code;
}

static struct ecc_operation *make(const struct crypto_request *request, struct error *error)
{
    struct ecc_operation *own = calloc(1, sizeof *own);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_wolfssl, .request = *request};
    own->curve = find_curve(request->algorithm);
    own->digest_length = digest_length(request->algorithm);
    for (word32 i = 0; i < own->digest_length; i++)
        own->digest[i] = (unsigned char)i;
    int code = prepare(own);
    if (code == 0)
        return own;
    (void)crypto_wolfssl_failed(error, code, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct ecc_operation *own = make(request, error);
    return own == NULL ? NULL : &own->head;
}

/* More often than it takes until the library keeps a table for a point: what the table gives must
 * be right too. */
enum { KNOWN_REPEATS = 5 };

/* Verifies as with a fresh key, then with a kept one, before and after it has a table. */
static int check_both(struct ecc_operation *known)
{
    (void)wc_ecc_free(&known->own_key);
    int code = import_public(known, &known->own_key);
    if (code == 0)
        code = with_fresh(known, check);
    for (int i = 0; code == 0 && i < KNOWN_REPEATS; i++)
        code = check(known, &known->own_key);
    return code;
}

/* Derives with a fresh key, then with a kept one, and compares. */
static int derive_both(struct ecc_operation *known)
{
    unsigned char fresh[MOST_BYTES];
    (void)wc_ecc_free(&known->peer_key);
    int code = import_public(known, &known->peer_key);
    if (code == 0)
        code = with_fresh(known, derive);
    word32 length = known->secret_length;
    memcpy(fresh, known->secret, length);
    for (int i = 0; code == 0 && i < KNOWN_REPEATS; i++) {
        code = derive(known, &known->peer_key);
        if (code == 0 &&
            (known->secret_length != length || memcmp(known->secret, fresh, length) != 0))
            code = SIG_VERIFY_E;
    }
    return code;
}

static int play_signature(struct ecc_operation *known, const struct known_values *values)
{
    word32 half = (word32)values->output.length / 2;
    memcpy(known->public_bytes, values->key.bytes, values->key.length);
    known->public_length = (word32)values->key.length;
    memcpy(known->digest, values->input.bytes, values->input.length);
    known->digest_length = (word32)values->input.length;
    known->signature_length = sizeof known->signature;
    int code = wc_ecc_rs_raw_to_sig(values->output.bytes, half, values->output.bytes + half, half,
                                    known->signature, &known->signature_length);
    return code != 0 ? code : check_both(known);
}

static int play_agreement(struct ecc_operation *known, const struct known_values *values)
{
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    if (rng == NULL)
        return code;
    memcpy(known->public_bytes, values->input.bytes, values->input.length);
    known->public_length = (word32)values->input.length;
    (void)wc_ecc_free(&known->own_key);
    code = wc_ecc_init(&known->own_key);
    if (code == 0)
        code = wc_ecc_import_private_key_ex(values->key.bytes, (word32)values->key.length, NULL, 0,
                                            &known->own_key, known->curve->id);
    if (code == 0)
        code = wc_ecc_set_rng(&known->own_key, rng);
    return code != 0 ? code : derive_both(known);
}

static bool check_answer(const struct ecc_operation *own, const struct known_answer *answer,
                         struct error *error)
{
    const struct crypto_algorithm *algorithm = own->head.request.algorithm;
    struct crypto_request request = {.algorithm = algorithm, .operation = CRYPTO_KEYGEN};
    struct known_values values;
    known_answer_decode(answer, &values);
    struct ecc_operation *known = make(&request, error);
    if (known == NULL)
        return false;
    bool agreement = algorithm->kind == CRYPTO_ECDH;
    int code = agreement ? play_agreement(known, &values) : play_signature(known, &values);
    bool good = code == 0 || crypto_wolfssl_failed(error, code, answer->source);
    if (good && agreement)
        good = known_answer_compare(answer, known->secret, known->secret_length,
                                    values.output.bytes, values.output.length, error);
    close_operation(&known->head);
    return good;
}

static bool check_published(const struct ecc_operation *own, struct error *error)
{
    const char *name = own->head.request.algorithm->name;
    const struct known_answer *answer = known_answer_find(name);
    if (answer == NULL)
        return error_set(error, ERROR_KNOWN_ANSWER, "no published answer to check %s with", name);
    for (; answer != NULL; answer = known_answer_next(name, answer))
        if (!check_answer(own, answer, error))
            return false;
    return true;
}

/* What is signed verifies with a fresh key, and does not once a bit is changed. */
static bool check_signing(struct ecc_operation *own, struct error *error)
{
    const char *name = own->head.request.algorithm->name;
    bool good = (sign(own) == 0 && with_fresh(own, check) == 0) ||
                error_set(error, ERROR_KNOWN_ANSWER, "%s: its own signature does not verify", name);
    own->digest[0] ^= 1;
    good = good && (with_fresh(own, check) != 0 ||
                    error_set(error, ERROR_KNOWN_ANSWER, "%s: a wrong signature verifies", name));
    own->digest[0] ^= 1;
    return good;
}

/* The two sides, each with the other's public key, must agree. */
static bool check_agreement(struct ecc_operation *own, struct error *error)
{
    unsigned char first[MOST_BYTES];
    int code = with_fresh(own, derive);
    word32 length = own->secret_length;
    memcpy(first, own->secret, length);
    word32 other_length = sizeof own->secret;
    if (code == 0)
        code = wc_ecc_shared_secret(&own->peer_key, &own->own_key, own->secret, &other_length);
    bool same = code == 0 && length == other_length && memcmp(first, own->secret, length) == 0;
    return same || error_set(error, ERROR_KNOWN_ANSWER, "%s: the two sides do not agree",
                             own->head.request.algorithm->name);
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    struct ecc_operation *own = (struct ecc_operation *)operation;
    if (!check_published(own, error))
        return false;
    return operation->request.algorithm->kind == CRYPTO_ECDH ? check_agreement(own, error)
                                                             : check_signing(own, error);
}

const struct crypto_family crypto_wolfssl_ecc = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = crypto_once_nothing,
    .close = close_operation,
};
