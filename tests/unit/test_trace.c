/*
 * The stack of tls/trace.h: what counts, where time goes, what happens at its limits. Time comes
 * from the machine, so sums and counts are compared, never durations.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/clock.h"
#include "measure/heap.h"
#include "tls/trace.h"

static struct tls_trace trace;

static const struct tls_trace_point *messages(void)
{
    return tls_trace_point(TRACE_MESSAGES, "messages and state");
}

static uint64_t sum_ns(void)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < TRACE_MOST_POINTS; i++)
        sum += trace.self_ns[i];
    return sum;
}

/* Until the clock has moved. */
static void work(void)
{
    uint64_t start_ns = clock_wall_ns(clock_real());
    while (clock_wall_ns(clock_real()) == start_ns)
        ;
}

static void test_points(void **state)
{
    (void)state;
    const struct tls_trace_point *sha = tls_trace_point(TRACE_DIGEST, "sha256");
    assert_int_equal(sha->kind, TRACE_DIGEST);
    assert_string_equal(sha->name, "sha256");
    assert_ptr_equal(tls_trace_point(TRACE_DIGEST, "sha256"), sha);
    assert_ptr_not_equal(tls_trace_point(TRACE_RECORD, "sha256"), sha);
    assert_ptr_not_equal(tls_trace_point(TRACE_DIGEST, "sha25"), sha);
    assert_ptr_equal(tls_trace_point_at(sha->index), sha);
    assert_true(sha->index < tls_trace_point_count());

    char name[2 * TRACE_NAME_BYTES];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const struct tls_trace_point *cut = tls_trace_point(TRACE_DIGEST, name);
    assert_int_equal(strlen(cut->name), TRACE_NAME_BYTES - 1);
    assert_ptr_equal(tls_trace_point(TRACE_DIGEST, name), cut);
}

static void test_kind_names(void **state)
{
    (void)state;
    for (int kind = 0; kind < TRACE_KINDS; kind++) {
        assert_non_null(tls_trace_kind_name((enum tls_trace_kind)kind));
        for (int other = 0; other < kind; other++)
            assert_string_not_equal(tls_trace_kind_name((enum tls_trace_kind)kind),
                                    tls_trace_kind_name((enum tls_trace_kind)other));
    }
}

static void test_nesting(void **state)
{
    (void)state;
    const struct tls_trace_point *outer = tls_trace_point(TRACE_CERTIFICATE, "outer");
    const struct tls_trace_point *inner = tls_trace_point(TRACE_ASYMMETRIC, "inner");
    tls_trace_clear(&trace);
    assert_null(tls_trace_current);
    tls_trace_enter(&trace, messages());
    assert_ptr_equal(tls_trace_current, &trace);
    uint64_t start_ns = trace.last_ns;
    work();
    tls_trace_push(outer);
    uint64_t outer_start_ns = trace.last_ns;
    work();
    tls_trace_push(inner);
    uint64_t inner_start_ns = trace.last_ns;
    work();
    tls_trace_pop();
    uint64_t inner_end_ns = trace.last_ns;
    work();
    tls_trace_push_part(inner);
    uint64_t part_start_ns = trace.last_ns;
    work();
    tls_trace_pop();
    uint64_t part_end_ns = trace.last_ns;
    tls_trace_pop();
    uint64_t outer_end_ns = trace.last_ns;
    work();
    tls_trace_leave();
    assert_null(tls_trace_current);

    uint64_t inner_ns = inner_end_ns - inner_start_ns + part_end_ns - part_start_ns;
    assert_int_equal(trace.count[inner->index], 1); /* a part does not count */
    assert_int_equal(trace.count[outer->index], 1);
    assert_int_equal(trace.count[messages()->index], 1);
    assert_true(inner_ns > 0);
    assert_int_equal(trace.self_ns[inner->index], inner_ns);
    assert_int_equal(trace.self_ns[outer->index], outer_end_ns - outer_start_ns - inner_ns);
    assert_int_equal(trace.self_ns[messages()->index],
                     trace.last_ns - start_ns - (outer_end_ns - outer_start_ns));
    assert_int_equal(sum_ns(), trace.last_ns - start_ns);
}

/* Enters add up; what lies between leave and enter is nobody's. */
static void test_entered_again(void **state)
{
    (void)state;
    uint64_t entered_ns = 0;
    tls_trace_clear(&trace);
    for (int i = 0; i < 3; i++) {
        tls_trace_enter(&trace, messages());
        uint64_t start_ns = trace.last_ns;
        work();
        tls_trace_leave();
        entered_ns += trace.last_ns - start_ns;
        work();
    }
    assert_int_equal(trace.count[messages()->index], 3);
    assert_int_equal(trace.self_ns[messages()->index], entered_ns);
    assert_int_equal(sum_ns(), entered_ns);
    tls_trace_clear(&trace);
    assert_int_equal(sum_ns(), 0);
    assert_int_equal(trace.count[messages()->index], 0);
}

