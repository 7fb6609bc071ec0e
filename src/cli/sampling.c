#include "cli/sampling.h"

#include <sched.h>
#include <string.h>

#include "cli/session.h"
#include "core/text.h"

struct sampler_settings sampling_settings(const struct sampling *sampling)
{
    struct sampler_settings sampler = sampler_defaults();
    sampler.target_ratio = sampling->target;
    sampler.max_time_ns = sampling->max_time_ns;
    sampler.stop = &session_stop;
    sampler.seed = sampling->seed;
    if (sampling->quick) {
        sampler.target_ratio *= 3;
        sampler.min_time_ns /= 5;
        sampler.max_time_ns /= 5;
    }
    if (sampler.min_time_ns > sampler.max_time_ns)
        sampler.min_time_ns = sampler.max_time_ns;
    return sampler;
}

static bool pin(int cpu, cpu_set_t *before, struct error *error)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET((size_t)cpu, &only);
    return (sched_getaffinity(0, sizeof *before, before) == 0 &&
            sched_setaffinity(0, sizeof only, &only) == 0) ||
           error_set(error, ERROR_USAGE,
                     "--cpu %d: this process cannot run there; see nproc and "
                     "/sys/devices/system/cpu/online",
                     cpu);
}

static bool parse_cpu(const char *text, int *cpu, struct error *error)
{
    uint64_t number;
    if (!text_parse_u64(text, 0, CPU_SETSIZE - 1, &number, error))
        return error_prefix(error, "--cpu %s", text);
    *cpu = (int)number;
    return true;
}

static bool is_each_cluster(const struct text_list *cpus)
{
    return cpus->count == 1 && strcmp(cpus->items[0], "each-cluster") == 0;
}

bool cpus_check(const struct text_list *cpus, struct error *error)
{
    cpu_set_t before;
    for (size_t i = 0; i < cpus->count && !is_each_cluster(cpus); i++) {
        int cpu = 0;
        if (!parse_cpu(cpus->items[i], &cpu, error) || !pin(cpu, &before, error))
            return false;
        (void)sched_setaffinity(0, sizeof before, &before);
    }
    return true;
}

static bool find_cpus(const struct text_list *list, const struct machine *machine,
                      int cpus[OPTION_LIST_MAXIMUM], size_t *count, struct error *error)
{
    *count = 0;
    if (is_each_cluster(list)) {
        for (size_t i = 0; i < machine->cluster_count; i++)
            cpus[(*count)++] = machine->clusters[i].first_cpu;
        return true;
    }
    for (size_t i = 0; i < list->count; i++)
        if (!parse_cpu(list->items[i], &cpus[(*count)++], error))
            return false;
    return true;
}

bool cpus_each(const struct text_list *list, const struct machine *machine,
               bool (*run)(void *context, int cpu, struct error *error), void *context,
               struct error *error)
{
    int cpus[OPTION_LIST_MAXIMUM] = {0};
    size_t count;
    cpu_set_t before;
    if (!find_cpus(list, machine, cpus, &count, error))
        return false;
    if (count == 0)
        return run(context, -1, error);
    for (size_t i = 0; i < count; i++) {
        if (!pin(cpus[i], &before, error))
            return false;
        bool good = run(context, cpus[i], error);
        (void)sched_setaffinity(0, sizeof before, &before);
        if (!good)
            return false;
    }
    return true;
}
