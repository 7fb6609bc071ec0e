/* Ed25519 and Ed448, X25519 and X448: two functions for everything, one per size of the curve. */
#include "crypto/wolfssl_internal.h"

#include <stdlib.h>
#include <string.h>
#include <wolfssl/wolfcrypt/curve25519.h>
#include <wolfssl/wolfcrypt/curve448.h>
#include <wolfssl/wolfcrypt/ed25519.h>
#include <wolfssl/wolfcrypt/ed448.h>

#include "core/attributes.h"
#include "crypto/known_answer.h"
#include "crypto/libraries.h"

enum { MESSAGE_BYTES = 32, MOST_BYTES = 128 };

union edwards_key {
    ed25519_key ed25519;
    ed448_key ed448;
    curve25519_key x25519;
    curve448_key x448;
};

struct edwards_operation;

/* What each of the four can do; NULL where it cannot. */
struct edwards_way {
    const char *name;
    int (*init)(union edwards_key *key);
    void (*clean)(union edwards_key *key);
    int (*make)(union edwards_key *key, WC_RNG *rng);
    int (*export_public)(union edwards_key *key, unsigned char *bytes, word32 *length);
    int (*import_public)(union edwards_key *key, const unsigned char *bytes, word32 length);
    int (*import_private)(union edwards_key *key, const struct known_values *values);
    int (*sign)(struct edwards_operation *own);
    int (*check)(struct edwards_operation *own, union edwards_key *key);
    int (*derive)(struct edwards_operation *own, union edwards_key *peer);
};

struct edwards_operation {
    struct crypto_operation head;
    const struct edwards_way *way;
    union edwards_key own_key, peer_key;
    unsigned char public_bytes[MOST_BYTES]; /* of whom verify and derive face, as on the wire */
    word32 public_length;
    unsigned char message[MESSAGE_BYTES];
    word32 message_length;
    unsigned char signature[MOST_BYTES]; /* or shared secret */
    word32 signature_length;
};

static int init_ed25519(union edwards_key *key)
{
    return wc_ed25519_init(&key->ed25519);
}

static void clean_ed25519(union edwards_key *key)
{
    wc_ed25519_free(&key->ed25519);
}

static int make_ed25519(union edwards_key *key, WC_RNG *rng)
{
    return wc_ed25519_make_key(rng, ED25519_KEY_SIZE, &key->ed25519);
}

static int export_ed25519(union edwards_key *key, unsigned char *bytes, word32 *length)
{
    return wc_ed25519_export_public(&key->ed25519, bytes, length);
}

static int import_ed25519(union edwards_key *key, const unsigned char *bytes, word32 length)
{
    return wc_ed25519_import_public(bytes, length, &key->ed25519);
}

static int private_ed25519(union edwards_key *key, const struct known_values *values)
{
    return wc_ed25519_import_private_key(values->key.bytes, (word32)values->key.length,
                                         values->nonce.bytes, (word32)values->nonce.length,
                                         &key->ed25519);
}

static int sign_ed25519(struct edwards_operation *own)
{
    return wc_ed25519_sign_msg(own->message, own->message_length, own->signature,
                               &own->signature_length, &own->own_key.ed25519);
}

static int check_ed25519(struct edwards_operation *own, union edwards_key *key)
{
    int valid = 0;
    int code = wc_ed25519_verify_msg(own->signature, own->signature_length, own->message,
                                     own->message_length, &valid, &key->ed25519);
    return code != 0 ? code : valid == 1 ? 0 : SIG_VERIFY_E;
}

static int init_ed448(union edwards_key *key)
{
    return wc_ed448_init(&key->ed448);
}

static void clean_ed448(union edwards_key *key)
{
    wc_ed448_free(&key->ed448);
}

static int make_ed448(union edwards_key *key, WC_RNG *rng)
{
    return wc_ed448_make_key(rng, ED448_KEY_SIZE, &key->ed448);
}

static int export_ed448(union edwards_key *key, unsigned char *bytes, word32 *length)
{
    return wc_ed448_export_public(&key->ed448, bytes, length);
}

static int import_ed448(union edwards_key *key, const unsigned char *bytes, word32 length)
{
    return wc_ed448_import_public(bytes, length, &key->ed448);
}

static int private_ed448(union edwards_key *key, const struct known_values *values)
{
    return wc_ed448_import_private_key(values->key.bytes, (word32)values->key.length,
                                       values->nonce.bytes, (word32)values->nonce.length,
                                       &key->ed448);
}

static int sign_ed448(struct edwards_operation *own)
{
    return wc_ed448_sign_msg(own->message, own->message_length, own->signature,
                             &own->signature_length, &own->own_key.ed448, NULL, 0);
}

static int check_ed448(struct edwards_operation *own, union edwards_key *key)
{
    int valid = 0;
    int code = wc_ed448_verify_msg(own->signature, own->signature_length, own->message,
                                   own->message_length, &valid, &key->ed448, NULL, 0);
    return code != 0 ? code : valid == 1 ? 0 : SIG_VERIFY_E;
}

