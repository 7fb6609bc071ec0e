/*
 * Recognises batches that something else took part in: an involuntary context switch of the thread,
 * or a move to another CPU, between begin and end.
 */
#ifndef TLSMETER_MEASURE_WATCH_H
#define TLSMETER_MEASURE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct watch {
    void (*begin)(struct watch *watch);
    bool (*end)(struct watch *watch); /* true: contaminated */
    /* CPU time that the host has taken from the machine since boot, all CPUs, in steps of a tick
     * (10 ms); false: not known. NULL is allowed. */
    bool (*stolen)(struct watch *watch, uint64_t *stolen_ns);
    int stat_fd;   /* of /proc/stat; -1: none */
    long switches; /* involuntary, at begin */
    int cpu;       /* at begin, after end the last one seen; -1: not known */
};

/* Watches the calling thread: getrusage(2) with RUSAGE_THREAD, sched_getcpu(3). About 0.7 us a
 * pair; `stolen` about 6 us, once per task. watch_close gives the file back. */
void watch_init(struct watch *watch);
void watch_close(struct watch *watch);

#endif
