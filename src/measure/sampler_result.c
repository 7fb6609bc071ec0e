#include <math.h>
#include <string.h>

#include "measure/sampler_internal.h"

enum { BLOCKS = 16 };

bool sampler_within_target(const struct sampler_state *state, double target_ratio)
{
    const struct sampler_series *series = &state->series;
    struct interval interval =
        statistics_block_interval(series->wall_ns, series->rounds, BLOCKS, 0.95, series->scratch);
    if (isnan(interval.low))
        return false;
    /* statistics_block_interval leaves all values sorted in scratch. */
    double median = statistics_quantile(series->scratch, series->rounds, 0.5);
    return interval.high - interval.low <= 2 * target_ratio * median;
}

/* Every step-th value, so that at most SAMPLER_KEPT_VALUES are kept, in time order. */
static void thin(const struct sampler_series *series, size_t readings,
                 struct sampler_result *result)
{
    size_t step = (series->rounds + SAMPLER_KEPT_VALUES - 1) / SAMPLER_KEPT_VALUES;
    if (step == 0)
        step = 1;
    result->value_count = 0;
    for (size_t i = 0; i < series->rounds; i += step) {
        result->wall_values_ns[result->value_count] = series->wall_ns[i];
        result->cpu_values_ns[result->value_count] = series->cpu_ns[i];
        for (size_t j = 0; j < readings; j++)
            result->reading_values[j][result->value_count] =
                series->readings[j * SAMPLER_MOST_ROUNDS + i];
        result->value_count++;
    }
}

/* Neighbouring rounds share the machine's slow phases, so the interval is one over blocks. */
static void summarise_rounds(const struct sampler_series *series, double *values,
                             struct summary *summary)
{
    struct interval interval =
        statistics_block_interval(values, series->rounds, BLOCKS, 0.95, series->scratch);
    statistics_summarise(values, series->rounds, summary);
    summary->ci95_low = interval.low;
    summary->ci95_high = interval.high;
}

static void summarise_latencies(struct sampler_series *series, struct summary *summary)
{
    size_t kept = series->latencies < SAMPLER_MOST_LATENCIES ? (size_t)series->latencies
                                                             : (size_t)SAMPLER_MOST_LATENCIES;
    statistics_summarise(series->latency_ns, kept, summary);
    summary->n = (size_t)series->latencies;
    summary->ci95_low = summary->ci95_high = NAN; /* neighbours are not independent */
    if (kept == 0)
        return;
    summary->max = series->latency_max_ns; /* exact, where the reservoir may have lost them */
    summary->min = series->latency_min_ns;
}

/* Rounds that could not be counted carry -1. */
static void summarise_counts(double *values, size_t rounds, struct summary *summary)
{
    size_t kept = 0;
    for (size_t i = 0; values != NULL && i < rounds; i++)
        if (values[i] >= 0)
            values[kept++] = values[i];
    statistics_summarise(values, kept, summary);
}

/* CPU time that the host took from the whole machine, over the time that passed. */
static double steal_ratio(const struct sampler *sampler, const struct sampler_state *state)
{
    struct watch *watch = sampler->settings->watch;
    uint64_t stolen_ns;
    uint64_t elapsed_ns = clock_wall_ns(sampler->clock) - state->start_ns;
    if (watch == NULL || watch->stolen == NULL || !watch->stolen(watch, &stolen_ns) ||
        elapsed_ns == 0)
        return 0;
    return (double)(stolen_ns - state->start_stolen_ns) / (double)elapsed_ns;
}

/* The reference loop sees slow phases; preemption and steal show elsewhere. */
static void judge(const struct sampler_state *state, struct sampler_result *result)
{
    double rounds = (double)state->series.rounds;
    bool disturbed = (double)state->contaminated_rounds > SAMPLER_NOISY_CONTAMINATED * rounds ||
                     result->steal_ratio > SAMPLER_NOISY_STEAL;
    result->throttled = result->reference.throttled;
    result->noisy = result->reference.noisy || disturbed;
    result->calm = result->reference.calm && !disturbed;
}

void sampler_finish(const struct sampler *sampler, struct sampler_state *state,
                    struct reference *reference, enum sampler_end end,
                    struct sampler_result *result)
{
    struct sampler_series *series = &state->series;
    memset(result, 0, sizeof *result);
    result->end = end;
    size_t readings = state->task->reading_count;
    thin(series, readings, result);
    summarise_rounds(series, series->wall_ns, &result->wall_ns);
    summarise_rounds(series, series->cpu_ns, &result->cpu_ns);
    for (size_t i = 0; i < readings; i++)
        summarise_rounds(series, series->readings + i * SAMPLER_MOST_ROUNDS, &result->readings[i]);
    summarise_latencies(series, &result->latency_ns);
    summarise_counts(series->cycles, series->rounds, &result->cycles);
    summarise_counts(series->instructions, series->rounds, &result->instructions);
    result->operations = state->operations;
    result->ops_per_sample = state->single ? 1 : state->batch;
    result->contaminated = state->contaminated;
    result->contaminated_rounds = state->contaminated_rounds;
    result->cpu = state->cpu < 0 ? -1 : state->cpu;
    reference_judge(reference, state->first_reference, &result->reference);
    result->steal_ratio = steal_ratio(sampler, state);
    judge(state, result);
    state->finished = true;
}
