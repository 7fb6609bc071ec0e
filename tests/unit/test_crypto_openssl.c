/* Everything OpenSSL offers here: opened, verified against published answers, run. */
#include "crypto_requests.h"

#include <sys/wait.h>
#include <unistd.h>

static size_t exercised;
static size_t refused;

static void visit(const struct crypto_request *request)
{
    const struct crypto_library *library = crypto_library_find("openssl");
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
    if (crypto_library_find("openssl")->unavailable() != NULL)
        skip();
    for_each_request(visit);
    print_message("%zu requests exercised, %zu refused with a reason\n", exercised, refused);
    assert_true(exercised > 400);
}

static void describe_gcm(struct cell *cell)
{
    const struct crypto_library *library = crypto_library_find("openssl");
    struct crypto_request request = {.algorithm = crypto_algorithm_find("aes-128-gcm"),
                                     .operation = CRYPTO_ENCRYPT,
                                     .size_bytes = 64};
    struct crypto_operation *operation = library->open(&request, NULL);
    assert_non_null(operation);
    cell_init(cell);
    library->describe(operation, cell);
    library->close(operation);
}

/* This program again with the setting in its environment; reads what `features` prints. */
static void features_in_child(const char *setting, char *text, size_t capacity)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char copy[128];
        (void)snprintf(copy, sizeof copy, "%s", setting);
        char *environment[] = {copy, NULL};
        char name[] = "test", argument[] = "features";
        char *arguments[] = {name, argument, NULL};
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)execve("/proc/self/exe", arguments, environment);
        _exit(127);
    }
    (void)close(ends[1]);
    ssize_t length = read(ends[0], text, capacity - 1);
    (void)close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(length > 0);
    text[length] = '\0';
}

static int print_features(void)
{
    struct cell cell;
    char scratch[32];
    describe_gcm(&cell);
    const char *text = attributes_text(&cell.implementation, "cpu_features", scratch);
    (void)fprintf(stdout, ",%s,", text);
    cell_free(&cell);
    return fflush(stdout) == 0 ? 0 : 1;
}

static void test_features_off_switches_them_off(void **state)
{
    (void)state;
    static const char *const gone[] = {",aes,",  ",pclmul,", ",vaes,",  ",vpclmul,", ",sha,",
                                       ",sha1,", ",sha256,", ",pmull,", ",sha512,",  ",sha3,"};
    const char *why;
    if (crypto_library_find("openssl")->unavailable() != NULL)
        skip();
    const char *setting = crypto_library_find("openssl")->features_off(&why);
    if (setting == NULL) {
        print_message("%s\n", why);
        skip();
    }
    char text[256];
    features_in_child(setting, text, sizeof text);
    for (size_t i = 0; i < COUNT_OF(gone); i++)
        if (strstr(text, gone[i]) != NULL)
            fail_msg("%s is still in %s", gone[i], text);
}

static void test_description(void **state)
{
    (void)state;
    if (crypto_library_find("openssl")->unavailable() != NULL)
        skip();
    struct cell cell;
    char scratch[32];
    describe_gcm(&cell);
    assert_string_equal(attributes_text(&cell.implementation, "provider", scratch), "default");
    assert_true(strlen(attributes_text(&cell.implementation, "cpu_features", scratch)) > 2);
    cell_free(&cell);
}

/* A loop that runs longer than the nonce's and key's first byte count, and once() stays the same.
 */
static void test_once_does_not_depend_on_history(void **state)
{
    (void)state;
    const struct crypto_library *library = crypto_library_find("openssl");
    if (library->unavailable() != NULL)
        skip();
    static const char *const names[] = {"aes-128-gcm", "aes-128-cbc", "hmac-sha256"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct crypto_request request = {
            .algorithm = crypto_algorithm_find(names[i]),
            .operation = i == 2 ? CRYPTO_AUTHENTICATE : CRYPTO_ENCRYPT,
            .mode = CRYPTO_MODE_MESSAGE,
            .size_bytes = 64,
        };
        unsigned char first[96], again[96];
        struct crypto_operation *operation = library->open(&request, NULL);
        assert_non_null(operation);
        size_t length = library->once(operation, first, sizeof first);
        assert_true(length > 0);
        assert_true(library->run(operation, 300, NULL));
        assert_int_equal(library->once(operation, again, sizeof again), length);
        assert_memory_equal(first, again, length);
        library->close(operation);
    }
}

int main(int argument_count, char **arguments)
{
    if (argument_count == 2 && strcmp(arguments[1], "features") == 0)
        return print_features();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_request),
        cmocka_unit_test(test_features_off_switches_them_off),
        cmocka_unit_test(test_description),
        cmocka_unit_test(test_once_does_not_depend_on_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
