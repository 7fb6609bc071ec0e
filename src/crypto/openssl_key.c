/* RSA, ECDSA, EdDSA and ML-DSA: signing, verifying, encrypting, key generation. */
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "crypto/known_answer.h"
#include "crypto/libraries.h"
#include "crypto/openssl_internal.h"
#include "crypto/test_key.h"

enum { MOST_SIGNATURE_BYTES = 8192, MESSAGE_BYTES = 32, MOST_DIGEST_BYTES = 64, MOST_NUMBERS = 2 };

struct key_operation {
    struct crypto_operation head;
    EVP_PKEY *key;
    EVP_PKEY_CTX *ctx;        /* prepared for the operation; NULL where each makes its own */
    EVP_PKEY_CTX *import_ctx; /* makes a fresh key of public_numbers */
    OSSL_PARAM *exported;     /* owns what public_numbers point to */
    OSSL_PARAM public_numbers[MOST_NUMBERS + 1];
    unsigned char message[MOST_DIGEST_BYTES]; /* a digest, or what is signed or encrypted */
    size_t message_bytes;
    unsigned char signature[MOST_SIGNATURE_BYTES]; /* or ciphertext */
    size_t signature_bytes;
    unsigned char output[MOST_SIGNATURE_BYTES];
};

/* EdDSA and ML-DSA sign messages, the others digests. */
static bool signs_messages(const struct crypto_algorithm *algorithm)
{
    return algorithm->kind == CRYPTO_EDDSA || algorithm->kind == CRYPTO_SIGNATURE;
}

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

/* Digests match the curve's strength: SHA-256 up to 256 bits, SHA-384, SHA-512 above 384. */
static const EVP_MD *digest_of(const struct crypto_algorithm *algorithm)
{
    if (algorithm->kind == CRYPTO_RSA || algorithm->key_bits <= 256)
        return EVP_sha256();
    return algorithm->key_bits <= 384 ? EVP_sha384() : EVP_sha512();
}

static bool set_padding(EVP_PKEY_CTX *ctx, const struct crypto_request *request)
{
    bool signing = request->operation == CRYPTO_SIGN || request->operation == CRYPTO_VERIFY;
    if (signing && EVP_PKEY_CTX_set_signature_md(ctx, digest_of(request->algorithm)) != 1)
        return false;
    switch (request->padding) {
    case CRYPTO_PADDING_NONE:
        return true;
    case CRYPTO_PKCS1:
        return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1;
    case CRYPTO_PSS: /* salt as long as the digest, RFC 8446 section 4.2.3 */
        return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
               EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1;
    case CRYPTO_OAEP:
        return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) == 1 &&
               EVP_PKEY_CTX_set_rsa_oaep_md(ctx, EVP_sha256()) == 1;
    }
    return false;
}

static EVP_PKEY_CTX *context_for(EVP_PKEY *key, const struct crypto_request *request)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    int ready = 0;
    if (ctx == NULL)
        return NULL;
    switch (request->operation) {
    case CRYPTO_SIGN:
        ready = EVP_PKEY_sign_init(ctx);
        break;
    case CRYPTO_VERIFY:
        ready = EVP_PKEY_verify_init(ctx);
        break;
    case CRYPTO_ENCRYPT:
        ready = EVP_PKEY_encrypt_init(ctx);
        break;
    default:
        ready = EVP_PKEY_decrypt_init(ctx);
        break;
    }
    if (ready == 1 && set_padding(ctx, request))
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

static bool sign_message(struct key_operation *own)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    own->signature_bytes = sizeof own->signature;
    bool done = ctx != NULL &&
                EVP_DigestSignInit_ex(ctx, NULL, NULL, NULL, NULL, own->key, NULL) == 1 &&
                EVP_DigestSign(ctx, own->signature, &own->signature_bytes, own->message,
                               own->message_bytes) == 1;
    EVP_MD_CTX_free(ctx);
    return done;
}

static bool verify_message(const struct key_operation *own, EVP_PKEY *key)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool done = ctx != NULL &&
                EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, key, NULL) == 1 &&
                EVP_DigestVerify(ctx, own->signature, own->signature_bytes, own->message,
                                 own->message_bytes) == 1;
    EVP_MD_CTX_free(ctx);
    return done;
}

