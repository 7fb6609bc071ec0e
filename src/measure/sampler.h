/*
 * The sampler: times many operations fairly, side by side.
 *
 * The caller hands in a group of tasks, each with a run function that performs n operations in one
 * tight loop. The sampler calibrates each task's batch so that reading the clocks costs less than
 * 0.1 % of it, warms up, then goes through rounds: in every round each unfinished task runs one
 * batch, in a seeded random order, and a reference loop runs between rounds. A task ends when the
 * 95 % interval of the median of its round values (over blocks of rounds, because neighbours share
 * slow phases of the machine: statistics_block_interval) lies within `target_ratio` of the median
 * ("target"), or when its measured time reaches `max_time_ns` ("cap"). Operations above 20 us are
 * timed one by one, several to a round, and give true percentiles; shorter ones give percentiles of
 * batch means.
 *
 * A batch during which the thread was preempted or moved to another CPU is contaminated: it is
 * repeated up to three times and counted. Latencies of single operations are kept all the same: a
 * preemption is part of the tail.
 *
 * The sampler allocates before it measures and not while it does. It reads time only through the
 * clock it is given. One thread.
 */
#ifndef TLSMETER_MEASURE_SAMPLER_H
#define TLSMETER_MEASURE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/random.h"
#include "measure/counters.h"
#include "measure/reference.h"
#include "measure/statistics.h"
#include "measure/watch.h"

enum sampler_end { SAMPLER_TARGET, SAMPLER_CAP, SAMPLER_FAILED, SAMPLER_INTERRUPTED };

/* What one task is. The sampler borrows it. */
struct sampler_task {
    void *context;
    /* Performs `count` operations; false with an error ends this task only. */
    bool (*run)(void *context, uint64_t count, struct error *error);
    /* What the task measures by itself, such as each side's share: `run` adds to these sums, the
     * sampler zeroes them before a batch and takes them, per operation, as a round's values. */
    double *readings;
    size_t reading_count; /* at most SAMPLER_MOST_READINGS */
};

enum { SAMPLER_MOST_READINGS = 32 };

struct sampler_settings {
    double target_ratio;      /* half width of the 95 % interval over the median; 0.01 */
    uint64_t max_time_ns;     /* measured time per task; 1 s */
    uint64_t min_time_ns;     /* at least so much, so that the rounds span some time; 0.15 s */
    uint64_t min_rounds;      /* at least so many round values; 10 */
    uint64_t batch_ns;        /* 0: chosen from the cost of the clocks, 1 ms at least */
    uint64_t seed;            /* of the order within rounds */
    const volatile int *stop; /* non-zero: end after the batch in flight; may be NULL */
    /* Borrowed; NULL: one of its own per group. Shared between groups, it also notices that a whole
     * group ran in a slow phase. */
    struct reference *reference;
    struct watch *watch;       /* borrowed; NULL: contamination is not looked for */
    struct counters *counters; /* borrowed, open; NULL: none */
};

struct sampler_settings sampler_defaults(void);

enum { SAMPLER_KEPT_VALUES = 200 };

/* Above these a result is noisy; measured in docs/measuring.md. */
#define SAMPLER_NOISY_CONTAMINATED 0.10 /* of the rounds */
#define SAMPLER_NOISY_STEAL        0.02 /* of elapsed time */

struct sampler_result {
    enum sampler_end end;
    struct error error;        /* when SAMPLER_FAILED */
    struct summary wall_ns;    /* per operation, over rounds */
    struct summary cpu_ns;     /* thread CPU time per operation, over rounds */
    struct summary latency_ns; /* of single operations, without interval; n = 0 unless timed one by
                                  one */
    struct summary cycles, instructions;            /* per operation; n = 0 without counters */
    struct summary readings[SAMPLER_MOST_READINGS]; /* per operation, over rounds */
    uint64_t operations;                            /* performed and timed */
    uint64_t ops_per_sample;                        /* 1: timed one by one */
    uint64_t contaminated;        /* batches that were preempted or moved, repeated or not */
    uint64_t contaminated_rounds; /* rounds whose batch stayed contaminated */
    double steal_ratio; /* CPU time the host took from all CPUs, over elapsed time; 0: none or not
                           known */
    double wall_values_ns[SAMPLER_KEPT_VALUES]; /* round values in time order, thinned evenly */
    double cpu_values_ns[SAMPLER_KEPT_VALUES];
    double reading_values[SAMPLER_MOST_READINGS][SAMPLER_KEPT_VALUES];
    size_t value_count;
    struct reference_verdict reference; /* how steady the reference loop was meanwhile */
    /* The verdict on all that was watched: reference loop, contaminated rounds, steal. Neither calm
     * nor noisy: in between, or too few rounds to tell. */
    bool calm, noisy, throttled;
    int cpu; /* the CPU it ran on; -1: it moved, or is not known */
};

struct sampler_events {
    void *context;
    /* A task is finished: its result is final. False with an error ends everything. May be NULL. */
    bool (*done)(void *context, size_t index, const struct sampler_result *result,
                 struct error *error);
    /* After every round. May be NULL. */
    void (*progress)(void *context, size_t finished, size_t total);
};

/* Runs the group. False only when nothing more can be measured: memory, `done` said so, or the stop
 * flag (ERROR_INTERRUPTED, after `done` was called for each task with enough rounds for an
 * interval). */
MUST_USE bool sampler_run(const struct sampler_task *tasks, size_t count,
                          const struct sampler_settings *settings, const struct clock *clock,
                          const struct sampler_events *events, struct error *error);

#endif
