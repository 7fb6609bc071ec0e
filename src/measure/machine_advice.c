/* What the facts mean for figures, and what to do. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "measure/machine_internal.h"

enum { FINDING_BYTES = 512 };

/* Thresholds of docs/measuring.md. */
static const double busy_load_per_cpu = 0.3;
static const double steal_percent_limit = 0.5;
static const double hot_celsius = 80; /* where a Raspberry Pi begins to slow down */
static const double full_quota_percent = 99.5;

static void add(const struct probe *probe, const char *code, bool warning, const char *text,
                const char *format, ...) PRINTF_LIKE(5, 6);

static void add(const struct probe *probe, const char *code, bool warning, const char *text,
                const char *format, ...)
{
    struct machine *machine = probe->machine;
    char finding[FINDING_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(finding, sizeof finding, format, arguments);
    va_end(arguments);
    struct machine_advice *advice = arena_take(&machine->arena, sizeof *advice);
    const char *copy = arena_text(&machine->arena, finding);
    if (advice == NULL || copy == NULL) {
        machine->failed = true;
        return;
    }
    *advice =
        (struct machine_advice){.code = code, .finding = copy, .advice = text, .warning = warning};
    if (machine->last_advice == NULL)
        machine->advice = advice;
    else
        machine->last_advice->next = advice;
    machine->last_advice = advice;
}

static const struct machine_fact *value_of(const struct probe *probe, const char *name)
{
    const struct machine_fact *fact = machine_find(probe->machine, name);
    return fact == NULL || fact->unavailable != NULL ? NULL : fact;
}

static bool real_above(const struct probe *probe, const char *name, double limit, double *value)
{
    const struct machine_fact *fact = value_of(probe, name);
    if (fact == NULL || fact->kind != FACT_REAL || !(fact->real > limit))
        return false;
    *value = fact->real;
    return true;
}

static bool integer_above_0(const struct probe *probe, const char *name, int64_t *value)
{
    const struct machine_fact *fact = value_of(probe, name);
    if (fact == NULL || fact->kind != FACT_INTEGER || fact->integer <= 0)
        return false;
    *value = fact->integer;
    return true;
}

#define SET_PERFORMANCE                                                                            \
    "For figures of full speed: echo performance | sudo tee "                                      \
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor. For figures of daily use leave it."

/* intel_pstate and amd-pstate in active mode call "powersave" what scales with load
 * (Documentation/admin-guide/pm/intel_pstate.rst, amd-pstate.rst). */
static bool powersave_scales(const struct probe *probe)
{
    const char *driver = machine_text(probe->machine, "cpu.frequency_driver");
    return driver != NULL &&
           (strcmp(driver, "intel_pstate") == 0 || strcmp(driver, "amd-pstate-epp") == 0);
}

static void governor(const struct probe *probe)
{
    const char *name = machine_text(probe->machine, "cpu.governor");
    if (name == NULL || strcmp(name, "performance") == 0)
        return;
    if (probe_has_word(name, "powersave") && !powersave_scales(probe))
        add(probe, "governor-powersave", true, SET_PERFORMANCE,
            "The governor is %s: it keeps the CPU at its lowest frequency.", name);
    else if (!probe_has_word(name, "userspace"))
        add(probe, "governor-scales", false, SET_PERFORMANCE,
            "The governor is %s: the frequency follows the load, with a delay.", name);
}

static void frequency(const struct probe *probe)
{
    double limit;
    double most;
    if (real_above(probe, "cpu.frequency_limit_mhz", 0, &limit) &&
        real_above(probe, "cpu.frequency_max_mhz", limit * 1.01, &most))
        add(probe, "frequency-limited", true,
            "Write the value of cpuinfo_max_freq to scaling_max_freq, or take the figures as those "
            "of this limit.",
            "The frequency is limited to %.0f MHz of %.0f MHz.", limit, most);
    const struct machine_fact *boost = value_of(probe, "cpu.boost");
    if (boost != NULL && boost->boolean)
        add(probe, "boost", false,
            "Short runs may be faster than long ones. To switch it off: echo 0 | sudo tee "
            "/sys/devices/system/cpu/cpufreq/boost (intel_pstate: 1 into no_turbo).",
            "Boost is on: the frequency depends on temperature and on the other cores.");
}

static void throttling(const struct probe *probe)
{
    int64_t count;
    double celsius;
    const char *board = machine_text(probe->machine, "throttling.board");
    if (board != NULL && strstr(board, " now") != NULL)
        add(probe, "throttled", true, "Use a stronger supply and more cooling, then measure again.",
            "The board slows the CPU down: %s.", board);
    else if (board != NULL && strstr(board, "since boot") != NULL && strncmp(board, "none", 4) != 0)
        add(probe, "throttled-before", false, "Watch supply and cooling while measuring.",
            "The board has slowed the CPU down: %s.", board);
    if (integer_above_0(probe, "throttling.cooling_level", &count))
        add(probe, "throttled", true, "Let it cool down, or cool it more, then measure again.",
            "The kernel holds the frequency down to cool the CPU (level %lld).", (long long)count);
    if (integer_above_0(probe, "throttling.events", &count))
        add(probe, "throttled-before", false,
            "If the count grows during a run, its figures are those of a hot CPU.",
            "The CPU was throttled for heat %lld times since boot.", (long long)count);
    if (real_above(probe, "thermal.hottest_celsius", hot_celsius, &celsius))
        add(probe, "hot", true, "Let it cool down, or cool it more, then measure again.",
            "The hottest sensor shows %.0f degrees Celsius.", celsius);
    const struct machine_fact *mains = value_of(probe, "power.mains");
    if (mains != NULL && !mains->boolean)
        add(probe, "on-battery", true, "Connect the mains: firmware often limits the CPU without.",
            "The machine runs on battery.");
}

static void company(const struct probe *probe)
{
    double value;
    const char *kind = machine_text(probe->machine, "virtualisation");
    bool virtual = kind != NULL && strncmp(kind, "no ", 3) != 0;
    if (real_above(probe, "load.steal_percent", steal_percent_limit, &value))
        add(probe, "steal", true,
            "Measure when the host is quiet, or on a machine of your own; compare intervals, not "
            "single figures.",
            "The host took %.1f %% of the CPU time since boot away.", value);
    else if (virtual)
        add(probe, "virtual-machine", false,
            "Neighbours can slow it down without a trace in its counters: trust figures only when "
            "the reference loop was steady (no flag noisy).",
            "This is a virtual machine (%s).", kind);
    if (real_above(probe, "load.average_1min", busy_load_per_cpu * (double)probe->online_count,
                   &value))
        add(probe, "busy", true, "Stop other programs, wait a minute, measure again.",
            "The load average of the last minute is %.2f on %u CPUs.", value, probe->online_count);
    const struct machine_fact *quota = value_of(probe, "cpu.quota_percent");
    if (quota != NULL && quota->real < full_quota_percent * probe->online_count)
        add(probe, "quota", true,
            "Measure outside the container, or raise its CPU limit: at the limit it is stopped for "
            "tens of milliseconds.",
            "The control group may use %.0f %% of one CPU.", quota->real);
}

static void cores(const struct probe *probe)
{
    if (probe->machine->cluster_count > 1)
        add(probe, "unequal-cores", false,
            "Figures of unpinned runs mix them: use --cpu each-cluster, or --cpu LIST.",
            "The machine has %zu kinds of cores.", probe->machine->cluster_count);
}

static void crypto(const struct probe *probe)
{
    const struct machine_fact *fact = probe->machine->facts;
    for (; fact != NULL; fact = fact->next)
        if (strncmp(fact->name, "environment.openssl_", 20) == 0)
            add(probe, "environment", true, "Unset it, unless this is what you want to measure.",
                "OPENSSL_%s is set: OpenSSL may compute otherwise than it would by itself.",
                strcmp(fact->name + 20, "conf") == 0 ? "CONF" : fact->name + 20);
    const char *features = machine_text(probe->machine, "cpu.features");
    if (features != NULL && !probe_has_word(features, "aes") && strstr(features, "zkne") == NULL &&
        strstr(features, "zvkned") == NULL)
        add(probe, "no-aes-instructions", false,
            "Compare AES-GCM with ChaCha20-Poly1305 on it, and look for an accelerator.",
            "The kernel reports no AES instructions of this CPU.");
    const struct machine_fact *counters = machine_find(probe->machine, "counters.cycles");
    if (counters != NULL && counters->unavailable != NULL &&
        strstr(counters->unavailable, "perf_event_paranoid") != NULL)
        add(probe, "counters-forbidden", false,
            "For cycles and instructions: sudo sysctl kernel.perf_event_paranoid=2.",
            "The kernel does not let us count cycles.");
}

void probe_advise(struct probe *probe)
{
    governor(probe);
    frequency(probe);
    throttling(probe);
    company(probe);
    cores(probe);
    crypto(probe);
}