static inline bool sign(struct key_operation *own)
{
    if (own->ctx == NULL)
        return sign_message(own);
    own->signature_bytes = sizeof own->signature;
    return EVP_PKEY_sign(own->ctx, own->signature, &own->signature_bytes, own->message,
                         own->message_bytes) == 1;
}

static inline bool verify_known(struct key_operation *own)
{
    if (own->ctx == NULL)
        return verify_message(own, own->key);
    return EVP_PKEY_verify(own->ctx, own->signature, own->signature_bytes, own->message,
                           own->message_bytes) == 1;
}

/* The key is made each time of its numbers (RSA: modulus and exponent) or of the encoded point,
 * which is checked to be on the curve. Taking it out of a certificate is x509's parse. */
static bool verify_fresh(struct key_operation *own)
{
    EVP_PKEY *key = NULL;
    bool done = false;
    if (EVP_PKEY_fromdata(own->import_ctx, &key, EVP_PKEY_PUBLIC_KEY, own->public_numbers) != 1)
        return false;
    if (signs_messages(own->head.request.algorithm)) {
        done = verify_message(own, key);
    } else {
        EVP_PKEY_CTX *ctx = context_for(key, &own->head.request);
        done = ctx != NULL && EVP_PKEY_verify(ctx, own->signature, own->signature_bytes,
                                              own->message, own->message_bytes) == 1;
        EVP_PKEY_CTX_free(ctx);
    }
    EVP_PKEY_free(key);
    return done;
}

static inline bool encrypt(struct key_operation *own)
{
    own->signature_bytes = sizeof own->signature;
    return EVP_PKEY_encrypt(own->ctx, own->signature, &own->signature_bytes, own->message,
                            own->message_bytes) == 1;
}

static inline bool decrypt(struct key_operation *own)
{
    size_t length = sizeof own->output;
    return EVP_PKEY_decrypt(own->ctx, own->output, &length, own->signature, own->signature_bytes) ==
               1 &&
           length == own->message_bytes;
}

static inline bool generate(struct key_operation *own)
{
    EVP_PKEY *key = NULL;
    bool done = EVP_PKEY_generate(own->ctx, &key) == 1;
    EVP_PKEY_free(key);
    return done;
}

static bool step(struct key_operation *own)
{
    switch (own->head.request.operation) {
    case CRYPTO_SIGN:
        return sign(own);
    case CRYPTO_VERIFY:
        return own->head.request.peer_key == CRYPTO_PEER_FRESH ? verify_fresh(own)
                                                               : verify_known(own);
    case CRYPTO_ENCRYPT:
        return encrypt(own);
    case CRYPTO_DECRYPT:
        return decrypt(own);
    default:
        return generate(own);
    }
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct key_operation *own = (struct key_operation *)operation;
    for (uint64_t i = 0; i < count; i++)
        if (!step(own))
            return crypto_openssl_failed(error, operation->request.algorithm->name);
    return true;
}

static void close_operation(struct crypto_operation *operation)
{
    struct key_operation *own = (struct key_operation *)operation;
    EVP_PKEY_CTX_free(own->ctx);
    EVP_PKEY_free(own->key);
    EVP_PKEY_CTX_free(own->import_ctx);
    OSSL_PARAM_free(own->exported);
    free(own);
}

/* Fills signature (or ciphertext) by the operation's own inverse, so that there is one to check. */
static bool make_counterpart(struct key_operation *own)
{
    struct crypto_request request = own->head.request;
    bool verifying = request.operation == CRYPTO_VERIFY;
    if (!verifying && request.operation != CRYPTO_DECRYPT)
        return true;
    if (signs_messages(request.algorithm))
        return sign_message(own);
    EVP_PKEY_CTX *mine = own->ctx;
    request.operation = verifying ? CRYPTO_SIGN : CRYPTO_ENCRYPT;
    own->ctx = context_for(own->key, &request);
    bool made = own->ctx != NULL && (verifying ? sign(own) : encrypt(own));
    EVP_PKEY_CTX_free(own->ctx);
    own->ctx = mine;
    return made;
}

