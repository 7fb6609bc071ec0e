#include "measure/watch.h"

#include <sched.h>
#include <sys/resource.h>

static long involuntary_switches(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static void begin(struct watch *watch)
{
    watch->cpu = sched_getcpu();
    watch->switches = involuntary_switches();
}

static bool end(struct watch *watch)
{
    int cpu = sched_getcpu();
    bool moved = cpu != watch->cpu;
    watch->cpu = cpu;
    return moved || involuntary_switches() != watch->switches;
}

void watch_init(struct watch *watch)
{
    *watch = (struct watch){.begin = begin, .end = end, .cpu = -1};
}
