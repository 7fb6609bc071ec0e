#include "measure/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "measure/sampler_internal.h"

enum { MOST_REFERENCES = 4096 };

/* One run of a group: everything it needs is allocated here, before the first batch. */
struct group {
    struct sampler sampler;
    struct sampler_state *states;
    size_t count;
    size_t *order;
    double *memory;
    struct reference own_reference;
    struct reference *reference;
    struct sampler_result *result;
    const struct sampler_events *events;
};

struct sampler_settings sampler_defaults(void)
{
    return (struct sampler_settings){.target_ratio = 0.01,
                                     .max_time_ns = 1000000000,
                                     .min_time_ns = 150000000,
                                     .min_rounds = 10};
}

static void group_free(struct group *group)
{
    free(group->states);
    free(group->order);
    free(group->memory);
    free(group->result);
    reference_free(&group->own_reference);
}

/* Doubles that a task's series take. */
static size_t series_size(const struct sampler_task *task, bool counters)
{
    return ((counters ? 5u : 3u) + task->reading_count) * SAMPLER_MOST_ROUNDS +
           SAMPLER_MOST_LATENCIES;
}

static void give_series(struct sampler_series *series, double *memory, bool counters)
{
    series->wall_ns = memory;
    series->cpu_ns = memory + SAMPLER_MOST_ROUNDS;
    series->scratch = memory + 2 * SAMPLER_MOST_ROUNDS;
    series->latency_ns = memory + 3 * SAMPLER_MOST_ROUNDS;
    series->readings = series->latency_ns + SAMPLER_MOST_LATENCIES;
    if (!counters)
        return;
    series->cycles = series->readings;
    series->instructions = series->cycles + SAMPLER_MOST_ROUNDS;
    series->readings = series->instructions + SAMPLER_MOST_ROUNDS;
}

static bool group_init(struct group *group, const struct sampler_task *tasks, size_t count,
                       const struct sampler_settings *settings, struct error *error)
{
    bool counters = settings->counters != NULL;
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += series_size(&tasks[i], counters);
    group->states = calloc(count, sizeof *group->states);
    group->order = calloc(count, sizeof *group->order);
    group->result = malloc(sizeof *group->result);
    group->memory = calloc(size, sizeof *group->memory);
    if (group->states == NULL || group->order == NULL || group->result == NULL ||
        group->memory == NULL)
        return error_set(error, ERROR_MEMORY, "no memory to measure %zu cells at once", count);
    double *memory = group->memory;
    for (size_t i = 0; i < count; i++) {
        group->states[i].task = &tasks[i];
        group->states[i].cpu = -2;
        group->order[i] = i;
        give_series(&group->states[i].series, memory, counters);
        memory += series_size(&tasks[i], counters);
    }
    group->reference = settings->reference;
    if (group->reference != NULL)
        return true;
    group->reference = &group->own_reference;
    return reference_init(group->reference, MOST_REFERENCES, error);
}

static bool tell_done(struct group *group, size_t index, struct error *error)
{
    if (group->events == NULL || group->events->done == NULL)
        return true;
    return group->events->done(group->events->context, index, group->result, error);
}

static bool finish(struct group *group, size_t index, enum sampler_end end, struct error *error)
{
    sampler_finish(&group->sampler, &group->states[index], group->reference, end, group->result);
    return tell_done(group, index, error);
}

/* A task's own failure ends that task only. */
static bool finish_failed(struct group *group, size_t index, const struct error *failure,
                          struct error *error)
{
    sampler_finish(&group->sampler, &group->states[index], group->reference, SAMPLER_FAILED,
                   group->result);
    group->result->error = *failure;
    return tell_done(group, index, error);
}

static bool stopped(const struct group *group)
{
    const volatile int *stop = group->sampler.settings->stop;
    return stop != NULL && *stop != 0;
}

/* From here on what the host takes away counts. */
static void start_watching(struct group *group)
{
    struct watch *watch = group->sampler.settings->watch;
    uint64_t stolen_ns = 0;
    uint64_t now_ns = clock_wall_ns(group->sampler.clock);
    if (watch != NULL && watch->stolen != NULL)
        (void)watch->stolen(watch, &stolen_ns);
    for (size_t i = 0; i < group->count; i++) {
        group->states[i].start_ns = now_ns;
        group->states[i].start_stolen_ns = stolen_ns;
    }
}

