/*
 * All libraries that are here compute the same on the same input: once() of every request, compared
 * between each two that support it and have a comparable output.
 */
#include "crypto_requests.h"

#include <stdlib.h>

enum { MOST_OUTPUT_BYTES = 65536 + 64 };

struct answer {
    const struct crypto_library *from; /* NULL: nobody yet */
    unsigned char *bytes;
    size_t length;
};

static size_t answers, comparisons, repeats;

static size_t ask(const struct crypto_library *library, const struct crypto_request *request,
                  unsigned char *bytes)
{
    if (library->unavailable() != NULL || library->supports(request) != NULL)
        return 0;
    struct error error = {0};
    struct crypto_operation *operation = library->open(request, &error);
    if (operation == NULL)
        fail_msg("%s %s: %s", library->name, request->algorithm->name, error.text);
    size_t length = library->once(operation, bytes, MOST_OUTPUT_BYTES);
    if (length > 1)
        assert_int_equal(library->once(operation, bytes, length - 1), 0); /* never too much */
    library->close(operation);
    return length;
}

static void compare(const struct answer *first, const struct crypto_library *library,
                    const unsigned char *bytes, size_t length, const struct crypto_request *request)
{
    if (first->length == length && memcmp(first->bytes, bytes, length) == 0)
        return;
    fail_msg("%s and %s differ in %s %s %s %u", first->from->name, library->name,
             request->algorithm->name, crypto_operation_name(request->operation),
             crypto_mode_name(request->mode), request->size_bytes);
}

static void visit(const struct crypto_request *request)
{
    bool is_keygen = request->operation == CRYPTO_KEYGEN; /* slow, and never comparable */
    if (is_keygen || request->mode == CRYPTO_MODE_OPENSSL_SPEED)
        return;
    size_t count;
    const struct crypto_library *const *libraries = crypto_libraries(&count);
    struct answer first = {.bytes = malloc(MOST_OUTPUT_BYTES)};
    unsigned char *bytes = malloc(MOST_OUTPUT_BYTES);
    assert_non_null(first.bytes);
    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++) {
        size_t length = ask(libraries[i], request, bytes);
        if (length == 0)
            continue;
        answers++;
        if (first.from != NULL) {
            compare(&first, libraries[i], bytes, length, request);
            comparisons++;
            continue;
        }
        first.from = libraries[i];
        first.length = length;
        memcpy(first.bytes, bytes, length);
        assert_int_equal(ask(libraries[i], request, bytes), length); /* and again the same */
        compare(&first, libraries[i], bytes, length, request);
        repeats++;
    }
    free(first.bytes);
    free(bytes);
}

static void libraries_agree(void **state)
{
    (void)state;
    for_each_request(visit);
    size_t count, present = 0;
    const struct crypto_library *const *libraries = crypto_libraries(&count);
    for (size_t i = 1; i < count; i++) /* null has no answers */
        present += libraries[i]->unavailable() == NULL;
    print_message("%zu libraries, %zu answers, %zu comparisons, %zu repeated\n", present, answers,
                  comparisons, repeats);
    if (present == 0)
        skip();
    assert_true(repeats > 100);
    assert_true(present < 2 || comparisons > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(libraries_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
