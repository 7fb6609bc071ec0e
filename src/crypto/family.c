#include "crypto/family.h"

#include <stdarg.h>
#include <stdio.h>

struct crypto_operation *crypto_family_open(const struct crypto_library *library,
                                            const struct crypto_family *family,
                                            const struct crypto_request *request,
                                            struct error *error)
{
    const char *refusal = library->supports(request);
    if (refusal != NULL) {
        (void)error_set(error, ERROR_UNAVAILABLE, "%s", refusal);
        return NULL;
    }
    struct crypto_operation *operation = family->open(request, error);
    if (operation != NULL)
        operation->family = family;
    return operation;
}

bool crypto_family_run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    return operation->family->run(operation, count, error);
}

bool crypto_family_verify(struct crypto_operation *operation, struct error *error)
{
    return operation->family->verify(operation, error);
}

size_t crypto_family_once(struct crypto_operation *operation, unsigned char *output,
                          size_t capacity)
{
    return operation->family->once(operation, output, capacity);
}

void crypto_family_close(struct crypto_operation *operation)
{
    if (operation != NULL)
        operation->family->close(operation);
}

const char *crypto_reason(const char *format, ...)
{
    static _Thread_local char reason[128];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return reason;
}

size_t crypto_once_nothing(struct crypto_operation *operation, unsigned char *output,
                           size_t capacity)
{
    (void)operation;
    (void)output;
    (void)capacity;
    return 0;
}
