/* What the sampler's files share. */
#ifndef TLSMETER_MEASURE_SAMPLER_INTERNAL_H
#define TLSMETER_MEASURE_SAMPLER_INTERNAL_H

#include "measure/sampler.h"

enum { SAMPLER_MOST_ROUNDS = 4096, SAMPLER_MOST_LATENCIES = 8192 };

/* Round values of one task, in time order. */
struct sampler_series {
    double *wall_ns, *cpu_ns, *scratch; /* SAMPLER_MOST_ROUNDS each */
    double *cycles, *instructions;      /* NULL without counters */
    double *latency_ns;                 /* SAMPLER_MOST_LATENCIES, a reservoir */
    double *readings;                   /* SAMPLER_MOST_ROUNDS for each reading */
    size_t rounds;
    uint64_t latencies; /* seen */
    double latency_max_ns, latency_min_ns;
};

struct sampler_state {
    const struct sampler_task *task;
    struct sampler_series series;
    uint64_t batch; /* operations per batch */
    bool single;    /* timed one by one */
    bool finished;
    uint64_t measured_ns;
    uint64_t next_check; /* rounds at which the interval is looked at again */
    uint64_t operations, contaminated, contaminated_rounds;
    uint64_t first_reference; /* runs of the reference loop before the first round */
    uint64_t start_ns, start_stolen_ns;
    int cpu; /* -2: none yet; -1: more than one */
};

struct sampler {
    const struct sampler_settings *settings;
    const struct clock *clock;
    uint64_t batch_ns;
    struct random_source reservoir; /* its own, so that latencies do not change the order */
};

/* sampler_batch.c */
/* Batch length: at least 1000 times what reading wall and CPU time once costs. */
uint64_t sampler_batch_ns(const struct sampler_settings *settings, const struct clock *clock);
/* Finds `batch` and `single` by doubling; the operations done are the warm-up. */
MUST_USE bool sampler_calibrate(struct sampler *sampler, struct sampler_state *state,
                                struct error *error);
/* One round of one task, repeated while contaminated. */
MUST_USE bool sampler_round(struct sampler *sampler, struct sampler_state *state,
                            struct error *error);

/* sampler_result.c */
/* Whether the interval is within the target. */
bool sampler_within_target(const struct sampler_state *state, double target_ratio);
void sampler_finish(const struct sampler *sampler, struct sampler_state *state,
                    struct reference *reference, enum sampler_end end,
                    struct sampler_result *result);

#endif
