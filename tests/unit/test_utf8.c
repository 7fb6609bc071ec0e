#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/attributes.h"
#include "core/utf8.h"

/* RFC 3629 section 7 gives the first three; the rest are its limits and what it forbids. */
static void decodes_by_rfc_3629(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t character;
        size_t length;
    } cases[] = {
        {"\xE2\x89\xA2", 0x2262, 3}, /* NOT IDENTICAL TO */
        {"\xED\x95\x9C", 0xD55C, 3},
        {"\xF0\xA3\x8E\xB4", 0x233B4, 4},
        {"\xC2\x80", 0x80, 2},
        {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
        {"\xF4\x90\x80\x80", UTF8_INVALID, 1}, /* above U+10FFFF */
        {"\xC0\xAF", UTF8_INVALID, 1},         /* overlong "/" */
        {"\xE0\x80\xAF", UTF8_INVALID, 1},
        {"\xED\xA0\x80", UTF8_INVALID, 1}, /* a surrogate */
        {"\xE2\x89", UTF8_INVALID, 1},     /* cut short by the NUL */
        {"\x89", UTF8_INVALID, 1},
        {"\xFF", UTF8_INVALID, 1},
        {"a", 'a', 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t length = 0;
        assert_int_equal(utf8_decode(cases[i].text, &length), cases[i].character);
        assert_int_equal(length, cases[i].length);
    }
}

static void counts_terminal_columns(void **state)
{
    (void)state;
    assert_int_equal(utf8_columns("12.3 µs"), 7);
    assert_int_equal(utf8_columns("70.5¹"), 5);
    assert_int_equal(utf8_columns("e\xCC\x81"), 1); /* a combining accent takes none */
    assert_int_equal(utf8_columns("日本"), 4);
    assert_int_equal(utf8_columns("\xFFx"), 2);
    assert_int_equal(utf8_fit("日本", 3), 3); /* half a character does not fit */
    assert_int_equal(utf8_fit("µs", 1), 2);
    assert_int_equal(utf8_fit("ab", 5), 2);
}

static void cleans_in_place(void **state)
{
    (void)state;
    char text[] = "a\033[31mb\n\xC2\x9B \xE2\x89\xA2\xFF\x7F";
    utf8_clean(text);
    assert_string_equal(text, "a?[31mb?? \xE2\x89\xA2??");
}

static void expect_wrap(const char *text, size_t column, size_t indent, size_t width,
                        const char *expected)
{
    struct buffer out;
    buffer_init(&out, 1000);
    utf8_wrap(text, column, indent, width, &out);
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

static void wraps_words(void **state)
{
    (void)state;
    expect_wrap("one two three", 0, 0, 7, "one two\nthree\n");
    expect_wrap("one two three", 4, 4, 11, "one two\n    three\n");
    expect_wrap("µs µs µs", 0, 0, 5, "µs µs\nµs\n");
    expect_wrap("a\n\nb c", 0, 2, 80, "a\n\n  b c\n");
    expect_wrap("incomprehensibilities it", 0, 0, 10, "incomprehensibilities\nit\n");
    expect_wrap("never  wrapped at all", 0, 0, 0, "never wrapped at all\n");
    expect_wrap("95\xC2\xA0% of it", 0, 0, 6, "95\xC2\xA0%\nof it\n"); /* no break between */
    expect_wrap("", 0, 0, 10, "\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_by_rfc_3629),
        cmocka_unit_test(counts_terminal_columns),
        cmocka_unit_test(cleans_in_place),
        cmocka_unit_test(wraps_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