/* Of all that a key exports, what its public half travels as. */
static bool prepare_import(struct key_operation *own)
{
    static const char *const names[] = {OSSL_PKEY_PARAM_GROUP_NAME, OSSL_PKEY_PARAM_PUB_KEY,
                                        OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E};
    size_t count = 0;
    if (EVP_PKEY_todata(own->key, EVP_PKEY_PUBLIC_KEY, &own->exported) != 1)
        return false;
    for (size_t i = 0; i < COUNT_OF(names) && count < MOST_NUMBERS; i++) {
        const OSSL_PARAM *number = OSSL_PARAM_locate_const(own->exported, names[i]);
        if (number != NULL)
            own->public_numbers[count++] = *number;
    }
    own->public_numbers[count] = OSSL_PARAM_construct_end();
    const char *type = crypto_openssl_key_type(own->head.request.algorithm);
    own->import_ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    return count > 0 && own->import_ctx != NULL && EVP_PKEY_fromdata_init(own->import_ctx) == 1;
}

static bool prepare(struct key_operation *own, struct error *error)
{
    const struct crypto_request *request = &own->head.request;
    if (request->operation == CRYPTO_KEYGEN) {
        own->ctx = crypto_openssl_keygen(request->algorithm, error);
        return own->ctx != NULL;
    }
    if (own->key == NULL)
        own->key = crypto_openssl_make_key(request->algorithm, error);
    if (own->key == NULL)
        return false;
    if (!prepare_import(own))
        return crypto_openssl_failed(error, request->algorithm->name);
    if (!signs_messages(request->algorithm)) {
        own->ctx = context_for(own->key, request);
        if (own->ctx == NULL)
            return crypto_openssl_failed(error, request->algorithm->name);
    }
    return true;
}

static struct key_operation *make(const struct crypto_request *request, EVP_PKEY *key,
                                  struct error *error)
{
    struct key_operation *own = calloc(1, sizeof *own);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        EVP_PKEY_free(key);
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_openssl, .request = *request};
    own->key = key;
    own->message_bytes = MESSAGE_BYTES;
    if (request->algorithm->kind == CRYPTO_ECDSA)
        own->message_bytes = (size_t)EVP_MD_get_size(digest_of(request->algorithm));
    for (size_t i = 0; i < own->message_bytes; i++)
        own->message[i] = (unsigned char)i;
    if (prepare(own, error))
        return own;
    close_operation(&own->head);
    return NULL;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct key_operation *own = make(request, NULL, error);
    if (own == NULL)
        return NULL;
    if (make_counterpart(own))
        return &own->head;
    (void)crypto_openssl_failed(error, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

/* r || s as the DER of ECDSA-Sig-Value (RFC 3279 section 2.2.3). */
static bool set_ecdsa_signature(struct key_operation *own, const struct known_bytes *rs)
{
    size_t half = rs->length / 2;
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(rs->bytes, (int)half, NULL);
    BIGNUM *s = BN_bin2bn(rs->bytes + half, (int)half, NULL);
    bool set = signature != NULL && ECDSA_SIG_set0(signature, r, s) == 1;
    unsigned char *next = own->signature;
    int length = set ? i2d_ECDSA_SIG(signature, &next) : -1;
    own->signature_bytes = length > 0 ? (size_t)length : 0;
    ECDSA_SIG_free(signature);
    return length > 0;
}

static bool check_published_ecdsa(const struct known_answer *answer,
                                  const struct known_values *values, struct error *error)
{
    struct crypto_request request = {.algorithm = crypto_algorithm_find(answer->algorithm),
                                     .operation = CRYPTO_VERIFY,
                                     .peer_key = CRYPTO_PEER_FRESH};
    EVP_PKEY *key = crypto_openssl_import(request.algorithm, false, values->key.bytes,
                                          values->key.length, error);
    struct key_operation *known = key == NULL ? NULL : make(&request, key, error);
    if (known == NULL)
        return false;
    memcpy(known->message, values->input.bytes, values->input.length);
    known->message_bytes = values->input.length;
    bool good = (set_ecdsa_signature(known, &values->output) && verify_fresh(known)) ||
                error_set(error, ERROR_KNOWN_ANSWER, "%s refuses the signature of %s",
                          answer->algorithm, answer->source);
    close_operation(&known->head);
    return good;
}

static bool check_published_eddsa(const struct known_answer *answer,
                                  const struct known_values *values, struct error *error)
{
    struct crypto_request request = {.algorithm = crypto_algorithm_find(answer->algorithm),
                                     .operation = CRYPTO_SIGN};
    EVP_PKEY *key = crypto_openssl_import(request.algorithm, true, values->key.bytes,
                                          values->key.length, error);
    struct key_operation *known = key == NULL ? NULL : make(&request, key, error);
    if (known == NULL)
        return false;
    known->message_bytes = values->input.length;
    bool good = sign(known) || crypto_openssl_failed(error, answer->algorithm);
    good = good && known_answer_compare(answer, known->signature, known->signature_bytes,
                                        values->output.bytes, values->output.length, error);
    close_operation(&known->head);
    return good;
}

/* RSA: the deterministic padding must give the signature computed by hand in test_key.c. */
static bool check_rsa_by_hand(struct error *error)
{
    static const struct known_answer answer = {.algorithm = "rsa-2048",
                                               .source = "RFC 8017 section 8.2, by hand"};
    struct crypto_request request = {.algorithm = crypto_algorithm_find("rsa-2048"),
                                     .operation = CRYPTO_SIGN,
                                     .padding = CRYPTO_PKCS1};
    struct crypto_bytes expected = crypto_test_rsa_signature();
    struct key_operation *known = make(&request, NULL, error);
    if (known == NULL)
        return false;
    bool good = sign(known) || crypto_openssl_failed(error, "rsa-2048");
    good = good && known_answer_compare(&answer, known->signature, known->signature_bytes,
                                        expected.data, expected.length, error);
    close_operation(&known->head);
    return good;
}

static EVP_PKEY *import_rsa(const struct known_values *values)
{
    EVP_PKEY *key = NULL;
    BIGNUM *n = BN_bin2bn(values->key.bytes, (int)values->key.length, NULL);
    BIGNUM *e = BN_bin2bn(values->nonce.bytes, (int)values->nonce.length, NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    OSSL_PARAM *numbers = NULL;
    if (n != NULL && e != NULL && build != NULL &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e) == 1)
        numbers = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    if (numbers != NULL && ctx != NULL && EVP_PKEY_fromdata_init(ctx) == 1)
        (void)EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, numbers);
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(numbers);
    OSSL_PARAM_BLD_free(build);
    BN_free(n);
    BN_free(e);
    return key;
}

