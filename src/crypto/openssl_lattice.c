/*
 * ML-KEM and ML-DSA against accumulated digests (known_answer.h): OpenSSL from 3.5 on. The names
 * are written out, because headers before 3.5 do not have them; there, nothing of this is called.
 */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/known_answer.h"
#include "crypto/openssl_internal.h"

/* FIPS 203 table 3 (encapsulation key, ciphertext) and FIPS 204 table 2 (public key, signature):
 * the largest of all sets. */
enum { SEED_BYTES = 64, RANDOM_BYTES = 32, SECRET_BYTES = 32, MOST_BYTES = 4627 };

struct lattice {
    const struct crypto_algorithm *algorithm;
    EVP_MD_CTX *answer;          /* SHAKE128 of what comes out */
    const unsigned char *stream; /* SHAKE128 of nothing: what goes in */
    unsigned char bytes[MOST_BYTES], secret[SECRET_BYTES], again[SECRET_BYTES];
    size_t length;
};

/* The next bytes of the stream. Callers do not write to them; OSSL_PARAM wants them without const.
 */
static unsigned char *draw(struct lattice *own, size_t length)
{
    unsigned char *next = (unsigned char *)(uintptr_t)own->stream;
    own->stream += length;
    return next;
}

static bool absorb(struct lattice *own, const unsigned char *bytes, size_t length)
{
    return EVP_DigestUpdate(own->answer, bytes, length) == 1;
}

static EVP_PKEY *key_from_seed(struct lattice *own, size_t seed_bytes)
{
    EVP_PKEY *key = NULL;
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string("seed", draw(own, seed_bytes), seed_bytes),
        OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *ctx =
        EVP_PKEY_CTX_new_from_name(NULL, crypto_openssl_key_type(own->algorithm), NULL);
    bool made = ctx != NULL && EVP_PKEY_keygen_init(ctx) == 1 &&
                EVP_PKEY_CTX_set_params(ctx, parameters) == 1 && EVP_PKEY_generate(ctx, &key) == 1;
    EVP_PKEY_CTX_free(ctx);
    if (made &&
        EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, own->bytes, MOST_BYTES,
                                        &own->length) == 1 &&
        absorb(own, own->bytes, own->length))
        return key;
    EVP_PKEY_free(key);
    return NULL;
}

static bool encapsulate(struct lattice *own, EVP_PKEY *key)
{
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string("ikme", draw(own, RANDOM_BYTES), RANDOM_BYTES),
        OSSL_PARAM_construct_end()};
    size_t secret_length = SECRET_BYTES;
    own->length = MOST_BYTES;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    bool done =
        ctx != NULL && EVP_PKEY_encapsulate_init(ctx, parameters) == 1 &&
        EVP_PKEY_encapsulate(ctx, own->bytes, &own->length, own->secret, &secret_length) == 1;
    EVP_PKEY_CTX_free(ctx);
    return done && absorb(own, own->bytes, own->length) && absorb(own, own->secret, SECRET_BYTES);
}

static bool decapsulate(struct lattice *own, EVP_PKEY *key, const unsigned char *ciphertext)
{
    size_t secret_length = SECRET_BYTES;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    bool done = ctx != NULL && EVP_PKEY_decapsulate_init(ctx, NULL) == 1 &&
                EVP_PKEY_decapsulate(ctx, own->again, &secret_length, ciphertext, own->length) == 1;
    EVP_PKEY_CTX_free(ctx);
    return done;
}

static bool step_kem(struct lattice *own)
{
    EVP_PKEY *key = key_from_seed(own, SEED_BYTES);
    bool good = key != NULL && encapsulate(own, key) && decapsulate(own, key, own->bytes) &&
                memcmp(own->secret, own->again, SECRET_BYTES) == 0 &&
                decapsulate(own, key, draw(own, own->length)) &&
                absorb(own, own->again, SECRET_BYTES);
    EVP_PKEY_free(key);
    return good;
}

static bool step_signature(struct lattice *own)
{
    int yes = 1;
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_int("deterministic", &yes),
                               OSSL_PARAM_construct_end()};
    static const unsigned char nothing[1] = {0};
    EVP_PKEY *key = key_from_seed(own, RANDOM_BYTES);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    own->length = MOST_BYTES;
    bool good = key != NULL && ctx != NULL &&
                EVP_DigestSignInit_ex(ctx, NULL, NULL, NULL, NULL, key, parameters) == 1 &&
                EVP_DigestSign(ctx, own->bytes, &own->length, nothing, 0) == 1 &&
                EVP_MD_CTX_reset(ctx) == 1 &&
                EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, key, NULL) == 1 &&
                EVP_DigestVerify(ctx, own->bytes, own->length, nothing, 0) == 1 &&
                absorb(own, own->bytes, own->length);
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    return good;
}

/* SHAKE128 of nothing, as long as all iterations can need. */
static bool fill_stream(unsigned char *stream, size_t length)
{
    EVP_MD *shake = EVP_MD_fetch(NULL, "SHAKE128", NULL);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool filled = shake != NULL && ctx != NULL && EVP_DigestInit_ex2(ctx, shake, NULL) == 1 &&
                  EVP_DigestFinalXOF(ctx, stream, length) == 1;
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(shake);
    return filled;
}

static bool accumulate(struct lattice *own, unsigned char digest[KNOWN_ANSWER_DIGEST_BYTES])
{
    bool good = EVP_DigestInit_ex2(own->answer, EVP_shake128(), NULL) == 1;
    for (int i = 0; good && i < KNOWN_ANSWER_ITERATIONS; i++)
        good = own->algorithm->kind == CRYPTO_KEM ? step_kem(own) : step_signature(own);
    return good && EVP_DigestFinalXOF(own->answer, digest, KNOWN_ANSWER_DIGEST_BYTES) == 1;
}

bool crypto_openssl_check_lattice(const struct crypto_algorithm *algorithm, struct error *error)
{
    const struct known_answer *answer = known_answer_find(algorithm->name);
    if (answer == NULL)
        return error_set(error, ERROR_KNOWN_ANSWER, "no published answer to check %s with",
                         algorithm->name);
    struct known_values values;
    known_answer_decode(answer, &values);
    size_t length = (size_t)KNOWN_ANSWER_ITERATIONS * (SEED_BYTES + RANDOM_BYTES + MOST_BYTES);
    unsigned char *stream = malloc(length);
    struct lattice *own = calloc(1, sizeof *own);
    unsigned char digest[KNOWN_ANSWER_DIGEST_BYTES];
    bool good = false;
    if (stream == NULL || own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory to check %s", algorithm->name);
    } else {
        *own =
            (struct lattice){.algorithm = algorithm, .answer = EVP_MD_CTX_new(), .stream = stream};
        good = (own->answer != NULL && fill_stream(stream, length) && accumulate(own, digest)) ||
               crypto_openssl_failed(error, algorithm->name);
        EVP_MD_CTX_free(own->answer);
    }
    free(stream);
    free(own);
    return good && known_answer_compare(answer, digest, sizeof digest, values.output.bytes,
                                        values.output.length, error);
}
