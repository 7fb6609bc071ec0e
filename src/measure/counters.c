#include "measure/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(uint64_t event, int leader)
{
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = event;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format =
        PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

static const char *explain(int open_errno)
{
    switch (open_errno) {
    case EACCES:
    case EPERM:
        return "the kernel refuses (sysctl kernel.perf_event_paranoid must be 2 or less)";
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
        return "this machine shows no hardware counters (usual in virtual machines)";
    case ENOSYS:
        return "this kernel has no perf_event_open";
    default:
        return strerror(open_errno);
    }
}

bool counters_open(struct counters *counters, struct error *error)
{
    counters->instructions_fd = -1;
    counters->cycles_fd = open_event(PERF_COUNT_HW_CPU_CYCLES, -1);
    if (counters->cycles_fd >= 0)
        counters->instructions_fd = open_event(PERF_COUNT_HW_INSTRUCTIONS, counters->cycles_fd);
    if (counters->instructions_fd >= 0)
        return true;
    int open_errno = errno;
    counters_close(counters);
    return error_set(error, ERROR_UNAVAILABLE, "%s", explain(open_errno));
}

void counters_close(struct counters *counters)
{
    if (counters->instructions_fd >= 0)
        (void)close(counters->instructions_fd);
    if (counters->cycles_fd >= 0)
        (void)close(counters->cycles_fd);
    counters->cycles_fd = counters->instructions_fd = -1;
}

bool counters_read(const struct counters *counters, struct counter_values *values)
{
    struct {
        uint64_t count, enabled, running, values[2];
    } group;
    if (read(counters->cycles_fd, &group, sizeof group) != (ssize_t)sizeof group ||
        group.count != 2 || group.enabled != group.running)
        return false;
    values->cycles = group.values[0];
    values->instructions = group.values[1];
    return true;
}
