/*
 * What a record file holds already, so that a measurement can go on where it ended.
 *
 * A cell counts as held when it has an answer that measuring again would not change: ok, failed or
 * unavailable, and not ended by an interruption. Going on makes sense only with the same library
 * versions on the same machine: a difference is told as a reason to refuse. The set owns its
 * memory.
 */
#ifndef TLSMETER_RECORD_RESUME_H
#define TLSMETER_RECORD_RESUME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/error.h"
#include "record/cell.h"

struct resume_entry;

struct resume {
    struct arena arena;
    struct resume_entry **slots;
    size_t slot_count, count;
    const char *machine;  /* identity in the file's runs; NULL: none said */
    bool machines_differ; /* the file holds runs of several machines */
};

MUST_USE bool resume_read(struct resume *resume, const char *path, struct error *error);
void resume_free(struct resume *resume);
/* Whether the file holds a cell of the same key. When it does but with another library version,
 * false with ERROR_USAGE in *error; else *error is left alone. */
bool resume_holds(const struct resume *resume, const struct cell *cell, struct error *error);
/* False with ERROR_USAGE when the file's runs are of another machine. */
MUST_USE bool resume_check_machine(const struct resume *resume, const char *identity,
                                   const char *path, struct error *error);

#endif