/* The signature is accepted, and refused for another digest. */
static bool check_published_rsa(const struct known_answer *answer,
                                const struct known_values *values, struct error *error)
{
    struct crypto_request request = {.algorithm = crypto_algorithm_find(answer->algorithm),
                                     .operation = CRYPTO_VERIFY,
                                     .padding = answer->padding,
                                     .peer_key = CRYPTO_PEER_FRESH};
    EVP_PKEY *key = import_rsa(values);
    if (key == NULL)
        return crypto_openssl_failed(error, answer->algorithm);
    struct key_operation *known = make(&request, key, error);
    if (known == NULL)
        return false;
    memcpy(known->message, values->input.bytes, MESSAGE_BYTES);
    memcpy(known->signature, values->output.bytes, values->output.length);
    known->signature_bytes = values->output.length;
    bool good = verify_fresh(known);
    known->message[0] ^= 1;
    good = (good && !verify_fresh(known)) ||
           error_set(error, ERROR_KNOWN_ANSWER, "%s refuses the signature of %s", answer->algorithm,
                     answer->source);
    ERR_clear_error();
    close_operation(&known->head);
    return good;
}

static bool check_row(const struct known_answer *answer, enum crypto_kind kind, struct error *error)
{
    struct known_values values;
    known_answer_decode(answer, &values);
    if (kind == CRYPTO_RSA)
        return check_published_rsa(answer, &values, error);
    return kind == CRYPTO_ECDSA ? check_published_ecdsa(answer, &values, error)
                                : check_published_eddsa(answer, &values, error);
}

static bool check_published(const struct crypto_algorithm *algorithm, struct error *error)
{
    const struct known_answer *answer = known_answer_find(algorithm->name);
    if (algorithm->kind == CRYPTO_SIGNATURE)
        return crypto_openssl_check_lattice(algorithm, error);
    if (answer == NULL)
        return error_set(error, ERROR_KNOWN_ANSWER, "no published answer to check %s with",
                         algorithm->name);
    for (; answer != NULL; answer = known_answer_next(algorithm->name, answer))
        if (!check_row(answer, algorithm->kind, error))
            return false;
    return algorithm->kind != CRYPTO_RSA || check_rsa_by_hand(error);
}

