/* The sampler with a clock that only the tasks move: what comes out must be what was put in. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "measure/sampler.h"

static struct manual_clock manual;

enum { MOST_TASKS = 4 };

/* A task that takes `cost_ns` per operation, plus what `shape` adds in its n-th call. */
struct work {
    double cost_ns;
    double (*shape)(uint64_t call, struct random_source *random);
    struct random_source random;
    uint64_t calls;
    uint64_t operations;
    uint64_t fail_at_call; /* 0: never */
    int id;
};

static int call_order[4096];
static size_t call_count;
static volatile int stop;
static uint64_t stop_after_calls;

static bool run_work(void *context, uint64_t count, struct error *error)
{
    struct work *work = context;
    work->calls++;
    work->operations += count;
    if (call_count < COUNT_OF(call_order))
        call_order[call_count++] = work->id;
    if (stop_after_calls != 0 && work->calls >= stop_after_calls)
        stop = 1;
    if (work->fail_at_call != 0 && work->calls == work->fail_at_call)
        return error_set(error, ERROR_LIBRARY, "made to fail");
    double factor = work->shape == NULL ? 1 : work->shape(work->calls, &work->random);
    uint64_t took_ns = (uint64_t)(work->cost_ns * (double)count * factor + 0.5);
    manual_clock_advance(&manual, took_ns, took_ns);
    return true;
}

static double scattered(uint64_t call, struct random_source *random)
{
    (void)call;
    return 0.9 + 0.2 * random_unit(random);
}

static double bimodal(uint64_t call, struct random_source *random)
{
    (void)call;
    return random_below(random, 2) == 0 ? 1 : 2;
}

/* The reference loop: 1000 ns, or what the machine's speed makes of it. */
static double machine_speed;
static double slower_by; /* per run */

static void reference_work(void *context)
{
    (void)context;
    manual_clock_advance(&manual, (uint64_t)(100000 * machine_speed), 0);
    machine_speed += slower_by;
}

struct outcome {
    struct sampler_result results[MOST_TASKS];
    size_t done[MOST_TASKS];
    size_t total;
};

static bool keep(void *context, size_t index, const struct sampler_result *result,
                 struct error *error)
{
    (void)error;
    struct outcome *outcome = context;
    outcome->results[index] = *result;
    outcome->done[index]++;
    outcome->total++;
    return true;
}

static bool measure(struct work *works, size_t count, const struct sampler_settings *settings,
                    struct outcome *outcome, struct error *error)
{
    struct sampler_task tasks[MOST_TASKS];
    struct sampler_events events = {outcome, keep, NULL};
    struct reference reference;
    struct sampler_settings own = *settings;
    memset(outcome, 0, sizeof *outcome);
    manual_clock_init(&manual);
    call_count = 0;
    stop = 0;
    machine_speed = 1;
    assert_true(reference_init(&reference, 4096, error));
    reference.work = reference_work;
    own.reference = &reference;
    own.batch_ns = 1000000;
    for (size_t i = 0; i < count; i++) {
        works[i].id = (int)i;
        random_seed(&works[i].random, 100 + i);
        tasks[i] = (struct sampler_task){&works[i], run_work};
    }
    bool good = sampler_run(tasks, count, &own, &manual.clock, &events, error);
    reference_free(&reference);
    slower_by = 0;
    stop_after_calls = 0;
    return good;
}

static void test_constant_cost(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 250}, {.cost_ns = 4000}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    assert_true(measure(works, 2, &settings, &outcome, &error));
    for (size_t i = 0; i < 2; i++) {
        const struct sampler_result *result = &outcome.results[i];
        assert_int_equal(outcome.done[i], 1);
        assert_int_equal(result->end, SAMPLER_TARGET);
        assert_true(fabs(result->wall_ns.median - works[i].cost_ns) < 1e-6 * works[i].cost_ns);
        assert_true(fabs(result->cpu_ns.median - works[i].cost_ns) < 1e-6 * works[i].cost_ns);
        assert_true(result->wall_ns.ci95_low <= result->wall_ns.median);
        assert_int_equal(result->latency_ns.n, 0); /* below 20 us: batches */
        assert_true((double)result->ops_per_sample * works[i].cost_ns >= 0.5e6);
        assert_true(result->reference.calm);
        assert_false(result->reference.noisy);
    }
    /* The rounds span the least time asked for. */
    assert_true((double)outcome.results[0].operations * 250 >= (double)settings.min_time_ns);
}

