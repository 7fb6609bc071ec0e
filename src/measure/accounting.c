#include "measure/accounting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { STAT_BYTES = 4096, FIELDS = 8, FEWEST_FIELDS = 7 };

/* Finds the line that begins with "cpu ", the sum of all CPUs. */
static const char *total_line(const char *text)
{
    while (strncmp(text, "cpu ", 4) != 0) {
        text = strchr(text, '\n');
        if (text == NULL)
            return NULL;
        text++;
    }
    return text + 4;
}

/* Reads one decimal after blanks; false at the line's end or at anything else. */
static bool take_number(const char **text, uint64_t *number)
{
    const char *at = *text;
    while (*at == ' ')
        at++;
    if (*at < '0' || *at > '9')
        return false;
    *number = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (uint64_t)(*at - '0');
    *text = at;
    return true;
}

bool accounting_parse_stat(const char *text, struct machine_ticks *ticks, struct error *error)
{
    uint64_t fields[FIELDS] = {0};
    size_t count = 0;
    const char *at = total_line(text);
    while (at != NULL && count < FIELDS && take_number(&at, &fields[count]))
        count++;
    if (count < FEWEST_FIELDS)
        return error_set(error, ERROR_INPUT,
                         "/proc/stat: the line \"cpu\" with at least %d numbers is missing",
                         FEWEST_FIELDS);
    *ticks = (struct machine_ticks){fields[0], fields[1], fields[2], fields[3],
                                    fields[4], fields[5], fields[6], fields[7]};
    return true;
}

static bool read_machine(void *context, struct machine_ticks *ticks, struct error *error)
{
    (void)context;
    char text[STAT_BYTES];
    int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set_errno(error, errno, "cannot read /proc/stat");
    ssize_t length = read(fd, text, sizeof text - 1);
    int read_errno = errno;
    (void)close(fd);
    if (length < 0)
        return error_set_errno(error, read_errno, "cannot read /proc/stat");
    text[length] = '\0';
    return accounting_parse_stat(text, ticks, error);
}

static uint64_t timeval_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

static bool read_process(void *context, struct process_time *time, struct error *error)
{
    (void)context;
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return error_set_errno(error, errno, "cannot read the process's CPU time");
    *time = (struct process_time){timeval_ns(usage.ru_utime), timeval_ns(usage.ru_stime)};
    return true;
}

static void sleep_ns(void *context, uint64_t ns)
{
    (void)context;
    struct timespec left = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

const struct accounting_source *accounting_system(void)
{
    static struct accounting_source source = {read_machine, read_process, sleep_ns, NULL, 0};
    long ticks_per_s = sysconf(_SC_CLK_TCK);
    source.tick_ns = 1000000000 / (uint64_t)(ticks_per_s > 0 ? ticks_per_s : 100);
    return &source;
}

/* The difference of two tick counts in ns. Counters of some kernels step back by a tick: then 0. */
static double passed_ns(uint64_t before, uint64_t after, uint64_t tick_ns)
{
    return after > before ? (double)(after - before) * (double)tick_ns : 0;
}

/* What passed between two readings, in ns of CPU time for each ns of `elapsed_ns`. */
static struct accounting_baseline shares(const struct machine_ticks *before,
                                         const struct machine_ticks *after, uint64_t tick_ns,
                                         uint64_t elapsed_ns)
{
    double elapsed = elapsed_ns > 0 ? (double)elapsed_ns : 1;
    double user = passed_ns(before->user + before->nice, after->user + after->nice, tick_ns);
    return (struct accounting_baseline){
        .user = user / elapsed,
        .system = passed_ns(before->system, after->system, tick_ns) / elapsed,
        .irq = passed_ns(before->irq, after->irq, tick_ns) / elapsed,
        .softirq = passed_ns(before->softirq, after->softirq, tick_ns) / elapsed,
        .steal = passed_ns(before->steal, after->steal, tick_ns) / elapsed,
    };
}

bool accounting_measure_baseline(const struct accounting_source *source, uint64_t length_ns,
                                 const struct clock *clock, struct accounting_baseline *baseline,
                                 struct error *error)
{
    struct machine_ticks before;
    struct machine_ticks after;
    uint64_t start_ns = clock_wall_ns(clock);
    if (!source->machine(source->context, &before, error))
        return false;
    source->sleep(source->context, length_ns);
    if (!source->machine(source->context, &after, error))
        return false;
    *baseline = shares(&before, &after, source->tick_ns, clock_wall_ns(clock) - start_ns);
    return true;
}

static bool run_block(const struct sampler_task *task, const struct accounting_settings *settings,
                      const struct clock *clock, struct accounting *result, struct error *error)
{
    uint64_t batch = settings->batch > 0 ? settings->batch : 1;
    uint64_t start_ns = clock_wall_ns(clock);
    do {
        if (settings->stop != NULL && *settings->stop != 0)
            return error_set(error, ERROR_INTERRUPTED, "interrupted");
        if (!task->run(task->context, batch, error))
            return false;
        result->operations += batch;
        result->elapsed_ns = clock_wall_ns(clock) - start_ns;
    } while (result->elapsed_ns < settings->least_ns);
    return true;
}

static double above(double share, double baseline)
{
    return share > baseline ? share - baseline : 0;
}

static void settle(struct accounting *result, const struct accounting_baseline *busy,
                   const struct accounting_baseline *idle, const struct process_time *before,
                   const struct process_time *after, uint64_t tick_ns)
{
    double operations = (double)result->operations;
    double each_ns = (double)result->elapsed_ns / operations;
    double user = above(busy->user, idle->user);
    double system = above(busy->system, idle->system);
    double irq = above(busy->irq, idle->irq);
    double softirq = above(busy->softirq, idle->softirq);
    result->process_user_ns = (double)(after->user_ns - before->user_ns) / operations;
    result->process_system_ns = (double)(after->system_ns - before->system_ns) / operations;
    result->machine_user_ns = user * each_ns;
    result->machine_system_ns = system * each_ns;
    result->machine_irq_ns = irq * each_ns;
    result->machine_softirq_ns = softirq * each_ns;
    result->machine_cpu_percent = 100 * (user + system + irq + softirq);
    result->steal_percent = 100 * busy->steal;
    result->machine_resolution_ns = (double)tick_ns / operations;
}

bool accounting_run(const struct sampler_task *task, const struct accounting_settings *settings,
                    const struct accounting_source *source,
                    const struct accounting_baseline *baseline, const struct clock *clock,
                    struct accounting *result, struct error *error)
{
    static const struct accounting_baseline nothing;
    struct machine_ticks machine_before;
    struct machine_ticks machine_after;
    struct process_time process_before;
    struct process_time process_after;
    *result = (struct accounting){0};
    if (!source->machine(source->context, &machine_before, error) ||
        !source->process(source->context, &process_before, error) ||
        !run_block(task, settings, clock, result, error) ||
        !source->process(source->context, &process_after, error) ||
        !source->machine(source->context, &machine_after, error))
        return false;
    struct accounting_baseline busy =
        shares(&machine_before, &machine_after, source->tick_ns, result->elapsed_ns);
    settle(result, &busy, baseline == NULL ? &nothing : baseline, &process_before, &process_after,
           source->tick_ns);
    return true;
}
