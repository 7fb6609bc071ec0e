#include "core/clock.h"

#include <stddef.h>
#include <time.h>

static uint64_t read_ns(clockid_t id)
{
    struct timespec now;
    (void)clock_gettime(id, &now); /* cannot fail for the two ids used here on Linux */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t real_wall_ns(void *context)
{
    (void)context;
    return read_ns(CLOCK_MONOTONIC_RAW);
}

static uint64_t real_cpu_ns(void *context)
{
    (void)context;
    return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

const struct clock *clock_real(void)
{
    static const struct clock real = {real_wall_ns, real_cpu_ns, NULL};
    return &real;
}

static uint64_t manual_wall_ns(void *context)
{
    struct manual_clock *manual = context;
    uint64_t now = manual->wall_ns;
    manual->wall_readings++;
    manual_clock_advance(manual, manual->step_ns, manual->step_ns);
    return now;
}

static uint64_t manual_cpu_ns(void *context)
{
    struct manual_clock *manual = context;
    uint64_t now = manual->cpu_ns;
    manual->cpu_readings++;
    manual_clock_advance(manual, manual->step_ns, manual->step_ns);
    return now;
}

void manual_clock_init(struct manual_clock *manual)
{
    *manual = (struct manual_clock){.clock = {manual_wall_ns, manual_cpu_ns, manual}};
}

void manual_clock_advance(struct manual_clock *manual, uint64_t wall_ns, uint64_t cpu_ns)
{
    manual->wall_ns += wall_ns;
    manual->cpu_ns += cpu_ns;
}
