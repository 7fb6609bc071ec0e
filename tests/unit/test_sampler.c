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
    double readings[2];
    size_t reading_count;
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
    work->readings[0] += (double)took_ns / 4;
    work->readings[1] += 3 * (double)count;
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
        tasks[i] = (struct sampler_task){.context = &works[i],
                                         .run = run_work,
                                         .readings = works[i].readings,
                                         .reading_count = works[i].reading_count};
    }
    bool good = sampler_run(tasks, count, &own, &manual.clock, &events, error);
    reference_free(&reference);
    slower_by = 0;
    stop_after_calls = 0;
    return good;
}

/* What a task measures by itself becomes per-operation values of the same rounds, timed singly or
 * in batches, also of rounds that were repeated. */
static void test_readings(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 250, .shape = scattered, .reading_count = 2},
                           {.cost_ns = 400000, .reading_count = 2},
                           {.cost_ns = 4000}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    assert_true(measure(works, 3, &settings, &outcome, &error));
    for (size_t i = 0; i < 2; i++) {
        const struct sampler_result *result = &outcome.results[i];
        assert_true(result->value_count > 0);
        for (size_t round = 0; round < result->value_count; round++) {
            /* Nanoseconds are whole: half of one per call is lost. */
            assert_true(fabs(result->reading_values[0][round] - result->wall_values_ns[round] / 4) <
                        0.01);
            assert_true(result->reading_values[1][round] == 3);
        }
        assert_true(fabs(result->readings[0].median - result->wall_ns.median / 4) < 0.01);
        assert_true(result->readings[1].median == 3);
        assert_int_equal(result->readings[1].n, result->wall_ns.n);
    }
    assert_int_equal(outcome.results[2].readings[0].n, 0);
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
    assert_int_equal(outcome.results[0].contaminated_rounds, 0); /* the second attempt was clean */
    assert_true(outcome.results[0].calm);
    assert_false(outcome.results[0].noisy);
    assert_int_equal(outcome.results[0].cpu, 3);
}

/* Every attempt preempted: each round is kept after its third repeat, and the result is noisy. */
static bool always_dirty(struct watch *watch)
{
    (void)watch;
    return true;
}

static void test_preempted_rounds_are_noisy(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 500}};
    struct outcome outcome;
    struct error error;
    struct watch watch = {.begin = quiet_begin, .end = always_dirty};
    struct sampler_settings settings = sampler_defaults();
    settings.watch = &watch;
    assert_true(measure(works, 1, &settings, &outcome, &error));
    const struct sampler_result *result = &outcome.results[0];
    assert_int_equal(result->contaminated, 4 * result->wall_ns.n);
    assert_int_equal(result->contaminated_rounds, result->wall_ns.n);
    assert_true(result->noisy);
    assert_false(result->calm);
    assert_true(result->reference.calm); /* which alone would not have told */
}

static bool always_clean(struct watch *watch)
{
    (void)watch;
    return false;
}

/* The host takes 5 % of the time. */
static bool steal_5_percent(struct watch *watch, uint64_t *stolen_ns)
{
    (void)watch;
    *stolen_ns = manual.wall_ns / 20;
    return true;
}

static void test_steal_is_noisy(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 500}};
    struct outcome outcome;
    struct error error;
    struct watch watch = {.begin = quiet_begin, .end = always_clean, .stolen = steal_5_percent};
    struct sampler_settings settings = sampler_defaults();
    settings.watch = &watch;
    assert_true(measure(works, 1, &settings, &outcome, &error));
    assert_true(fabs(outcome.results[0].steal_ratio - 0.05) < 1e-6);
    assert_true(outcome.results[0].noisy);
    assert_int_equal(outcome.results[0].contaminated, 0);
}

/* A preemption of 5 ms while calibrating (calls 2 to 4 of 1 us each) must not shorten the batches.
 */
static double preempted_early(uint64_t call, struct random_source *random)
{
    (void)random;
    return call == 2 || call == 4 ? 100 : 1;
}

