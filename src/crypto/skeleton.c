/*
 * A library for the crypto instrument, ready to be filled in. It is compiled with the tests, so
 * that it stays true, and linked nowhere.
 *
 * To add a library NAME: copy this file to NAME.c, replace `skeleton`, and
 *   1. declare its symbol in crypto/libraries.h and list it in crypto/libraries.c;
 *   2. find it in cmake/dependencies.cmake (TLSMETER_HAVE_NAME) and name it in src/CMakeLists.txt;
 *   3. write NAME_missing.c, the same symbol for builds without the library;
 *   4. call exercise() of tests/unit/crypto_requests.h for each of its requests in
 *      tests/unit/test_crypto_NAME.c; tests/unit/test_cross_check.c finds it by itself.
 * The library's headers are included here and in files NAME_*.c, nowhere else.
 *
 * This one stands for SHA-256 in mode record: one whole message for each operation.
 */
#include <stdlib.h>
#include <string.h>

#include "crypto/known_answer.h"
#include "crypto/libraries.h"

extern const struct crypto_library crypto_skeleton; /* belongs in crypto/libraries.h */

/* Everything that run() needs, made by open(). The head is the first member. */
struct skeleton_operation {
    struct crypto_operation head;
    unsigned char *input;
    size_t size;
    unsigned char output[32];
};

/* Of the library that is loaded, not of the header. */
static const char *version(void)
{
    return "0";
}

/* NULL when the library can be used, else one line: what is missing, and where it would come from.
 */
static const char *unavailable(void)
{
    return "this is a skeleton";
}

/* Cheap, opens nothing: it is asked for every algorithm by `tlsmeter list`. NULL, or the reason in
 * a user's words. */
static const char *supports(const struct crypto_request *request)
{
    if (strcmp(request->algorithm->name, "sha256") != 0)
        return "the skeleton has sha256 only";
    if (request->mode != CRYPTO_MODE_RECORD)
        return "the skeleton has mode record only";
    return NULL;
}

/* Here the library computes one whole message. What is timed and what is verified is this. */
static bool compute(struct skeleton_operation *own)
{
    memset(own->output, 0, sizeof own->output);
    return own->size > 0;
}

static void close_operation(struct crypto_operation *operation)
{
    struct skeleton_operation *own = (struct skeleton_operation *)operation;
    if (own == NULL)
        return;
    free(own->input); /* and the library's contexts */
    free(own);
}

/* An operation on a known answer, or, for NULL, on the input that all libraries share. */
static struct skeleton_operation *make(const struct crypto_request *request,
                                       const struct known_values *values, struct error *error)
{
    struct skeleton_operation *own = calloc(1, sizeof *own);
    size_t size = values == NULL ? request->size_bytes : values->input.length;
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_skeleton, .request = *request};
    own->size = size;
    own->input = calloc(1, size);
    if (own->input == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        close_operation(&own->head);
        return NULL;
    }
    known_fill('p', own->input, size);
    if (values != NULL)
        memcpy(own->input, values->input.bytes, size);
    return own;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    const char *refusal = supports(request);
    if (refusal != NULL) {
        (void)error_set(error, ERROR_UNAVAILABLE, "%s", refusal);
        return NULL;
    }
    struct skeleton_operation *own = make(request, NULL, error);
    return own == NULL ? NULL : &own->head;
}

/* The timed loop: nothing but the library's calls. A failure keeps the library's own code: add an
 * origin to core/error.h. */
static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct skeleton_operation *own = (struct skeleton_operation *)operation;
    for (uint64_t i = 0; i < count; i++)
        if (!compute(own))
            return error_set(error, ERROR_LIBRARY, "sha256");
    return true;
}

/* Every published answer of the algorithm, through run(). Encryption is also undone at the
 * request's own size, and a wrong tag or signature must be refused. */
static bool verify(struct crypto_operation *operation, struct error *error)
{
    const char *name = operation->request.algorithm->name;
    bool good = known_answer_find(name) != NULL;
    for (const struct known_answer *answer = known_answer_find(name); good && answer != NULL;
         answer = known_answer_next(name, answer)) {
        struct known_values values;
        known_answer_decode(answer, &values);
        struct skeleton_operation *known = make(&operation->request, &values, error);
        if (known == NULL)
            return false;
        good = run(&known->head, 1, error) &&
               known_answer_compare(answer, known->output, sizeof known->output,
                                    values.output.bytes, values.output.length, error);
        close_operation(&known->head);
    }
    return good;
}

/* Who really does the work: the record shows it. */
static void describe(const struct crypto_operation *operation, struct cell *cell)
{
    (void)operation;
    cell_set_text(cell, &cell->implementation, "interface", "skeleton");
    cell_set_text(cell, &cell->implementation, "cpu_features", "none");
}

/* The shared input once, for the comparison between libraries. */
static size_t once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    struct skeleton_operation *own = (struct skeleton_operation *)operation;
    if (capacity < sizeof own->output || !compute(own))
        return 0;
    memcpy(output, own->output, sizeof own->output);
    return sizeof own->output;
}

static const char *features_off(const char **why)
{
    *why = "the skeleton has no switch for the CPU's instructions";
    return NULL;
}

const struct crypto_library crypto_skeleton = {
    .name = "skeleton",
    .version = version,
    .unavailable = unavailable,
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .describe = describe,
    .once = once,
    .close = close_operation,
    .features_off = features_off,
};
