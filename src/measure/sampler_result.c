#include <math.h>
#include <string.h>

#include "measure/sampler_internal.h"

bool sampler_within_target(const struct sampler_state *state, double target_ratio)
{
    const struct sampler_series *series = &state->series;
    struct interval interval =
        statistics_median_interval(series->sorted_wall_ns, series->rounds, 0.95);
    if (isnan(interval.low))
        return false;
    double median = statistics_quantile(series->sorted_wall_ns, series->rounds, 0.5);
    return interval.high - interval.low <= 2 * target_ratio * median;
}

/* Every step-th value, so that at most SAMPLER_KEPT_VALUES are kept, in time order. */
static void thin(const struct sampler_series *series, struct sampler_result *result)
{
    size_t step = (series->rounds + SAMPLER_KEPT_VALUES - 1) / SAMPLER_KEPT_VALUES;
    if (step == 0)
        step = 1;
    result->value_count = 0;
    for (size_t i = 0; i < series->rounds; i += step) {
        result->wall_values_ns[result->value_count] = series->wall_ns[i];
        result->cpu_values_ns[result->value_count] = series->cpu_ns[i];
        result->value_count++;
    }
}

static void summarise_latencies(struct sampler_series *series, struct summary *summary)
{
    size_t kept = series->latencies < SAMPLER_MOST_LATENCIES ? (size_t)series->latencies
                                                             : (size_t)SAMPLER_MOST_LATENCIES;
    statistics_summarise(series->latency_ns, kept, summary);
    summary->n = (size_t)series->latencies;
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

void sampler_finish(const struct sampler *sampler, struct sampler_state *state,
                    struct reference *reference, enum sampler_end end,
                    struct sampler_result *result)
{
    (void)sampler;
    struct sampler_series *series = &state->series;
    memset(result, 0, sizeof *result);
    result->end = end;
    thin(series, result);
    statistics_summarise(series->wall_ns, series->rounds, &result->wall_ns);
    statistics_summarise(series->cpu_ns, series->rounds, &result->cpu_ns);
    summarise_latencies(series, &result->latency_ns);
    summarise_counts(series->cycles, series->rounds, &result->cycles);
    summarise_counts(series->instructions, series->rounds, &result->instructions);
    result->operations = state->operations;
    result->ops_per_sample = state->single ? 1 : state->batch;
    result->contaminated = state->contaminated;
    result->cpu = state->cpu < 0 ? -1 : state->cpu;
    reference_judge(reference, state->first_reference, &result->reference);
    state->finished = true;
}
