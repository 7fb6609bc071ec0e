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

/* Sizes 1, 2, with ties, large: quantile(v, c(.1, .5, .95, .99)), mad(v, constant = 1). */
static void test_many_shapes(void **state)
{
    (void)state;
    static const double one[] = {5};
    static const double two[] = {1, 2};
    static const double same[] = {3, 3, 3, 3};
    static const double ties[] = {1, 2, 2, 2, 3, 10, 10};
    double power[101]; /* (1:101)^1.5 */
    double wave[1000]; /* sort(sin(1:1000) * 10 + 100) */
    double scratch[1000];
    for (size_t i = 0; i < COUNT_OF(power); i++)
        power[i] = pow((double)(i + 1), 1.5);
    for (size_t i = 0; i < COUNT_OF(wave); i++)
        wave[i] = sin((double)(i + 1)) * 10 + 100;
    statistics_sort(wave, COUNT_OF(wave));
    const struct {
        const double *values;
        size_t n;
        double q10, q50, q95, q99, mad;
    } rows[] = {
        {one, 1, 5, 5, 5, 5, 0},
        {two, 2, 1.1, 1.5, 1.95, 1.99, 0.5},
        {same, 4, 3, 3, 3, 3, 0},
        {ties, 7, 1.6, 2, 10, 10, 1},
        {power, 101, 36.48287269390940, 364.21284985568536, 940.60406122874042, 1000,
         259.49942355249436},
        {wave, 1000, NAN, 100.000150721766659, 109.867022282934030, 109.995183080122459,
         7.0864850583190702},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!isnan(rows[i].q10))
            close_to(statistics_quantile(rows[i].values, rows[i].n, 0.1), rows[i].q10);
        close_to(statistics_quantile(rows[i].values, rows[i].n, 0.5), rows[i].q50);
        close_to(statistics_quantile(rows[i].values, rows[i].n, 0.95), rows[i].q95);
        close_to(statistics_quantile(rows[i].values, rows[i].n, 0.99), rows[i].q99);
        close_to(statistics_mad(rows[i].values, rows[i].n, scratch), rows[i].mad);
    }
    /* k <- qbinom(.025, 1000, .5); sort(x)[c(k, 1000 - k + 1)] */
    struct summary summary;
    statistics_summarise(wave, COUNT_OF(wave), &summary);
    close_to(summary.ci95_low, 99.028180941067916);
    close_to(summary.ci95_high, 100.972419090549053);
    close_to(summary.p95, 109.867022282934030);
    close_to(summary.p99, 109.995183080122459);
    close_to(summary.min, 90.000096604938292);
    close_to(summary.max, 109.999904715529652);
}

/* k <- qbinom(.025, n, .5) (99 %: .005); places k and n - k + 1. Where qbinom is 0 there is none.
 */
static void test_interval_places(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double confidence;
        size_t low, high;
    } rows[] = {
        {8, 0.95, 1, 8},     {9, 0.95, 2, 8},      {10, 0.95, 2, 9},      {15, 0.95, 4, 12},
        {16, 0.95, 4, 13},   {17, 0.95, 5, 13},    {20, 0.95, 6, 15},     {50, 0.95, 18, 33},
        {101, 0.95, 41, 61}, {200, 0.95, 86, 115}, {999, 0.95, 469, 531}, {4096, 0.95, 1985, 2112},
        {8, 0.99, 1, 8},     {10, 0.99, 1, 10},    {30, 0.99, 8, 23},     {1000, 0.99, 459, 542},
    };
    static double values[4096];
    for (size_t i = 0; i < COUNT_OF(values); i++)
        values[i] = (double)(i + 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct interval interval =
            statistics_median_interval(values, rows[i].n, rows[i].confidence);
        close_to(interval.low, (double)rows[i].low);
        close_to(interval.high, (double)rows[i].high);
    }
    assert_true(isnan(statistics_median_interval(values, 1, 0.95).low));
    assert_true(isnan(statistics_median_interval(values, 7, 0.99).low));
}

/* values[i] = scale * (i + 1) + shift */
static void ramp(double *values, size_t n, double scale, double shift)
{
    for (size_t i = 0; i < n; i++)
        values[i] = scale * (double)(i + 1) + shift;
}

/* wilcox.test(a, b)$p.value, warnings about ties off */
static void test_mann_whitney_sizes(void **state)
{
    (void)state;
    double a[200];
    double b[200];
    for (size_t i = 0; i < 49; i++) {
        a[i] = pow((double)(i + 1), 1.01);
        b[i] = pow((double)(i + 1), 1.05) + 0.37;
    }
    close_to(statistics_mann_whitney_p(a, 49, b, 49), 0.24511899062881859);
    ramp(a, 49, 1, 0.5);
    ramp(b, 20, 2, 0);
    close_to(statistics_mann_whitney_p(a, 49, b, 20), 0.23867012869193061);
    /* The far tail: 2 / choose(98, 49). */
    ramp(a, 49, 1, 100.5);
    ramp(b, 49, 1, 0);
    double p = statistics_mann_whitney_p(a, 49, b, 49);
    assert_true(fabs(p / 7.8500291929632906e-29 - 1) < 1e-9);
    close_to(statistics_mann_whitney_p((const double[]){1}, 1, (const double[]){2}, 1), 1);
    ramp(b, 30, 1, 0);
    close_to(statistics_mann_whitney_p((const double[]){40}, 1, b, 30), 0.064516129032258063);
    close_to(statistics_mann_whitney_p((const double[]){1, 4}, 2, (const double[]){2, 3, 5}, 3),
             0.8);
    /* From 50 on the normal approximation. */
    ramp(a, 50, 1, 3.5);
    ramp(b, 50, 1, 0);
    close_to(statistics_mann_whitney_p(a, 50, b, 50), 0.24539446725747516);
    for (size_t i = 0; i < 200; i++) {
        a[i] = sin((double)(i + 1));
        b[i] = sin((double)(i + 1)) + 0.2;
    }
    close_to(statistics_mann_whitney_p(a, 200, b, 180), 0.00097191613979845176);
}

