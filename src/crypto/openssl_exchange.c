/* Key agreement (ECDH, X25519, X448, finite fields) and KEM. */
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/known_answer.h"
#include "crypto/libraries.h"
#include "crypto/openssl_internal.h"

enum { MOST_SECRET_BYTES = 512, MOST_CIPHERTEXT_BYTES = 2048 };

struct exchange_operation {
    struct crypto_operation head;
    EVP_PKEY *own_key, *peer_key;
    EVP_PKEY_CTX *ctx;
    unsigned char *peer_bytes; /* the peer's public key as it stands on the wire */
    size_t peer_length;
    unsigned char secret[MOST_SECRET_BYTES];
    size_t secret_length;
    unsigned char ciphertext[MOST_CIPHERTEXT_BYTES];
    size_t ciphertext_length;
};

static const char *supports(const struct crypto_request *request)
{
    const char *type = crypto_openssl_key_type(request->algorithm);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    if (ctx == NULL)
        return crypto_reason("OpenSSL %s has no %s", OpenSSL_version(OPENSSL_VERSION_STRING),
                             request->algorithm->name);
    return NULL;
}

static inline bool derive_known(struct exchange_operation *own)
{
    own->secret_length = sizeof own->secret;
    return EVP_PKEY_derive(own->ctx, own->secret, &own->secret_length) == 1;
}

/* As libssl does it: the peer's key is taken from its encoding, checked when set, then used once.
 */
static bool derive_fresh(struct exchange_operation *own)
{
    EVP_PKEY *peer = EVP_PKEY_new();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, own->own_key, NULL);
    own->secret_length = sizeof own->secret;
    bool done = peer != NULL && ctx != NULL && EVP_PKEY_copy_parameters(peer, own->own_key) == 1 &&
                EVP_PKEY_set1_encoded_public_key(peer, own->peer_bytes, own->peer_length) == 1 &&
                EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, peer) == 1 &&
                EVP_PKEY_derive(ctx, own->secret, &own->secret_length) == 1;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(peer);
    return done;
}

static inline bool encapsulate(struct exchange_operation *own)
{
    own->secret_length = sizeof own->secret;
    own->ciphertext_length = sizeof own->ciphertext;
    return EVP_PKEY_encapsulate(own->ctx, own->ciphertext, &own->ciphertext_length, own->secret,
                                &own->secret_length) == 1;
}

static inline bool decapsulate(struct exchange_operation *own)
{
    own->secret_length = sizeof own->secret;
    return EVP_PKEY_decapsulate(own->ctx, own->secret, &own->secret_length, own->ciphertext,
                                own->ciphertext_length) == 1;
}

static inline bool generate(struct exchange_operation *own)
{
    EVP_PKEY *key = NULL;
    bool done = EVP_PKEY_generate(own->ctx, &key) == 1;
    EVP_PKEY_free(key);
    return done;
}

static bool step(struct exchange_operation *own)
{
    switch (own->head.request.operation) {
    case CRYPTO_DERIVE:
        return own->head.request.peer_key == CRYPTO_PEER_KNOWN ? derive_known(own)
                                                               : derive_fresh(own);
    case CRYPTO_ENCAPS:
        return encapsulate(own);
    case CRYPTO_DECAPS:
        return decapsulate(own);
    default:
        return generate(own);
    }
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct exchange_operation *own = (struct exchange_operation *)operation;
    for (uint64_t i = 0; i < count; i++)
        if (!step(own))
            return crypto_openssl_failed(error, operation->request.algorithm->name);
    return true;
}

static void close_operation(struct crypto_operation *operation)
{
    struct exchange_operation *own = (struct exchange_operation *)operation;
    EVP_PKEY_CTX_free(own->ctx);
    EVP_PKEY_free(own->own_key);
    EVP_PKEY_free(own->peer_key);
    OPENSSL_free(own->peer_bytes);
    free(own);
}

static bool prepare_derive(struct exchange_operation *own)
{
    own->peer_length = EVP_PKEY_get1_encoded_public_key(own->peer_key, &own->peer_bytes);
    own->ctx = EVP_PKEY_CTX_new_from_pkey(NULL, own->own_key, NULL);
    return own->peer_length > 0 && own->ctx != NULL && EVP_PKEY_derive_init(own->ctx) == 1 &&
           EVP_PKEY_derive_set_peer(own->ctx, own->peer_key) == 1;
}

static bool prepare_kem(struct exchange_operation *own, bool decaps)
{
    own->ctx = EVP_PKEY_CTX_new_from_pkey(NULL, own->own_key, NULL);
    if (own->ctx == NULL || EVP_PKEY_encapsulate_init(own->ctx, NULL) != 1 || !encapsulate(own))
        return false;
    if (!decaps)
        return true;
    EVP_PKEY_CTX_free(own->ctx);
    own->ctx = EVP_PKEY_CTX_new_from_pkey(NULL, own->own_key, NULL);
    return own->ctx != NULL && EVP_PKEY_decapsulate_init(own->ctx, NULL) == 1;
}

