/* Accounting with a machine whose every nanosecond is scripted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "measure/accounting.h"

static void close_to(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void test_parse_stat(void **state)
{
    (void)state;
    struct machine_ticks ticks;
    struct error error;
    assert_true(accounting_parse_stat("cpu  24381 7 8209 942646 2768 3 87 48 11 12\n"
                                      "cpu0 6200 0 2765 479644 105 0 17 19 0 0\n",
                                      &ticks, &error));
    assert_int_equal(ticks.user, 24381);
    assert_int_equal(ticks.nice, 7);
    assert_int_equal(ticks.system, 8209);
    assert_int_equal(ticks.idle, 942646);
    assert_int_equal(ticks.iowait, 2768);
    assert_int_equal(ticks.irq, 3);
    assert_int_equal(ticks.softirq, 87);
    assert_int_equal(ticks.steal, 48);
    /* An old kernel without steal; the line need not be the first. */
    assert_true(accounting_parse_stat("intr 5\ncpu  1 2 3 4 5 6 7\n", &ticks, &error));
    assert_int_equal(ticks.softirq, 7);
    assert_int_equal(ticks.steal, 0);
}

static void test_refuse_stat(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "cpu", "cpu0 1 2 3 4 5 6 7 8\n",
                                      "cpu  1 2 3\ncpu0 1 2 3 4 5 6 7 8\n",
                                      "cpu  1 2 x 4 5 6 7 8\n"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct machine_ticks ticks;
        struct error error = {.code = ERROR_NONE};
        assert_false(accounting_parse_stat(bad[i], &ticks, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_non_null(strstr(error.text, "/proc/stat"));
    }
}

/* A machine in which 4 % user, 2 % system, 1 % softirq of one CPU go by even when idle; an
 * operation takes 10 us: 6 us user and 1 us system of the process, and 2 us in softirq elsewhere.
 */
struct script {
    struct manual_clock clock;
    double user_ns, system_ns, irq_ns, softirq_ns, steal_ns; /* of the machine */
    double process_user_ns, process_system_ns;
    uint64_t fail_after, operations;
};

static void pass(struct script *script, double ns)
{
    manual_clock_advance(&script->clock, (uint64_t)ns, 0);
    script->user_ns += 0.04 * ns;
    script->system_ns += 0.02 * ns;
    script->softirq_ns += 0.01 * ns;
    script->steal_ns += 0.03 * ns;
}

static bool script_machine(void *context, struct machine_ticks *ticks, struct error *error)
{
    (void)error;
    const struct script *script = context;
    *ticks = (struct machine_ticks){.user = (uint64_t)(script->user_ns * 0.5 / 1000 + 0.5),
                                    .nice = (uint64_t)(script->user_ns * 0.5 / 1000 + 0.5),
                                    .system = (uint64_t)(script->system_ns / 1000 + 0.5),
                                    .irq = (uint64_t)(script->irq_ns / 1000 + 0.5),
                                    .softirq = (uint64_t)(script->softirq_ns / 1000 + 0.5),
                                    .steal = (uint64_t)(script->steal_ns / 1000 + 0.5)};
    return true;
}

static bool script_process(void *context, struct process_time *time, struct error *error)
{
    (void)error;
    const struct script *script = context;
    *time = (struct process_time){(uint64_t)script->process_user_ns,
                                  (uint64_t)script->process_system_ns};
    return true;
}

static void script_sleep(void *context, uint64_t ns)
{
    pass(context, (double)ns);
}

static bool work(void *context, uint64_t count, struct error *error)
{
    struct script *script = context;
    double n = (double)count;
    script->operations += count;
    if (script->fail_after != 0 && script->operations >= script->fail_after)
        return error_set(error, ERROR_LIBRARY, "made to fail");
    pass(script, 10000 * n);
    script->process_user_ns += 6000 * n;
    script->process_system_ns += 1000 * n;
    script->user_ns += 6000 * n;
    script->system_ns += 1000 * n;
    script->softirq_ns += 2000 * n;
    script->irq_ns += 500 * n;
    return true;
}

static void setup(struct script *script, struct accounting_source *source)
{
    memset(script, 0, sizeof *script);
    manual_clock_init(&script->clock);
    *source =
        (struct accounting_source){script_machine, script_process, script_sleep, script, 1000};
}

static void test_takes_the_baseline_off(void **state)
{
    (void)state;
    struct script script;
    struct accounting_source source;
    struct accounting_baseline baseline;
    struct accounting result;
    struct error error;
    setup(&script, &source);
    struct sampler_task task = {.context = &script, .run = work};
    struct accounting_settings settings = {.least_ns = 1000000000, .batch = 100};
    assert_true(
        accounting_measure_baseline(&source, 1000000000, &script.clock.clock, &baseline, &error));
    close_to(baseline.user, 0.04);
    close_to(baseline.softirq, 0.01);
    assert_true(
        accounting_run(&task, &settings, &source, &baseline, &script.clock.clock, &result, &error));
    assert_int_equal(result.elapsed_ns, 1000000000);
    assert_int_equal(result.operations, 100000);
    close_to(result.process_user_ns, 6000);
    close_to(result.process_system_ns, 1000);
    close_to(result.machine_user_ns, 6000);
    close_to(result.machine_system_ns, 1000);
    close_to(result.machine_irq_ns, 500);
    close_to(result.machine_softirq_ns, 2000);
    close_to(result.machine_cpu_percent, 95);
    close_to(result.steal_percent, 3);
    close_to(result.machine_resolution_ns, 0.01);
}

static void test_without_baseline_and_below_it(void **state)
{
    (void)state;
    struct script script;
    struct accounting_source source;
    struct accounting result;
    struct error error;
    setup(&script, &source);
    struct sampler_task task = {.context = &script, .run = work};
    struct accounting_settings settings = {.least_ns = 5000000, .batch = 0};
    assert_true(
        accounting_run(&task, &settings, &source, NULL, &script.clock.clock, &result, &error));
    assert_int_equal(result.operations, 500);
    close_to(result.machine_user_ns, 6400);
    struct accounting_baseline busy = {.user = 2, .system = 2, .irq = 2, .softirq = 2};
    assert_true(
        accounting_run(&task, &settings, &source, &busy, &script.clock.clock, &result, &error));
    close_to(result.machine_user_ns, 0);
    close_to(result.machine_cpu_percent, 0);
}

static void test_failure_and_stop(void **state)
{
    (void)state;
    struct script script;
    struct accounting_source source;
    struct accounting result;
    struct error error;
    setup(&script, &source);
    script.fail_after = 250;
    struct sampler_task task = {.context = &script, .run = work};
    volatile int stop = 0;
    struct accounting_settings settings = {.least_ns = 1000000000, .batch = 100, .stop = &stop};
    assert_false(
        accounting_run(&task, &settings, &source, NULL, &script.clock.clock, &result, &error));
    assert_int_equal(error.code, ERROR_LIBRARY);
    stop = 1;
    assert_false(
        accounting_run(&task, &settings, &source, NULL, &script.clock.clock, &result, &error));
    assert_int_equal(error.code, ERROR_INTERRUPTED);
}

/* The kernel's own counters can be read and do not go back. */
static void test_the_kernel_answers(void **state)
{
    (void)state;
    const struct accounting_source *source = accounting_system();
    struct machine_ticks ticks;
    struct process_time first;
    struct process_time second;
    struct error error;
    assert_true(source->tick_ns >= 100000 && source->tick_ns <= 100000000);
    assert_true(source->machine(source->context, &ticks, &error));
    assert_true(ticks.user + ticks.system + ticks.idle > 0);
    assert_true(source->process(source->context, &first, &error));
    source->sleep(source->context, 1000);
    assert_true(source->process(source->context, &second, &error));
    assert_true(second.user_ns + second.system_ns >= first.user_ns + first.system_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_stat),
        cmocka_unit_test(test_refuse_stat),
        cmocka_unit_test(test_takes_the_baseline_off),
        cmocka_unit_test(test_without_baseline_and_below_it),
        cmocka_unit_test(test_failure_and_stop),
        cmocka_unit_test(test_the_kernel_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
