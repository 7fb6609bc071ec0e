#include "measure/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/statistics.h"

enum { FEWEST_VALUES = 6, LOOP_STEPS = 40000, LOOP_TABLE_WORDS = 2048 };

struct chains {
    uint64_t a, b, c, d;
    uint64_t table[LOOP_TABLE_WORDS]; /* 16 KiB: half of a usual first cache */
};

/* Four chains of multiplications and loads that lean on each other: they fill the core's units as
 * ciphers do, so that a neighbour on the same core slows them down too. A single chain waits most
 * of the time and would hardly notice. */
static void built_in_work(void *context)
{
    struct chains *chains = context;
    uint64_t a = chains->a;
    uint64_t b = chains->b;
    uint64_t c = chains->c;
    uint64_t d = chains->d;
    for (unsigned i = 0; i < LOOP_STEPS; i++) {
        a = (a ^ chains->table[b >> 20 & (LOOP_TABLE_WORDS - 1)]) * UINT64_C(0xbf58476d1ce4e5b9);
        b = (b ^ chains->table[c >> 20 & (LOOP_TABLE_WORDS - 1)]) + (a >> 7);
        c = (c ^ chains->table[d >> 20 & (LOOP_TABLE_WORDS - 1)]) * UINT64_C(0x94d049bb133111eb);
        d = (d ^ chains->table[a >> 20 & (LOOP_TABLE_WORDS - 1)]) + (c << 3);
    }
    *(volatile uint64_t *)&chains->a = a ^ b ^ c ^ d;
}

/* The same start for every run: the same addresses, the same work. */
static struct chains *built_in_chains(void)
{
    static struct chains chains;
    if (chains.b == 0)
        for (unsigned i = 0; i < LOOP_TABLE_WORDS; i++)
            chains.table[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    chains.a = 1;
    chains.b = 2;
    chains.c = 3;
    chains.d = 4;
    return &chains;
}

bool reference_init(struct reference *reference, size_t capacity, struct error *error)
{
    *reference = (struct reference){.capacity = capacity};
    reference->values_ns = malloc(2 * capacity * sizeof *reference->values_ns);
    reference->run_numbers = malloc(capacity * sizeof *reference->run_numbers);
    if (reference->values_ns == NULL || reference->run_numbers == NULL) {
        reference_free(reference);
        return error_set(error, ERROR_MEMORY, "no memory for the reference loop's times");
    }
    return true;
}

void reference_free(struct reference *reference)
{
    free(reference->values_ns);
    free(reference->run_numbers);
    reference->values_ns = NULL;
    reference->run_numbers = NULL;
}

void reference_run(struct reference *reference, const struct clock *clock)
{
    struct chains *chains = built_in_chains();
    uint64_t start_ns = clock_wall_ns(clock);
    if (reference->work == NULL)
        built_in_work(chains);
    else
        reference->work(reference->context);
    uint64_t end_ns = clock_wall_ns(clock);
    if (reference->count == reference->capacity) {
        size_t half = reference->capacity / 2;
        for (size_t i = 0; i < half; i++) {
            reference->values_ns[i] = reference->values_ns[2 * i];
            reference->run_numbers[i] = reference->run_numbers[2 * i];
        }
        reference->count = half;
    }
    reference->run_numbers[reference->count] = reference->runs++;
    reference->values_ns[reference->count++] = (double)(end_ns - start_ns);
}

static double median_of(const double *values, size_t n, double *scratch)
{
    memcpy(scratch, values, n * sizeof *values);
    statistics_sort(scratch, n);
    return statistics_quantile(scratch, n, 0.5);
}

void reference_judge(struct reference *reference, uint64_t first_run,
                     struct reference_verdict *verdict)
{
    *verdict =
        (struct reference_verdict){.spread_ratio = NAN, .drift_ratio = NAN, .slow_ratio = NAN};
    size_t first = reference->count;
    while (first > 0 && reference->run_numbers[first - 1] >= first_run)
        first--;
    size_t n = reference->count - first;
    if (n < FEWEST_VALUES)
        return;
    const double *values = reference->values_ns + first;
    double *scratch = reference->values_ns + reference->capacity;
    double start = median_of(values, n / 3, scratch);
    double end = median_of(values + n - n / 3, n / 3, scratch);
    double median = median_of(values, n, scratch); /* leaves all sorted in scratch */
    if (reference->best_ns == 0 || median < reference->best_ns)
        reference->best_ns = median;
    verdict->spread_ratio =
        (statistics_quantile(scratch, n, 0.75) - statistics_quantile(scratch, n, 0.25)) / median;
    verdict->drift_ratio = end / start - 1;
    verdict->slow_ratio = median / reference->best_ns - 1;
    double worst =
        fmax(fmax(verdict->spread_ratio, fabs(verdict->drift_ratio)), verdict->slow_ratio);
    verdict->calm = worst <= REFERENCE_CALM_RATIO;
    verdict->noisy = worst > REFERENCE_NOISY_RATIO;
    verdict->throttled = verdict->drift_ratio >= REFERENCE_THROTTLED_RATIO;
}
