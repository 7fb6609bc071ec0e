#include "measure/crossover.h"

#include <math.h>
#include <string.h>

struct point {
    uint64_t size_bytes;
    double log_ratio; /* of candidate over baseline */
    bool clear;
};

static bool usable(const struct size_rate *rate)
{
    return rate->size_bytes > 0 && isfinite(rate->rate) && rate->rate > 0;
}

static const struct size_rate *find_size(const struct size_rate *series, size_t count,
                                         uint64_t size_bytes)
{
    for (size_t i = count; i-- > 0;)
        if (series[i].size_bytes == size_bytes && usable(&series[i]))
            return &series[i];
    return NULL;
}

/* The smallest usable size above `after`, or NULL. */
static const struct size_rate *next_size(const struct size_rate *series, size_t count,
                                         uint64_t after)
{
    const struct size_rate *next = NULL;
    for (size_t i = 0; i < count; i++)
        if (usable(&series[i]) && series[i].size_bytes > after &&
            (next == NULL || series[i].size_bytes <= next->size_bytes))
            next = &series[i];
    return next;
}

struct speedup crossover_speedup(const struct size_rate *candidate,
                                 const struct size_rate *baseline)
{
    struct speedup speedup = {.ratio = candidate->rate / baseline->rate,
                              .low = candidate->low / baseline->high,
                              .high = candidate->high / baseline->low};
    speedup.clear = speedup.low > 1 || speedup.high < 1;
    return speedup;
}

static size_t shared_points(const struct size_rate *candidate, size_t candidate_count,
                            const struct size_rate *baseline, size_t baseline_count,
                            struct point *points)
{
    size_t count = 0;
    const struct size_rate *mine = next_size(candidate, candidate_count, 0);
    while (mine != NULL && count < CROSSOVER_MOST_SIZES) {
        const struct size_rate *other = find_size(baseline, baseline_count, mine->size_bytes);
        if (other != NULL) {
            struct speedup speedup = crossover_speedup(mine, other);
            points[count++] = (struct point){mine->size_bytes, log(speedup.ratio), speedup.clear};
        }
        mine = next_size(candidate, candidate_count, mine->size_bytes);
    }
    return count;
}

/* Where the log ratio passes zero between two points on different sides. When it is exactly zero at
 * measured sizes in between, the first of those. */
static double crossing_size(const struct point *points, size_t below, size_t above)
{
    if (above - below > 1)
        return (double)points[below + 1].size_bytes;
    double from = log((double)points[below].size_bytes);
    double to = log((double)points[above].size_bytes);
    double part = points[below].log_ratio / (points[below].log_ratio - points[above].log_ratio);
    return exp(from + part * (to - from));
}

/* A point beyond doubt that is on the same side as `side`. */
static bool is_clear(const struct point *point, const struct point *side)
{
    return point->clear && (point->log_ratio > 0) == (side->log_ratio > 0);
}

static void add_crossing(struct crossover *crossover, const struct point *points, size_t count,
                         size_t below, size_t above)
{
    if (crossover->crossing_count == CROSSOVER_MOST_CROSSINGS)
        return;
    struct crossing *crossing = &crossover->crossings[crossover->crossing_count++];
    *crossing = (struct crossing){.size_bytes = crossing_size(points, below, above),
                                  .below_bytes = points[below].size_bytes,
                                  .above_bytes = points[above].size_bytes,
                                  .to_candidate = points[above].log_ratio > 0};
    for (size_t i = below + 1; i-- > 0 && crossing->clear_below_bytes == 0;)
        if (is_clear(&points[i], &points[below]))
            crossing->clear_below_bytes = points[i].size_bytes;
    for (size_t i = above; i < count && crossing->clear_above_bytes == 0; i++)
        if (is_clear(&points[i], &points[above]))
            crossing->clear_above_bytes = points[i].size_bytes;
}

void crossover_find(const struct size_rate *candidate, size_t candidate_count,
                    const struct size_rate *baseline, size_t baseline_count,
                    struct crossover *crossover)
{
    struct point points[CROSSOVER_MOST_SIZES];
    memset(crossover, 0, sizeof *crossover);
    size_t count = shared_points(candidate, candidate_count, baseline, baseline_count, points);
    crossover->shared_sizes = count;
    if (count == 0)
        return;
    size_t last = count; /* the last point off zero; `count`: none yet */
    for (size_t i = 0; i < count; i++) {
        if (points[i].log_ratio == 0)
            continue;
        if (last < count && (points[i].log_ratio > 0) != (points[last].log_ratio > 0))
            add_crossing(crossover, points, count, last, i);
        last = i;
    }
    if (crossover->crossing_count > 0)
        crossover->kind = crossover->crossing_count == 1 ? CROSSOVER_ONCE : CROSSOVER_SEVERAL;
    else if (last == count)
        crossover->kind = CROSSOVER_EQUAL;
    else
        crossover->kind = points[last].log_ratio > 0 ? CROSSOVER_ALWAYS : CROSSOVER_NEVER;
}

const char *crossover_kind_name(enum crossover_kind kind)
{
    static const char *const names[] = {
        [CROSSOVER_UNKNOWN] = "unknown", [CROSSOVER_EQUAL] = "equal",
        [CROSSOVER_ALWAYS] = "always",   [CROSSOVER_NEVER] = "never",
        [CROSSOVER_ONCE] = "once",       [CROSSOVER_SEVERAL] = "several",
    };
    return names[kind];
}

double crossover_mb_per_cpu_s(uint64_t size_bytes, double cpu_ns)
{
    if (size_bytes == 0 || !(cpu_ns > 0))
        return NAN;
    return (double)size_bytes * 1000 / cpu_ns;
}
