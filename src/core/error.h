/*
 * Errors as values.
 *
 * A function that can fail returns bool (or a pointer), is MUST_USE, and takes a `struct error *`
 * as its last argument. On failure it fills the error and returns false (or NULL); on success it
 * leaves the error alone. The caller owns the error, which holds no memory of its own: it may be
 * copied, kept, or thrown away.
 *
 * `text` says what happened, where, and what would be right, in the user's words. `origin` and
 * `origin_code` keep who said it first: a code of OpenSSL, Mbed TLS, wolfSSL or errno is never
 * lost.
 */
#ifndef TLSMETER_CORE_ERROR_H
#define TLSMETER_CORE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/attributes.h"

/* One row per code: enumerator, name in records, what it means, advice. */
#define ERROR_CODES(X)                                                                             \
    X(ERROR_NONE, "none", "no error", "")                                                          \
    X(ERROR_MEMORY, "out-of-memory", "memory ran out", "free memory or select fewer cells")        \
    X(ERROR_SYSTEM, "system", "the kernel refused", "see the kernel's message")                    \
    X(ERROR_LIBRARY, "library", "a library call failed", "see the library's own code")             \
    X(ERROR_USAGE, "usage", "the command line is not usable", "see --help")                        \
    X(ERROR_INPUT, "input", "a file could not be understood", "mend the file at the line named")   \
    X(ERROR_OUTPUT, "output", "a file could not be written", "check space and permissions")        \
    X(ERROR_UNAVAILABLE, "unavailable", "not available here", "see the reason; `tlsmeter list`")   \
    X(ERROR_KNOWN_ANSWER, "known-answer", "the result was wrong",                                  \
      "do not use this implementation")                                                            \
    X(ERROR_LIMIT, "limit", "a limit of tlsmeter was reached", "split the input")                  \
    X(ERROR_TIMEOUT, "timeout", "nothing came in time", "raise the time-out or check the peer")    \
    X(ERROR_PEER, "peer", "the peer refused or broke off", "see the peer's alert")                 \
    X(ERROR_INTERRUPTED, "interrupted", "stopped by the user", "use --resume to go on")

enum error_code {
#define ERROR_ENUM(code, name, text, advice) code,
    ERROR_CODES(ERROR_ENUM)
#undef ERROR_ENUM
};

/* Who found the fault. */
enum error_origin {
    ORIGIN_TLSMETER,
    ORIGIN_KERNEL,  /* origin_code is an errno */
    ORIGIN_OPENSSL, /* origin_code is an ERR_get_error() value */
    ORIGIN_MBEDTLS, /* origin_code is a negative MBEDTLS_ERR_ value */
    ORIGIN_WOLFSSL, /* origin_code is a negative wolfCrypt or wolfSSL value */
    ORIGIN_PEER,    /* origin_code is a TLS alert number */
};

#define ERROR_TEXT_BYTES 512

struct error {
    enum error_code code;
    enum error_origin origin;
    int64_t origin_code;
    char text[ERROR_TEXT_BYTES];
};

/* Fills *error and returns false, so that `return error_set(...)` reads well. A text that is too
 * long is cut at the end. `error` may be NULL: nothing is stored then. */
bool error_set(struct error *error, enum error_code code, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* The same for a failed system call: keeps `errno_value`, and appends its text after ": ". */
bool error_set_errno(struct error *error, int errno_value, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* The same for a library: keeps its code. The caller puts the library's own text into the message.
 */
bool error_set_library(struct error *error, enum error_origin origin, int64_t origin_code,
                       const char *format, ...) PRINTF_LIKE(4, 5);

/* Puts "prefix: " before the text already there: the way to add where (file:line, cell) on the way
 * up. Returns false. */
bool error_prefix(struct error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/* Names as they stand in records and messages; never NULL. */
const char *error_code_name(enum error_code code);
const char *error_code_advice(enum error_code code);
const char *error_origin_name(enum error_origin origin);

#endif