/* Keys that are NULL are made. */
static struct exchange_operation *make(const struct crypto_request *request, EVP_PKEY *own_key,
                                       EVP_PKEY *peer_key, struct error *error)
{
    struct exchange_operation *own = calloc(1, sizeof *own);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_openssl, .request = *request};
    own->own_key = own_key;
    own->peer_key = peer_key;
    bool ready = true;
    if (request->operation == CRYPTO_KEYGEN) {
        own->ctx = crypto_openssl_keygen(request->algorithm, error);
        ready = own->ctx != NULL;
    } else {
        if (own->own_key == NULL)
            own->own_key = crypto_openssl_make_key(request->algorithm, error);
        bool agreement = request->operation == CRYPTO_DERIVE;
        if (agreement && own->peer_key == NULL)
            own->peer_key = crypto_openssl_make_key(request->algorithm, error);
        ready = own->own_key != NULL &&
                (agreement ? own->peer_key != NULL && prepare_derive(own)
                           : prepare_kem(own, request->operation == CRYPTO_DECAPS));
        if (!ready && own->own_key != NULL)
            (void)crypto_openssl_failed(error, request->algorithm->name);
    }
    if (ready)
        return own;
    close_operation(&own->head);
    return NULL;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct exchange_operation *own = make(request, NULL, NULL, error);
    return own == NULL ? NULL : &own->head;
}

static bool check_published(const struct exchange_operation *own, struct error *error)
{
    const struct crypto_algorithm *algorithm = own->head.request.algorithm;
    const struct known_answer *answer = known_answer_find(algorithm->name);
    struct crypto_request request = own->head.request;
    struct known_values values;
    if (answer == NULL)
        return true; /* finite fields: two independent sides must do */
    known_answer_decode(answer, &values);
    request.operation = CRYPTO_DERIVE;
    EVP_PKEY *own_key =
        crypto_openssl_import(algorithm, true, values.key.bytes, values.key.length, error);
    EVP_PKEY *peer_key =
        crypto_openssl_import(algorithm, false, values.input.bytes, values.input.length, error);
    if (own_key == NULL || peer_key == NULL) {
        EVP_PKEY_free(own_key);
        EVP_PKEY_free(peer_key);
        return false;
    }
    struct exchange_operation *known = make(&request, own_key, peer_key, error);
    if (known == NULL)
        return false;
    bool good = step(known) || crypto_openssl_failed(error, algorithm->name);
    good = good && known_answer_compare(answer, known->secret, known->secret_length,
                                        values.output.bytes, values.output.length, error);
    close_operation(&known->head);
    return good;
}

/* The two sides, each with the other's public key, must agree. */
static bool check_agreement(const struct exchange_operation *own, struct error *error)
{
    struct crypto_request request = own->head.request;
    request.operation = CRYPTO_DERIVE;
    struct exchange_operation *one = make(&request, NULL, NULL, error);
    if (one == NULL)
        return false;
    (void)EVP_PKEY_up_ref(one->own_key);
    (void)EVP_PKEY_up_ref(one->peer_key);
    struct exchange_operation *other = make(&request, one->peer_key, one->own_key, error);
    bool good = other != NULL && step(one) && step(other) &&
                one->secret_length == other->secret_length &&
                memcmp(one->secret, other->secret, one->secret_length) == 0;
    close_operation(&one->head);
    if (other != NULL)
        close_operation(&other->head);
    return good || error_set(error, ERROR_KNOWN_ANSWER, "%s: the two sides do not agree",
                             request.algorithm->name);
}

static bool check_kem(const struct exchange_operation *own, struct error *error)
{
    struct crypto_request request = own->head.request;
    request.operation = CRYPTO_DECAPS;
    struct exchange_operation *receiver = make(&request, NULL, NULL, error);
    if (receiver == NULL)
        return false;
    unsigned char sent[MOST_SECRET_BYTES];
    size_t sent_length = receiver->secret_length; /* of the encapsulation while it was made */
    memcpy(sent, receiver->secret, sent_length);
    bool good = decapsulate(receiver) && receiver->secret_length == sent_length &&
                memcmp(receiver->secret, sent, sent_length) == 0;
    receiver->ciphertext[0] ^= 1; /* implicit rejection: another secret, no error (FIPS 203 6.3) */
    good = good && (!decapsulate(receiver) || memcmp(receiver->secret, sent, sent_length) != 0);
    close_operation(&receiver->head);
    return good || error_set(error, ERROR_KNOWN_ANSWER, "%s: the two sides do not agree",
                             request.algorithm->name);
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    const struct exchange_operation *own = (const struct exchange_operation *)operation;
    if (operation->request.algorithm->kind == CRYPTO_KEM)
        return crypto_openssl_check_lattice(operation->request.algorithm, error) &&
               check_kem(own, error);
    return check_published(own, error) && check_agreement(own, error);
}

static const char *provider(const struct crypto_operation *operation)
{
    const struct exchange_operation *own = (const struct exchange_operation *)operation;
    const OSSL_PROVIDER *from = own->own_key != NULL ? EVP_PKEY_get0_provider(own->own_key)
                                                     : EVP_PKEY_CTX_get0_provider(own->ctx);
    return from == NULL ? NULL : OSSL_PROVIDER_get0_name(from);
}

const struct crypto_family crypto_openssl_exchange = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = crypto_once_nothing,
    .provider = provider,
    .close = close_operation,
};
