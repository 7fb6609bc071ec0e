#include "record/sampled.h"

#include <math.h>

void cell_summary(struct cell *cell, const char *name, const struct summary *summary,
                  uint64_t ops_per_sample, const double *values, size_t count)
{
    struct metric *metric = summary->n == 0 ? NULL : cell_metric(cell, name);
    if (metric == NULL)
        return;
    metric->n = summary->n;
    metric->ops_per_sample = ops_per_sample;
    metric->median = summary->median;
    metric->ci95_low = summary->ci95_low;
    metric->ci95_high = summary->ci95_high;
    metric->mad = summary->mad;
    metric->min = summary->min;
    metric->p95 = summary->p95;
    metric->p99 = summary->p99;
    metric->max = summary->max;
    if (values != NULL)
        cell_metric_samples(cell, metric, values, count);
}

void cell_value(struct cell *cell, const char *name, double value)
{
    struct metric *metric = cell_metric(cell, name);
    if (metric != NULL)
        metric->median = value;
}

static void put_flags(struct cell *cell, const struct sampler_result *result)
{
    if (result->throttled)
        cell_flag(cell, "throttled");
    else if (result->noisy)
        cell_flag(cell, "noisy");
    if (isnan(result->wall_ns.ci95_low))
        cell_flag(cell, "too-few-samples");
    else if (result->end == SAMPLER_CAP)
        cell_flag(cell, "wide-interval");
}

static const char *end_name(enum sampler_end end)
{
    switch (end) {
    case SAMPLER_TARGET:
        return "target";
    case SAMPLER_CAP:
        return "cap";
    case SAMPLER_INTERRUPTED:
        return "interrupted";
    case SAMPLER_FAILED:
        return "failed";
    }
    return "";
}

bool cell_sampled(struct cell *cell, const struct sampler_result *result)
{
    cell_copy_text(cell, &cell->ended, end_name(result->end));
    if (result->end == SAMPLER_FAILED) {
        cell_fail(cell, &result->error);
        return false;
    }
    if (result->cpu >= 0)
        cell_set_integer(cell, &cell->implementation, "cpu", result->cpu);
    if (result->contaminated > 0)
        cell_set_integer(cell, &cell->checks, "contaminated_batches",
                         (int64_t)result->contaminated);
    if (result->contaminated_rounds > 0)
        cell_set_integer(cell, &cell->checks, "contaminated_rounds",
                         (int64_t)result->contaminated_rounds);
    if (result->steal_ratio > 0)
        cell_set_real(cell, &cell->checks, "steal_ratio", result->steal_ratio);
    cell_set_real(cell, &cell->checks, "reference_spread", result->reference.spread_ratio);
    put_flags(cell, result);
    return true;
}
