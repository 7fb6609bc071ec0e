/* The library that does nothing: what is left of its time is the harness's own cost. */
#include <stdlib.h>

#include "crypto/libraries.h"

static const char *version(void)
{
    return TLSMETER_VERSION;
}

static const char *unavailable(void)
{
    return NULL;
}

static const char *supports(const struct crypto_request *request)
{
    return request->mode == CRYPTO_MODE_OPENSSL_SPEED ? "null does nothing, in no mode" : NULL;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct crypto_operation *operation = calloc(1, sizeof *operation);
    if (operation == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    operation->library = &crypto_null;
    operation->request = *request;
    return operation;
}

/* The loop of the other libraries with nothing in it that a compiler could take out. */
static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    (void)error;
    for (uint64_t i = 0; i < count; i++)
        __asm__ volatile("" : : "r"(operation) : "memory");
    return true;
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    (void)operation;
    (void)error;
    return true;
}

static void describe(const struct crypto_operation *operation, struct cell *cell)
{
    (void)operation;
    cell_set_text(cell, &cell->implementation, "interface", "none");
}

static size_t once(struct crypto_operation *operation, unsigned char *output, size_t capacity)
{
    (void)operation;
    (void)output;
    (void)capacity;
    return 0;
}

static void close_operation(struct crypto_operation *operation)
{
    free(operation);
}

static const char *features_off(const char **why)
{
    *why = "null uses no instructions of any kind";
    return NULL;
}

const struct crypto_library crypto_null = {
    .name = "null",
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
