/* Crossover sizes against lines whose meeting point is known by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "measure/crossover.h"

static void close_to(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

static struct size_rate at(uint64_t size_bytes, double rate)
{
    return (struct size_rate){size_bytes, rate, NAN, NAN};
}

/* Log-log lines: 16 -> 256 bytes, candidate rate 1 -> 16 (slope 1), baseline 4 -> 4 (slope 0): they
 * meet where the candidate is 4, at 64 bytes. */
static void test_meets_where_the_lines_meet(void **state)
{
    (void)state;
    const struct size_rate candidate[] = {at(16, 1), at(256, 16)};
    const struct size_rate baseline[] = {at(16, 4), at(256, 4)};
    struct crossover crossover;
    crossover_find(candidate, 2, baseline, 2, &crossover);
    assert_int_equal(crossover.kind, CROSSOVER_ONCE);
    assert_int_equal(crossover.shared_sizes, 2);
    close_to(crossover.crossings[0].size_bytes, 64);
    assert_int_equal(crossover.crossings[0].below_bytes, 16);
    assert_int_equal(crossover.crossings[0].above_bytes, 256);
    assert_true(crossover.crossings[0].to_candidate);
    crossover_find(baseline, 2, candidate, 2, &crossover);
    close_to(crossover.crossings[0].size_bytes, 64);
    assert_false(crossover.crossings[0].to_candidate);
}

static void test_never_always_equal_unknown(void **state)
{
    (void)state;
    const struct size_rate slow[] = {at(16, 1), at(64, 2), at(1024, 3)};
    const struct size_rate fast[] = {at(16, 2), at(64, 2), at(1024, 4)};
    const struct size_rate other[] = {at(17, 2), at(65, 2)};
    struct crossover crossover;
    crossover_find(slow, 3, fast, 3, &crossover);
    assert_int_equal(crossover.kind, CROSSOVER_NEVER);
    crossover_find(fast, 3, slow, 3, &crossover);
    assert_int_equal(crossover.kind, CROSSOVER_ALWAYS);
    crossover_find(slow, 3, slow, 3, &crossover);
    assert_int_equal(crossover.kind, CROSSOVER_EQUAL);
    crossover_find(slow, 3, other, 2, &crossover);
    assert_int_equal(crossover.kind, CROSSOVER_UNKNOWN);
    assert_int_equal(crossover.shared_sizes, 0);
    crossover_find(slow, 0, fast, 3, &crossover);
    assert_int_equal(crossover.kind, CROSSOVER_UNKNOWN);
    assert_string_equal(crossover_kind_name(CROSSOVER_NEVER), "never");
}

/* Out of order, with sizes that only one side has, a failed size (0, NaN) and a repeated one. */
static void test_several_crossings(void **state)
{
    (void)state;
    const struct size_rate candidate[] = {at(1024, 1), at(16, 1),     at(64, 5),   at(64, 4),
                                          at(256, 4),  at(4096, NAN), at(8192, 0), at(2048, 9)};
    const struct size_rate baseline[] = {at(16, 2),   at(64, 2),   at(128, 9), at(256, 4),
                                         at(1024, 2), at(4096, 1), at(8192, 1)};
    struct crossover crossover;
    crossover_find(candidate, COUNT_OF(candidate), baseline, COUNT_OF(baseline), &crossover);
    assert_int_equal(crossover.kind, CROSSOVER_SEVERAL);
    assert_int_equal(crossover.shared_sizes, 4);
    assert_int_equal(crossover.crossing_count, 2);
    /* 16 -> 64 from ratio 1/2 to 2: half way on log paper, 32. */
    close_to(crossover.crossings[0].size_bytes, 32);
    assert_true(crossover.crossings[0].to_candidate);
    /* 64 (ratio 2), 256 (ratio 1), 1024 (ratio 1/2): equal at the measured 256. */
    close_to(crossover.crossings[1].size_bytes, 256);
    assert_int_equal(crossover.crossings[1].below_bytes, 64);
    assert_int_equal(crossover.crossings[1].above_bytes, 1024);
    assert_false(crossover.crossings[1].to_candidate);
}

static void test_more_crossings_than_kept(void **state)
{
    (void)state;
    struct size_rate candidate[40];
    struct size_rate baseline[40];
    for (size_t i = 0; i < COUNT_OF(candidate); i++) {
        candidate[i] = at(16 + i, i % 2 == 0 ? 1 : 3);
        baseline[i] = at(16 + i, 2);
    }
    struct crossover crossover;
    crossover_find(candidate, 40, baseline, 40, &crossover);
    assert_int_equal(crossover.kind, CROSSOVER_SEVERAL);
    assert_int_equal(crossover.crossing_count, CROSSOVER_MOST_CROSSINGS);
}

/* The intervals overlap at 64 and 256 bytes: beyond doubt the order is at 16 and 1024 only. */
static void test_doubt_widens_the_bracket(void **state)
{
    (void)state;
    const struct size_rate candidate[] = {
        {16, 1, 0.9, 1.1}, {64, 1.95, 1.8, 2.1}, {256, 2.05, 1.9, 2.2}, {1024, 4, 3.9, 4.1}};
    const struct size_rate baseline[] = {
        {16, 2, 1.9, 2.1}, {64, 2, 1.9, 2.1}, {256, 2, 1.9, 2.1}, {1024, 2, 1.9, 2.1}};
    struct crossover crossover;
    crossover_find(candidate, 4, baseline, 4, &crossover);
    assert_int_equal(crossover.kind, CROSSOVER_ONCE);
    assert_int_equal(crossover.crossings[0].below_bytes, 64);
    assert_int_equal(crossover.crossings[0].above_bytes, 256);
    assert_int_equal(crossover.crossings[0].clear_below_bytes, 16);
    assert_int_equal(crossover.crossings[0].clear_above_bytes, 1024);
    crossover_find(candidate + 1, 2, baseline + 1, 2, &crossover);
    assert_int_equal(crossover.crossings[0].clear_below_bytes, 0);
    assert_int_equal(crossover.crossings[0].clear_above_bytes, 0);
}

static void test_speedup(void **state)
{
    (void)state;
    const struct size_rate candidate = {1024, 300, 290, 310};
    const struct size_rate baseline = {1024, 100, 96, 104};
    struct speedup speedup = crossover_speedup(&candidate, &baseline);
    close_to(speedup.ratio, 3);
    close_to(speedup.low, 290.0 / 104);
    close_to(speedup.high, 310.0 / 96);
    assert_true(speedup.clear);
    const struct size_rate bare = at(1024, 300);
    speedup = crossover_speedup(&bare, &baseline);
    close_to(speedup.ratio, 3);
    assert_true(isnan(speedup.low));
    assert_false(speedup.clear);
}

/* 16384 bytes in 4 us of CPU time: 4096 MB in one second of it. */
static void test_mb_per_cpu_second(void **state)
{
    (void)state;
    close_to(crossover_mb_per_cpu_s(16384, 4000), 4096);
    assert_true(isnan(crossover_mb_per_cpu_s(16384, 0)));
    assert_true(isnan(crossover_mb_per_cpu_s(0, 10)));
    assert_true(isnan(crossover_mb_per_cpu_s(16, NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meets_where_the_lines_meet),
        cmocka_unit_test(test_never_always_equal_unknown),
        cmocka_unit_test(test_several_crossings),
        cmocka_unit_test(test_more_crossings_than_kept),
        cmocka_unit_test(test_doubt_widens_the_bracket),
        cmocka_unit_test(test_speedup),
        cmocka_unit_test(test_mb_per_cpu_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
