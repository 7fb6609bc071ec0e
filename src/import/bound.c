#include "import/bound.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/attributes.h"
#include "import/scan.h"

static const struct {
    const char *prefix, *suffix; /* of the algorithm's name */
    const char *operation;       /* NULL: any */
    double bytes_per_cycle;
} BOUNDS[] = {
    {"aes-128-", "cbc", "encrypt", 16.0 / 20},
    {"aes-192-", "cbc", "encrypt", 16.0 / 24},
    {"aes-256-", "cbc", "encrypt", 16.0 / 28},
    {"aes-128-", "cmac", NULL, 16.0 / 20},
    {"aes-192-", "cmac", NULL, 16.0 / 24},
    {"aes-256-", "cmac", NULL, 16.0 / 28},
    {"aes-", "ccm", NULL, 16.0 / 20},
    {"aes-", "", NULL, 13.0},
    {"sha1", "", NULL, 2.0},
    {"hmac-sha1", "", NULL, 2.0},
    {"sha224", "", NULL, 1.5},
    {"sha256", "", NULL, 1.5},
    {"hmac-sha256", "", NULL, 1.5},
    {"md5", "", NULL, 64.0 / 192},
    {"hmac-md5", "", NULL, 64.0 / 192},
    {"des-", "", NULL, 0.5},
    {"blowfish", "", NULL, 0.5},
    {"cast", "", NULL, 0.5},
    {"idea", "", NULL, 0.5},
    {"rc2", "", NULL, 0.5},
    {"rc4", "", NULL, 1.0},
    {"chacha20", "", NULL, 8.0},
};

double bound_bytes_per_cycle(const char *algorithm, const char *operation)
{
    struct slice name = slice_of(algorithm);
    for (size_t i = 0; i < COUNT_OF(BOUNDS); i++) {
        if (slice_starts(name, BOUNDS[i].prefix) && slice_ends(name, BOUNDS[i].suffix) &&
            (BOUNDS[i].operation == NULL || strcmp(BOUNDS[i].operation, operation) == 0))
            return BOUNDS[i].bytes_per_cycle;
    }
    return INFINITY;
}

double bound_bytes_per_s(const char *algorithm, const char *operation, double clock_hz)
{
    double clock = isnan(clock_hz) ? BOUND_CLOCK_HZ : clock_hz;
    return bound_bytes_per_cycle(algorithm, operation) * clock;
}
