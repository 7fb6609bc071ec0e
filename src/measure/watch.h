/*
 * Recognises batches that something else took part in: an involuntary context switch of the thread,
 * or a move to another CPU, between begin and end.
 */
#ifndef TLSMETER_MEASURE_WATCH_H
#define TLSMETER_MEASURE_WATCH_H

#include <stdbool.h>

struct watch {
    void (*begin)(struct watch *watch);
    bool (*end)(struct watch *watch); /* true: contaminated */
    long switches;                    /* involuntary, at begin */
    int cpu;                          /* at begin, after end the last one seen; -1: not known */
};

/* Watches the calling thread: getrusage(2) with RUSAGE_THREAD, sched_getcpu(3). About 1 us a pair.
 */
void watch_init(struct watch *watch);

#endif
