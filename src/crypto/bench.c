#include "crypto/bench.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/cells.h"
#include "crypto/workers.h"

/* One target of the group under way. */
struct entry {
    const struct crypto_target *target;
    struct crypto_workers *workers;
};

struct bench {
    const struct crypto_targets *targets;
    const struct crypto_bench_settings *settings;
    const struct crypto_bench_events *events;
    struct sampler_settings sampler;
    struct accounting_baseline baseline;
    struct entry group[CRYPTO_GROUP_MAXIMUM];
    struct sampler_task tasks[CRYPTO_GROUP_MAXIMUM];
    size_t group_count;
    size_t done;      /* final targets */
    struct cell cell; /* reused */
};

static void start_cell(struct bench *bench, const struct crypto_target *target)
{
    const struct crypto_bench_settings *settings = bench->settings;
    struct cell *cell = &bench->cell;
    cell_clear(cell);
    cell_copy_text(cell, &cell->run, settings->run_id);
    crypto_cell_subject(cell, target, settings->threads);
    if (settings->pinned_cpu >= 0)
        cell_set_integer(cell, &cell->subject, "cpu", settings->pinned_cpu);
    if (target->library->unavailable() == NULL)
        target->library->describe(NULL, cell);
}

static bool hand_out(struct bench *bench, const struct crypto_target *target, struct error *error)
{
    bench->done++;
    return bench->events->cell(bench->events->context, &bench->cell, target, error);
}

static bool hand_out_failure(struct bench *bench, const struct crypto_target *target,
                             const struct error *failure, struct error *error)
{
    start_cell(bench, target);
    cell_fail(&bench->cell, failure);
    return hand_out(bench, target, error);
}

static bool account(struct bench *bench, struct entry *entry, const struct sampler_result *result,
                    struct error *error)
{
    struct sampler_task task = {.context = entry->workers, .run = crypto_workers_run};
    struct accounting_settings settings = {
        .least_ns = 1000000000, .batch = result->ops_per_sample, .stop = bench->sampler.stop};
    struct accounting accounting;
    if (!accounting_run(&task, &settings, accounting_system(), &bench->baseline,
                        bench->settings->clock, &accounting, error))
        return false;
    crypto_cell_accounting(&bench->cell, &accounting);
    return true;
}

/* What each thread took by itself: on unequal cores the total hides it. */
static void put_threads(struct cell *cell, const struct crypto_workers *workers)
{
    double wall_ns[CRYPTO_MOST_THREADS];
    struct summary summary;
    size_t threads = crypto_workers_times(workers, wall_ns);
    struct metric *metric = threads < 2 ? NULL : cell_metric(cell, "thread_wall_ns");
    if (metric == NULL)
        return;
    statistics_summarise(wall_ns, threads, &summary);
    metric->n = threads;
    metric->median = summary.median;
    metric->min = summary.min;
    metric->max = summary.max;
}

static bool on_done(void *context, size_t index, const struct sampler_result *result,
                    struct error *error)
{
    struct bench *bench = context;
    struct entry *entry = &bench->group[index];
    start_cell(bench, entry->target);
    entry->target->library->describe(crypto_workers_first(entry->workers), &bench->cell);
    crypto_cell_result(&bench->cell, entry->target, result);
    if (result->end != SAMPLER_FAILED)
        put_threads(&bench->cell, entry->workers);
    if (bench->settings->accounting && result->end != SAMPLER_FAILED &&
        result->end != SAMPLER_INTERRUPTED && !account(bench, entry, result, error))
        return false;
    return hand_out(bench, entry->target, error);
}

static void on_progress(void *context, size_t finished, size_t total)
{
    struct bench *bench = context;
    (void)finished;
    (void)total;
    if (bench->events->progress != NULL && bench->group_count > 0)
        bench->events->progress(bench->events->context,
                                bench->group[0].target->request.algorithm->name, bench->done,
                                bench->targets->count);
}

