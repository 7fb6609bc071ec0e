#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_FOR_P95 = 20, SMALLEST_FOR_P99 = 100, EXACT_MANN_WHITNEY = 50 };

/* Lets the value at `root` sink to its place in the heap of the first n values. */
static void sift_down(double *values, size_t root, size_t n)
{
    double value = values[root];
    for (size_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
        if (child + 1 < n && values[child + 1] > values[child])
            child++;
        if (!(values[child] > value))
            break;
        values[root] = values[child];
        root = child;
    }
    values[root] = value;
}

/* Heapsort, because qsort(3) may allocate, and the sampler sorts between measurements. */
void statistics_sort(double *values, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift_down(values, i, n);
    for (size_t end = n; end > 1; end--) {
        double largest = values[0];
        values[0] = values[end - 1];
        values[end - 1] = largest;
        sift_down(values, 0, end - 1);
    }
}

double statistics_quantile(const double *sorted, size_t n, double q)
{
    if (n == 0)
        return NAN;
    double place = q * (double)(n - 1);
    size_t below = (size_t)place;
    if (below + 1 >= n)
        return sorted[n - 1];
    double part = place - (double)below;
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): below + 1 < n */
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

struct interval statistics_median_interval(const double *sorted, size_t n, double confidence)
{
    /* The largest k with P(X <= k) <= tail, X binomial(n, 1/2), leaves k values out at either end.
     * Logs keep the terms from underflowing. */
    double tail = (1.0 - confidence) / 2.0;
    double log_term = -(double)n * M_LN2; /* of P(X = 0) */
    double sum = exp(log_term);
    if (n == 0 || sum > tail)
        return (struct interval){NAN, NAN};
    size_t k = 0;
    for (size_t next = 1; next <= (n - 1) / 2; next++) {
        log_term += log((double)(n - next + 1)) - log((double)next);
        sum += exp(log_term);
        if (sum > tail)
            break;
        k = next;
    }
    return (struct interval){sorted[k], sorted[n - 1 - k]};
}

struct interval statistics_block_interval(const double *values, size_t n, size_t blocks,
                                          double confidence, double *scratch)
{
    double medians[STATISTICS_MOST_BLOCKS];
    if (blocks > STATISTICS_MOST_BLOCKS)
        blocks = STATISTICS_MOST_BLOCKS;
    if (n < blocks)
        blocks = n;
    for (size_t i = 0; i < blocks; i++) {
        size_t start = i * n / blocks;
        size_t length = (i + 1) * n / blocks - start;
        memcpy(scratch, values + start, length * sizeof *values);
        statistics_sort(scratch, length);
        medians[i] = statistics_quantile(scratch, length, 0.5);
    }
    statistics_sort(medians, blocks);
    struct interval interval = statistics_median_interval(medians, blocks, confidence);
    if (isnan(interval.low))
        return interval;
    memcpy(scratch, values, n * sizeof *values);
    statistics_sort(scratch, n);
    double median = statistics_quantile(scratch, n, 0.5);
    return (struct interval){fmin(interval.low, median), fmax(interval.high, median)};
}

double statistics_mad(const double *values, size_t n, double *scratch)
{
    if (n == 0)
        return NAN;
    memcpy(scratch, values, n * sizeof *values);
    statistics_sort(scratch, n);
    double median = statistics_quantile(scratch, n, 0.5);
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(values[i] - median);
    statistics_sort(scratch, n);
    return statistics_quantile(scratch, n, 0.5);
}

/* The MAD of sorted values without memory: the deviations grow to both sides of the median, so that
 * merging the two sides gives them in order. */
static double sorted_mad(const double *sorted, size_t n, double median)
{
    size_t right = 0;
    while (right < n && sorted[right] < median)
        right++;
    size_t left = right;
    double previous = 0;
    double deviation = 0;
    for (size_t taken = 0; taken <= n / 2; taken++) {
        double to_left = left > 0 ? median - sorted[left - 1] : INFINITY;
        double to_right = right < n ? sorted[right] - median : INFINITY;
        previous = deviation;
        deviation = to_left < to_right ? to_left : to_right;
        if (to_left < to_right)
            left--;
        else
            right++;
    }
    return n % 2 == 1 ? deviation : (previous + deviation) / 2;
}

void statistics_summarise(double *values, size_t n, struct summary *summary)
{
    *summary = (struct summary){n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (n == 0)
        return;
    statistics_sort(values, n);
    struct interval interval = statistics_median_interval(values, n, 0.95);
    summary->median = statistics_quantile(values, n, 0.5);
    summary->ci95_low = interval.low;
    summary->ci95_high = interval.high;
    summary->mad = sorted_mad(values, n, summary->median);
    summary->min = values[0];
    summary->max = values[n - 1];
    if (n >= SMALLEST_FOR_P95)
        summary->p95 = statistics_quantile(values, n, 0.95);
    if (n >= SMALLEST_FOR_P99)
        summary->p99 = statistics_quantile(values, n, 0.99);
}

static double resampled_median(const double *values, size_t n, double *scratch,
                               struct random_source *random)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = values[random_below(random, n)];
    statistics_sort(scratch, n);
    return statistics_quantile(scratch, n, 0.5);
}