static void test_scatter_reaches_the_target_or_the_cap(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 300, .shape = scattered},
                           {.cost_ns = 300, .shape = bimodal}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    assert_true(measure(works, 2, &settings, &outcome, &error));
    /* Uniform in +-10 %: the median is 300, and a 1 % interval needs a few hundred rounds. */
    const struct summary *even = &outcome.results[0].wall_ns;
    assert_int_equal(outcome.results[0].end, SAMPLER_TARGET);
    assert_true(even->ci95_high - even->ci95_low <= 0.02 * even->median);
    assert_true(even->ci95_low <= 303 && even->ci95_high >= 297);
    assert_true(even->n > 100);
    /* Two modes: no interval of the median is ever narrow. */
    assert_int_equal(outcome.results[1].end, SAMPLER_CAP);
    assert_true(outcome.results[1].wall_ns.ci95_high > 1.5 * outcome.results[1].wall_ns.ci95_low);
}

static void test_long_operations_are_timed_singly(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 50000, .shape = bimodal}, {.cost_ns = 40000000}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    assert_true(measure(works, 2, &settings, &outcome, &error));
    const struct summary *latency = &outcome.results[0].latency_ns;
    assert_int_equal(outcome.results[0].ops_per_sample, 1);
    assert_int_equal(latency->n, outcome.results[0].operations);
    assert_true(latency->min == 50000 && latency->max == 100000);
    assert_true(latency->p99 == 100000);
    /* 40 ms each: the cap of 1 s comes after 25 operations, which are enough for the target. */
    assert_true(outcome.results[1].wall_ns.median == 40000000);
    assert_true(outcome.results[1].operations <= 26);
}

static void test_a_failing_task_ends_alone(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 500, .fail_at_call = 12}, {.cost_ns = 500}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    assert_true(measure(works, 2, &settings, &outcome, &error));
    assert_int_equal(outcome.results[0].end, SAMPLER_FAILED);
    assert_string_equal(outcome.results[0].error.text, "made to fail");
    assert_int_equal(outcome.results[1].end, SAMPLER_TARGET);
    assert_int_equal(outcome.total, 2);
    works[0].fail_at_call = 1; /* while calibrating */
    works[0].calls = 0;
    assert_true(measure(works, 2, &settings, &outcome, &error));
    assert_int_equal(outcome.results[0].end, SAMPLER_FAILED);
    assert_int_equal(outcome.total, 2);
}

static void test_stop_keeps_what_was_measured(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 500, .shape = bimodal}, {.cost_ns = 500, .shape = bimodal}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    settings.stop = &stop;
    stop_after_calls = 100;
    assert_false(measure(works, 2, &settings, &outcome, &error));
    assert_int_equal(error.code, ERROR_INTERRUPTED);
    assert_int_equal(outcome.total, 2);
    assert_int_equal(outcome.results[0].end, SAMPLER_INTERRUPTED);
    assert_in_range(outcome.results[0].wall_ns.n, 80, 100);
    stop_after_calls = 3; /* before any round: nothing stands */
    works[0].calls = works[1].calls = 0;
    assert_false(measure(works, 2, &settings, &outcome, &error));
    assert_int_equal(outcome.total, 0);
}