static int init_x25519(union edwards_key *key)
{
    return wc_curve25519_init(&key->x25519);
}

static void clean_x25519(union edwards_key *key)
{
    wc_curve25519_free(&key->x25519);
}

static int make_x25519(union edwards_key *key, WC_RNG *rng)
{
    return wc_curve25519_make_key(rng, CURVE25519_KEYSIZE, &key->x25519);
}

static int export_x25519(union edwards_key *key, unsigned char *bytes, word32 *length)
{
    return wc_curve25519_export_public_ex(&key->x25519, bytes, length, EC25519_LITTLE_ENDIAN);
}

static int import_x25519(union edwards_key *key, const unsigned char *bytes, word32 length)
{
    int code = wc_curve25519_check_public(bytes, length, EC25519_LITTLE_ENDIAN);
    return code != 0
               ? code
               : wc_curve25519_import_public_ex(bytes, length, &key->x25519, EC25519_LITTLE_ENDIAN);
}

static int private_x25519(union edwards_key *key, const struct known_values *values)
{
    return wc_curve25519_import_private_ex(values->key.bytes, (word32)values->key.length,
                                           &key->x25519, EC25519_LITTLE_ENDIAN);
}

static int derive_x25519(struct edwards_operation *own, union edwards_key *peer)
{
    return wc_curve25519_shared_secret_ex(&own->own_key.x25519, &peer->x25519, own->signature,
                                          &own->signature_length, EC25519_LITTLE_ENDIAN);
}

static int init_x448(union edwards_key *key)
{
    return wc_curve448_init(&key->x448);
}

static void clean_x448(union edwards_key *key)
{
    wc_curve448_free(&key->x448);
}

static int make_x448(union edwards_key *key, WC_RNG *rng)
{
    return wc_curve448_make_key(rng, CURVE448_KEY_SIZE, &key->x448);
}

static int export_x448(union edwards_key *key, unsigned char *bytes, word32 *length)
{
    return wc_curve448_export_public_ex(&key->x448, bytes, length, EC448_LITTLE_ENDIAN);
}

static int import_x448(union edwards_key *key, const unsigned char *bytes, word32 length)
{
    int code = wc_curve448_check_public(bytes, length, EC448_LITTLE_ENDIAN);
    return code != 0 ? code
                     : wc_curve448_import_public_ex(bytes, length, &key->x448, EC448_LITTLE_ENDIAN);
}

static int private_x448(union edwards_key *key, const struct known_values *values)
{
    return wc_curve448_import_private_ex(values->key.bytes, (word32)values->key.length, &key->x448,
                                         EC448_LITTLE_ENDIAN);
}

static int derive_x448(struct edwards_operation *own, union edwards_key *peer)
{
    return wc_curve448_shared_secret_ex(&own->own_key.x448, &peer->x448, own->signature,
                                        &own->signature_length, EC448_LITTLE_ENDIAN);
}

static const struct edwards_way ways[] = {
    {"ed25519", init_ed25519, clean_ed25519, make_ed25519, export_ed25519, import_ed25519,
     private_ed25519, sign_ed25519, check_ed25519, NULL},
    {"ed448", init_ed448, clean_ed448, make_ed448, export_ed448, import_ed448, private_ed448,
     sign_ed448, check_ed448, NULL},
    {"x25519", init_x25519, clean_x25519, make_x25519, export_x25519, import_x25519, private_x25519,
     NULL, NULL, derive_x25519},
    {"x448", init_x448, clean_x448, make_x448, export_x448, import_x448, private_x448, NULL, NULL,
     derive_x448},
};

static const struct edwards_way *find_way(const struct crypto_algorithm *algorithm)
{
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        if (strcmp(ways[i].name, algorithm->name) == 0)
            return &ways[i];
    return NULL;
}

static const char *supports(const struct crypto_request *request)
{
    if (find_way(request->algorithm) == NULL)
        return crypto_reason("wolfSSL has no %s as built here", request->algorithm->name);
    return NULL;
}

static int generate(const struct edwards_way *way, union edwards_key *key)
{
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    if (rng == NULL)
        return code;
    code = way->init(key);
    return code != 0 ? code : way->make(key, rng);
}

static int sign(struct edwards_operation *own)
{
    own->signature_length = sizeof own->signature;
    return own->way->sign(own);
}

static int derive(struct edwards_operation *own, union edwards_key *peer)
{
    own->signature_length = sizeof own->signature;
    return own->way->derive(own, peer);
}

/* What a handshake pays: the peer's key is read and checked first. */
static int with_fresh(struct edwards_operation *own,
                      int (*use)(struct edwards_operation *, union edwards_key *))
{
    union edwards_key key;
    int code = own->way->init(&key);
    if (code != 0)
        return code;
    code = own->way->import_public(&key, own->public_bytes, own->public_length);
    if (code == 0)
        code = use(own, &key);
    own->way->clean(&key);
    return code;
}

