/* RSA and ECDSA through mbedtls_pk. */
#include <mbedtls/asn1write.h>
#include <mbedtls/ecdsa.h>
#include <mbedtls/rsa.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "crypto/known_answer.h"
#include "crypto/libraries.h"
#include "crypto/mbedtls_internal.h"
#include "crypto/test_key.h"

enum { MESSAGE_BYTES = 32, MOST_DIGEST_BYTES = 64, MOST_BYTES = 1024, RSA_EXPONENT = 65537 };

struct key_operation {
    struct crypto_operation head;
    mbedtls_pk_context key;
    unsigned char public_der[MOST_BYTES]; /* SubjectPublicKeyInfo, at the end of the buffer */
    size_t public_length;
    unsigned char message[MOST_DIGEST_BYTES]; /* a digest, or what is encrypted */
    size_t message_bytes;
    unsigned char signature[MOST_BYTES]; /* or ciphertext */
    size_t signature_bytes;
    unsigned char output[MOST_BYTES];
};

static const char *supports(const struct crypto_request *request)
{
    if (request->algorithm->kind == CRYPTO_ECDSA &&
        mbedtls_ecp_curve_info_from_grp_id(crypto_mbedtls_group(request->algorithm)) == NULL)
        return crypto_reason("this build of Mbed TLS has no %s", request->algorithm->name);
    return NULL;
}

/* Digests match the curve's strength: SHA-256 up to 256 bits, SHA-384, SHA-512 above 384. */
static mbedtls_md_type_t digest_of(const struct crypto_algorithm *algorithm)
{
    if (algorithm->kind == CRYPTO_RSA || algorithm->key_bits <= 256)
        return MBEDTLS_MD_SHA256;
    return algorithm->key_bits <= 384 ? MBEDTLS_MD_SHA384 : MBEDTLS_MD_SHA512;
}

static void set_padding(mbedtls_pk_context *key, enum crypto_padding padding)
{
    if (mbedtls_pk_get_type(key) != MBEDTLS_PK_RSA)
        return;
    bool v15 = padding == CRYPTO_PKCS1 || padding == CRYPTO_PADDING_NONE;
    (void)mbedtls_rsa_set_padding(mbedtls_pk_rsa(*key),
                                  v15 ? MBEDTLS_RSA_PKCS_V15 : MBEDTLS_RSA_PKCS_V21,
                                  v15 ? MBEDTLS_MD_NONE : MBEDTLS_MD_SHA256);
}

static int generate(const struct crypto_algorithm *algorithm, mbedtls_pk_context *key)
{
    bool rsa = algorithm->kind == CRYPTO_RSA;
    int code =
        mbedtls_pk_setup(key, mbedtls_pk_info_from_type(rsa ? MBEDTLS_PK_RSA : MBEDTLS_PK_ECKEY));
    if (code != 0)
        return code;
    if (rsa)
        return mbedtls_rsa_gen_key(mbedtls_pk_rsa(*key), crypto_mbedtls_random, NULL,
                                   algorithm->key_bits, RSA_EXPONENT);
    return mbedtls_ecp_gen_key(crypto_mbedtls_group(algorithm), mbedtls_pk_ec(*key),
                               crypto_mbedtls_random, NULL);
}

static int make_key(const struct crypto_algorithm *algorithm, mbedtls_pk_context *key)
{
    if (algorithm->kind != CRYPTO_RSA)
        return generate(algorithm, key);
    struct crypto_bytes der = crypto_test_rsa_key(algorithm->key_bits);
    return crypto_mbedtls_parse_key(key, der.data, der.length);
}

static int sign(struct key_operation *own)
{
    return crypto_mbedtls_sign(&own->key, digest_of(own->head.request.algorithm), own->message,
                               own->message_bytes, own->signature, sizeof own->signature,
                               &own->signature_bytes);
}

static int check(struct key_operation *own, mbedtls_pk_context *key)
{
    return mbedtls_pk_verify(key, digest_of(own->head.request.algorithm), own->message,
                             own->message_bytes, own->signature, own->signature_bytes);
}

/* What a handshake pays: the key is read from the certificate's SubjectPublicKeyInfo first. */
static int check_fresh(struct key_operation *own)
{
    mbedtls_pk_context key;
    mbedtls_pk_init(&key);
    int code = mbedtls_pk_parse_public_key(
        &key, own->public_der + sizeof own->public_der - own->public_length, own->public_length);
    if (code == 0) {
        set_padding(&key, own->head.request.padding);
        code = check(own, &key);
    }
    mbedtls_pk_free(&key);
    return code;
}

static int encrypt(struct key_operation *own)
{
    return mbedtls_pk_encrypt(&own->key, own->message, own->message_bytes, own->signature,
                              &own->signature_bytes, sizeof own->signature, crypto_mbedtls_random,
                              NULL);
}

static int decrypt(struct key_operation *own)
{
    size_t length;
    return mbedtls_pk_decrypt(&own->key, own->signature, own->signature_bytes, own->output, &length,
                              sizeof own->output, crypto_mbedtls_random, NULL);
}

