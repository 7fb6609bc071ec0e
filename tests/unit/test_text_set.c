#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "core/text_set.h"

static void equal_texts_are_one(void **state)
{
    (void)state;
    struct text_set set = {0};
    char copy[] = "aes-128-gcm";
    const char *first = text_set_add(&set, "aes-128-gcm");
    assert_string_equal(first, "aes-128-gcm");
    assert_ptr_equal(text_set_add(&set, copy), first);
    assert_ptr_not_equal(text_set_add(&set, "aes-256-gcm"), first);
    assert_null(text_set_add(&set, NULL));
    assert_int_equal(set.count, 2);
    assert_false(set.failed);
    text_set_free(&set);
}

static void growing_moves_no_text(void **state)
{
    (void)state;
    enum { TEXTS = 5000 };
    static const char *stored[TEXTS];
    struct text_set set = {0};
    char text[16];
    for (int i = 0; i < TEXTS; i++) {
        (void)snprintf(text, sizeof text, "%d", i);
        stored[i] = text_set_add(&set, text);
    }
    assert_int_equal(set.count, TEXTS);
    for (int i = 0; i < TEXTS; i++) {
        (void)snprintf(text, sizeof text, "%d", i);
        assert_ptr_equal(text_set_add(&set, text), stored[i]);
        assert_string_equal(stored[i], text);
    }
    text_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_are_one),
        cmocka_unit_test(growing_moves_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
