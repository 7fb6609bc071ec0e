/* RSA: signing, verifying, encrypting, key generation. */
#include "crypto/wolfssl_internal.h"

#include <stdlib.h>
#include <string.h>
#include <wolfssl/wolfcrypt/asn.h>
#include <wolfssl/wolfcrypt/rsa.h>

#include "core/attributes.h"
#include "crypto/known_answer.h"
#include "crypto/libraries.h"
#include "crypto/test_key.h"

enum { MESSAGE_BYTES = 32, MOST_BYTES = 1024 };

struct rsa_operation {
    struct crypto_operation head;
    RsaKey key;
    unsigned char public_der[MOST_BYTES]; /* SubjectPublicKeyInfo */
    word32 public_bytes;
    unsigned char message[MESSAGE_BYTES]; /* a digest, or what is encrypted */
    unsigned char signature[MOST_BYTES];  /* or ciphertext */
    word32 signature_bytes;
    unsigned char output[MOST_BYTES];
};

static const char *supports(const struct crypto_request *request)
{
    (void)request;
    return NULL;
}

static int sign(struct rsa_operation *own)
{
    unsigned char encoded[MAX_DER_DIGEST_SZ];
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    if (rng == NULL)
        return code;
    if (own->head.request.padding == CRYPTO_PSS) {
        code =
            wc_RsaPSS_Sign(own->message, sizeof own->message, own->signature, sizeof own->signature,
                           WC_HASH_TYPE_SHA256, WC_MGF1SHA256, &own->key, rng);
    } else {
        word32 length = wc_EncodeSignature(encoded, own->message, sizeof own->message, SHA256h);
        code =
            wc_RsaSSL_Sign(encoded, length, own->signature, sizeof own->signature, &own->key, rng);
    }
    own->signature_bytes = code > 0 ? (word32)code : 0;
    return code > 0 ? 0 : code;
}

static int check(struct rsa_operation *own, RsaKey *key)
{
    unsigned char encoded[MAX_DER_DIGEST_SZ];
    int code;
    if (own->head.request.padding == CRYPTO_PSS) {
        code = wc_RsaPSS_VerifyCheck(own->signature, own->signature_bytes, own->output,
                                     sizeof own->output, own->message, sizeof own->message,
                                     WC_HASH_TYPE_SHA256, WC_MGF1SHA256, key);
        return code > 0 ? 0 : code;
    }
    code = wc_RsaSSL_Verify(own->signature, own->signature_bytes, own->output, sizeof own->output,
                            key);
    if (code < 0)
        return code;
    word32 length = wc_EncodeSignature(encoded, own->message, sizeof own->message, SHA256h);
    bool same = (word32)code == length && memcmp(encoded, own->output, length) == 0;
    return same ? 0 : SIG_VERIFY_E;
}

/* What a handshake pays: the key is read from the certificate's SubjectPublicKeyInfo first. */
static int check_fresh(struct rsa_operation *own)
{
    RsaKey key;
    word32 at = 0;
    int code = wc_InitRsaKey(&key, NULL);
    if (code != 0)
        return code;
    code = wc_RsaPublicKeyDecode(own->public_der, &at, &key, own->public_bytes);
    if (code == 0)
        code = check(own, &key);
    (void)wc_FreeRsaKey(&key);
    return code;
}

static int encrypt(struct rsa_operation *own)
{
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    if (rng == NULL)
        return code;
    code = wc_RsaPublicEncrypt_ex(own->message, sizeof own->message, own->signature,
                                  sizeof own->signature, &own->key, rng, WC_RSA_OAEP_PAD,
                                  WC_HASH_TYPE_SHA256, WC_MGF1SHA256, NULL, 0);
    own->signature_bytes = code > 0 ? (word32)code : 0;
    return code > 0 ? 0 : code;
}

static int decrypt(struct rsa_operation *own)
{
    int code = wc_RsaPrivateDecrypt_ex(own->signature, own->signature_bytes, own->output,
                                       sizeof own->output, &own->key, WC_RSA_OAEP_PAD,
                                       WC_HASH_TYPE_SHA256, WC_MGF1SHA256, NULL, 0);
    return code == MESSAGE_BYTES ? 0 : code < 0 ? code : RSA_PAD_E;
}

static int generate(const struct crypto_algorithm *algorithm, RsaKey *key)
{
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    if (rng == NULL)
        return code;
    code = wc_InitRsaKey(key, NULL);
    return code != 0 ? code : wc_MakeRsaKey(key, algorithm->key_bits, WC_RSA_EXPONENT, rng);
}

static int step(struct rsa_operation *own)
{
    const struct crypto_request *request = &own->head.request;
    RsaKey fresh;
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
        code = generate(request->algorithm, &fresh);
        (void)wc_FreeRsaKey(&fresh);
        return code;
    }
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct rsa_operation *own = (struct rsa_operation *)operation;
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_wolfssl_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct rsa_operation *own = (struct rsa_operation *)operation;
    (void)wc_FreeRsaKey(&own->key);
    free(own);
}

