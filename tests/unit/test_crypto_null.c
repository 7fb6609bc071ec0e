/* The library that does nothing lives like the others. */
#include "crypto_requests.h"

#include "crypto/libraries.h"

static size_t exercised;

static void visit(const struct crypto_request *request)
{
    if (crypto_null.supports(request) != NULL)
        return;
    exercise(&crypto_null, request);
    exercised++;
}

static void every_sized_request_lives(void **state)
{
    (void)state;
    assert_null(crypto_null.unavailable());
    for_each_request(visit);
    assert_true(exercised > 400);
}

static void it_has_nothing_to_compare(void **state)
{
    (void)state;
    struct crypto_request request = {.algorithm = crypto_algorithm_find("aes-128-gcm"),
                                     .operation = CRYPTO_ENCRYPT,
                                     .size_bytes = 16384};
    struct crypto_operation *operation = crypto_null.open(&request, NULL);
    unsigned char output[64];
    const char *why = NULL;
    assert_non_null(operation);
    assert_ptr_equal(operation->library, &crypto_null);
    assert_int_equal(crypto_null.once(operation, output, sizeof output), 0);
    assert_true(crypto_null.run(operation, 0, NULL));
    assert_null(crypto_null.features_off(&why));
    assert_non_null(why);
    crypto_null.close(operation);
    crypto_null.close(NULL);
}

static void it_is_not_openssl_speed(void **state)
{
    (void)state;
    struct crypto_request request = {.algorithm = crypto_algorithm_find("sha256"),
                                     .operation = CRYPTO_HASH,
                                     .mode = CRYPTO_MODE_OPENSSL_SPEED,
                                     .size_bytes = 16};
    assert_non_null(crypto_null.supports(&request));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sized_request_lives),
        cmocka_unit_test(it_has_nothing_to_compare),
        cmocka_unit_test(it_is_not_openssl_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
