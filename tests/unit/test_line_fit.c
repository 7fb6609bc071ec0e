/* The weighted line against R, and by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/line_fit.h"

static void near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-9 * fabs(expected));
}

/* R 4.2.2: summary(lm(y ~ x, weights = 1 / y^2)). */
static void it_is_the_line_of_r(void **state)
{
    (void)state;
    const double x[] = {0, 100, 1024, 10240, 102400, 1048576};
    const double y[] = {41000, 40500, 42100, 47000, 98000, 610000};
    struct line_fit fit;
    assert_true(line_fit(x, y, 6, &fit));
    near(fit.fixed, 4.11063483169e+04);
    near(fit.fixed_error, 2.49031652035e+02);
    near(fit.slope, 5.46456956496e-01);
    near(fit.slope_error, 5.93821061399e-03);
}

static void points_on_a_line_have_no_error(void **state)
{
    (void)state;
    const double x[] = {0, 10, 20}, y[] = {5, 25, 45};
    struct line_fit fit;
    assert_true(line_fit(x, y, 3, &fit));
    near(fit.fixed, 5);
    near(fit.slope, 2);
    assert_true(fit.worst_ratio < 1e-12 && fit.slope_error < 1e-9);
    assert_true(line_fit(x, y, 2, &fit));
    assert_true(isnan(fit.fixed_error));
}

static void what_is_no_line_is_refused(void **state)
{
    (void)state;
    const double x[] = {7, 7, 7}, y[] = {1, 2, 3}, zero[] = {1, 0, 2}, other[] = {1, 2, 3};
    struct line_fit fit;
    assert_false(line_fit(x, y, 3, &fit));
    assert_false(line_fit(other, zero, 3, &fit));
    assert_false(line_fit(other, y, 1, &fit));
    assert_false(line_fit(other, y, 0, &fit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_line_of_r),
        cmocka_unit_test(points_on_a_line_have_no_error),
        cmocka_unit_test(what_is_no_line_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