/* The random source for blinding, and the public half as it stands in a certificate. */
static int set_up_key(struct rsa_operation *own)
{
    int code;
    WC_RNG *rng = crypto_wolfssl_rng(&code);
    if (rng == NULL)
        return code;
    code = wc_RsaSetRNG(&own->key, rng);
    if (code != 0)
        return code;
    code = wc_RsaKeyToPublicDer(&own->key, own->public_der, sizeof own->public_der);
    own->public_bytes = code > 0 ? (word32)code : 0;
    return code > 0 ? 0 : code;
}

static int load_key(struct rsa_operation *own)
{
    struct crypto_bytes der = crypto_test_rsa_key(own->head.request.algorithm->key_bits);
    word32 at = 0;
    int code = wc_RsaPrivateKeyDecode(der.data, &at, &own->key, (word32)der.length);
    return code != 0 ? code : set_up_key(own);
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct rsa_operation *own = calloc(1, sizeof *own);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_wolfssl, .request = *request};
    for (size_t i = 0; i < sizeof own->message; i++)
        own->message[i] = (unsigned char)i;
    int code = wc_InitRsaKey(&own->key, NULL);
    if (code == 0 && request->operation != CRYPTO_KEYGEN)
        code = load_key(own);
    if (code == 0 && request->operation == CRYPTO_VERIFY)
        code = sign(own);
    if (code == 0 && request->operation == CRYPTO_DECRYPT)
        code = encrypt(own);
    if (code == 0)
        return &own->head;
    (void)crypto_wolfssl_failed(error, code, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

/* The deterministic padding must give the signature computed by hand in test_key.c. */
static bool check_by_hand(struct error *error)
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
    struct rsa_operation *own = (struct rsa_operation *)known;
    int code = sign(own);
    bool good = code == 0 || crypto_wolfssl_failed(error, code, "rsa-2048");
    good = good && known_answer_compare(&answer, own->signature, own->signature_bytes,
                                        expected.data, expected.length, error);
    close_operation(known);
    return good;
}

/* Both ways in which a verification is timed. */
static bool accepted(struct rsa_operation *own)
{
    return check_fresh(own) == 0 && check(own, &own->key) == 0;
}

static bool refused(struct rsa_operation *own)
{
    return check_fresh(own) != 0 && check(own, &own->key) != 0;
}

static bool check_answer(const struct known_answer *answer, struct error *error)
{
    struct crypto_request request = {.algorithm = crypto_algorithm_find(answer->algorithm),
                                     .operation = CRYPTO_KEYGEN,
                                     .padding = answer->padding};
    struct known_values values;
    known_answer_decode(answer, &values);
    struct crypto_operation *operation = open_operation(&request, error);
    if (operation == NULL)
        return false;
    struct rsa_operation *known = (struct rsa_operation *)operation;
    memcpy(known->message, values.input.bytes, values.input.length);
    memcpy(known->signature, values.output.bytes, values.output.length);
    known->signature_bytes = (word32)values.output.length;
    int code =
        wc_RsaPublicKeyDecodeRaw(values.key.bytes, (word32)values.key.length, values.nonce.bytes,
                                 (word32)values.nonce.length, &known->key);
    if (code == 0)
        code = set_up_key(known);
    bool good = code == 0 || crypto_wolfssl_failed(error, code, answer->algorithm);
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

static bool check_published(const struct crypto_algorithm *algorithm, struct error *error)
{
    const struct known_answer *answer = known_answer_find(algorithm->name);
    for (; answer != NULL; answer = known_answer_next(algorithm->name, answer))
        if (!check_answer(answer, error))
            return false;
    return check_by_hand(error);
}

/* What is signed verifies, and does not once a bit of the signature or of the digest is changed. */
static bool check_signing(struct rsa_operation *own, struct error *error)
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

static bool check_encryption(struct rsa_operation *own, struct error *error)
{
    return (encrypt(own) == 0 && decrypt(own) == 0 &&
            memcmp(own->output, own->message, sizeof own->message) == 0) ||
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
    struct rsa_operation *own = (struct rsa_operation *)operation;
    (void)wc_FreeRsaKey(&own->key);
    int code = generate(request->algorithm, &own->key);
    if (code == 0)
        code = set_up_key(own);
    bool good = code == 0 ? check_signing(own, error)
                          : crypto_wolfssl_failed(error, code, request->algorithm->name);
    close_operation(operation);
    return good;
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    struct rsa_operation *own = (struct rsa_operation *)operation;
    if (!check_published(operation->request.algorithm, error))
        return false;
    switch (operation->request.operation) {
    case CRYPTO_KEYGEN:
        return check_generation(&operation->request, error);
    case CRYPTO_ENCRYPT:
    case CRYPTO_DECRYPT:
        return check_encryption(own, error);
    default:
        return check_signing(own, error);
    }
}

/* Only PKCS#1 v1.5 gives every library the same bytes. */
static size_t once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    struct rsa_operation *own = (struct rsa_operation *)operation;
    if (operation->request.operation != CRYPTO_SIGN || operation->request.padding != CRYPTO_PKCS1 ||
        sign(own) != 0 || own->signature_bytes > capacity)
        return 0;
    memcpy(output, own->signature, own->signature_bytes);
    return own->signature_bytes;
}

const struct crypto_family crypto_wolfssl_rsa = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = once,
    .close = close_operation,
};
