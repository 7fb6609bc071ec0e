/*
 * The CPU's own counters of cycles and instructions in user space, through perf_event_open(2). Many
 * machines have none for us (virtual machines, kernel.perf_event_paranoid above 2): then
 * counters_open says why, and the measuring goes on without.
 */
#ifndef TLSMETER_MEASURE_COUNTERS_H
#define TLSMETER_MEASURE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

struct counters {
    int cycles_fd; /* leads the group; -1: closed */
    int instructions_fd;
};

struct counter_values {
    uint64_t cycles, instructions;
};

/* For the calling thread. False with ERROR_UNAVAILABLE and the reason. */
MUST_USE bool counters_open(struct counters *counters, struct error *error);
void counters_close(struct counters *counters);
/* Counts since open; false when the read failed or the counters had to share the hardware. */
bool counters_read(const struct counters *counters, struct counter_values *values);

#endif