static int step(struct key_operation *own)
{
    const struct crypto_request *request = &own->head.request;
    mbedtls_pk_context fresh;
    int code;
    switch (request->operation) {
    case CRYPTO_SIGN:
        return sign(own);
    case CRYPTO_VERIFY:
        return request->peer_key == CRYPTO_PEER_FRESH ? check_fresh(own) : check(own, &own->key);
    case CRYPTO_ENCRYPT:
        return encrypt(own);
    case CRYPTO_DECRYPT:
        return decrypt(own);
    default:
        mbedtls_pk_init(&fresh);
        code = generate(request->algorithm, &fresh);
        mbedtls_pk_free(&fresh);
        return code;
    }
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct key_operation *own = (struct key_operation *)operation;
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_mbedtls_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct key_operation *own = (struct key_operation *)operation;
    mbedtls_pk_free(&own->key);
    free(own);
}

/* The padding, and the public half as it stands in a certificate. */
static int set_up_key(struct key_operation *own)
{
    set_padding(&own->key, own->head.request.padding);
    int length = mbedtls_pk_write_pubkey_der(&own->key, own->public_der, sizeof own->public_der);
    own->public_length = length > 0 ? (size_t)length : 0;
    return length < 0 ? length : 0;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct key_operation *own = calloc(1, sizeof *own);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_mbedtls, .request = *request};
    own->message_bytes =
        request->algorithm->kind == CRYPTO_RSA
            ? (size_t)MESSAGE_BYTES
            : mbedtls_md_get_size(mbedtls_md_info_from_type(digest_of(request->algorithm)));
    for (size_t i = 0; i < own->message_bytes; i++)
        own->message[i] = (unsigned char)i;
    mbedtls_pk_init(&own->key);
    int code = 0;
    if (request->operation != CRYPTO_KEYGEN)
        code = make_key(request->algorithm, &own->key);
    if (code == 0 && request->operation != CRYPTO_KEYGEN)
        code = set_up_key(own);
    if (code == 0 && request->operation == CRYPTO_VERIFY)
        code = sign(own);
    if (code == 0 && request->operation == CRYPTO_DECRYPT)
        code = encrypt(own);
    if (code == 0)
        return &own->head;
    (void)crypto_mbedtls_failed(error, code, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

static int check_ecdsa_values(const struct known_values *values, mbedtls_ecp_group_id id)
{
    mbedtls_ecp_group group;
    mbedtls_ecp_point point;
    mbedtls_mpi r;
    mbedtls_mpi s;
    size_t half = values->output.length / 2;
    mbedtls_ecp_group_init(&group);
    mbedtls_ecp_point_init(&point);
    mbedtls_mpi_init(&r);
    mbedtls_mpi_init(&s);
    int code = mbedtls_ecp_group_load(&group, id);
    if (code == 0)
        code = mbedtls_ecp_point_read_binary(&group, &point, values->key.bytes, values->key.length);
    if (code == 0)
        code = mbedtls_mpi_read_binary(&r, values->output.bytes, half);
    if (code == 0)
        code = mbedtls_mpi_read_binary(&s, values->output.bytes + half, half);
    if (code == 0)
        code =
            mbedtls_ecdsa_verify(&group, values->input.bytes, values->input.length, &point, &r, &s);
    mbedtls_mpi_free(&s);
    mbedtls_mpi_free(&r);
    mbedtls_ecp_point_free(&point);
    mbedtls_ecp_group_free(&group);
    return code;
}

static bool check_published_ecdsa(const struct crypto_algorithm *algorithm, struct error *error)
{
    const struct known_answer *answer = known_answer_find(algorithm->name);
    struct known_values values;
    for (; answer != NULL; answer = known_answer_next(algorithm->name, answer)) {
        known_answer_decode(answer, &values);
        if (check_ecdsa_values(&values, crypto_mbedtls_group(algorithm)) != 0)
            return error_set(error, ERROR_KNOWN_ANSWER, "%s refuses the signature of %s",
                             answer->algorithm, answer->source);
    }
    return true;
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
    struct crypto_operation *known = open_operation(&request, error);
    if (known == NULL)
        return false;
    struct key_operation *own = (struct key_operation *)known;
    int code = sign(own);
    bool good = code == 0 || crypto_mbedtls_failed(error, code, "rsa-2048");
    good = good && known_answer_compare(&answer, own->signature, own->signature_bytes,
                                        expected.data, expected.length, error);
    close_operation(known);
    return good;
}

/* Both ways in which a verification is timed. */
static bool accepted(struct key_operation *own)
{
    return check_fresh(own) == 0 && check(own, &own->key) == 0;
}

static bool refused(struct key_operation *own)
{
    return check_fresh(own) != 0 && check(own, &own->key) != 0;
}

static int import_rsa(struct key_operation *known, const struct known_values *values)
{
    int code = mbedtls_pk_setup(&known->key, mbedtls_pk_info_from_type(MBEDTLS_PK_RSA));
    if (code != 0)
        return code;
    mbedtls_rsa_context *rsa = mbedtls_pk_rsa(known->key);
    code = mbedtls_rsa_import_raw(rsa, values->key.bytes, values->key.length, NULL, 0, NULL, 0,
                                  NULL, 0, values->nonce.bytes, values->nonce.length);
    if (code == 0)
        code = mbedtls_rsa_complete(rsa);
    return code != 0 ? code : set_up_key(known);
}

static bool check_rsa_answer(const struct known_answer *answer, struct error *error)
{
    struct crypto_request request = {.algorithm = crypto_algorithm_find(answer->algorithm),
                                     .operation = CRYPTO_KEYGEN,
                                     .padding = answer->padding};
    struct known_values values;
    known_answer_decode(answer, &values);
    struct crypto_operation *operation = open_operation(&request, error);
    if (operation == NULL)
        return false;
    struct key_operation *known = (struct key_operation *)operation;
    memcpy(known->message, values.input.bytes, values.input.length);
    memcpy(known->signature, values.output.bytes, values.output.length);
    known->signature_bytes = values.output.length;
    int code = import_rsa(known, &values);
    bool good = code == 0 || crypto_mbedtls_failed(error, code, answer->algorithm);
    if (good) {
        good = accepted(known);
        known->signature[known->signature_bytes - 1] ^= 1;
        good = (good && refused(known)) ||
               error_set(error, ERROR_KNOWN_ANSWER, "%s judges the signature of %s wrongly",
                         answer->algorithm, answer->source);
    }
    close_operation(operation);
    return good;
}

static bool check_published_rsa(const struct crypto_algorithm *algorithm, struct error *error)
{
    const struct known_answer *answer = known_answer_find(algorithm->name);
    for (; answer != NULL; answer = known_answer_next(algorithm->name, answer))
        if (!check_rsa_answer(answer, error))
            return false;
    return check_rsa_by_hand(error);
}

/* What is signed verifies, and does not once a bit of the signature or of the digest is changed. */
static bool check_signing(struct key_operation *own, struct error *error)
{
    const char *name = own->head.request.algorithm->name;
    if (sign(own) != 0 || !accepted(own))
        return error_set(error, ERROR_KNOWN_ANSWER, "%s: its own signature does not verify", name);
    unsigned char *const changed[] = {own->message, own->signature + own->signature_bytes - 1};
    bool good = true;
    for (size_t i = 0; i < COUNT_OF(changed); i++) {
        *changed[i] ^= 1;
        good = good && refused(own);
        *changed[i] ^= 1;
    }
    return good || error_set(error, ERROR_KNOWN_ANSWER, "%s: a wrong signature verifies", name);
}

static bool check_encryption(struct key_operation *own, struct error *error)
{
    return (encrypt(own) == 0 && decrypt(own) == 0 &&
            memcmp(own->output, own->message, own->message_bytes) == 0) ||
           error_set(error, ERROR_KNOWN_ANSWER, "%s does not decrypt what it encrypted",
                     own->head.request.algorithm->name);
}

/* A generated key signs something that verifies. */
static bool check_generation(const struct crypto_request *request, struct error *error)
{
    struct crypto_request signing = {
        .algorithm = request->algorithm, .operation = CRYPTO_SIGN, .padding = CRYPTO_PKCS1};
    struct crypto_operation *operation = open_operation(&signing, error);
    if (operation == NULL)
        return false;
    struct key_operation *own = (struct key_operation *)operation;
    mbedtls_pk_free(&own->key);
    mbedtls_pk_init(&own->key);
    int code = generate(request->algorithm, &own->key);
    if (code == 0)
        code = set_up_key(own);
    bool good = code == 0 ? check_signing(own, error)
                          : crypto_mbedtls_failed(error, code, request->algorithm->name);
    close_operation(operation);
    return good;
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    struct key_operation *own = (struct key_operation *)operation;
    const struct crypto_request *request = &operation->request;
    bool published = request->algorithm->kind == CRYPTO_RSA
                         ? check_published_rsa(request->algorithm, error)
                         : check_published_ecdsa(request->algorithm, error);
    if (!published)
        return false;
    switch (request->operation) {
    case CRYPTO_KEYGEN:
        return check_generation(request, error);
    case CRYPTO_ENCRYPT:
    case CRYPTO_DECRYPT:
        return check_encryption(own, error);
    default:
        return check_signing(own, error);
    }
}

/* Only RSA with PKCS#1 v1.5 gives every library the same bytes. */
static size_t once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    struct key_operation *own = (struct key_operation *)operation;
    if (operation->request.operation != CRYPTO_SIGN || operation->request.padding != CRYPTO_PKCS1 ||
        sign(own) != 0 || own->signature_bytes > capacity)
        return 0;
    memcpy(output, own->signature, own->signature_bytes);
    return own->signature_bytes;
}

const struct crypto_family crypto_mbedtls_key = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = once,
    .close = close_operation,
};
