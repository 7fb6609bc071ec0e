#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "core/attributes.h"
#include "core/text.h"

static void glob_matches_the_whole_text(void **state)
{
    (void)state;
    assert_true(text_glob("aes-*-gcm", "aes-128-gcm"));
    assert_true(text_glob("*", ""));
    assert_true(text_glob("AES-?28-gcm", "aes-128-GCM"));
    assert_true(text_glob("a*b*c", "aXbYbZc"));
    assert_true(text_glob("sha256", "sha256"));
    assert_false(text_glob("sha", "sha256"));
    assert_false(text_glob("aes-*-gcm", "aes-128-gcm-siv"));
    assert_false(text_glob("?", ""));
    assert_false(text_glob("", "a"));
    assert_true(text_has_glob("aes-*"));
    assert_false(text_has_glob("aes-128-gcm"));
}

/* A pattern that would take exponential time by recursion: 2^60 steps. */
static void glob_is_never_exponential(void **state)
{
    (void)state;
    char text[2001];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(text_glob("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

static void expect_nearest(const char *typed, const char *expected)
{
    static const char *const names[] = {"aes-128-gcm", "aes-256-gcm",       "aes-128-ccm",
                                        "sha256",      "chacha20-poly1305", "x25519"};
    struct buffer out;
    buffer_init(&out, 200);
    text_nearest(typed, names, COUNT_OF(names), &out);
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

static void nearest_names_come_nearest_first(void **state)
{
    (void)state;
    /* Two hyphens are missing; to aes-128-ccm it is one letter more. */
    expect_nearest("aes128gcm", "aes-128-gcm, aes-128-ccm");
    /* Neighbours that changed places are one slip. */
    expect_nearest("sah256", "sha256");
    expect_nearest("SHA256", "sha256");
    /* Contained: within the word, however long the rest. */
    expect_nearest("poly", "chacha20-poly1305");
    expect_nearest("camellia", "");
    expect_nearest("", "");
    expect_nearest("an-algorithm-name-that-is-much-longer-than-any-name-could-ever-be-in-here", "");
}

static void at_most_three_are_near(void **state)
{
    (void)state;
    static const char *const names[] = {"aa1", "aa2", "aa3", "aa4"};
    struct buffer out;
    buffer_init(&out, 200);
    text_nearest("aa", names, COUNT_OF(names), &out);
    assert_string_equal(buffer_text(&out), "aa1, aa2, aa3");
    buffer_free(&out);
}

static void durations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t ns;
    } good[] = {{"250ms", 250000000}, {"1.5s", 1500000000},   {"2us", 2000}, {"30 s", 30000000000},
                {"7ns", 7},           {"2min", 120000000000}, {"3µs", 3000}, {".5ms", 500000}};
    struct error error;
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        uint64_t ns = 0;
        assert_true(text_parse_duration(good[i].text, &ns, &error));
        assert_int_equal(ns, good[i].ns);
    }
    static const char *const bad[] = {"",    "5",    "s",       "1h",    "1.2.3s",         "-1s",
                                      "1s ", "1e3s", "0x10 ns", "nan s", "999999999999min"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        uint64_t ns = 0;
        assert_false(text_parse_duration(bad[i], &ns, &error));
        assert_int_equal(error.code, ERROR_USAGE);
    }
    assert_false(text_parse_duration("5", &(uint64_t){0}, &error));
    assert_non_null(strstr(error.text, "like 250ms"));
}

static void sizes(void **state)
{
    (void)state;
    struct error error;
    uint64_t bytes = 0;
    assert_true(text_parse_size("1420", &bytes, &error));
    assert_int_equal(bytes, 1420);
    assert_true(text_parse_size("16KiB", &bytes, &error));
    assert_int_equal(bytes, 16384);
    assert_true(text_parse_size("16 KiB", &bytes, &error));
    assert_int_equal(bytes, 16384);
    assert_true(text_parse_size("3MiB", &bytes, &error));
    assert_int_equal(bytes, 3145728);
    assert_true(text_parse_size("17179869183GiB", &bytes, &error));
    assert_int_equal(bytes, UINT64_MAX - 1073741823);
    static const char *const bad[] = {"",    "16k", "16KB",           "1.5KiB",
                                      "-16", "KiB", "17179869184GiB", "99999999999999999999999"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_false(text_parse_size(bad[i], &bytes, &error));
}

static void ratios(void **state)
{
    (void)state;
    struct error error;
    double ratio = 0;
    assert_true(text_parse_ratio("1%", &ratio, &error));
    assert_float_equal(ratio, 0.01, 1e-12);
    assert_true(text_parse_ratio("0.25", &ratio, &error));
    assert_float_equal(ratio, 0.25, 1e-12);
    assert_true(text_parse_ratio("100%", &ratio, &error));
    assert_float_equal(ratio, 1, 1e-12);
    static const char *const bad[] = {"", "0", "0%", "101%", "1.01", "-1%", "1%%", "x", "%"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_false(text_parse_ratio(bad[i], &ratio, &error));
}

static void whole_numbers(void **state)
{
    (void)state;
    struct error error;
    uint64_t value = 0;
    assert_true(text_parse_u64("18446744073709551615", 0, UINT64_MAX, &value, &error));
    assert_true(value == UINT64_MAX);
    assert_true(text_parse_u64("8", 1, 8, &value, &error));
    assert_false(text_parse_u64("9", 1, 8, &value, &error));
    assert_non_null(strstr(error.text, "from 1 to 8"));
    assert_false(text_parse_u64("0", 1, 8, &value, &error));
    assert_false(text_parse_u64("18446744073709551616", 0, UINT64_MAX, &value, &error));
    assert_false(text_parse_u64(" 4", 0, 8, &value, &error));
    assert_false(text_parse_u64("4x", 0, 8, &value, &error));
    assert_false(text_parse_u64("", 0, 8, &value, &error));
}

static void expect_format(void (*format)(double, struct buffer *), double value,
                          const char *expected)
{
    struct buffer out;
    buffer_init(&out, 64);
    format(value, &out);
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

static void numbers_for_people(void **state)
{
    (void)state;
    expect_format(text_format_ns, 0.523, "0.52 ns");
    expect_format(text_format_ns, 227.4, "227 ns");
    expect_format(text_format_ns, 999.6, "1.00 µs"); /* rounds up into the next unit */
    expect_format(text_format_ns, 12345, "12.3 µs");
    expect_format(text_format_ns, 2.5e9, "2.50 s");
    expect_format(text_format_ns, 7.2e12, "7200 s");
    expect_format(text_format_ns, NAN, "-");
    expect_format(text_format_bytes_per_s, 1.734e9, "1.73 GB/s");
    expect_format(text_format_bytes_per_s, 512, "512 B/s");
    expect_format(text_format_per_s, 40230, "40.2 k/s");
    expect_format(text_format_per_s, 9.999, "10.0 /s");
}

static void expect_size(uint64_t bytes, const char *expected)
{
    struct buffer out;
    buffer_init(&out, 64);
    text_format_size(bytes, &out);
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

static void sizes_for_people(void **state)
{
    (void)state;
    expect_size(16, "16 B");
    expect_size(1420, "1420 B");
    expect_size(16384, "16 KiB");
    expect_size(1536, "1536 B");
    expect_size(1048576, "1 MiB");
    expect_size(0, "0 B");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(glob_matches_the_whole_text),
        cmocka_unit_test(glob_is_never_exponential),
        cmocka_unit_test(nearest_names_come_nearest_first),
        cmocka_unit_test(at_most_three_are_near),
        cmocka_unit_test(durations),
        cmocka_unit_test(sizes),
        cmocka_unit_test(ratios),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(numbers_for_people),
        cmocka_unit_test(sizes_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
