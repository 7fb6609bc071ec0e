#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "cli/option.h"
#include "core/attributes.h"

struct settings {
    const char *output, *mode;
    struct text_list algorithms, libraries;
    struct size_list sizes;
    uint64_t threads, max_time_ns;
    double target;
    bool quick, samples;
};

static const char *const modes[] = {"record", "message", "stream", NULL};
static const char *const libraries[] = {"openssl", "mbedtls", "wolfssl", NULL};

#define AT(field) .offset = offsetof(struct settings, field)

static const struct option options[] = {
    {.name = "output", .kind = OPTION_TEXT, AT(output), .argument = "FILE.jsonl"},
    {.name = "mode",
     .kind = OPTION_CHOICE,
     AT(mode),
     .argument = "MODE",
     .otherwise = "record",
     .choices = modes},
    {.name = "algorithm", .kind = OPTION_LIST, AT(algorithms), .argument = "GLOB,..."},
    {.name = "library",
     .kind = OPTION_LIST,
     AT(libraries),
     .argument = "NAME,...",
     .choices = libraries},
    {.name = "sizes",
     .kind = OPTION_SIZES,
     AT(sizes),
     .argument = "SIZE,...",
     .otherwise = "16,1KiB"},
    {.name = "threads",
     .kind = OPTION_NUMBER,
     AT(threads),
     .argument = "N",
     .otherwise = "1",
     .minimum = 1,
     .maximum = 64},
    {.name = "max-time",
     .kind = OPTION_DURATION,
     AT(max_time_ns),
     .argument = "TIME",
     .otherwise = "1s"},
    {.name = "target", .kind = OPTION_RATIO, AT(target), .argument = "P%", .otherwise = "1%"},
    {.name = "quick", .kind = OPTION_FLAG, AT(quick)},
    {.name = "samples", .kind = OPTION_FLAG, AT(samples), .otherwise = "true"},
    {.name = "child", .kind = OPTION_FLAG, AT(quick), .hidden = true},
};

static const struct command command = {
    .name = "crypto",
    .operands = "FILE",
    .maximum_operands = 1,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct settings),
};

/* Parses the words up to NULL; true when they are accepted. */
static bool parse(const char *const *words, struct settings *settings, const char **operands,
                  size_t *operand_count, struct error *error)
{
    int count = 0;
    while (words[count] != NULL)
        count++;
    return options_parse(&command, count, words, settings, operands, operand_count, error);
}

