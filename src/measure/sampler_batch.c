#include <string.h>

#include "measure/sampler_internal.h"

enum {
    CLOCK_READINGS = 64,
    COST_FACTOR = 1000, /* reading the clocks is at most 0.1 % of a batch */
    SHORTEST_BATCH_NS = 1000000,
    SINGLE_ABOVE_NS = 20000,
    REPEATS = 3,
    CALIBRATION_RUNS = 3,
};

struct batch_time {
    uint64_t wall_ns, cpu_ns;
    struct counter_values counters;
    bool counted;
};

uint64_t sampler_batch_ns(const struct sampler_settings *settings, const struct clock *clock)
{
    if (settings->batch_ns > 0)
        return settings->batch_ns;
    /* The least of many, because one preemption would make batches of many milliseconds. */
    uint64_t cost_ns = UINT64_MAX / COST_FACTOR;
    for (int i = 0; i < CLOCK_READINGS; i++) {
        uint64_t start_ns = clock_wall_ns(clock);
        (void)clock_cpu_ns(clock);
        uint64_t took_ns = clock_wall_ns(clock) - start_ns;
        cost_ns = took_ns < cost_ns ? took_ns : cost_ns;
    }
    uint64_t batch_ns = cost_ns * COST_FACTOR;
    return batch_ns > SHORTEST_BATCH_NS ? batch_ns : SHORTEST_BATCH_NS;
}

/* The fastest of a few runs: one that was preempted or cold must not set the batch. */
static bool fastest_ns(const struct sampler *sampler, const struct sampler_state *state,
                       uint64_t count, uint64_t enough_ns, uint64_t *took_ns, struct error *error)
{
    *took_ns = UINT64_MAX;
    for (int i = 0; i < CALIBRATION_RUNS && *took_ns >= enough_ns; i++) {
        uint64_t start_ns = clock_wall_ns(sampler->clock);
        if (!state->task->run(state->task->context, count, error))
            return false;
        uint64_t this_ns = clock_wall_ns(sampler->clock) - start_ns;
        if (this_ns < *took_ns)
            *took_ns = this_ns;
        if (this_ns > sampler->settings->max_time_ns / CALIBRATION_RUNS)
            break; /* too long to do again */
    }
    return true;
}

bool sampler_calibrate(struct sampler *sampler, struct sampler_state *state, struct error *error)
{
    /* Doubling ends at half a batch or more, so that the last step also warms up caches. */
    uint64_t count = 1;
    uint64_t took_ns = 0;
    for (;;) {
        if (!fastest_ns(sampler, state, count, sampler->batch_ns / 2, &took_ns, error))
            return false;
        if (took_ns >= sampler->batch_ns / 2 || count > UINT64_MAX / 4)
            break;
        uint64_t enough = took_ns == 0 ? 16 : sampler->batch_ns * 3 / 4 / took_ns + 1;
        count *= enough < 2 ? 2 : enough > 16 ? 16 : enough;
    }
    /* A preemption would make the operation look long and the batches short: the least of three. */
    for (int i = 0; i < 2 && took_ns <= sampler->batch_ns * 2; i++) {
        uint64_t start_ns = clock_wall_ns(sampler->clock);
        if (!state->task->run(state->task->context, count, error))
            return false;
        uint64_t again_ns = clock_wall_ns(sampler->clock) - start_ns;
        took_ns = again_ns < took_ns ? again_ns : took_ns;
    }
    double each_ns = (double)took_ns / (double)count;
    double fits = each_ns > 0 ? (double)sampler->batch_ns / each_ns : (double)count;
    state->batch = fits < 1 ? 1 : (uint64_t)fits;
    state->single = each_ns > SINGLE_ABOVE_NS;
    return true;
}

