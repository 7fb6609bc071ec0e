/*
 * Who says what time it is.
 *
 * There is one owner of "now" per run: code that measures takes a `const struct clock *` and asks
 * it. Real runs use clock_real(); tests use a manual clock, which moves only by hand and counts how
 * often it was asked. Times are nanoseconds since an arbitrary start and never go back.
 */
#ifndef TLSMETER_CORE_CLOCK_H
#define TLSMETER_CORE_CLOCK_H

#include <stdint.h>

struct clock {
    uint64_t (*wall_ns)(void *context); /* CLOCK_MONOTONIC_RAW of a real clock */
    uint64_t (*cpu_ns)(void *context);  /* CLOCK_THREAD_CPUTIME_ID of the calling thread */
    void *context;
};

/* The machine's clocks. Reading wall time costs about 25 ns, CPU time about 500 ns (a system call).
 */
const struct clock *clock_real(void);

struct manual_clock {
    struct clock clock; /* hand this to the code under test */
    uint64_t wall_ns;
    uint64_t cpu_ns;
    uint64_t step_ns; /* added to both after every reading; 0 unless the test wants it */
    unsigned wall_readings;
    unsigned cpu_readings;
};

void manual_clock_init(struct manual_clock *manual);
void manual_clock_advance(struct manual_clock *manual, uint64_t wall_ns, uint64_t cpu_ns);

static inline uint64_t clock_wall_ns(const struct clock *clock)
{
    return clock->wall_ns(clock->context);
}

static inline uint64_t clock_cpu_ns(const struct clock *clock)
{
    return clock->cpu_ns(clock->context);
}

#endif
