/* CPU counters: either they count, or they say why not; both ends are checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure/counters.h"

static void test_count_or_say_why(void **state)
{
    (void)state;
    struct counters counters;
    struct counter_values before;
    struct counter_values after;
    struct error error = {.code = ERROR_NONE};
    if (!counters_open(&counters, &error)) {
        assert_int_equal(error.code, ERROR_UNAVAILABLE);
        assert_true(strlen(error.text) > 10);
        assert_int_equal(counters.cycles_fd, -1);
        assert_int_equal(counters.instructions_fd, -1);
        return;
    }
    assert_true(counters_read(&counters, &before));
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < 100000; i++)
        sum = sum + i;
    assert_true(counters_read(&counters, &after));
    /* A step of the loop is at least two instructions. */
    assert_true(after.instructions - before.instructions >= 200000);
    assert_true(after.cycles > before.cycles);
    counters_close(&counters);
    assert_int_equal(counters.cycles_fd, -1);
}

static void test_closed_counters_do_not_read(void **state)
{
    (void)state;
    struct counters counters = {-1, -1};
    struct counter_values values;
    assert_false(counters_read(&counters, &values));
    counters_close(&counters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count_or_say_why),
        cmocka_unit_test(test_closed_counters_do_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
