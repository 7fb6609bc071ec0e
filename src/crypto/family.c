#include "crypto/family.h"

#include <stdarg.h>
#include <stdio.h>

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
