#include "measure/watch.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "measure/accounting.h"

enum { STAT_BYTES = 512 }; /* the first line is enough */

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

static bool stolen(struct watch *watch, uint64_t *stolen_ns)
{
    char text[STAT_BYTES];
    struct machine_ticks ticks;
    ssize_t length = pread(watch->stat_fd, text, sizeof text - 1, 0);
    if (length <= 0)
        return false;
    text[length] = '\0';
    if (!accounting_parse_stat(text, &ticks, NULL))
        return false;
    *stolen_ns = ticks.steal * accounting_system()->tick_ns;
    return true;
}

void watch_init(struct watch *watch)
{
    *watch = (struct watch){.begin = begin, .end = end, .stolen = stolen, .cpu = -1};
    watch->stat_fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
}

void watch_close(struct watch *watch)
{
    if (watch->stat_fd >= 0)
        (void)close(watch->stat_fd);
    watch->stat_fd = -1;
}
