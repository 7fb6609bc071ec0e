/* How a library's file divides its work: a family of algorithms per file, each with the functions
 * of struct crypto_library that depend on the algorithm. */
#ifndef TLSMETER_CRYPTO_FAMILY_H
#define TLSMETER_CRYPTO_FAMILY_H

#include "core/error.h"
#include "crypto/crypto.h"

struct crypto_family {
    const char *(*supports)(const struct crypto_request *request);
    struct crypto_operation *(*open)(const struct crypto_request *request, struct error *error);
    bool (*run)(struct crypto_operation *operation, uint64_t count, struct error *error);
    bool (*verify)(struct crypto_operation *operation, struct error *error);
    size_t (*once)(struct crypto_operation *operation, unsigned char *output, size_t capacity);
    const char *(*provider)(const struct crypto_operation *operation); /* NULL: there are none */
    void (*close)(struct crypto_operation *operation);
};

/* Opens a request that the library supports, and remembers the family; what it does not support is
 * refused with its reason. */
struct crypto_operation *crypto_family_open(const struct crypto_library *library,
                                            const struct crypto_family *family,
                                            const struct crypto_request *request,
                                            struct error *error);
/* The functions of struct crypto_library for operations opened so. */
bool crypto_family_run(struct crypto_operation *operation, uint64_t count, struct error *error);
bool crypto_family_verify(struct crypto_operation *operation, struct error *error);
size_t crypto_family_once(struct crypto_operation *operation, unsigned char *output,
                          size_t capacity);
void crypto_family_close(struct crypto_operation *operation);

/* Why a request cannot be opened, in static storage of the calling thread. */
const char *crypto_reason(const char *format, ...) PRINTF_LIKE(1, 2);
/* For operations whose output differs from run to run: nothing to compare. */
size_t crypto_once_nothing(struct crypto_operation *operation, unsigned char *output,
                           size_t capacity);

#endif
