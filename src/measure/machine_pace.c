/* What sets the speed of the CPUs, and who else uses them. */
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "measure/accounting.h"
#include "measure/machine_internal.h"

enum { TEXT_BYTES = 512, MOST_ZONES = 64 };

#define NO_CPUFREQ "no cpufreq: the kernel does not control the clock (usual in virtual machines)"

/* The value of one cpufreq file over all CPUs: itself when all agree, else "mixed (a, b)". */
static const char *over_cpus(const struct probe *probe, const char *file)
{
    const char *first = NULL;
    struct buffer text;
    buffer_init(&text, TEXT_BYTES);
    for (int cpu = 0; cpu < MACHINE_MOST_CPUS; cpu++) {
        if (!probe_online(probe, cpu))
            continue;
        const char *value = probe_read(probe, "sys/devices/system/cpu/cpu%d/cpufreq/%s", cpu, file);
        if (value == NULL)
            continue;
        if (first == NULL)
            buffer_append_text(&text, first = value);
        else if (!probe_has_word(buffer_text(&text), value))
            buffer_printf(&text, " %s", value);
    }
    const char *all = probe_take(probe, &text);
    return first == NULL ? NULL : all;
}

/* The largest (or smallest) of one cpufreq file over all CPUs, in MHz; false: no such file. */
static bool extreme_mhz(const struct probe *probe, const char *file, bool largest, double *mhz)
{
    bool found = false;
    for (int cpu = 0; cpu < MACHINE_MOST_CPUS; cpu++) {
        int64_t khz;
        if (!probe_online(probe, cpu) ||
            !probe_number(probe, &khz, "sys/devices/system/cpu/cpu%d/cpufreq/%s", cpu, file))
            continue;
        double value = (double)khz / 1000;
        if (!found || (largest ? value > *mhz : value < *mhz))
            *mhz = value;
        found = true;
    }
    return found;
}

/* /proc/cpuinfo's figure, where cpufreq has none: what the kernel found at boot, or the present. */
static void current_frequency(const struct probe *probe)
{
    double mhz;
    const char *at = probe->cpuinfo;
    const char *text = probe_field(probe, &at, "cpu MHz");
    if (extreme_mhz(probe, "scaling_cur_freq", true, &mhz))
        fact_real(probe, "cpu.frequency_mhz", mhz);
    else if (text != NULL && strtod(text, NULL) > 0)
        fact_real(probe, "cpu.frequency_mhz", strtod(text, NULL));
    else
        fact_unavailable(probe, "cpu.frequency_mhz", "no cpufreq");
}

static void boost(const struct probe *probe)
{
    int64_t value;
    if (probe_number(probe, &value, "sys/devices/system/cpu/cpufreq/boost"))
        fact_boolean(probe, "cpu.boost", value != 0);
    else if (probe_number(probe, &value, "sys/devices/system/cpu/intel_pstate/no_turbo"))
        fact_boolean(probe, "cpu.boost", value == 0);
    else
        fact_unavailable(probe, "cpu.boost", "the kernel has no switch for it");
}

static void frequency(const struct probe *probe)
{
    double mhz;
    fact_text_or(probe, "cpu.governor", over_cpus(probe, "scaling_governor"), NO_CPUFREQ);
    fact_text_or(probe, "cpu.frequency_driver", over_cpus(probe, "scaling_driver"), "no cpufreq");
    const char *preference = over_cpus(probe, "energy_performance_preference");
    if (preference != NULL)
        fact_text(probe, "cpu.energy_preference", preference);
    current_frequency(probe);
    if (extreme_mhz(probe, "cpuinfo_max_freq", true, &mhz))
        fact_real(probe, "cpu.frequency_max_mhz", mhz);
    else
        fact_unavailable(probe, "cpu.frequency_max_mhz", "no cpufreq");
    if (extreme_mhz(probe, "scaling_max_freq", true, &mhz))
        fact_real(probe, "cpu.frequency_limit_mhz", mhz);
    boost(probe);
}

/* Raspberry Pi firmware, property GET_THROTTLED: the low half is now, the high half since boot. */
static bool board_throttling(const struct probe *probe)
{
    static const struct {
        unsigned bit;
        const char *text;
    } bits[] = {{0, "under-voltage"},
                {1, "frequency capped"},
                {2, "throttled"},
                {3, "soft temperature limit"}};
    int64_t value;
    const char *text = probe_read(probe, "sys/devices/platform/soc/soc:firmware/get_throttled");
    if (text == NULL)
        return false;
    value = strtoll(text, NULL, 16);
    struct buffer list;
    buffer_init(&list, TEXT_BYTES);
    for (size_t i = 0; i < COUNT_OF(bits); i++) {
        bool now = (value >> bits[i].bit & 1) != 0;
        bool before = (value >> (bits[i].bit + 16) & 1) != 0;
        if (now || before)
            buffer_printf(&list, "%s%s %s", list.length > 0 ? ", " : "", bits[i].text,
                          now ? "now" : "since boot");
    }
    const char *all = probe_take(probe, &list);
    fact_text(probe, "throttling.board", *all == '\0' ? "none since boot" : all);
    return true;
}

