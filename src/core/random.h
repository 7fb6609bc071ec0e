/*
 * Random numbers that can be repeated.
 *
 * xoshiro256** seeded through SplitMix64 (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", ACM TOMS 47, 2021): for orders, resampling and simulation, never for keys. Each
 * purpose takes a source of its own by random_fork, so that drawing more for one does not reshuffle
 * another.
 */
#ifndef TLSMETER_CORE_RANDOM_H
#define TLSMETER_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random_source {
    uint64_t state[4];
};

void random_seed(struct random_source *source, uint64_t seed);
/* A seed from the kernel, for runs that need not be repeated; record it, so that they can be. */
uint64_t random_real_seed(void);
/* A source that depends on the parent's seed state and the purpose's name only; the parent is not
 * advanced. */
void random_fork(struct random_source *child, const struct random_source *parent,
                 const char *purpose);

uint64_t random_u64(struct random_source *source);
/* Uniform in [0, bound) without bias; bound > 0. */
uint64_t random_below(struct random_source *source, uint64_t bound);
/* Uniform in [0, 1). */
double random_unit(struct random_source *source);
void random_fill(struct random_source *source, void *bytes, size_t length);
/* Fisher-Yates over an array of indices. */
void random_shuffle(struct random_source *source, size_t *indices, size_t count);

#endif
