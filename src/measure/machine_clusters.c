/* Groups of equal cores. */
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "measure/machine_internal.h"

enum {
    TEXT_BYTES = 4096,
    KIND_PERCENT =
        10, /* capacities and clocks this near are one kind: favoured cores turbo higher */
    NAME_BYTES = 48,
};

/* Part numbers of implementer 0x41 in MIDR_EL1, from Arm's technical reference manuals of the
 * cores (also arch/arm64/include/asm/cputype.h). */
static const struct {
    uint32_t part;
    const char *name;
} arm_parts[] = {
    {0xb76, "ARM1176"},     {0xc07, "Cortex-A7"},    {0xc08, "Cortex-A8"},
    {0xc09, "Cortex-A9"},   {0xc0d, "Cortex-A17"},   {0xc0e, "Cortex-A17"},
    {0xc0f, "Cortex-A15"},  {0xd01, "Cortex-A32"},   {0xd03, "Cortex-A53"},
    {0xd04, "Cortex-A35"},  {0xd05, "Cortex-A55"},   {0xd06, "Cortex-A65"},
    {0xd07, "Cortex-A57"},  {0xd08, "Cortex-A72"},   {0xd09, "Cortex-A73"},
    {0xd0a, "Cortex-A75"},  {0xd0b, "Cortex-A76"},   {0xd0c, "Neoverse-N1"},
    {0xd0d, "Cortex-A77"},  {0xd0e, "Cortex-A76AE"}, {0xd40, "Neoverse-V1"},
    {0xd41, "Cortex-A78"},  {0xd42, "Cortex-A78AE"}, {0xd43, "Cortex-A65AE"},
    {0xd44, "Cortex-X1"},   {0xd46, "Cortex-A510"},  {0xd47, "Cortex-A710"},
    {0xd48, "Cortex-X2"},   {0xd49, "Neoverse-N2"},  {0xd4b, "Cortex-A78C"},
    {0xd4d, "Cortex-A715"}, {0xd4e, "Cortex-X3"},    {0xd4f, "Neoverse-V2"},
    {0xd80, "Cortex-A520"}, {0xd81, "Cortex-A720"},  {0xd82, "Cortex-X4"},
};

struct core_kind {
    uint32_t implementer, part; /* 0: not arm */
    const char *type;           /* of x86 hybrids */
    int64_t capacity, max_khz;
};

static const char *core_name(const struct probe *probe, const struct core_kind *kind)
{
    if (kind->type != NULL)
        return kind->type;
    if (kind->implementer == 0)
        return NULL;
    for (size_t i = 0; kind->implementer == 0x41 && i < COUNT_OF(arm_parts); i++)
        if (arm_parts[i].part == kind->part)
            return arm_parts[i].name;
    struct buffer name;
    buffer_init(&name, NAME_BYTES);
    buffer_printf(&name, "implementer 0x%02x part 0x%03x", kind->implementer, kind->part);
    return probe_take(probe, &name);
}

/* Implementer and part of all CPUs in one pass over /proc/cpuinfo. */
static void read_parts(const struct probe *probe, struct core_kind *kinds)
{
    const char *at = probe->cpuinfo;
    const char *number;
    while ((number = probe_field(probe, &at, "processor")) != NULL) {
        unsigned long cpu = strtoul(number, NULL, 10);
        const char *implementer_at = at;
        const char *part_at = at;
        const char *implementer = probe_field(probe, &implementer_at, "CPU implementer");
        const char *part = probe_field(probe, &part_at, "CPU part");
        if (implementer == NULL || part == NULL)
            return;
        if (cpu >= MACHINE_MOST_CPUS)
            continue;
        kinds[cpu].implementer = (uint32_t)strtoul(implementer, NULL, 16);
        kinds[cpu].part = (uint32_t)strtoul(part, NULL, 16);
    }
}

static void read_types(const struct probe *probe, struct core_kind *kinds)
{
    static const struct {
        const char *path, *type;
    } types[] = {{"sys/devices/cpu_core/cpus", "performance core"},
                 {"sys/devices/cpu_atom/cpus", "efficiency core"},
                 {"sys/devices/cpu_lowpower/cpus", "low-power core"}};
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        uint64_t mask[MACHINE_MOST_CPUS / 64];
        machine_parse_cpus(probe_read(probe, "%s", types[i].path), mask);
        for (int cpu = 0; cpu < MACHINE_MOST_CPUS; cpu++)
            if ((mask[cpu / 64] >> (cpu % 64) & 1) != 0)
                kinds[cpu].type = types[i].type;
    }
}

