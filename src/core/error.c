#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"

struct code_row {
    const char *name;
    const char *text;
    const char *advice;
};

static const struct code_row code_rows[] = {
#define ERROR_ROW(code, name, text, advice) [code] = {name, text, advice},
    ERROR_CODES(ERROR_ROW)
#undef ERROR_ROW
};

static const char *const origin_names[] = {
    [ORIGIN_TLSMETER] = "tlsmeter", [ORIGIN_KERNEL] = "kernel",   [ORIGIN_OPENSSL] = "openssl",
    [ORIGIN_MBEDTLS] = "mbedtls",   [ORIGIN_WOLFSSL] = "wolfssl", [ORIGIN_PEER] = "peer",
};

PRINTF_LIKE(5, 0)
static void fill(struct error *error, enum error_code code, enum error_origin origin,
                 int64_t origin_code, const char *format, va_list arguments)
{
    error->code = code;
    error->origin = origin;
    error->origin_code = origin_code;
    (void)vsnprintf(error->text, sizeof error->text, format, arguments);
}

bool error_set(struct error *error, enum error_code code, const char *format, ...)
{
    if (error == NULL)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, ORIGIN_TLSMETER, 0, format, arguments);
    va_end(arguments);
    return false;
}

bool error_set_errno(struct error *error, int errno_value, const char *format, ...)
{
    if (error == NULL)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fill(error, errno_value == ENOMEM ? ERROR_MEMORY : ERROR_SYSTEM, ORIGIN_KERNEL, errno_value,
         format, arguments);
    va_end(arguments);
    size_t length = strlen(error->text);
    (void)snprintf(error->text + length, sizeof error->text - length, ": %s",
                   strerror(errno_value));
    return false;
}

bool error_set_library(struct error *error, enum error_origin origin, int64_t origin_code,
                       const char *format, ...)
{
    if (error == NULL)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fill(error, ERROR_LIBRARY, origin, origin_code, format, arguments);
    va_end(arguments);
    return false;
}

bool error_prefix(struct error *error, const char *format, ...)
{
    if (error == NULL)
        return false;
    char prefix[ERROR_TEXT_BYTES / 2];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(prefix, sizeof prefix - 2, format, arguments);
    va_end(arguments);
    size_t shift = strlen(prefix);
    memcpy(prefix + shift, ": ", 2);
    shift += 2;
    memmove(error->text + shift, error->text, sizeof error->text - shift);
    memcpy(error->text, prefix, shift);
    error->text[sizeof error->text - 1] = '\0';
    return false;
}

const char *error_code_name(enum error_code code)
{
    return (size_t)code < COUNT_OF(code_rows) ? code_rows[code].name : "unknown";
}

const char *error_code_advice(enum error_code code)
{
    return (size_t)code < COUNT_OF(code_rows) ? code_rows[code].advice : "";
}

const char *error_origin_name(enum error_origin origin)
{
    return (size_t)origin < COUNT_OF(origin_names) ? origin_names[origin] : "unknown";
}
