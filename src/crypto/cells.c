#include "crypto/cells.h"

#include "crypto/known_answer.h"
#include "record/sampled.h"

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

void crypto_cell_result(struct cell *cell, const struct crypto_target *target,
                        const struct sampler_result *result)
{
    if (!cell_sampled(cell, result))
        return;
    uint64_t each = result->ops_per_sample;
    cell_summary(cell, "wall_ns", &result->wall_ns, each, result->wall_values_ns,
                 result->value_count);
    cell_summary(cell, "cpu_ns", &result->cpu_ns, each, result->cpu_values_ns, result->value_count);
    cell_summary(cell, "latency_ns", &result->latency_ns, 1, NULL, 0);
    cell_summary(cell, "cycles", &result->cycles, each, NULL, 0);
    cell_summary(cell, "instructions", &result->instructions, each, NULL, 0);
    const struct known_answer *answer = known_answer_find(target->request.algorithm->name);
    cell_set_text(cell, &cell->checks, "known_answer", "passed");
    if (answer != NULL)
        cell_set_text(cell, &cell->checks, "known_answer_source", answer->source);
}

void crypto_cell_accounting(struct cell *cell, const struct accounting *accounting)
{
    cell_value(cell, "cpu_user_ns", accounting->process_user_ns);
    cell_value(cell, "cpu_system_ns", accounting->process_system_ns);
    cell_value(cell, "machine_cpu_ns",
               accounting->machine_user_ns + accounting->machine_system_ns +
                   accounting->machine_irq_ns + accounting->machine_softirq_ns);
    cell_value(cell, "machine_cpu_percent", accounting->machine_cpu_percent);
}
