/* What instruments have in common on the command line: how long to sample, and on which CPUs. */
#ifndef TLSMETER_CLI_SAMPLING_H
#define TLSMETER_CLI_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/option.h"
#include "core/error.h"
#include "measure/machine.h"
#include "measure/sampler.h"

struct sampling {
    double target;
    uint64_t max_time_ns, seed;
    bool quick; /* three times the interval, a fifth of the time */
};

/* The sampler's settings, with the session's stop flag. */
struct sampler_settings sampling_settings(const struct sampling *sampling);

/* --cpu: false with ERROR_USAGE when one of them cannot be pinned to. */
MUST_USE bool cpus_check(const struct text_list *cpus, struct error *error);
/* Calls `run` pinned to each CPU of the list in turn ("each-cluster": one of every kind); once with
 * -1, not pinned, for an empty list. */
MUST_USE bool cpus_each(const struct text_list *cpus, const struct machine *machine,
                        bool (*run)(void *context, int cpu, struct error *error), void *context,
                        struct error *error);

#endif
