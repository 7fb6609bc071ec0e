#include "crypto/cells.h"

#include <math.h>

#include "crypto/known_answer.h"

void crypto_cell_subject(struct cell *cell, const struct crypto_target *target, unsigned threads)
{
    const struct crypto_request *request = &target->request;
    struct attributes *subject = &cell->subject;
    enum crypto_kind kind = request->algorithm->kind;
    bool sized = crypto_kind_has_size(kind);
    cell_copy_text(cell, &cell->instrument, "crypto");
    cell_set_text(cell, subject, "algorithm", request->algorithm->name);
    cell_set_text(cell, subject, "operation", crypto_operation_name(request->operation));
    if (sized && kind != CRYPTO_RANDOM)
        cell_set_text(cell, subject, "mode", crypto_mode_name(request->mode));
    if (sized)
        cell_set_integer(cell, subject, "size_bytes", request->size_bytes);
    if (request->padding != CRYPTO_PADDING_NONE)
        cell_set_text(cell, subject, "padding", crypto_padding_name(request->padding));
    if (request->peer_key != CRYPTO_PEER_NONE)
        cell_set_text(cell, subject, "peer_key", crypto_peer_key_name(request->peer_key));
    cell_set_integer(cell, subject, "threads", threads);
    cell_set_text(cell, &cell->implementation, "library", target->library->name);
    if (target->library->unavailable() == NULL)
        cell_set_text(cell, &cell->implementation, "version", target->library->version());
}

static struct metric *put_summary(struct cell *cell, const char *name,
                                  const struct summary *summary, uint64_t ops_per_sample)
{
    if (summary->n == 0)
        return NULL;
    struct metric *metric = cell_metric(cell, name);
    if (metric == NULL)
        return NULL;
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
    return metric;
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

void crypto_cell_result(struct cell *cell, const struct crypto_target *target,
                        const struct sampler_result *result)
{
    cell_copy_text(cell, &cell->ended, end_name(result->end));
    if (result->end == SAMPLER_FAILED) {
        cell_fail(cell, &result->error);
        return;
    }
    uint64_t each = result->ops_per_sample;
    struct metric *wall = put_summary(cell, "wall_ns", &result->wall_ns, each);
    struct metric *cpu = put_summary(cell, "cpu_ns", &result->cpu_ns, each);
    if (wall != NULL)
        cell_metric_samples(cell, wall, result->wall_values_ns, result->value_count);
    if (cpu != NULL)
        cell_metric_samples(cell, cpu, result->cpu_values_ns, result->value_count);
    (void)put_summary(cell, "latency_ns", &result->latency_ns, 1);
    (void)put_summary(cell, "cycles", &result->cycles, each);
    (void)put_summary(cell, "instructions", &result->instructions, each);
    const struct known_answer *answer = known_answer_find(target->request.algorithm->name);
    cell_set_text(cell, &cell->checks, "known_answer", "passed");
    if (answer != NULL)
        cell_set_text(cell, &cell->checks, "known_answer_source", answer->source);
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
}

static void put_value(struct cell *cell, const char *name, double value)
{
    struct metric *metric = cell_metric(cell, name);
    if (metric != NULL)
        metric->median = value;
}

void crypto_cell_accounting(struct cell *cell, const struct accounting *accounting)
{
    put_value(cell, "cpu_user_ns", accounting->process_user_ns);
    put_value(cell, "cpu_system_ns", accounting->process_system_ns);
    put_value(cell, "machine_cpu_ns",
              accounting->machine_user_ns + accounting->machine_system_ns +
                  accounting->machine_irq_ns + accounting->machine_softirq_ns);
    put_value(cell, "machine_cpu_percent", accounting->machine_cpu_percent);
}
