/*
 * Statistics of samples: order statistics, distribution-free intervals, comparison of two samples.
 *
 * All functions take plain arrays of finite doubles. Those that need order sort a copy in `scratch`
 * or say that the input must be sorted. Only the bootstrap and Mann-Whitney allocate, and give
 * NaN when memory runs out.
 */
#ifndef TLSMETER_MEASURE_STATISTICS_H
#define TLSMETER_MEASURE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/random.h"

struct summary {
    size_t n;
    double median, ci95_low, ci95_high, mad, min, p95, p99, max; /* NaN where n is too small */
};

struct interval {
    double low, high;
};

void statistics_sort(double *values, size_t n);
/* Sorts `values` in place and summarises them. p99 needs n >= 100, p95 n >= 20, the interval n
 * >= 6. */
void statistics_summarise(double *values, size_t n, struct summary *summary);
/* Quantile of sorted values, 0 <= q <= 1, type 7 of Hyndman and Fan (1996), as R's default. */
double statistics_quantile(const double *sorted, size_t n, double q);
/* Distribution-free confidence interval of the median of sorted values: the order statistics whose
 * binomial(n, 1/2) coverage is at least `confidence` (David and Nagaraja, Order Statistics, 3rd
 * ed., section 7.1). NaN, NaN when n is too small to cover. */
struct interval statistics_median_interval(const double *sorted, size_t n, double confidence);
/* The same for values in time order that are not independent (slow phases of the machine last many
 * values): they are cut into at most `blocks` runs of neighbours, each is represented by its
 * median, and the interval is that of the medians, widened where needed to hold the median of all.
 * Blocks longer than a slow phase are nearly independent (the method of batch means, Law,
 * Simulation Modeling and Analysis, section 9.5.3, with medians for means). With no more values
 * than blocks it is the plain interval. `scratch` holds n doubles. */
struct interval statistics_block_interval(const double *values, size_t n, size_t blocks,
                                          double confidence, double *scratch);
enum { STATISTICS_MOST_BLOCKS = 64 };
/* Median absolute deviation from the median, without a scale factor. `scratch` holds n doubles. */
double statistics_mad(const double *values, size_t n, double *scratch);
/* Percentile-bootstrap interval of median(a) / median(b), `resamples` draws. */
struct interval statistics_bootstrap_ratio(const double *a, size_t na, const double *b, size_t nb,
                                           unsigned resamples, double confidence,
                                           struct random_source *random);
/* Two-sided Mann-Whitney p value: exact without ties for n < 50 in both, else the normal
 * approximation with tie and continuity correction (as R's wilcox.test). 1 when all values are
 * equal; NaN when a sample is empty or memory runs out. */
double statistics_mann_whitney_p(const double *a, size_t na, const double *b, size_t nb);

#endif