/* What is signed verifies with a fresh key, and does not once a bit is changed. */
static bool check_signing(struct key_operation *own, struct error *error)
{
    struct crypto_request request = own->head.request;
    request.operation = CRYPTO_VERIFY;
    request.peer_key = CRYPTO_PEER_FRESH;
    (void)EVP_PKEY_up_ref(own->key);
    struct key_operation *checker = make(&request, own->key, error);
    if (checker == NULL)
        return false;
    bool signing = own->head.request.operation == CRYPTO_SIGN;
    bool good = signing ? sign(own) : true;
    memcpy(checker->signature, own->signature, own->signature_bytes);
    checker->signature_bytes = own->signature_bytes;
    good = (good && verify_fresh(checker)) ||
           error_set(error, ERROR_KNOWN_ANSWER, "%s: its own signature does not verify",
                     request.algorithm->name);
    checker->message[0] ^= 1;
    good = good && (!verify_fresh(checker) ||
                    error_set(error, ERROR_KNOWN_ANSWER, "%s: a wrong signature verifies",
                              request.algorithm->name));
    ERR_clear_error();
    close_operation(&checker->head);
    return good;
}

static bool check_encryption(struct key_operation *own, struct error *error)
{
    struct crypto_request request = own->head.request;
    request.operation = CRYPTO_DECRYPT;
    (void)EVP_PKEY_up_ref(own->key);
    struct key_operation *receiver = make(&request, own->key, error);
    if (receiver == NULL)
        return false;
    bool good = own->head.request.operation == CRYPTO_DECRYPT || encrypt(own);
    memcpy(receiver->signature, own->signature, own->signature_bytes);
    receiver->signature_bytes = own->signature_bytes;
    good = (good && decrypt(receiver) &&
            memcmp(receiver->output, own->message, own->message_bytes) == 0) ||
           error_set(error, ERROR_KNOWN_ANSWER, "%s does not decrypt what it encrypted",
                     request.algorithm->name);
    close_operation(&receiver->head);
    return good;
}

/* A fresh key must sign something that verifies: done with a key made the same way. */
static bool check_generation(const struct crypto_request *request, struct error *error)
{
    struct crypto_request signing = {
        .algorithm = request->algorithm,
        .operation = CRYPTO_SIGN,
        .padding = request->algorithm->kind == CRYPTO_RSA ? CRYPTO_PKCS1 : CRYPTO_PADDING_NONE};
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *ctx = crypto_openssl_keygen(request->algorithm, error);
    if (ctx != NULL && EVP_PKEY_generate(ctx, &key) != 1)
        (void)crypto_openssl_failed(error, request->algorithm->name);
    EVP_PKEY_CTX_free(ctx);
    struct key_operation *own = key == NULL ? NULL : make(&signing, key, error);
    bool good = own != NULL && check_signing(own, error);
    if (own != NULL)
        close_operation(&own->head);
    return good;
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    struct key_operation *own = (struct key_operation *)operation;
    const struct crypto_request *request = &operation->request;
    if (!check_published(request->algorithm, error))
        return false;
    switch (request->operation) {
    case CRYPTO_KEYGEN:
        return check_generation(request, error);
    case CRYPTO_ENCRYPT:
    case CRYPTO_DECRYPT:
        return check_encryption(own, error);
    default:
        return check_signing(own, error) && (request->operation == CRYPTO_SIGN || step(own) ||
                                             crypto_openssl_failed(error, "verify"));
    }
}

/* Only RSA with PKCS#1 v1.5 gives every library the same bytes. */
static size_t once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    struct key_operation *own = (struct key_operation *)operation;
    if (operation->request.operation != CRYPTO_SIGN || operation->request.padding != CRYPTO_PKCS1 ||
        !sign(own) || own->signature_bytes > capacity)
        return 0;
    memcpy(output, own->signature, own->signature_bytes);
    return own->signature_bytes;
}

static const char *provider(const struct crypto_operation *operation)
{
    const struct key_operation *own = (const struct key_operation *)operation;
    const OSSL_PROVIDER *from =
        own->key != NULL ? EVP_PKEY_get0_provider(own->key) : EVP_PKEY_CTX_get0_provider(own->ctx);
    return from == NULL ? NULL : OSSL_PROVIDER_get0_name(from);
}

const struct crypto_family crypto_openssl_key = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = once,
    .provider = provider,
    .close = close_operation,
};
