/*
 * A software log against an accelerated one: is the hardware used, from which size does it pay,
 * what does it save.
 *
 * Bulk readings with a value (ok or salvaged) of the same algorithm and operation are paired by
 * size. CPU time per operation is known for a run on CPU time from its counts, and for any run
 * from the CPU percentage of a `time` block. Everything lives on the arena given.
 */
#ifndef TLSMETER_IMPORT_VERSUS_H
#define TLSMETER_IMPORT_VERSUS_H

#include "core/arena.h"
#include "import/import.h"
#include "measure/crossover.h"

struct versus_size {
    uint64_t size_bytes;
    double software, accelerated;                   /* bytes per second */
    double software_mb_cpu_s, accelerated_mb_cpu_s; /* MB per CPU second; NaN: not known */
};

struct versus_pair {
    const char *algorithm, *operation;
    struct versus_size *sizes;
    size_t size_count;
    struct crossover crossover;
    bool equal; /* within 5 % at every size */
};

struct versus_side;

/* Gathers the readings of one side; pass to import_file as the sink's context and function. */
struct versus_side *versus_side_new(struct arena *arena);
bool versus_collect(void *side, const struct import_run *run, struct error *error);

struct versus {
    struct versus_pair *pairs;
    size_t pair_count;
    bool engine_failed, engine_suspected; /* of the accelerated side */
    const char *engine;
    enum { HARDWARE_USED, HARDWARE_NOT_USED, HARDWARE_UNCLEAR } answer;
    const char *why;
};

MUST_USE bool versus_compare(const struct versus_side *software,
                             const struct versus_side *accelerated, struct arena *arena,
                             struct versus *versus, struct error *error);

#endif
