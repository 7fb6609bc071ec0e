/* Statistics against R 4.2.2; each expectation names the R expression it comes from. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "measure/statistics.h"

static const double x[] = {12.1, 11.8, 12.4, 12.0, 15.2, 11.9, 12.3, 12.2, 11.7, 12.5, 12.05, 13.9};

static void close_to(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* quantile(x, c(0, .25, .5, .95, 1)) */
static void test_quantiles(void **state)
{
    (void)state;
    double sorted[COUNT_OF(x)];
    memcpy(sorted, x, sizeof x);
    statistics_sort(sorted, COUNT_OF(x));
    close_to(statistics_quantile(sorted, COUNT_OF(x), 0), 11.7);
    close_to(statistics_quantile(sorted, COUNT_OF(x), 0.25), 11.975);
    close_to(statistics_quantile(sorted, COUNT_OF(x), 0.5), 12.15);
    close_to(statistics_quantile(sorted, COUNT_OF(x), 0.95), 14.485);
    close_to(statistics_quantile(sorted, COUNT_OF(x), 1), 15.2);
    assert_true(isnan(statistics_quantile(sorted, 0, 0.5)));
}

/* mad(c(...), constant = 1) */
static void test_mad(void **state)
{
    (void)state;
    static const double odd[] = {3, 1, 4, 1, 5, 9, 2};
    static const double even[] = {3, 1, 4, 1, 5, 9, 2, 6};
    double scratch[COUNT_OF(x)];
    close_to(statistics_mad(x, COUNT_OF(x), scratch), 0.25);
    close_to(statistics_mad(odd, COUNT_OF(odd), scratch), 2);
    close_to(statistics_mad(even, COUNT_OF(even), scratch), 2);
}

/* k <- qbinom(.025, n, .5); order statistics k and n - k + 1 */
static void test_median_interval(void **state)
{
    (void)state;
    static const struct {
        size_t n, low, high; /* places from 1 */
    } rows[] = {{6, 1, 6}, {7, 1, 7}, {25, 8, 18}, {41, 14, 28}, {100, 40, 61}, {1000, 469, 532}};
    double values[1000];
    for (size_t i = 0; i < COUNT_OF(values); i++)
        values[i] = (double)(i + 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct interval interval = statistics_median_interval(values, rows[i].n, 0.95);
        close_to(interval.low, (double)rows[i].low);
        close_to(interval.high, (double)rows[i].high);
    }
    assert_true(isnan(statistics_median_interval(values, 5, 0.95).low));
    assert_true(isnan(statistics_median_interval(values, 0, 0.95).low));
}

static void test_summary(void **state)
{
    (void)state;
    double values[COUNT_OF(x)];
    struct summary summary;
    memcpy(values, x, sizeof x);
    statistics_summarise(values, COUNT_OF(x), &summary);
    close_to(summary.median, 12.15);
    close_to(summary.ci95_low, 11.9);
    close_to(summary.ci95_high, 12.5);
    close_to(summary.mad, 0.25);
    close_to(summary.min, 11.7);
    close_to(summary.max, 15.2);
    assert_true(isnan(summary.p95));
    assert_true(isnan(summary.p99));
    statistics_summarise(values, 0, &summary);
    assert_true(isnan(summary.median));
}

/* The summary's MAD of sorted values and the plain one agree on any values, ties included. */
static void test_both_mads_agree(void **state)
{
    (void)state;
    struct random_source random;
    random_seed(&random, 3);
    for (int i = 0; i < 500; i++) {
        double values[64];
        double scratch[64];
        struct summary summary;
        size_t n = 1 + random_below(&random, COUNT_OF(values));
        for (size_t j = 0; j < n; j++)
            values[j] = (double)random_below(&random, 20);
        double expected = statistics_mad(values, n, scratch);
        statistics_summarise(values, n, &summary);
        close_to(summary.mad, expected);
    }
}

/* wilcox.test(a, b)$p.value */
static void test_mann_whitney(void **state)
{
    (void)state;
    static const double a[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    static const double b[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06001, 3.14, 1.29001};
    static const double tied_a[] = {1, 2, 2, 3, 5, 5, 8};
    static const double tied_b[] = {2, 4, 5, 5, 9, 10};
    double e[60];
    double f[55];
    for (size_t i = 0; i < COUNT_OF(e); i++)
        e[i] = pow((double)(i + 1), 1.1);
    for (size_t i = 0; i < COUNT_OF(f); i++)
        f[i] = pow((double)(i + 1), 1.15) + 0.123;
    close_to(statistics_mann_whitney_p(a, COUNT_OF(a), b, COUNT_OF(b)), 0.13591114767585355);
    close_to(statistics_mann_whitney_p(tied_a, COUNT_OF(tied_a), tied_b, COUNT_OF(tied_b)),
             0.21559249739548789);
    close_to(statistics_mann_whitney_p(e, COUNT_OF(e), f, COUNT_OF(f)), 0.50344983684597411);
    double low[30];
    double high[30];
    for (size_t i = 0; i < 30; i++) {
        low[i] = (double)(i + 1);
        high[i] = (double)(i + 1) + (i < 5 ? 5.5 : 0);
    }
    close_to(statistics_mann_whitney_p(low, 5, high, 5), 0.0079365079365079361);
    for (size_t i = 0; i < 30; i++)
        high[i] = (double)(i + 1) + 10.5;
    close_to(statistics_mann_whitney_p(low, 30, high, 30), 7.2150177562013831e-05);
    assert_true(isnan(statistics_mann_whitney_p(low, 0, high, 5)));
}

/* A sample against itself times two: the true ratio 2 lies in the interval, which is narrow for
 * narrow samples and collapses for constant ones. */
static void test_bootstrap_ratio(void **state)
{
    (void)state;
    struct random_source random;
    random_seed(&random, 11);
    double a[40];
    double b[40];
    for (size_t i = 0; i < 40; i++) {
        b[i] = 100 + (double)random_below(&random, 100) / 50;
        a[i] = 2 * (100 + (double)random_below(&random, 100) / 50);
    }
    struct interval interval = statistics_bootstrap_ratio(a, 40, b, 40, 2000, 0.95, &random);
    assert_true(interval.low <= 2 && 2 <= interval.high);
    assert_true(interval.high - interval.low < 0.04);
    for (size_t i = 0; i < 40; i++)
        a[i] = 2 * (b[i] = 7);
    interval = statistics_bootstrap_ratio(a, 40, b, 40, 100, 0.95, &random);
    close_to(interval.low, 2);
    close_to(interval.high, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles),       cmocka_unit_test(test_mad),
        cmocka_unit_test(test_median_interval), cmocka_unit_test(test_summary),
        cmocka_unit_test(test_both_mads_agree), cmocka_unit_test(test_mann_whitney),
        cmocka_unit_test(test_bootstrap_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
