/* The queue against a list that is sorted anew at every step, and the corners by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/kernel.h"

enum { EVENTS = 200, STEPS = 20000 };

struct log {
    struct kernel *kernel;
    int names[64];
    uint64_t times[64];
    size_t count;
};

struct named {
    struct event event;
    struct log *log;
    int name;
};

static void write_down(void *context)
{
    struct named *named = context;
    struct log *log = named->log;
    log->names[log->count] = named->name;
    log->times[log->count++] = clock_wall_ns(&log->kernel->clock);
}

static void make_named(struct named *named, struct log *log, int name)
{
    *named = (struct named){.log = log, .name = name};
    event_init(&named->event, write_down, named);
}

static void events_fire_in_time_and_ties_in_order(void **state)
{
    (void)state;
    struct kernel kernel;
    kernel_init(&kernel, 1);
    struct log log = {.kernel = &kernel};
    struct named events[6];
    for (int i = 0; i < 6; i++)
        make_named(&events[i], &log, i);
    kernel_at(&kernel, &events[0].event, 30);
    kernel_at(&kernel, &events[1].event, 10);
    kernel_at(&kernel, &events[2].event, 30);
    kernel_at(&kernel, &events[3].event, 20);
    kernel_at(&kernel, &events[4].event, 10);
    kernel_at(&kernel, &events[0].event, 30); /* moved to its own time: now after events[2] */
    kernel_at(&kernel, &events[5].event, 5);
    kernel_cancel(&kernel, &events[5].event);
    kernel_cancel(&kernel, &events[5].event);
    assert_int_equal(kernel_due_ns(&kernel, &events[5].event), SIM_NEVER);
    assert_int_equal(kernel_due_ns(&kernel, &events[3].event), 20);
    assert_int_equal(kernel_run(&kernel, SIM_NEVER, NULL), KERNEL_EMPTY);
    const int names[] = {1, 4, 3, 2, 0};
    const uint64_t times[] = {10, 10, 20, 30, 30};
    assert_int_equal(log.count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(log.names[i], names[i]);
        assert_int_equal(log.times[i], times[i]);
    }
    assert_int_equal(kernel.fired, 5);
    kernel_free(&kernel);
}

static void a_limit_moves_time_to_it_and_keeps_what_is_later(void **state)
{
    (void)state;
    struct kernel kernel;
    kernel_init(&kernel, 1);
    struct log log = {.kernel = &kernel};
    struct named events[2];
    make_named(&events[0], &log, 0);
    make_named(&events[1], &log, 1);
    kernel_at(&kernel, &events[0].event, 100);
    kernel_at(&kernel, &events[1].event, 101);
    assert_int_equal(kernel_run(&kernel, 100, NULL), KERNEL_LIMIT);
    assert_int_equal(log.count, 1);
    assert_int_equal(kernel.now_ns, 100);
    assert_int_equal(kernel_run(&kernel, 50, NULL), KERNEL_LIMIT); /* time never goes back */
    assert_int_equal(kernel.now_ns, 100);
    kernel_at(&kernel, &events[0].event, 7); /* the past means now */
    assert_int_equal(kernel_due_ns(&kernel, &events[0].event), 100);
    kernel_after(&kernel, &events[0].event, SIM_NEVER - 5); /* beyond the end of time */
    assert_false(event_waits(&events[0].event));
    assert_int_equal(kernel_run(&kernel, 1000, NULL), KERNEL_EMPTY);
    assert_int_equal(kernel.now_ns, 101);
    kernel_at(&kernel, &events[0].event, 500);
    kernel_free(&kernel);
    assert_false(event_waits(&events[0].event));
}

static void stop_now(void *context)
{
    kernel_stop(context);
}

static void a_stop_ends_the_run_after_its_event(void **state)
{
    (void)state;
    struct kernel kernel;
    kernel_init(&kernel, 1);
    struct log log = {.kernel = &kernel};
    struct event stop;
    struct named later;
    event_init(&stop, stop_now, &kernel);
    make_named(&later, &log, 0);
    kernel_at(&kernel, &stop, 3);
    kernel_at(&kernel, &later.event, 3);
    assert_int_equal(kernel_run(&kernel, SIM_NEVER, NULL), KERNEL_STOPPED);
    assert_int_equal(log.count, 0);
    assert_int_equal(kernel_run(&kernel, SIM_NEVER, NULL), KERNEL_EMPTY);
    assert_int_equal(log.count, 1);
    kernel_free(&kernel);
}