/* Vitter's algorithm R: every latency has the same chance to be kept. */
static void keep_latency(struct sampler *sampler, struct sampler_series *series, double ns)
{
    uint64_t seen = series->latencies++;
    if (seen == 0 || ns > series->latency_max_ns)
        series->latency_max_ns = ns;
    if (seen == 0 || ns < series->latency_min_ns)
        series->latency_min_ns = ns;
    if (seen < SAMPLER_MOST_LATENCIES) {
        series->latency_ns[seen] = ns;
        return;
    }
    uint64_t place = random_below(&sampler->reservoir, seen + 1);
    if (place < SAMPLER_MOST_LATENCIES)
        series->latency_ns[place] = ns;
}

static bool run_singles(struct sampler *sampler, struct sampler_state *state, uint64_t *wall_ns,
                        struct error *error)
{
    *wall_ns = 0;
    for (uint64_t i = 0; i < state->batch; i++) {
        uint64_t start_ns = clock_wall_ns(sampler->clock);
        if (!state->task->run(state->task->context, 1, error))
            return false;
        uint64_t latency_ns = clock_wall_ns(sampler->clock) - start_ns;
        keep_latency(sampler, &state->series, (double)latency_ns);
        *wall_ns += latency_ns;
    }
    return true;
}

static bool run_batch(struct sampler *sampler, struct sampler_state *state, struct batch_time *time,
                      struct error *error)
{
    const struct counters *counters = sampler->settings->counters;
    struct counter_values before;
    struct counter_values after;
    bool counted = counters != NULL && counters_read(counters, &before);
    for (size_t i = 0; i < state->task->reading_count; i++)
        state->task->readings[i] = 0;
    uint64_t cpu_ns = clock_cpu_ns(sampler->clock);
    uint64_t wall_ns = clock_wall_ns(sampler->clock);
    if (state->single) {
        if (!run_singles(sampler, state, &time->wall_ns, error))
            return false;
    } else {
        if (!state->task->run(state->task->context, state->batch, error))
            return false;
        time->wall_ns = clock_wall_ns(sampler->clock) - wall_ns;
    }
    time->cpu_ns = clock_cpu_ns(sampler->clock) - cpu_ns;
    time->counted = counted && counters_read(counters, &after);
    if (time->counted) {
        time->counters.cycles = after.cycles - before.cycles;
        time->counters.instructions = after.instructions - before.instructions;
    }
    return true;
}

static void keep_round(struct sampler_state *state, const struct batch_time *time)
{
    struct sampler_series *series = &state->series;
    double operations = (double)state->batch;
    size_t round = series->rounds;
    series->wall_ns[round] = (double)time->wall_ns / operations;
    series->cpu_ns[round] = (double)time->cpu_ns / operations;
    for (size_t i = 0; i < state->task->reading_count; i++)
        series->readings[i * SAMPLER_MOST_ROUNDS + round] = state->task->readings[i] / operations;
    if (series->cycles != NULL) {
        series->cycles[round] = time->counted ? (double)time->counters.cycles / operations : -1;
        series->instructions[round] =
            time->counted ? (double)time->counters.instructions / operations : -1;
    }
    series->rounds++;
    state->operations += state->batch;
}

bool sampler_round(struct sampler *sampler, struct sampler_state *state, struct error *error)
{
    struct watch *watch = sampler->settings->watch;
    struct batch_time time = {0, 0, {0, 0}, false};
    bool contaminated = false;
    for (int repeat = 0; repeat <= REPEATS; repeat++) {
        if (watch != NULL)
            watch->begin(watch);
        if (!run_batch(sampler, state, &time, error))
            return false;
        state->measured_ns += time.wall_ns;
        contaminated = watch != NULL && watch->end(watch);
        if (!contaminated)
            break;
        state->contaminated++;
    }
    state->contaminated_rounds += contaminated;
    if (watch != NULL)
        state->cpu = state->cpu == -2 || state->cpu == watch->cpu ? watch->cpu : -1;
    keep_round(state, &time);
    return true;
}