static int step(struct edwards_operation *own)
{
    const struct crypto_request *request = &own->head.request;
    bool known = request->peer_key == CRYPTO_PEER_KNOWN;
    union edwards_key fresh;
    int code;
    switch (request->operation) {
    case CRYPTO_SIGN:
        return sign(own);
    case CRYPTO_VERIFY:
        return known ? own->way->check(own, &own->own_key) : with_fresh(own, own->way->check);
    case CRYPTO_DERIVE:
        return known ? derive(own, &own->peer_key) : with_fresh(own, derive);
    default:
        code = generate(own->way, &fresh);
        own->way->clean(&fresh);
        return code;
    }
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct edwards_operation *own = (struct edwards_operation *)operation;
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_wolfssl_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct edwards_operation *own = (struct edwards_operation *)operation;
    own->way->clean(&own->own_key);
    own->way->clean(&own->peer_key);
    free(own);
}

static struct edwards_operation *make(const struct crypto_request *request, struct error *error)
{
    struct edwards_operation *own = calloc(1, sizeof *own);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_wolfssl, .request = *request};
    own->way = find_way(request->algorithm);
    own->message_length = MESSAGE_BYTES;
    for (size_t i = 0; i < sizeof own->message; i++)
        own->message[i] = (unsigned char)i;
    int code = generate(own->way, &own->own_key);
    if (code == 0)
        code = generate(own->way, &own->peer_key);
    own->public_length = sizeof own->public_bytes;
    if (code == 0)
        code = own->way->export_public(own->way->derive != NULL ? &own->peer_key : &own->own_key,
                                       own->public_bytes, &own->public_length);
    if (code == 0 && request->operation == CRYPTO_VERIFY)
        code = sign(own);
    if (code == 0)
        return own;
    (void)crypto_wolfssl_failed(error, code, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct edwards_operation *own = make(request, error);
    return own == NULL ? NULL : &own->head;
}

static int play_published(struct edwards_operation *known, const struct known_values *values)
{
    known->way->clean(&known->own_key);
    int code = known->way->init(&known->own_key);
    if (code == 0)
        code = known->way->import_private(&known->own_key, values);
    if (code != 0)
        return code;
    if (known->way->derive == NULL) {
        memcpy(known->message, values->input.bytes, values->input.length);
        known->message_length = (word32)values->input.length;
        return sign(known);
    }
    memcpy(known->public_bytes, values->input.bytes, values->input.length);
    known->public_length = (word32)values->input.length;
    return with_fresh(known, derive);
}

static bool check_answer(const struct edwards_operation *own, const struct known_answer *answer,
                         struct error *error)
{
    const struct crypto_algorithm *algorithm = own->head.request.algorithm;
    struct crypto_request request = {.algorithm = algorithm, .operation = CRYPTO_KEYGEN};
    struct known_values values;
    known_answer_decode(answer, &values);
    struct edwards_operation *known = make(&request, error);
    if (known == NULL)
        return false;
    int code = play_published(known, &values);
    bool good = code == 0 || crypto_wolfssl_failed(error, code, answer->source);
    good = good && known_answer_compare(answer, known->signature, known->signature_length,
                                        values.output.bytes, values.output.length, error);
    close_operation(&known->head);
    return good;
}

static bool check_published(const struct edwards_operation *own, struct error *error)
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
static bool check_signing(struct edwards_operation *own, struct error *error)
{
    const char *name = own->head.request.algorithm->name;
    bool good = (sign(own) == 0 && with_fresh(own, own->way->check) == 0) ||
                error_set(error, ERROR_KNOWN_ANSWER, "%s: its own signature does not verify", name);
    own->message[0] ^= 1;
    good = good && (with_fresh(own, own->way->check) != 0 ||
                    error_set(error, ERROR_KNOWN_ANSWER, "%s: a wrong signature verifies", name));
    own->message[0] ^= 1;
    return good;
}

/* The two sides, each with the other's public key, must agree. */
static bool check_agreement(struct edwards_operation *own, struct error *error)
{
    unsigned char first[MOST_BYTES];
    int code = with_fresh(own, derive);
    word32 length = own->signature_length;
    memcpy(first, own->signature, sizeof first);
    union edwards_key swapped = own->own_key;
    own->own_key = own->peer_key;
    if (code == 0)
        code = derive(own, &swapped);
    own->peer_key = own->own_key;
    own->own_key = swapped;
    bool same =
        code == 0 && length == own->signature_length && memcmp(first, own->signature, length) == 0;
    return same || error_set(error, ERROR_KNOWN_ANSWER, "%s: the two sides do not agree",
                             own->head.request.algorithm->name);
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    struct edwards_operation *own = (struct edwards_operation *)operation;
    if (!check_published(own, error))
        return false;
    return own->way->derive != NULL ? check_agreement(own, error) : check_signing(own, error);
}

const struct crypto_family crypto_wolfssl_edwards = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = crypto_once_nothing,
    .close = close_operation,
};
