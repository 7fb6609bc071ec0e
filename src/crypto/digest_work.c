#include "crypto/digest_work.h"

#include <stdlib.h>
#include <string.h>

static void copy(unsigned char *to, size_t *to_length, const struct known_bytes *from)
{
    memcpy(to, from->bytes, from->length);
    *to_length = from->length;
}

static void fill(struct digest_work *work, const struct known_values *values)
{
    const struct crypto_algorithm *algorithm = work->head.request.algorithm;
    bool kdf = algorithm->kind == CRYPTO_KDF;
    work->key_bytes = algorithm->key_bits / 8u;
    work->salt_bytes = work->info_bytes = DIGEST_KDF_BYTES;
    work->output_bytes = kdf ? (size_t)DIGEST_KDF_BYTES : algorithm->tag_bytes;
    known_fill('k', work->key, work->key_bytes);
    known_fill('n', work->salt, work->salt_bytes);
    known_fill('a', work->info, work->info_bytes);
    known_fill('p', work->input, work->size);
    if (values == NULL)
        return;
    copy(work->key, &work->key_bytes, &values->key);
    copy(work->salt, &work->salt_bytes, &values->nonce);
    copy(work->info, &work->info_bytes, &values->aad);
    work->output_bytes = values->output.length;
    memcpy(work->input, values->input.bytes, values->input.length);
}

void digest_work_close(struct crypto_operation *operation)
{
    struct digest_work *work = (struct digest_work *)operation;
    work->hooks->release(work);
    free(work->input);
    free(work);
}

static bool fits(const struct known_values *values)
{
    return values->key.length <= DIGEST_KEY_BYTES && values->nonce.length <= DIGEST_KEY_BYTES &&
           values->aad.length <= DIGEST_KEY_BYTES && values->output.length <= DIGEST_OUTPUT_BYTES;
}

/* An operation on the given values; without, on the cross-check's. */
static struct digest_work *make(const struct digest_hooks *hooks,
                                const struct crypto_request *request,
                                const struct known_values *values, struct error *error)
{
    if (values != NULL && !fits(values)) {
        (void)error_set(error, ERROR_LIMIT, "a published answer is larger than was thought of");
        return NULL;
    }
    struct digest_work *work = calloc(1, hooks->operation_bytes);
    if (work != NULL) {
        work->head = (struct crypto_operation){.library = hooks->library, .request = *request};
        work->hooks = hooks;
        work->size = values == NULL ? request->size_bytes : values->input.length;
        work->input = calloc(1, work->size + 1);
    }
    if (work == NULL || work->input == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        free(work);
        return NULL;
    }
    fill(work, values);
    if (hooks->prepare(work, error))
        return work;
    digest_work_close(&work->head);
    return NULL;
}

struct crypto_operation *digest_work_open(const struct digest_hooks *hooks,
                                          const struct crypto_request *request, struct error *error)
{
    struct digest_work *work = make(hooks, request, NULL, error);
    return work == NULL ? NULL : &work->head;
}

/* One message by run(), and the end of it where run() only updates. */
static bool compute(struct digest_work *work, struct error *error)
{
    bool streams = work->head.request.mode == CRYPTO_MODE_STREAM &&
                   work->head.request.algorithm->kind != CRYPTO_KDF;
    return work->hooks->run(&work->head, 1, error) &&
           (!streams || work->hooks->finish(work, error));
}

/* Random bytes have no known answer. A source that stands still is seen: the first byte of sixteen
 * draws is not the same sixteen times (by chance once in 2^120). */
static bool verify_random(struct digest_work *work, struct error *error)
{
    bool moves = false;
    unsigned char first = 0;
    for (int i = 0; i < 16; i++) {
        if (!work->hooks->run(&work->head, 1, error))
            return false;
        moves = moves || (i > 0 && work->input[0] != first);
        first = work->input[0];
    }
    return moves || error_set(error, ERROR_KNOWN_ANSWER, "random bytes stand still");
}

static bool verify_answer(const struct digest_work *work, const struct known_answer *answer,
                          struct error *error)
{
    struct known_values values;
    known_answer_decode(answer, &values);
    struct digest_work *known = make(work->hooks, &work->head.request, &values, error);
    if (known == NULL)
        return false;
    bool good = compute(known, error) &&
                known_answer_compare(answer, known->output, known->output_bytes,
                                     values.output.bytes, values.output.length, error);
    digest_work_close(&known->head);
    return good;
}

bool digest_work_verify(struct crypto_operation *operation, struct error *error)
{
    struct digest_work *work = (struct digest_work *)operation;
    const char *name = operation->request.algorithm->name;
    if (operation->request.algorithm->kind == CRYPTO_RANDOM)
        return verify_random(work, error);
    const struct known_answer *answer = known_answer_find(name);
    if (answer == NULL)
        return error_set(error, ERROR_KNOWN_ANSWER, "no published answer to check %s with", name);
    for (; answer != NULL; answer = known_answer_next(name, answer))
        if (!verify_answer(work, answer, error))
            return false;
    return true;
}

size_t digest_work_once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    const struct digest_work *work = (const struct digest_work *)operation;
    if (operation->request.algorithm->kind == CRYPTO_RANDOM)
        return 0;
    struct digest_work *fresh = make(work->hooks, &operation->request, NULL, NULL);
    if (fresh == NULL)
        return 0;
    size_t length = 0;
    if (fresh->output_bytes <= capacity && compute(fresh, NULL)) {
        length = fresh->output_bytes;
        memcpy(output, fresh->output, length);
    }
    digest_work_close(&fresh->head);
    return length;
}