/* Opens and verifies one target into the group; what cannot be measured is handed out at once. */
static bool enter(struct bench *bench, const struct crypto_target *target, struct error *error)
{
    struct error failure = {.code = ERROR_NONE};
    const char *reason = target->library->unavailable();
    if (reason == NULL)
        reason = target->library->supports(&target->request);
    if (reason != NULL) {
        (void)error_set(&failure, ERROR_UNAVAILABLE, "%s", reason);
        return hand_out_failure(bench, target, &failure, error);
    }
    struct crypto_workers *workers =
        crypto_workers_open(target->library, &target->request, bench->settings->threads, &failure);
    if (workers == NULL)
        return hand_out_failure(bench, target, &failure, error);
    if (!crypto_workers_verify(workers, &failure)) {
        crypto_workers_close(workers);
        return hand_out_failure(bench, target, &failure, error);
    }
    bench->tasks[bench->group_count] =
        (struct sampler_task){.context = workers, .run = crypto_workers_run};
    bench->group[bench->group_count++] = (struct entry){target, workers};
    return true;
}

static bool is_wanted(struct bench *bench, const struct crypto_target *target)
{
    if (bench->events->wanted == NULL)
        return true;
    start_cell(bench, target);
    return bench->events->wanted(bench->events->context, &bench->cell);
}

static bool stopped(const struct bench *bench)
{
    return bench->sampler.stop != NULL && *bench->sampler.stop != 0;
}

/* Asks for every target before the first is measured, so that who refuses one refuses all. */
static void ask_for_all(struct bench *bench)
{
    for (size_t i = 0; i < bench->targets->count && !stopped(bench); i++)
        (void)is_wanted(bench, &bench->targets->items[i]);
}

/* Fills the group from target `next` on: one algorithm, as many as may be open. Returns the first
 * target that is not in it. */
static size_t fill_group(struct bench *bench, size_t next, bool *good, struct error *error)
{
    const struct crypto_target *items = bench->targets->items;
    const struct crypto_algorithm *algorithm = items[next].request.algorithm;
    bench->group_count = 0;
    while (*good && next < bench->targets->count && !stopped(bench) &&
           items[next].request.algorithm == algorithm &&
           bench->group_count < CRYPTO_GROUP_MAXIMUM) {
        if (is_wanted(bench, &items[next]))
            *good = enter(bench, &items[next], error);
        else
            bench->done++;
        next++;
    }
    return next;
}

static void empty_group(struct bench *bench)
{
    for (size_t i = 0; i < bench->group_count; i++)
        crypto_workers_close(bench->group[i].workers);
    bench->group_count = 0;
}

static bool run_groups(struct bench *bench, struct error *error)
{
    struct sampler_events events = {bench, on_done, on_progress};
    bool good = true;
    for (size_t next = 0; good && next < bench->targets->count;) {
        next = fill_group(bench, next, &good, error);
        if (good && stopped(bench))
            good = error_set(error, ERROR_INTERRUPTED, "interrupted; what was measured is kept");
        good = good && sampler_run(bench->tasks, bench->group_count, &bench->sampler,
                                   bench->settings->clock, &events, error);
        empty_group(bench);
        bench->sampler.seed++; /* another order for every group */
    }
    return good;
}

bool crypto_bench_run(const struct crypto_targets *targets,
                      const struct crypto_bench_settings *settings,
                      const struct crypto_bench_events *events, struct error *error)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct reference reference;
    struct watch watch;
    if (bench == NULL)
        return error_set(error, ERROR_MEMORY, "no memory to measure");
    if (!reference_init(&reference, 8192, error)) {
        free(bench);
        return false;
    }
    watch_init(&watch);
    bench->targets = targets;
    bench->settings = settings;
    bench->events = events;
    bench->sampler = settings->sampler;
    bench->sampler.reference = &reference;
    bench->sampler.watch = settings->threads == 1 ? &watch : NULL; /* waiting is no preemption */
    if (settings->threads > 1 && bench->sampler.batch_ns == 0)
        bench->sampler.batch_ns = 10000000; /* starting the threads takes tens of microseconds */
    bool good = !settings->accounting ||
                accounting_measure_baseline(accounting_system(), 1000000000, settings->clock,
                                            &bench->baseline, error);
    ask_for_all(bench);
    good = good && run_groups(bench, error);
    cell_free(&bench->cell);
    watch_close(&watch);
    reference_free(&reference);
    free(bench);
    return good;
}

double crypto_bench_estimate_s(const struct crypto_targets *targets,
                               const struct crypto_bench_settings *settings)
{
    double each_s = (double)settings->sampler.max_time_ns / 1e9;
    size_t cells = 0;
    for (size_t i = 0; i < targets->count; i++)
        cells += targets->items[i].library->unavailable() == NULL &&
                 targets->items[i].library->supports(&targets->items[i].request) == NULL;
    return (double)cells * (each_s + (settings->accounting ? 1 : 0));
}
