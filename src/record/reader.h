/*
 * Reads JSON Lines records as a stream.
 *
 * The reader holds one line at a time (at most RECORD_LINE_BYTES) and one cell, which it reuses:
 * what a handler wants to keep, it copies. Unknown kinds of line and unknown fields are passed
 * over. A torn last line is skipped and counted; any other line that is no record is an error with
 * file and line. Any byte sequence is safe input.
 */
#ifndef TLSMETER_RECORD_READER_H
#define TLSMETER_RECORD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"
#include "record/cell.h"
#include "record/run.h"

#define RECORD_LINE_BYTES (4u * 1024 * 1024)

struct record_handlers {
    void *context;
    /* Each may be NULL. False with an error ends the reading. Objects live until the handler
     * returns. */
    bool (*run)(void *context, const struct run *run, struct error *error);
    bool (*cell)(void *context, const struct cell *cell, struct error *error);
    bool (*note)(void *context, const char *run_id, const char *cell_key, const char *text,
                 const char *advice, struct error *error);
    bool want_samples; /* false: metric samples are passed over, which is faster and smaller */
};

struct record_read_result {
    uint64_t lines, runs, cells, notes, other;
    uint64_t torn; /* lines cut short */
};

/* `path` "-" is standard input. */
MUST_USE bool record_read_file(const char *path, const struct record_handlers *handlers,
                               struct record_read_result *result, struct error *error);
MUST_USE bool record_read_stream(FILE *stream, const char *name,
                                 const struct record_handlers *handlers,
                                 struct record_read_result *result, struct error *error);

#endif
