/*
 * Where the CPU time of an operation goes: user or system, this process or the rest of the machine.
 *
 * The kernel counts whole-machine time in ticks (10 ms), far too coarse for a batch. So one
 * uninterrupted block of at least a second runs per cell, the machine's counters are read before
 * and after, and what the machine does while nobody works (measured once, asleep) is taken off. An
 * accelerator whose driver works in interrupts or kernel threads shows here and nowhere else.
 *
 * The machine's time is the sum over its CPUs. A difference below the baseline is given as 0; the
 * resolution says how much one tick weighs. Sources: proc(5) for /proc/stat, getrusage(2).
 */
#ifndef TLSMETER_MEASURE_ACCOUNTING_H
#define TLSMETER_MEASURE_ACCOUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/error.h"
#include "measure/sampler.h"

/* The line "cpu" of /proc/stat, in ticks since boot. `user` holds guests' time too. Kernels before
 * 2.6.11 have no steal: 0. */
struct machine_ticks {
    uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
};

struct process_time {
    uint64_t user_ns, system_ns; /* all threads of this process */
};

/* Finds and reads the line "cpu" in the text of /proc/stat. */
MUST_USE bool accounting_parse_stat(const char *text, struct machine_ticks *ticks,
                                    struct error *error);

/* Where the figures come from; tests bring their own. */
struct accounting_source {
    bool (*machine)(void *context, struct machine_ticks *ticks, struct error *error);
    bool (*process)(void *context, struct process_time *time, struct error *error);
    void (*sleep)(void *context, uint64_t ns);
    void *context;
    uint64_t tick_ns;
};

/* The kernel's. */
const struct accounting_source *accounting_system(void);

/* What the machine does while we sleep, in ns of CPU time per ns. */
struct accounting_baseline {
    double user, system, irq, softirq, steal;
};

struct accounting_settings {
    uint64_t least_ns;        /* length of the block; 1 s */
    uint64_t batch;           /* operations per call of run; the batch that the sampler found */
    const volatile int *stop; /* non-zero: give up with ERROR_INTERRUPTED; may be NULL */
};

struct accounting {
    uint64_t operations;
    uint64_t elapsed_ns;
    /* Per operation, ns. Machine: all CPUs, this process included, the baseline taken off. User
     * holds nice. */
    double process_user_ns, process_system_ns;
    double machine_user_ns, machine_system_ns, machine_irq_ns, machine_softirq_ns;
    double machine_cpu_percent;   /* their sum over elapsed time; 100 is one whole CPU */
    double steal_percent;         /* taken by the host, of elapsed time, over all CPUs */
    double machine_resolution_ns; /* one tick, per operation */
};

MUST_USE bool accounting_measure_baseline(const struct accounting_source *source,
                                          uint64_t length_ns, const struct clock *clock,
                                          struct accounting_baseline *baseline,
                                          struct error *error);
/* `baseline` NULL: nothing is taken off. The task's own error ends the block. */
MUST_USE bool accounting_run(const struct sampler_task *task,
                             const struct accounting_settings *settings,
                             const struct accounting_source *source,
                             const struct accounting_baseline *baseline, const struct clock *clock,
                             struct accounting *result, struct error *error);

#endif