static void read_kind(const struct probe *probe, int cpu, struct core_kind *kind)
{
    int64_t midr;
    if (probe_number(probe, &midr, "sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
                     cpu)) {
        kind->implementer = (uint32_t)(midr >> 24) & 0xff;
        kind->part = (uint32_t)(midr >> 4) & 0xfff;
    }
    (void)probe_number(probe, &kind->capacity, "sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
    (void)probe_number(probe, &kind->max_khz,
                       "sys/devices/system/cpu/cpu%d/cpufreq/cpuinfo_max_freq", cpu);
}

static bool near(int64_t a, int64_t b)
{
    int64_t larger = a > b ? a : b;
    return llabs(a - b) * 100 <= larger * KIND_PERCENT;
}

static bool same_kind(const struct core_kind *a, const struct core_kind *b)
{
    return a->implementer == b->implementer && a->part == b->part && a->type == b->type &&
           near(a->capacity, b->capacity) && near(a->max_khz, b->max_khz);
}

/* One CPU into its cluster; a machine with more kinds than we keep puts the rest into the last. */
static void place(struct machine *machine, struct core_kind *cluster_kinds, int cpu,
                  const struct core_kind *kind)
{
    size_t i = 0;
    while (i < machine->cluster_count && !same_kind(kind, &cluster_kinds[i]))
        i++;
    if (i == MACHINE_MOST_CLUSTERS)
        i--;
    struct machine_cluster *cluster = &machine->clusters[i];
    if (i == machine->cluster_count) {
        machine->cluster_count++;
        cluster_kinds[i] = *kind;
        cluster->first_cpu = cpu;
    }
    cluster->mask[cpu / 64] |= UINT64_C(1) << (cpu % 64);
    cluster->cpu_count++;
    if (kind->capacity > cluster->capacity)
        cluster->capacity = kind->capacity;
    if (kind->max_khz > cluster->max_frequency_khz)
        cluster->max_frequency_khz = kind->max_khz;
}

static void describe_clusters(struct probe *probe)
{
    struct machine *machine = probe->machine;
    struct buffer text;
    buffer_init(&text, TEXT_BYTES);
    for (size_t i = 0; i < machine->cluster_count; i++) {
        const struct machine_cluster *cluster = &machine->clusters[i];
        buffer_printf(&text, "%sCPUs %s: %u x %s", i > 0 ? "; " : "", cluster->cpus,
                      cluster->cpu_count, cluster->core == NULL ? "core" : cluster->core);
        if (cluster->max_frequency_khz > 0)
            buffer_printf(&text, ", %.2f GHz", (double)cluster->max_frequency_khz / 1e6);
        if (cluster->capacity > 0)
            buffer_printf(&text, ", capacity %lld", (long long)cluster->capacity);
    }
    fact_integer(probe, "cpu.clusters", (int64_t)machine->cluster_count);
    if (machine->cluster_count > 1)
        fact_text(probe, "cpu.unequal_cores", probe_take(probe, &text));
    else
        buffer_free(&text);
}

/* On arm no line names the model: the kinds of cores do. */
static void name_model(struct probe *probe)
{
    const struct machine *machine = probe->machine;
    if (machine_find(machine, "cpu.model") != NULL)
        return;
    struct buffer text;
    buffer_init(&text, TEXT_BYTES);
    for (size_t i = 0; i < machine->cluster_count; i++) {
        const char *core = machine->clusters[i].core;
        if (core != NULL && strstr(buffer_text(&text), core) == NULL)
            buffer_printf(&text, "%s%s", text.length > 0 ? " + " : "", core);
    }
    const char *model = probe_take(probe, &text);
    fact_text_or(probe, "cpu.model", *model == '\0' ? NULL : model, "/proc/cpuinfo names none");
}

void probe_clusters(struct probe *probe)
{
    struct machine *machine = probe->machine;
    struct core_kind cluster_kinds[MACHINE_MOST_CLUSTERS] = {0};
    struct core_kind *kinds =
        arena_take(&machine->arena, MACHINE_MOST_CPUS * sizeof(struct core_kind));
    if (kinds == NULL) {
        machine->failed = true;
        return;
    }
    read_parts(probe, kinds);
    read_types(probe, kinds);
    for (int cpu = 0; cpu < MACHINE_MOST_CPUS; cpu++) {
        if (!probe_online(probe, cpu))
            continue;
        read_kind(probe, cpu, &kinds[cpu]);
        place(machine, cluster_kinds, cpu, &kinds[cpu]);
    }
    for (size_t i = 0; i < machine->cluster_count; i++) {
        struct machine_cluster *cluster = &machine->clusters[i];
        cluster->cpus = probe_cpus_text(probe, cluster->mask);
        cluster->core = core_name(probe, &cluster_kinds[i]);
    }
    describe_clusters(probe);
    name_model(probe);
}
