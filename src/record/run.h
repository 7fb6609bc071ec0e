/*
 * A run line: who measured, with what, on which machine.
 *
 * `machine` is an open set like a cell's subject, with dotted names for nesting ("cpu.model",
 * "cpu.governor", "library.openssl"); the writer turns dots into nested objects. A run owns its
 * memory through its arena.
 */
#ifndef TLSMETER_RECORD_RUN_H
#define TLSMETER_RECORD_RUN_H

#include "core/arena.h"
#include "record/cell.h"

struct run {
    struct cell store; /* owns the memory and `machine`'s values */
    const char *id;    /* UUIDv7 (RFC 9562 section 5.7): sorts by start time */
    const char *tool_version;
    const char *started; /* RFC 3339, UTC */
    const char *command_line;
    uint64_t seed; /* of every order and draw in the run, below 2^53; 0: not said */
    struct attributes machine;
};

/* A fresh id and the present time; `arguments` is joined with spaces, quoted for a shell. Secrets
 * never stand on tlsmeter's command lines, so the whole line is kept. */
void run_init(struct run *run, int argument_count, const char *const *arguments);
void run_set_text(struct run *run, const char *name, const char *text);
void run_set_integer(struct run *run, const char *name, int64_t value);
void run_set_real(struct run *run, const char *name, double value);
void run_set_boolean(struct run *run, const char *name, bool value);
void run_free(struct run *run);

#endif