static bool calibrate_all(struct group *group, struct error *error)
{
    for (size_t i = 0; i < group->count && !stopped(group); i++) {
        struct error failure = {.code = ERROR_NONE};
        group->states[i].first_reference = group->reference->runs;
        group->states[i].next_check = group->sampler.settings->min_rounds;
        if (!sampler_calibrate(&group->sampler, &group->states[i], &failure) &&
            !finish_failed(group, i, &failure, error))
            return false;
    }
    return true;
}

/* Whether the task has ended, and how. */
static bool has_ended(const struct group *group, struct sampler_state *state, enum sampler_end *end)
{
    const struct sampler_settings *settings = group->sampler.settings;
    uint64_t rounds = state->series.rounds;
    if (rounds >= settings->min_rounds && rounds >= state->next_check &&
        state->measured_ns >= settings->min_time_ns) {
        /* Each look is a chance to stop by luck: few looks keep the interval's 95 % true
         * (docs/measuring.md). */
        state->next_check = rounds + (rounds < 4 ? 1 : rounds / 4);
        *end = SAMPLER_TARGET;
        if (sampler_within_target(state, settings->target_ratio))
            return true;
    }
    *end = SAMPLER_CAP;
    return state->measured_ns >= settings->max_time_ns || rounds == SAMPLER_MOST_ROUNDS;
}

static bool round_of_all(struct group *group, struct random_source *order, size_t *unfinished,
                         struct error *error)
{
    random_shuffle(order, group->order, group->count);
    for (size_t i = 0; i < group->count && !stopped(group); i++) {
        size_t index = group->order[i];
        struct sampler_state *state = &group->states[index];
        struct error failure = {.code = ERROR_NONE};
        enum sampler_end end;
        if (state->finished)
            continue;
        if (!sampler_round(&group->sampler, state, &failure)) {
            if (!finish_failed(group, index, &failure, error))
                return false;
            --*unfinished;
        } else if (has_ended(group, state, &end)) {
            if (!finish(group, index, end, error))
                return false;
            --*unfinished;
        }
    }
    return true;
}

static bool finish_interrupted(struct group *group, struct error *error)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct sampler_state *state = &group->states[i];
        if (!state->finished && state->series.rounds >= group->sampler.settings->min_rounds &&
            !finish(group, i, SAMPLER_INTERRUPTED, error))
            return false;
    }
    return error_set(error, ERROR_INTERRUPTED, "interrupted; what was measured is kept");
}

static size_t count_unfinished(const struct group *group)
{
    size_t unfinished = 0;
    for (size_t i = 0; i < group->count; i++)
        unfinished += !group->states[i].finished;
    return unfinished;
}

static bool run_rounds(struct group *group, struct error *error)
{
    struct random_source order;
    random_seed(&order, group->sampler.settings->seed);
    random_fork(&group->sampler.reservoir, &order, "latencies");
    if (!calibrate_all(group, error))
        return false;
    start_watching(group);
    size_t unfinished = count_unfinished(group);
    while (unfinished > 0 && !stopped(group)) {
        reference_run(group->reference, group->sampler.clock);
        if (!round_of_all(group, &order, &unfinished, error))
            return false;
        if (group->events != NULL && group->events->progress != NULL)
            group->events->progress(group->events->context, group->count - unfinished,
                                    group->count);
    }
    return unfinished == 0 || finish_interrupted(group, error);
}

bool sampler_run(const struct sampler_task *tasks, size_t count,
                 const struct sampler_settings *settings, const struct clock *clock,
                 const struct sampler_events *events, struct error *error)
{
    struct group group = {.count = count, .events = events};
    if (count == 0)
        return true;
    group.sampler.settings = settings;
    group.sampler.clock = clock;
    bool good = group_init(&group, tasks, count, settings, error);
    if (good) {
        group.sampler.batch_ns = sampler_batch_ns(settings, clock);
        good = run_rounds(&group, error);
    }
    group_free(&group);
    return good;
}