static void test_rounds_are_interleaved_in_seeded_order(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 700}, {.cost_ns = 700}, {.cost_ns = 700}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    static int first[COUNT_OF(call_order)];
    settings.seed = 5;
    assert_true(measure(works, 3, &settings, &outcome, &error));
    size_t count = call_count;
    memcpy(first, call_order, sizeof first);
    assert_true(measure(works, 3, &settings, &outcome, &error));
    assert_int_equal(call_count, count);
    assert_memory_equal(first, call_order, count * sizeof *first);
    settings.seed = 6;
    assert_true(measure(works, 3, &settings, &outcome, &error));
    assert_memory_not_equal(first, call_order, count * sizeof *first);
    /* After calibration every three calls hold each task once: interleaved, not one after another.
     */
    size_t start = count % 3;
    for (size_t i = count - 30 - start; i + 3 <= count - start; i += 3)
        assert_int_equal(first[i] + first[i + 1] + first[i + 2], 3);
}

static void test_the_reference_notices_throttling(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 300, .shape = bimodal}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    slower_by = 0.001; /* per round: after some hundred rounds much slower */
    assert_true(measure(works, 1, &settings, &outcome, &error));
    assert_true(outcome.results[0].reference.throttled);
    assert_true(outcome.results[0].reference.noisy);
    assert_false(outcome.results[0].reference.calm);
}

/* A whole group in a slow phase: nothing drifts inside it, but another group was faster. */
static void test_the_reference_remembers_a_faster_group(void **state)
{
    (void)state;
    struct reference reference;
    struct reference_verdict verdict;
    struct error error;
    manual_clock_init(&manual);
    assert_true(reference_init(&reference, 100, &error));
    reference.work = reference_work;
    machine_speed = 1;
    slower_by = 0;
    for (int i = 0; i < 20; i++)
        reference_run(&reference, &manual.clock);
    reference_judge(&reference, 0, &verdict);
    assert_true(verdict.calm);
    machine_speed = 1.5;
    for (int i = 0; i < 20; i++)
        reference_run(&reference, &manual.clock);
    reference_judge(&reference, 20, &verdict);
    assert_true(verdict.noisy);
    assert_false(verdict.throttled);
    assert_true(fabs(verdict.slow_ratio - 0.5) < 1e-9);
    for (int i = 0; i < 1000; i++) /* the oldest are thinned, nothing overflows */
        reference_run(&reference, &manual.clock);
    assert_in_range(reference.count, 50, 100);
    reference_free(&reference);
}

static bool dirty_end(struct watch *watch)
{
    watch->cpu = 3;
    return watch->switches++ % 2 == 0;
}

static void quiet_begin(struct watch *watch)
{
    watch->cpu = 3;
}

static void test_contaminated_batches_are_repeated(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 500}};
    struct outcome outcome;
    struct error error;
    struct watch watch = {.begin = quiet_begin, .end = dirty_end};
    struct sampler_settings settings = sampler_defaults();
    settings.watch = &watch;
    assert_true(measure(works, 1, &settings, &outcome, &error));
    assert_int_equal(outcome.results[0].contaminated, outcome.results[0].wall_ns.n);
    assert_int_equal(outcome.results[0].cpu, 3);
}

static void test_the_kept_values_span_all_rounds(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 300, .shape = bimodal}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    assert_true(measure(works, 1, &settings, &outcome, &error));
    assert_true(outcome.results[0].wall_ns.n > SAMPLER_KEPT_VALUES);
    assert_in_range(outcome.results[0].value_count, SAMPLER_KEPT_VALUES / 2, SAMPLER_KEPT_VALUES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_cost),
        cmocka_unit_test(test_scatter_reaches_the_target_or_the_cap),
        cmocka_unit_test(test_long_operations_are_timed_singly),
        cmocka_unit_test(test_a_failing_task_ends_alone),
        cmocka_unit_test(test_stop_keeps_what_was_measured),
        cmocka_unit_test(test_rounds_are_interleaved_in_seeded_order),
        cmocka_unit_test(test_the_reference_notices_throttling),
        cmocka_unit_test(test_the_reference_remembers_a_faster_group),
        cmocka_unit_test(test_contaminated_batches_are_repeated),
        cmocka_unit_test(test_the_kept_values_span_all_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
