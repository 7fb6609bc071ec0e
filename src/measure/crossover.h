/*
 * From which size one way of computing beats another: hardware against software, one library
 * against the next. The one place for crossover sizes, speed-ups and MB per CPU second.
 *
 * Two series of rates (larger is better; any unit, the same in both) are compared at the sizes they
 * share. Between neighbouring sizes both are taken as straight lines on log-log paper, on which a
 * fixed cost per call plus a cost per byte is nearly straight; the crossing is where the lines
 * meet. It is exact at measured sizes only, so each crossing carries the two measured sizes around
 * it, and the sizes at which the intervals no longer overlap.
 *
 * Pure functions; nothing is allocated.
 */
#ifndef TLSMETER_MEASURE_CROSSOVER_H
#define TLSMETER_MEASURE_CROSSOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct size_rate {
    uint64_t size_bytes;
    double rate;
    double low, high; /* 95 % interval; NaN: not known */
};

enum crossover_kind {
    CROSSOVER_UNKNOWN, /* no size in common */
    CROSSOVER_EQUAL,   /* the same rate at every size */
    CROSSOVER_ALWAYS,  /* the candidate is never slower */
    CROSSOVER_NEVER,   /* the candidate is never faster */
    CROSSOVER_ONCE,    /* one crossing */
    CROSSOVER_SEVERAL, /* more than one */
};

struct crossing {
    double size_bytes;                 /* interpolated */
    uint64_t below_bytes, above_bytes; /* the measured sizes around it; equal rates lie between */
    /* The nearest sizes on either side at which the intervals do not overlap, that is, where the
     * order is beyond doubt; 0: none. */
    uint64_t clear_below_bytes, clear_above_bytes;
    bool to_candidate; /* above it the candidate is faster; else the baseline */
};

enum { CROSSOVER_MOST_SIZES = 64, CROSSOVER_MOST_CROSSINGS = 16 };

struct crossover {
    enum crossover_kind kind;
    struct crossing crossings[CROSSOVER_MOST_CROSSINGS]; /* by size */
    size_t crossing_count; /* may not exceed the array: later crossings are not stored */
    size_t shared_sizes;
};

/* The series may be in any order; of a size that stands twice the last counts; rates that are not
 * positive and finite are left out. At most CROSSOVER_MOST_SIZES shared sizes are looked at, the
 * smallest. */
void crossover_find(const struct size_rate *candidate, size_t candidate_count,
                    const struct size_rate *baseline, size_t baseline_count,
                    struct crossover *crossover);
const char *crossover_kind_name(enum crossover_kind kind); /* "never", "once", ... */

struct speedup {
    double ratio;     /* candidate over baseline: 2 is twice as fast */
    double low, high; /* bounds of the ratio from both intervals; NaN: not known */
    bool clear;       /* the intervals do not overlap */
};

struct speedup crossover_speedup(const struct size_rate *candidate,
                                 const struct size_rate *baseline);

/* Decimal megabytes for one second of CPU time; NaN when a figure is not positive. */
double crossover_mb_per_cpu_s(uint64_t size_bytes, double cpu_ns);

#endif
