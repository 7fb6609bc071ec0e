#include "core/random.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

/* SplitMix64's constants. */
static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void random_seed(struct random_source *source, uint64_t seed)
{
    for (size_t i = 0; i < 4; i++)
        source->state[i] = split_mix(&seed);
}

uint64_t random_real_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed)
        return seed;
    return (uint64_t)time(NULL); /* a seed for orders only: a weak one does no harm */
}

void random_fork(struct random_source *child, const struct random_source *parent,
                 const char *purpose)
{
    uint64_t seed = UINT64_C(0xcbf29ce484222325); /* FNV-1a, 64 bits */
    for (; *purpose != '\0'; purpose++)
        seed = (seed ^ (unsigned char)*purpose) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < 4; i++)
        seed = split_mix(&seed) ^ parent->state[i];
    random_seed(child, seed);
}

static uint64_t rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

uint64_t random_u64(struct random_source *source)
{
    uint64_t *s = source->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t random_below(struct random_source *source, uint64_t bound)
{
    uint64_t reject_below = -bound % bound; /* 2^64 mod bound */
    uint64_t value;
    do
        value = random_u64(source);
    while (value < reject_below);
    return value % bound;
}

double random_unit(struct random_source *source)
{
    return (double)(random_u64(source) >> 11) * 0x1.0p-53;
}

void random_fill(struct random_source *source, void *bytes, size_t length)
{
    unsigned char *out = bytes;
    while (length > 0) {
        uint64_t value = random_u64(source);
        size_t part = length < sizeof value ? length : sizeof value;
        memcpy(out, &value, part);
        out += part;
        length -= part;
    }
}

void random_shuffle(struct random_source *source, size_t *indices, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)random_below(source, i);
        size_t kept = indices[i - 1];
        indices[i - 1] = indices[j];
        indices[j] = kept;
    }
}