static void expect_refusal(const char *const *words, const char *expected)
{
    struct settings settings;
    const char *operands[8];
    size_t count = 0;
    struct error error;
    assert_false(parse(words, &settings, operands, &count, &error));
    assert_string_equal(error.text, expected);
    assert_int_equal(error.code, ERROR_USAGE);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void defaults_are_not_given(void **state)
{
    (void)state;
    struct settings settings;
    struct error error;
    assert_true(options_default(&command, &settings, &error));
    assert_null(settings.output);
    assert_string_equal(settings.mode, "record");
    assert_int_equal(settings.sizes.count, 2);
    assert_int_equal(settings.sizes.items[1], 1024);
    assert_false(settings.sizes.given);
    assert_false(settings.algorithms.given);
    assert_int_equal(settings.threads, 1);
    assert_int_equal(settings.max_time_ns, 1000000000);
    assert_float_equal(settings.target, 0.01, 1e-12);
    assert_false(settings.quick);
    assert_true(settings.samples);
}

static void all_kinds_are_parsed(void **state)
{
    (void)state;
    struct settings settings;
    const char *operands[32];
    size_t count = 0;
    struct error error;
    assert_true(parse(WORDS("--output", "a.jsonl", "--mode=stream", "in.txt", "--algorithm",
                            "aes-*, sha256", "--library", "*ssl", "--sizes=5,2MiB", "--threads",
                            "4", "--max-time", "250ms", "--target=0.5%", "--quick", "--no-samples"),
                      &settings, operands, &count, &error));
    assert_string_equal(settings.output, "a.jsonl");
    assert_string_equal(settings.mode, "stream");
    assert_true(settings.algorithms.given);
    assert_int_equal(settings.algorithms.count, 2);
    assert_string_equal(settings.algorithms.items[0], "aes-*");
    assert_string_equal(settings.algorithms.items[1], "sha256");
    assert_int_equal(settings.libraries.count, 2); /* the glob stands for its choices */
    assert_string_equal(settings.libraries.items[0], "openssl");
    assert_string_equal(settings.libraries.items[1], "wolfssl");
    assert_true(settings.sizes.given);
    assert_int_equal(settings.sizes.count, 2);
    assert_int_equal(settings.sizes.items[0], 5);
    assert_int_equal(settings.sizes.items[1], 2097152);
    assert_int_equal(settings.threads, 4);
    assert_int_equal(settings.max_time_ns, 250000000);
    assert_float_equal(settings.target, 0.005, 1e-12);
    assert_true(settings.quick);
    assert_false(settings.samples);
    assert_int_equal(count, 1);
    assert_string_equal(operands[0], "in.txt");
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    struct settings settings;
    const char *operands[8];
    size_t count = 0;
    struct error error;
    assert_true(parse(WORDS("--", "--quick"), &settings, operands, &count, &error));
    assert_false(settings.quick);
    assert_string_equal(operands[0], "--quick");
    assert_true(parse(WORDS("-"), &settings, operands, &count, &error));
    assert_string_equal(operands[0], "-");
}

static void refusals_say_what_would_be_right(void **state)
{
    (void)state;
    expect_refusal(WORDS("--algoritm", "x"),
                   "unknown option --algoritm; did you mean --algorithm?");
    expect_refusal(WORDS("--frobnicate"),
                   "unknown option --frobnicate; see tlsmeter crypto --help");
    expect_refusal(WORDS("-q"),
                   "unknown option -q; options have long names, see tlsmeter crypto --help");
    expect_refusal(WORDS("--mode", "strem"), "--mode: \"strem\" is unknown; did you mean stream?");
    expect_refusal(WORDS("--mode", "gcm"),
                   "--mode: \"gcm\" is unknown; choose from record, message, stream");
    expect_refusal(WORDS("--library", "openssl,bearssl"),
                   "--library: \"bearssl\" is unknown; choose from openssl, mbedtls, wolfssl");
    expect_refusal(WORDS("--library=x*"),
                   "--library: \"x*\" is unknown; choose from openssl, mbedtls, wolfssl");
    expect_refusal(WORDS("--output", "--quick"), "--output: needs a value: FILE.jsonl");
    expect_refusal(WORDS("--output"), "--output: needs a value: FILE.jsonl");
    expect_refusal(WORDS("--sizes="), "--sizes: needs a value: SIZE,...");
    expect_refusal(
        WORDS("--sizes", "16,5k"),
        "--sizes: \"5k\" is not a size: give bytes or KiB, MiB, GiB, like 1420 or 16KiB");
    expect_refusal(WORDS("--algorithm", "a,,b"), "--algorithm: \"a,,b\" has an empty item");
    expect_refusal(WORDS("--threads", "65"),
                   "--threads: \"65\" is not a whole number from 1 to 64");
    expect_refusal(WORDS("--quick=maybe"), "--quick: \"maybe\" is not true or false");
    expect_refusal(WORDS("--no-output"), "unknown option --no-output; did you mean --output?");
    expect_refusal(WORDS("a", "b"), "takes FILE only, but was given \"b\" as well");
}

static void lists_are_bounded(void **state)
{
    (void)state;
    char many[4 * (OPTION_LIST_MAXIMUM + 1)] = "";
    for (size_t i = 0; i <= OPTION_LIST_MAXIMUM; i++)
        memcpy(many + 3 * i, "16,", 3);
    many[3 * (OPTION_LIST_MAXIMUM + 1) - 1] = '\0';
    struct settings settings;
    struct error error;
    assert_true(options_default(&command, &settings, &error));
    assert_false(option_set(&command, &settings, "sizes", many, &error));
    assert_int_equal(error.code, ERROR_LIMIT);
    assert_false(option_set(&command, &settings, "algorithm", many, &error));
    assert_int_equal(error.code, ERROR_LIMIT);
}

static void plans_set_options_by_name(void **state)
{
    (void)state;
    struct settings settings;
    struct error error;
    assert_true(options_default(&command, &settings, &error));
    assert_true(option_set(&command, &settings, "quick", "true", &error));
    assert_true(option_set(&command, &settings, "samples", "false", &error));
    assert_true(settings.quick);
    assert_false(settings.samples);
    assert_false(option_set(&command, &settings, "size", "1", &error));
    assert_string_equal(error.text, "unknown key size; did you mean sizes?");
    assert_false(option_set(&command, &settings, "target", "2", &error));
    assert_string_equal(error.text, "target: \"2\" is out of range: above 0%, at most 100%");
    /* A later value of a list replaces the earlier one. */
    assert_true(option_set(&command, &settings, "sizes", "1,2,3", &error));
    assert_true(option_set(&command, &settings, "sizes", "4", &error));
    assert_int_equal(settings.sizes.count, 1);
}

static int forget(void **state)
{
    (void)state;
    options_forget();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(defaults_are_not_given, forget),
        cmocka_unit_test_teardown(all_kinds_are_parsed, forget),
        cmocka_unit_test_teardown(two_dashes_end_the_options, forget),
        cmocka_unit_test_teardown(refusals_say_what_would_be_right, forget),
        cmocka_unit_test_teardown(lists_are_bounded, forget),
        cmocka_unit_test_teardown(plans_set_options_by_name, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