/* Frames too deep to keep count, and their time is the deepest kept frame's. */
static void test_too_deep(void **state)
{
    (void)state;
    enum { PUSHES = TRACE_DEPTH + 10 };
    const struct tls_trace_point *kept = tls_trace_point(TRACE_KEYS, "kept");
    const struct tls_trace_point *beyond = tls_trace_point(TRACE_KEYS, "beyond");
    tls_trace_clear(&trace);
    tls_trace_enter(&trace, messages());
    uint64_t start_ns = trace.last_ns;
    for (int i = 0; i < PUSHES; i++) {
        tls_trace_push(i < TRACE_DEPTH - 1 ? kept : beyond); /* the outermost takes one place */
        work();
    }
    uint64_t kept_ns = trace.self_ns[kept->index];
    for (int i = 0; i < PUSHES; i++)
        tls_trace_pop();
    assert_int_equal(trace.depth, 1);
    work();
    tls_trace_leave();
    assert_int_equal(trace.count[kept->index], TRACE_DEPTH - 1);
    assert_int_equal(trace.count[beyond->index], PUSHES - (TRACE_DEPTH - 1));
    assert_int_equal(trace.self_ns[beyond->index], 0);
    assert_true(trace.self_ns[kept->index] >= kept_ns);
    assert_true(trace.self_ns[messages()->index] > 0);
    assert_int_equal(sum_ns(), trace.last_ns - start_ns);
}

/* What tracing costs is taken off by the number of frames, and never more than there is. */
static void test_net_time(void **state)
{
    (void)state;
    const struct tls_trace_point *outer = tls_trace_point(TRACE_CERTIFICATE, "outer");
    const struct tls_trace_point *inner = tls_trace_point(TRACE_ASYMMETRIC, "inner");
    struct tls_trace_overhead overhead = tls_trace_overhead();
    assert_true(overhead.own_ns > 0 && overhead.parent_ns > 0);
    tls_trace_clear(&trace);
    tls_trace_enter(&trace, messages());
    tls_trace_push(outer);
    for (int i = 0; i < 3; i++) {
        tls_trace_push_part(inner);
        tls_trace_pop();
    }
    tls_trace_push(inner);
    tls_trace_pop();
    tls_trace_pop();
    tls_trace_leave();
    assert_int_equal(trace.frames[inner->index], 4);
    assert_int_equal(trace.frames[outer->index], 1);
    assert_int_equal(trace.children[outer->index], 4);
    assert_int_equal(trace.children[messages()->index], 1);
    assert_int_equal(trace.children[inner->index], 0);

    trace.self_ns[inner->index] = 1000000;
    trace.self_ns[outer->index] = 2000000;
    double inner_ns = 1000000 - 4 * overhead.own_ns;
    double outer_ns = 2000000 - overhead.own_ns - 4 * overhead.parent_ns;
    assert_true(fabs(tls_trace_net_ns(&trace, inner->index) - inner_ns) < 1e-6);
    assert_true(fabs(tls_trace_net_ns(&trace, outer->index) - outer_ns) < 1e-6);
    trace.self_ns[outer->index] = 0;
    assert_true(tls_trace_net_ns(&trace, outer->index) <= 0);
}

static void test_allocations(void **state)
{
    (void)state;
    if (heap_unavailable() != NULL)
        skip();
    const struct tls_trace_point *heap = tls_trace_point(TRACE_ALLOCATION, "malloc and free");
    tls_trace_clear(&trace);
    tls_trace_enter(&trace, messages());
    void *volatile memory = malloc(100);
    free(memory);
    tls_trace_leave();
    assert_int_equal(trace.count[heap->index], 2);
    memory = malloc(100); /* outside: not seen */
    free(memory);
    assert_int_equal(trace.count[heap->index], 2);
}

/* Last: it uses all points up. */
static void test_too_many_points(void **state)
{
    (void)state;
    char name[TRACE_NAME_BYTES];
    for (int i = 0; i < 2 * TRACE_MOST_POINTS; i++) {
        (void)snprintf(name, sizeof name, "point %d", i);
        assert_true(tls_trace_point(TRACE_RECORD, name)->index < TRACE_MOST_POINTS);
    }
    assert_int_equal(tls_trace_point_count(), TRACE_MOST_POINTS);
    const struct tls_trace_point *others = tls_trace_point(TRACE_RECORD, "one more");
    assert_string_equal(others->name, "others");
    assert_ptr_equal(others, tls_trace_point_at(TRACE_MOST_POINTS - 1));
    assert_ptr_equal(tls_trace_point(TRACE_RECORD, "and another"), others);
    assert_string_equal(tls_trace_point(TRACE_RECORD, "point 0")->name, "point 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),      cmocka_unit_test(test_kind_names),
        cmocka_unit_test(test_nesting),     cmocka_unit_test(test_entered_again),
        cmocka_unit_test(test_too_deep),    cmocka_unit_test(test_net_time),
        cmocka_unit_test(test_allocations), cmocka_unit_test(test_too_many_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
