/* Walks over everything that can be asked of a library: every algorithm, operation, padding, kind
 * of peer key, mode, and some sizes. For the tests of the libraries. */
#ifndef TLSMETER_TESTS_CRYPTO_REQUESTS_H
#define TLSMETER_TESTS_CRYPTO_REQUESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "crypto/crypto.h"
#include "crypto/request.h"

static inline void for_each_request(void (*visit)(const struct crypto_request *request))
{
    static const uint32_t sizes[] = {16, 64, 1424, 8192, 65536, 17};
    size_t algorithms;
    const struct crypto_algorithm *list = crypto_algorithms(&algorithms);
    for (size_t i = 0; i < algorithms; i++) {
        struct crypto_request variants[CRYPTO_MOST_VARIANTS];
        char reason[128];
        size_t count = crypto_request_variants(&list[i], variants);
        for (size_t j = 0; j < count; j++) {
            if (!crypto_kind_has_size(list[i].kind)) {
                visit(&variants[j]);
                continue;
            }
            for (int mode = 0; mode <= CRYPTO_MODE_OPENSSL_SPEED; mode++)
                for (size_t size = 0; size < COUNT_OF(sizes); size++) {
                    variants[j].mode = (enum crypto_mode)mode;
                    variants[j].size_bytes = sizes[size];
                    if (crypto_size_refusal(&list[i], sizes[size], reason) == NULL)
                        visit(&variants[j]);
                }
        }
    }
}

/* A library's whole life of one request: opened, verified, run, described, closed. */
static inline void exercise(const struct crypto_library *library,
                            const struct crypto_request *request)
{
    struct error error = {.code = ERROR_NONE};
    char label[160];
    (void)snprintf(label, sizeof label, "%s %s %s %s %s %u", library->name,
                   request->algorithm->name, crypto_operation_name(request->operation),
                   crypto_mode_name(request->mode), crypto_padding_name(request->padding),
                   request->size_bytes);
    struct crypto_operation *operation = library->open(request, &error);
    if (operation == NULL)
        fail_msg("%s: open: %s", label, error.text);
    if (!library->verify(operation, &error))
        fail_msg("%s: verify: %s", label, error.text);
    uint64_t runs = request->operation == CRYPTO_KEYGEN ? 1 : 3;
    if (!library->run(operation, runs, &error))
        fail_msg("%s: run: %s", label, error.text);
    if (!library->verify(operation, &error)) /* running does not spoil it */
        fail_msg("%s: verify again: %s", label, error.text);
    struct cell cell;
    cell_init(&cell);
    library->describe(operation, &cell);
    assert_false(cell.failed);
    cell_free(&cell);
    library->close(operation);
}

#endif