static void purposes_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct kernel kernel, same, other;
    kernel_init(&kernel, 42);
    kernel_init(&same, 42);
    kernel_init(&other, 43);
    struct random_source loss, jitter, again, different;
    kernel_random(&kernel, "loss", &loss);
    (void)random_u64(&loss);
    kernel_random(&kernel, "jitter", &jitter);
    kernel_random(&same, "jitter", &again);
    kernel_random(&other, "jitter", &different);
    uint64_t first = random_u64(&jitter);
    assert_true(first == random_u64(&again));
    assert_true(first != random_u64(&different));
    kernel_random(&kernel, "loss", &loss);
    assert_true(first != random_u64(&loss));
}

/* The reference: every waiting event with its time and number, sorted by qsort. */
struct reference {
    uint64_t due_ns, order;
    int name; /* -1: does not wait */
};

static int compare(const void *left, const void *right)
{
    const struct reference *a = left, *b = right;
    if ((a->name < 0) != (b->name < 0))
        return a->name < 0 ? 1 : -1;
    if (a->due_ns != b->due_ns)
        return a->due_ns < b->due_ns ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void fire_next_and_compare(struct kernel *kernel, struct log *log,
                                  const struct reference *list)
{
    struct reference sorted[EVENTS];
    for (size_t i = 0; i < EVENTS; i++)
        sorted[i] = list[i];
    qsort(sorted, EVENTS, sizeof sorted[0], compare);
    log->count = 0;
    if (sorted[0].name < 0) {
        assert_int_equal(kernel_run(kernel, SIM_NEVER, NULL), KERNEL_EMPTY);
        return;
    }
    size_t same = 0; /* all of the earliest time fire in one run up to it */
    while (same < 60 && sorted[same].name >= 0 && sorted[same].due_ns == sorted[0].due_ns)
        same++;
    (void)kernel_run(kernel, sorted[0].due_ns, NULL);
    assert_int_equal(log->count, same);
    for (size_t i = 0; i < same; i++) {
        assert_int_equal(log->names[i], sorted[i].name);
        assert_int_equal(log->times[i], sorted[0].due_ns);
    }
}

static void the_queue_agrees_with_a_sorted_list(void **state)
{
    (void)state;
    struct kernel kernel;
    struct random_source random;
    kernel_init(&kernel, 9);
    kernel_random(&kernel, "test", &random);
    struct log log = {.kernel = &kernel};
    static struct named events[EVENTS];
    static struct reference list[EVENTS];
    for (int i = 0; i < EVENTS; i++) {
        make_named(&events[i], &log, i);
        list[i].name = -1;
    }
    uint64_t order = 0;
    for (int step = 0; step < STEPS; step++) {
        size_t which = (size_t)random_below(&random, EVENTS);
        uint64_t action = random_below(&random, 10);
        if (action < 6) {
            uint64_t due = kernel.now_ns + random_below(&random, 100);
            kernel_at(&kernel, &events[which].event, due);
            list[which] = (struct reference){due, order++, (int)which};
        } else if (action < 8) {
            kernel_cancel(&kernel, &events[which].event);
            list[which].name = -1;
        } else {
            fire_next_and_compare(&kernel, &log, list);
            for (size_t i = 0; i < log.count; i++)
                list[log.names[i]].name = -1;
        }
        assert_int_equal(event_waits(&events[which].event), list[which].name >= 0);
    }
    assert_true(kernel.fired > STEPS / 10);
    kernel_free(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_fire_in_time_and_ties_in_order),
        cmocka_unit_test(a_limit_moves_time_to_it_and_keeps_what_is_later),
        cmocka_unit_test(a_stop_ends_the_run_after_its_event),
        cmocka_unit_test(purposes_do_not_disturb_each_other),
        cmocka_unit_test(the_queue_agrees_with_a_sorted_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
