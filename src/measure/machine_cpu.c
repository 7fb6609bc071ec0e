/* Model, number and crypto features of the CPUs. */
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "measure/machine_internal.h"

enum { FEATURES_BYTES = 1024 };

/* Names in /proc/cpuinfo of what crypto libraries choose their code by: x86 "flags"
 * (arch/x86/include/asm/cpufeatures.h), arm "Features" (arch/arm64/kernel/cpuinfo.c), in the order
 * of interest. */
static const char *const crypto_features[] = {
    "aes",     "pclmulqdq",  "vaes",   "vpclmulqdq", "sha_ni",  "sha512", "sm3",
    "sm4",     "gfni",       "bmi2",   "adx",        "ssse3",   "avx",    "avx2",
    "avx512f", "avx512ifma", "rdrand", "rdseed",     "padlock", "ace",    "phe",
    "neon",    "asimd",      "pmull",  "sha1",       "sha2",    "sha3",   "sve",
    "sve2",    "sveaes",     "rng",    "crypto",     NULL,
};

/* Extensions of the riscv "isa" line that serve crypto begin with these. */
static const char *const riscv_prefixes[] = {"zk",   "zvk", "zbkb", "zbkc",
                                             "zbkx", "zbc", "zvb",  NULL};

static const char *first_field(const struct probe *probe, const char *key)
{
    const char *at = probe->cpuinfo;
    return probe_field(probe, &at, key);
}

static void add_word(struct buffer *list, const char *word, size_t length)
{
    if (list->length > 0)
        buffer_append_char(list, ' ');
    buffer_append(list, word, length);
}

static void add_riscv(struct buffer *list, const char *isa)
{
    while (isa != NULL && *isa != '\0') {
        size_t length = strcspn(isa, "_");
        for (size_t i = 0; riscv_prefixes[i] != NULL; i++)
            if (strncmp(isa, riscv_prefixes[i], strlen(riscv_prefixes[i])) == 0) {
                add_word(list, isa, length);
                break;
            }
        isa += length + (isa[length] == '_');
    }
}

static void probe_features(struct probe *probe)
{
    const char *flags = first_field(probe, "flags");
    if (flags == NULL)
        flags = first_field(probe, "Features");
    const char *isa = first_field(probe, "isa");
    if (flags == NULL && isa == NULL) {
        fact_unavailable(probe, "cpu.features", "/proc/cpuinfo lists no features");
        return;
    }
    struct buffer list;
    buffer_init(&list, FEATURES_BYTES);
    for (size_t i = 0; crypto_features[i] != NULL; i++)
        if (probe_has_word(flags, crypto_features[i]))
            add_word(&list, crypto_features[i], strlen(crypto_features[i]));
    add_riscv(&list, isa);
    const char *text = probe_take(probe, &list);
    fact_text(probe, "cpu.features", *text == '\0' ? "none that serves crypto" : text);
}

/* Counts different pairs of package and core. */
static unsigned count_cores(const struct probe *probe)
{
    unsigned count = 0;
    for (int cpu = 0; cpu < MACHINE_MOST_CPUS; cpu++) {
        const char *siblings;
        uint64_t mask[MACHINE_MOST_CPUS / 64];
        if (!probe_online(probe, cpu))
            continue;
        siblings =
            probe_read(probe, "sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
        if (siblings == NULL || machine_parse_cpus(siblings, mask) == 0)
            return 0;
        /* A core counts at its first thread. */
        int first = 0;
        while (first < cpu && (mask[first / 64] >> (first % 64) & 1) == 0)
            first++;
        count += first == cpu;
    }
    return count;
}

static void find_online(struct probe *probe)
{
    const char *online = probe_read(probe, "sys/devices/system/cpu/online");
    probe->online_count = machine_parse_cpus(online, probe->online);
    const char *at = probe->cpuinfo;
    const char *number;
    while (probe->online_count == 0 && (number = probe_field(probe, &at, "processor")) != NULL) {
        unsigned long cpu = strtoul(number, NULL, 10);
        if (cpu < MACHINE_MOST_CPUS)
            probe->online[cpu / 64] |= UINT64_C(1) << (cpu % 64);
    }
    if (probe->online_count > 0)
        return;
    for (int cpu = 0; cpu < MACHINE_MOST_CPUS; cpu++)
        probe->online_count += probe_online(probe, cpu);
    if (probe->online_count == 0) {
        probe->online[0] = 1;
        probe->online_count = 1;
    }
}

void probe_cpu(struct probe *probe)
{
    static const char *const names[] = {"model name", "cpu model", "uarch",
                                        "cpu",        "Hardware",  NULL};
    const char *model = NULL;
    find_online(probe);
    for (size_t i = 0; model == NULL && names[i] != NULL; i++)
        model = first_field(probe, names[i]);
    /* On arm the clusters say it better: see probe_clusters. */
    if (first_field(probe, "CPU part") == NULL)
        fact_text_or(probe, "cpu.model", model, "/proc/cpuinfo names none");
    fact_text(probe, "cpu.architecture", probe->view->architecture);
    fact_integer(probe, "cpu.online", probe->online_count);
    unsigned cores = count_cores(probe);
    if (cores > 0)
        fact_integer(probe, "cpu.cores", cores);
    else
        fact_unavailable(probe, "cpu.cores", "the kernel tells no topology");
    probe_features(probe);
}
