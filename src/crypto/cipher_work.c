#include "crypto/cipher_work.h"

#include <stdlib.h>

static bool has_suffix(const struct crypto_algorithm *algorithm, const char *suffix)
{
    return strstr(algorithm->name, suffix) != NULL;
}

static void fill(struct cipher_work *work, const struct known_values *values)
{
    known_fill('k', work->key, work->key_bytes);
    known_fill('n', work->nonce, work->nonce_bytes);
    known_fill('a', work->aad, work->aad_bytes);
    known_fill('p', work->input, work->size);
    if (values == NULL)
        return;
    memcpy(work->key, values->key.bytes, work->key_bytes);
    work->nonce_bytes = values->nonce.length;
    memcpy(work->nonce, values->nonce.bytes, work->nonce_bytes);
    work->aad_bytes = values->aad.length;
    memcpy(work->aad, values->aad.bytes, work->aad_bytes);
    work->tag_bytes = values->tag_bytes;
    if (work->encrypt)
        memcpy(work->input, values->input.bytes, work->size);
    else
        memcpy(work->input, values->output.bytes, work->size + work->tag_bytes);
}

void cipher_work_close(struct crypto_operation *operation)
{
    struct cipher_work *work = (struct cipher_work *)operation;
    work->hooks->release(work);
    free(work->input);
    free(work->output);
    free(work);
}

/* An operation on the given values; without, on the cross-check's. */
static struct cipher_work *make(const struct cipher_hooks *hooks,
                                const struct crypto_request *request, bool encrypt,
                                const struct known_values *values, struct error *error)
{
    const struct crypto_algorithm *algorithm = request->algorithm;
    struct cipher_work *work = calloc(1, hooks->operation_bytes);
    size_t size = values == NULL ? request->size_bytes : values->output.length - values->tag_bytes;
    if (work != NULL) {
        work->head = (struct crypto_operation){.library = hooks->library, .request = *request};
        work->hooks = hooks;
        work->aead = algorithm->kind == CRYPTO_AEAD;
        work->encrypt = encrypt;
        work->size = size;
        work->key_bytes = algorithm->key_bits / 8u * (has_suffix(algorithm, "-xts") ? 2u : 1u);
        work->nonce_bytes = algorithm->nonce_bytes;
        if (strcmp(algorithm->name, "chacha20") == 0)
            work->nonce_bytes = CIPHER_NONCE_BYTES; /* the counter before it */
        work->tag_bytes = algorithm->tag_bytes;
        work->aad_bytes = work->aead ? CRYPTO_AAD_BYTES : 0;
        work->input = calloc(1, size + CIPHER_TAG_BYTES);
        work->output = calloc(1, size + CIPHER_TAG_BYTES);
    }
    if (work == NULL || work->input == NULL || work->output == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        if (work != NULL)
            cipher_work_close(&work->head);
        return NULL;
    }
    work->tag = (encrypt ? work->output : work->input) + size;
    fill(work, values);
    memcpy(work->output, work->input, size); /* for what works in place */
    if (hooks->prepare(work, error))
        return work;
    cipher_work_close(&work->head);
    return NULL;
}

/* Encrypts the cross-check's input once and hands ciphertext and tag to a decrypting operation. */
static bool give_ciphertext(struct cipher_work *work, struct error *error)
{
    struct cipher_work *sender = make(work->hooks, &work->head.request, true, NULL, error);
    if (sender == NULL)
        return false;
    bool sent = sender->hooks->message(sender, error);
    if (sent)
        memcpy(work->input, sender->output, work->size + work->tag_bytes);
    cipher_work_close(&sender->head);
    return sent;
}

struct crypto_operation *cipher_work_open(const struct cipher_hooks *hooks,
                                          const struct crypto_request *request, struct error *error)
{
    bool encrypt = request->operation == CRYPTO_ENCRYPT;
    struct cipher_work *work = make(hooks, request, encrypt, NULL, error);
    if (work == NULL)
        return NULL;
    if (encrypt || give_ciphertext(work, error))
        return &work->head;
    cipher_work_close(&work->head);
    return NULL;
}

/* Streams and openssl speed never ask for the tag. */
static bool takes_tag(const struct crypto_request *request)
{
    return request->algorithm->kind == CRYPTO_AEAD && request->mode != CRYPTO_MODE_STREAM &&
           request->mode != CRYPTO_MODE_OPENSSL_SPEED;
}

static bool verify_answer(const struct cipher_work *work, const struct known_answer *answer,
                          struct error *error)
{
    struct known_values values;
    known_answer_decode(answer, &values);
    struct cipher_work *known =
        make(work->hooks, &work->head.request, work->encrypt, &values, error);
    if (known == NULL)
        return false;
    size_t compared = known->size;
    if (known->encrypt && takes_tag(&known->head.request))
        compared += known->tag_bytes;
    const unsigned char *expected = known->encrypt ? values.output.bytes : values.input.bytes;
    bool good = known->hooks->run(&known->head, 1, error) &&
                known_answer_compare(answer, known->output, compared, expected, compared, error);
    cipher_work_close(&known->head);
    return good;
}

static bool verify_published(const struct cipher_work *work, struct error *error)
{
    const char *name = work->head.request.algorithm->name;
    const struct known_answer *answer = known_answer_find(name);
    if (answer == NULL)
        return error_set(error, ERROR_KNOWN_ANSWER, "no published answer to check %s with", name);
    for (; answer != NULL; answer = known_answer_next(name, answer))
        if (!verify_answer(work, answer, error))
            return false;
    return true;
}

static bool decrypts_to_itself(struct cipher_work *receiver, struct error *error)
{
    unsigned char *expected = malloc(receiver->size);
    if (expected == NULL)
        return error_set(error, ERROR_MEMORY, "no memory to check an operation");
    known_fill('p', expected, receiver->size);
    bool good = receiver->hooks->message(receiver, error) &&
                (memcmp(expected, receiver->output, receiver->size) == 0 ||
                 error_set(error, ERROR_KNOWN_ANSWER, "%s does not decrypt what it encrypted",
                           receiver->head.request.algorithm->name));
    free(expected);
    return good;
}

static bool verify_round_trip(const struct cipher_work *work, struct error *error)
{
    struct cipher_work *receiver = make(work->hooks, &work->head.request, false, NULL, error);
    if (receiver == NULL)
        return false;
    bool good = give_ciphertext(receiver, error) && decrypts_to_itself(receiver, error);
    if (good && receiver->aead) {
        receiver->tag[0] ^= 1;
        good = !receiver->hooks->message(receiver, NULL) ||
               error_set(error, ERROR_KNOWN_ANSWER, "%s accepts a wrong tag",
                         receiver->head.request.algorithm->name);
    }
    cipher_work_close(&receiver->head);
    return good;
}

bool cipher_work_verify(struct crypto_operation *operation, struct error *error)
{
    const struct cipher_work *work = (const struct cipher_work *)operation;
    return verify_published(work, error) && verify_round_trip(work, error);
}

size_t cipher_work_once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    const struct cipher_work *work = (const struct cipher_work *)operation;
    struct cipher_work *fresh = make(work->hooks, &operation->request, true, NULL, NULL);
    if (fresh == NULL)
        return 0;
    size_t length = fresh->size + fresh->tag_bytes;
    if (length <= capacity && fresh->hooks->message(fresh, NULL))
        memcpy(output, fresh->output, length);
    else
        length = 0;
    cipher_work_close(&fresh->head);
    return length;
}