static void test_mann_whitney_ties(void **state)
{
    (void)state;
    static const double ones[] = {1, 1, 1};
    static const double twos[] = {1, 2, 2};
    double a[100];
    double b[100];
    close_to(statistics_mann_whitney_p(ones, 3, twos, 3), 0.18763232999488427);
    for (size_t i = 0; i < 100; i++) { /* rep(1:10, 10), rep(2:11, 10) */
        a[i] = (double)(1 + i % 10);
        b[i] = (double)(2 + i % 10);
    }
    close_to(statistics_mann_whitney_p(a, 100, b, 100), 0.019765299810402499);
    /* All equal: R says NaN; nothing tells the samples apart, so 1. */
    close_to(statistics_mann_whitney_p(ones, 3, ones, 3), 1);
}

/* The bootstrap's median of five values is at most the k-th with probability
 * pbinom(2, 5, k / 5, lower.tail = FALSE): 0.058, 0.317, 0.683, 0.942. So the 95 % interval is the
 * whole sample and the 80 % interval goes from the second to the fourth. */
static void test_bootstrap_follows_the_binomial(void **state)
{
    (void)state;
    static const double five[] = {30, 10, 50, 20, 40};
    static const double two[] = {2, 2};
    struct random_source random;
    random_seed(&random, 7);
    struct interval interval = statistics_bootstrap_ratio(five, 5, two, 2, 20000, 0.95, &random);
    close_to(interval.low, 5);
    close_to(interval.high, 25);
    interval = statistics_bootstrap_ratio(five, 5, two, 2, 20000, 0.8, &random);
    close_to(interval.low, 10);
    close_to(interval.high, 20);
    assert_true(isnan(statistics_bootstrap_ratio(five, 0, two, 2, 10, 0.8, &random).low));
    assert_true(isnan(statistics_bootstrap_ratio(five, 5, two, 2, 0, 0.8, &random).low));
}

/* Sixteen values in four blocks of four: medians 2.5, 12.5, 6.5, 22.5, too few for 95 %; for 80 %
 * (n = 4: 1 - 2 * 0.5^4 = 0.875) the interval is from the least to the greatest. */
static void test_block_interval(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 3, 4, 11, 12, 13, 14, 5, 6, 7, 8, 21, 22, 23, 24};
    double scratch[COUNT_OF(values)];
    struct interval interval = statistics_block_interval(values, 16, 4, 0.8, scratch);
    close_to(interval.low, 2.5);
    close_to(interval.high, 22.5);
    assert_true(isnan(statistics_block_interval(values, 16, 4, 0.95, scratch).low));
    /* No more values than blocks: the plain interval, places 3 and 10 of 12 (qbinom(.025, 12, .5)).
     */
    interval = statistics_block_interval(values, 12, 16, 0.95, scratch);
    close_to(interval.low, 3);
    close_to(interval.high, 12);
    assert_true(isnan(statistics_block_interval(values, 0, 16, 0.95, scratch).low));
}

/* A slow phase in the second half: rounds alone would claim a narrow interval around one of the two
 * levels when the phases are of unequal length; blocks see both levels. */
static void test_blocks_see_slow_phases(void **state)
{
    (void)state;
    double values[320];
    double scratch[COUNT_OF(values)];
    for (size_t i = 0; i < COUNT_OF(values); i++)
        values[i] = (i / 20 % 16 < 10 ? 100 : 110) + 0.001 * (double)(i % 7);
    struct interval blocks = statistics_block_interval(values, COUNT_OF(values), 16, 0.95, scratch);
    assert_true(blocks.low < 101 && blocks.high > 109);
    memcpy(scratch, values, sizeof values);
    statistics_sort(scratch, COUNT_OF(values));
    struct interval rounds = statistics_median_interval(scratch, COUNT_OF(values), 0.95);
    assert_true(rounds.high < 101);
}

static void test_sort(void **state)
{
    (void)state;
    struct random_source random;
    random_seed(&random, 9);
    for (size_t n = 0; n <= 300; n++) {
        double values[300];
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += values[i] = (double)random_below(&random, 50);
        statistics_sort(values, n);
        for (size_t i = 0; i < n; i++) {
            sum -= values[i];
            assert_true(i == 0 || values[i - 1] <= values[i]);
        }
        assert_true(sum == 0); /* whole numbers: nothing was lost */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_block_interval),
        cmocka_unit_test(test_blocks_see_slow_phases),
        cmocka_unit_test(test_mad),
        cmocka_unit_test(test_median_interval),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_both_mads_agree),
        cmocka_unit_test(test_mann_whitney),
        cmocka_unit_test(test_bootstrap_ratio),
        cmocka_unit_test(test_many_shapes),
        cmocka_unit_test(test_interval_places),
        cmocka_unit_test(test_mann_whitney_sizes),
        cmocka_unit_test(test_mann_whitney_ties),
        cmocka_unit_test(test_bootstrap_follows_the_binomial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