static void test_calibration_survives_a_preemption(void **state)
{
    (void)state;
    struct work works[] = {{.cost_ns = 1000, .shape = preempted_early}};
    struct outcome outcome;
    struct error error;
    struct sampler_settings settings = sampler_defaults();
    assert_true(measure(works, 1, &settings, &outcome, &error));
    assert_int_equal(outcome.results[0].ops_per_sample, 1000);
}

/* The least cost of a reading counts: 3 us of which make batches of 3 ms, whatever one slow reading
 * may have cost. */
static uint64_t slow_once_wall_ns(void *context)
{
    struct manual_clock *clock = context;
    clock->wall_ns += clock->wall_readings++ == 10 ? 5000000 : 0;
    return clock->wall_ns;
}

static uint64_t costly_cpu_ns(void *context)
{
    struct manual_clock *clock = context;
    clock->wall_ns += 3000;
    return clock->cpu_ns;
}

static bool run_us(void *context, uint64_t count, struct error *error)
{
    (void)error;
    struct manual_clock *clock = context;
    clock->wall_ns += 1000 * count;
    clock->cpu_ns += 1000 * count;
    return true;
}

static void test_batches_outweigh_the_clocks(void **state)
{
    (void)state;
    struct outcome outcome = {.total = 0};
    struct sampler_events events = {&outcome, keep, NULL};
    struct sampler_settings settings = sampler_defaults();
    struct sampler_task task = {.context = &manual, .run = run_us};
    struct error error;
    manual_clock_init(&manual);
    manual.clock.wall_ns = slow_once_wall_ns;
    manual.clock.cpu_ns = costly_cpu_ns;
    assert_true(sampler_run(&task, 1, &settings, &manual.clock, &events, &error));
    assert_int_equal(outcome.results[0].ops_per_sample, 3000);
}

/* Numbers of runs stay true when older values are thinned. */
static void test_thinned_references_keep_their_numbers(void **state)
{
    (void)state;
    struct reference reference;
    struct reference_verdict verdict;
    struct error error;
    manual_clock_init(&manual);
    assert_true(reference_init(&reference, 64, &error));
    reference.work = reference_work;
    slower_by = 0;
    machine_speed = 2;
    for (int i = 0; i < 60; i++)
        reference_run(&reference, &manual.clock);
    uint64_t second_phase = reference.runs;
    machine_speed = 1;
    for (int i = 0; i < 30; i++)
        reference_run(&reference, &manual.clock);
    assert_int_equal(reference.runs, 90);
    reference_judge(&reference, second_phase, &verdict);
    assert_true(verdict.calm); /* none of the slow runs is counted among these */
    reference_judge(&reference, 0, &verdict);
    assert_true(verdict.noisy);
    reference_judge(&reference, 88, &verdict); /* too few */
    assert_true(isnan(verdict.spread_ratio));
    assert_false(verdict.calm);
    reference_free(&reference);
}

/* The kernel's watch: readings work, and steal does not go back. */
static void test_the_real_watch(void **state)
{
    (void)state;
    struct watch watch;
    uint64_t first = 0;
    uint64_t second = 0;
    watch_init(&watch);
    watch.begin(&watch);
    (void)watch.end(&watch);
    assert_true(watch.stolen(&watch, &first));
    assert_true(watch.stolen(&watch, &second));
    assert_true(second >= first);
    watch_close(&watch);
    assert_false(watch.stolen(&watch, &first));
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
        cmocka_unit_test(test_readings),
        cmocka_unit_test(test_calibration_survives_a_preemption),
        cmocka_unit_test(test_batches_outweigh_the_clocks),
        cmocka_unit_test(test_preempted_rounds_are_noisy),
        cmocka_unit_test(test_steal_is_noisy),
        cmocka_unit_test(test_thinned_references_keep_their_numbers),
        cmocka_unit_test(test_the_real_watch),
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