/* Events since boot, where the CPU counts them (x86: thermal_throttle). */
static bool counted_throttling(const struct probe *probe)
{
    bool found = false;
    int64_t total = 0;
    for (int cpu = 0; cpu < MACHINE_MOST_CPUS; cpu++) {
        int64_t events;
        if (!probe_online(probe, cpu) ||
            !probe_number(probe, &events,
                          "sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", cpu))
            continue;
        found = true;
        total += events;
    }
    if (found)
        fact_integer(probe, "throttling.events", total);
    return found;
}

/* CPU cooling devices at work right now. */
static bool cooling(const struct probe *probe)
{
    bool found = false;
    int64_t worst = 0;
    for (int i = 0; i < MOST_ZONES; i++) {
        int64_t level;
        const char *type = probe_read(probe, "sys/class/thermal/cooling_device%d/type", i);
        if (type == NULL || (strncmp(type, "thermal-cpufreq", 15) != 0 &&
                             strncmp(type, "cpufreq", 7) != 0 && strcmp(type, "Processor") != 0))
            continue;
        if (!probe_number(probe, &level, "sys/class/thermal/cooling_device%d/cur_state", i))
            continue;
        found = true;
        worst = level > worst ? level : worst;
    }
    if (found)
        fact_integer(probe, "throttling.cooling_level", worst);
    return found;
}

static void temperature(const struct probe *probe)
{
    bool found = false;
    double hottest = 0;
    for (int i = 0; i < MOST_ZONES; i++) {
        int64_t millidegrees;
        if (!probe_number(probe, &millidegrees, "sys/class/thermal/thermal_zone%d/temp", i))
            continue;
        double celsius = (double)millidegrees / 1000;
        hottest = !found || celsius > hottest ? celsius : hottest;
        found = true;
    }
    if (found)
        fact_real(probe, "thermal.hottest_celsius", hottest);
    else
        fact_unavailable(probe, "thermal.hottest_celsius", "the kernel shows no thermal zone");
}

static void load(const struct probe *probe)
{
    const char *average = probe_read(probe, "proc/loadavg");
    if (average != NULL)
        fact_real(probe, "load.average_1min", strtod(average, NULL));
    else
        fact_unavailable(probe, "load.average_1min", "/proc/loadavg cannot be read");
    const char *stat = probe_read(probe, "proc/stat");
    struct machine_ticks ticks;
    struct error error;
    if (stat == NULL || !accounting_parse_stat(stat, &ticks, &error)) {
        fact_unavailable(probe, "load.steal_percent", "/proc/stat cannot be read");
        return;
    }
    double total = (double)(ticks.user + ticks.nice + ticks.system + ticks.idle + ticks.iowait +
                            ticks.irq + ticks.softirq + ticks.steal);
    fact_real(probe, "load.steal_percent", total > 0 ? 100 * (double)ticks.steal / total : 0);
}

/* CPU time that a container or service may use, of one CPU: cgroup v2 cpu.max "QUOTA PERIOD". */
static void quota(const struct probe *probe)
{
    const char *text = probe_read(probe, "sys/fs/cgroup/cpu.max");
    if (text == NULL || strncmp(text, "max", 3) == 0)
        return;
    char *end;
    double allowed = strtod(text, &end);
    double period = strtod(end, NULL);
    if (period > 0)
        fact_real(probe, "cpu.quota_percent", 100 * allowed / period);
}

static void mains(const struct probe *probe)
{
    static const char *const supplies[] = {"AC", "ACAD", "ADP0", "ADP1", "AC0"};
    for (size_t i = 0; i < COUNT_OF(supplies); i++) {
        int64_t online;
        if (!probe_number(probe, &online, "sys/class/power_supply/%s/online", supplies[i]))
            continue;
        fact_boolean(probe, "power.mains", online != 0);
        return;
    }
}

void probe_pace(struct probe *probe)
{
    frequency(probe);
    bool board = board_throttling(probe);
    bool counted = counted_throttling(probe);
    bool cooled = cooling(probe);
    if (!board && !counted && !cooled)
        fact_unavailable(probe, "throttling.events", "nothing here counts them");
    temperature(probe);
    load(probe);
    quota(probe);
    mains(probe);
}
