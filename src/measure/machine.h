/*
 * What machine is this, and is it fit for measuring?
 *
 * The probe reads what the kernel tells (proc(5), Documentation/ABI/ in the kernel's sources for
 * /sys) and makes a list of facts with dotted names ("cpu.model", "cpu.governor"), each with a
 * value or with the reason why there is none, and a list of advice. Nothing here names the machine
 * or its owner: no host name, no addresses, no serial numbers.
 *
 * All files are read below `root`, so that tests probe fixture trees; the rest of the surroundings
 * is injected too. The machine owns all texts; machine_free gives them back. Only memory can run
 * out: `failed` says so then, and the lists are cut short.
 */
#ifndef TLSMETER_MEASURE_MACHINE_H
#define TLSMETER_MEASURE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"

struct machine_view {
    const char *root;         /* "" is the real one */
    const char *architecture; /* as of uname(2) */
    const char *(*environment)(const char *name);
    bool (*af_alg)(struct error *error);   /* can AF_ALG sockets be made? */
    bool (*counters)(struct error *error); /* can cycles be counted? */
};

const struct machine_view *machine_view_real(void);

enum fact_kind { FACT_TEXT, FACT_INTEGER, FACT_REAL, FACT_BOOLEAN };

struct machine_fact {
    struct machine_fact *next;
    const char *name;
    const char *unavailable; /* why there is no value; NULL: there is one */
    enum fact_kind kind;
    const char *text; /* FACT_TEXT */
    int64_t integer;
    double real;
    bool boolean;
};

/* Something about the machine that bears on figures. */
struct machine_advice {
    struct machine_advice *next;
    const char *code; /* "governor-powersave": stable, for records */
    const char *finding;
    const char *advice;
    bool warning; /* figures are in doubt; else a hint */
};

enum { MACHINE_MOST_CLUSTERS = 8, MACHINE_MOST_CPUS = 1024 };

/* CPUs of one kind: the same relative capacity (arm, riscv), core type, or highest frequency. */
struct machine_cluster {
    const char *cpus; /* "0-3" */
    uint64_t mask[MACHINE_MOST_CPUS / 64];
    unsigned cpu_count;
    int first_cpu;
    const char *core;          /* "Cortex-A72", "performance"; NULL: not known */
    int64_t capacity;          /* of 1024; 0: not told */
    int64_t max_frequency_khz; /* 0: not told */
};

struct machine {
    struct arena arena;
    bool failed;
    struct machine_fact *facts, *last_fact;
    struct machine_advice *advice, *last_advice;
    struct machine_cluster clusters[MACHINE_MOST_CLUSTERS];
    size_t cluster_count; /* at least 1 */
    /* What makes two machines comparable, on one line: CPU, cores, memory, board or hypervisor. The
     * same after a reboot and on a twin. */
    const char *identity;
};

void machine_probe(struct machine *machine, const struct machine_view *view);
void machine_free(struct machine *machine);

const struct machine_fact *machine_find(const struct machine *machine, const char *name);
/* The text of a text fact that has a value; else NULL. */
const char *machine_text(const struct machine *machine, const char *name);
const struct machine_advice *machine_find_advice(const struct machine *machine, const char *code);

/* Parses a kernel list of CPUs ("0-3,5") into a mask; the number of CPUs, 0 when it is none. */
unsigned machine_parse_cpus(const char *text, uint64_t mask[MACHINE_MOST_CPUS / 64]);

#endif