struct interval statistics_bootstrap_ratio(const double *a, size_t na, const double *b, size_t nb,
                                           unsigned resamples, double confidence,
                                           struct random_source *random)
{
    struct interval interval = {NAN, NAN};
    size_t larger = na > nb ? na : nb;
    double *scratch = calloc(larger + resamples, sizeof *scratch);
    if (scratch == NULL || na == 0 || nb == 0 || resamples == 0) {
        free(scratch);
        return interval;
    }
    double *ratios = scratch + larger;
    for (unsigned i = 0; i < resamples; i++) {
        double numerator = resampled_median(a, na, scratch, random);
        ratios[i] = numerator / resampled_median(b, nb, scratch, random);
    }
    statistics_sort(ratios, resamples);
    double tail = (1.0 - confidence) / 2.0;
    interval.low = statistics_quantile(ratios, resamples, tail);
    interval.high = statistics_quantile(ratios, resamples, 1.0 - tail);
    free(scratch);
    return interval;
}

/* Number of ways, as a share of all, in which U <= u: counts[j] of arrangements of na and nb values
 * with U = j, by the recurrence of Mann and Whitney (1947), divided as it grows. */
static double exact_u_cdf(size_t na, size_t nb, size_t u)
{
    size_t most = na * nb;
    double *counts = calloc(most + 1, sizeof *counts);
    if (counts == NULL)
        return NAN;
    /* Gaussian binomial coefficient: product over i of (1 - q^(nb+i)) / (1 - q^i). */
    counts[0] = 1;
    for (size_t i = 1; i <= na; i++) {
        for (size_t j = most; j >= nb + i; j--)
            counts[j] -= counts[j - nb - i];
        for (size_t j = i; j <= most; j++)
            counts[j] += counts[j - i];
    }
    double sum = 0;
    double total = 0;
    for (size_t j = 0; j <= most; j++) {
        total += counts[j];
        if (j <= u)
            sum += counts[j];
    }
    free(counts);
    return sum / total;
}

struct labelled {
    double value;
    bool from_a;
};

static int compare_labelled(const void *a, const void *b)
{
    double left = ((const struct labelled *)a)->value;
    double right = ((const struct labelled *)b)->value;
    return (left > right) - (left < right);
}

/* Rank sum of a's values with mean ranks for ties; *ties is the sum of t^3 - t over groups. */
static double rank_sum(struct labelled *all, size_t n, double *ties)
{
    double sum = 0;
    *ties = 0;
    qsort(all, n, sizeof *all, compare_labelled);
    for (size_t i = 0; i < n;) {
        size_t j = i;
        while (j < n && all[j].value == all[i].value)
            j++;
        double size = (double)(j - i);
        double rank = ((double)i + 1 + (double)j) / 2;
        *ties += size * size * size - size;
        for (; i < j; i++)
            sum += all[i].from_a ? rank : 0;
    }
    return sum;
}

static double normal_p(double u, double na, double nb, double ties)
{
    double n = na + nb;
    double sigma = sqrt(na * nb / 12 * ((n + 1) - ties / (n * (n - 1))));
    double distance = u - na * nb / 2;
    if (!(sigma > 0))
        return 1; /* all values are equal */
    double correction = distance > 0 ? 0.5 : distance < 0 ? -0.5 : 0;
    double z = (distance - correction) / sigma;
    double p = erfc(fabs(z) / M_SQRT2);
    return p < 1 ? p : 1;
}

double statistics_mann_whitney_p(const double *a, size_t na, const double *b, size_t nb)
{
    struct labelled *all = malloc((na + nb) * sizeof *all);
    double ties = 0;
    if (all == NULL || na == 0 || nb == 0) {
        free(all);
        return NAN;
    }
    for (size_t i = 0; i < na + nb; i++)
        all[i] = (struct labelled){i < na ? a[i] : b[i - na], i < na};
    double u = rank_sum(all, na + nb, &ties) - (double)na * (double)(na + 1) / 2;
    free(all);
    if (ties > 0 || na >= EXACT_MANN_WHITNEY || nb >= EXACT_MANN_WHITNEY)
        return normal_p(u, (double)na, (double)nb, ties);
    double other = (double)na * (double)nb - u;
    double p = 2 * exact_u_cdf(na, nb, (size_t)(u < other ? u : other));
    return p < 1 ? p : 1;
}
