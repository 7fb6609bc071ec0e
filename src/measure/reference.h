/*
 * The reference loop: a fixed piece of work that runs between rounds. Its time says how
 * fast the machine was meanwhile; when that moves, what was measured beside it moves too.
 *
 * A reference belongs to one measuring thread and may serve many groups one after another. It owns
 * its memory; reference_free gives it back.
 */
#ifndef TLSMETER_MEASURE_REFERENCE_H
#define TLSMETER_MEASURE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/error.h"

/* Bounds of a calm machine, from docs/measuring.md: a quiet core repeats the loop within 1 %. */
#define REFERENCE_CALM_RATIO      0.01
#define REFERENCE_NOISY_RATIO     0.03
#define REFERENCE_THROTTLED_RATIO 0.05

struct reference {
    void (*work)(void *context); /* NULL: the built-in loop, about 0.16 ms */
    void *context;
    double *values_ns;     /* those kept, in time order */
    uint64_t *run_numbers; /* which run each was, from 0 */
    size_t count, capacity;
    uint64_t runs;  /* so far */
    double best_ns; /* the fastest median of any group so far; 0: none */
};

struct reference_verdict {
    double spread_ratio; /* quartile distance over the median */
    double drift_ratio;  /* last third over first third, minus 1: positive is slower */
    double slow_ratio;   /* median over the best group's median, minus 1 */
    bool calm;           /* all within REFERENCE_CALM_RATIO */
    bool noisy;          /* spread, drift or slowness above REFERENCE_NOISY_RATIO */
    bool throttled; /* slower by REFERENCE_THROTTLED_RATIO or more from the first third to the last
                     */
};

MUST_USE bool reference_init(struct reference *reference, size_t capacity, struct error *error);
void reference_free(struct reference *reference);
/* Runs the work once and keeps its time; when `capacity` is full, all are thinned to every second
 * one. */
void reference_run(struct reference *reference, const struct clock *clock);
/* Judges the runs from number `first_run` on (`runs` as it was before). Fewer than 6 kept: nothing
 * is said (all false, NaN). */
void reference_judge(struct reference *reference, uint64_t first_run,
                     struct reference_verdict *verdict);

#endif
