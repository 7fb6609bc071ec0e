#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/buffer.h"

static void texts_are_joined(void **state)
{
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer, 1000);
    assert_string_equal(buffer_text(&buffer), "");
    buffer_append_text(&buffer, "one");
    buffer_append_char(&buffer, ' ');
    buffer_append(&buffer, "two!", 3);
    buffer_printf(&buffer, " %d %s", 3, "four");
    assert_string_equal(buffer_text(&buffer), "one two 3 four");
    assert_int_equal(buffer.length, 14);
    buffer_clear(&buffer);
    assert_string_equal(buffer_text(&buffer), "");
    buffer_free(&buffer);
}

/* Formatted texts that fit, that just do not, and that need several times the room. */
static void formatted_texts_of_any_length_are_whole(void **state)
{
    (void)state;
    char expected[1200];
    memset(expected, 'x', sizeof expected);
    for (int length = 0; length < 1200; length++) {
        struct buffer buffer;
        buffer_init(&buffer, 2000);
        buffer_append_text(&buffer, "ab");
        buffer_printf(&buffer, "%.*s", length, expected);
        assert_false(buffer.failed);
        assert_int_equal(buffer.length, length + 2);
        assert_memory_equal(buffer.data, "ab", 2);
        assert_memory_equal(buffer.data + 2, expected, (size_t)length);
        assert_int_equal(buffer.data[buffer.length], '\0');
        buffer_free(&buffer);
    }
}

/* At the maximum it is still good; one byte more, and it keeps what it had and fails for good. */
static void the_maximum_holds(void **state)
{
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer, 5);
    buffer_printf(&buffer, "%s", "12345");
    assert_false(buffer.failed);
    buffer_printf(&buffer, "%s", "6");
    assert_true(buffer.failed);
    assert_string_equal(buffer_text(&buffer), "12345");
    buffer_append_text(&buffer, "");
    buffer_append_text(&buffer, "7");
    assert_string_equal(buffer_text(&buffer), "12345");
    buffer_clear(&buffer);
    buffer_append_text(&buffer, "again");
    assert_false(buffer.failed);
    assert_string_equal(buffer_text(&buffer), "again");
    buffer_append_char(&buffer, '!');
    assert_true(buffer.failed);
    buffer_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_joined),
        cmocka_unit_test(formatted_texts_of_any_length_are_whole),
        cmocka_unit_test(the_maximum_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
