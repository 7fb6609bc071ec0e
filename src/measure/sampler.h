/*
 * The sampler: times many operations fairly, side by side.
 *
 * The caller hands in a group of cells, each with a run function that performs n operations in one
 * tight loop. The sampler calibrates each cell's batch so that the clock's resolution is below 0.1
 * % of it, warms up, then goes through rounds: in every round each unfinished cell is run for one
 * batch, in a seeded random order; a reference loop runs between rounds. A cell ends when the 95 %
 * interval of the median of its round values lies within `target_ratio` of the median ("target"),
 * or when its measured time reaches `max_time_ns` ("cap"). Operations above 20 us are timed singly,
 * several to a round, and give true percentiles; shorter ones give percentiles of batch means.
 *
 * A batch during which the thread was preempted (involuntary context switch), moved to another CPU,
 * or time was stolen is contaminated: it is repeated a bounded number of times and counted.
 *
 * The sampler allocates before it measures and not while it does. It reads time only through the
 * clock it is given.
 */
#ifndef TLSMETER_MEASURE_SAMPLER_H
#define TLSMETER_MEASURE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/random.h"
#include "measure/statistics.h"

enum sampler_end { SAMPLER_TARGET, SAMPLER_CAP, SAMPLER_FAILED, SAMPLER_INTERRUPTED };

/* What one cell is. The sampler borrows it. */
struct sampler_task {
    void *context;
    /* Performs `count` operations; false with an error ends this cell only. */
    bool (*run)(void *context, uint64_t count, struct error *error);
};

struct sampler_settings {
    double target_ratio;  /* half width of the 95 % interval over the median; 0.01 */
    uint64_t max_time_ns; /* measured time per cell; 1 s */
    uint64_t min_rounds;  /* at least this many round values; 10 */
    uint64_t batch_ns;    /* 0: chosen from the clock's resolution and cost */
    uint64_t seed;
    const volatile int
        *stop; /* set to non-zero by a signal: end after the batch in flight; may be NULL */
};

#define SAMPLER_KEPT_VALUES 200

struct sampler_result {
    enum sampler_end end;
    struct error error;                  /* when SAMPLER_FAILED */
    struct summary wall_ns;              /* per operation, over rounds */
    struct summary cpu_ns;               /* thread CPU time per operation, over rounds */
    struct summary latency_ns;           /* of single operations; n = 0 unless `single` */
    struct summary cycles, instructions; /* per operation; n = 0 where the kernel has no counters */
    uint64_t operations;                 /* performed and timed */
    uint64_t ops_per_sample;             /* 1 when timed singly */
    uint64_t contaminated;               /* batches thrown away */
    double wall_values_ns[SAMPLER_KEPT_VALUES]; /* round values in time order, thinned evenly */
    double cpu_values_ns[SAMPLER_KEPT_VALUES];
    size_t value_count;
    double
        reference_drift;   /* largest move of the reference loop from its median during this cell */
    bool noisy, throttled; /* reference loop: scattered; slower for good */
    int cpu;               /* the CPU it ran on, -1 when it moved */
};

struct sampler_events {
    void *context;
    /* A cell is finished: its result is final. May be NULL. False with an error ends everything. */
    bool (*done)(void *context, size_t index, const struct sampler_result *result,
                 struct error *error);
    /* After every round. May be NULL. */
    void (*progress)(void *context, size_t finished, size_t total);
};

/* Runs the group. False only when nothing more can be measured (memory, `done` said so,
 * interrupted: ERROR_INTERRUPTED, after `done` was called for every cell with enough rounds to
 * stand). */
MUST_USE bool sampler_run(const struct sampler_task *tasks, size_t count,
                          const struct sampler_settings *settings, const struct clock *clock,
                          const struct sampler_events *events, struct error *error);

#endif
