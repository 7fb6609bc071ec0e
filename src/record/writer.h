/*
 * Writes records as JSON Lines.
 *
 * Every line is composed in memory, written with one write(2) and so is on its way to the disk
 * before the call returns: a kill loses at most the line in flight. The file is opened for
 * appending and created with mode 0600; a file whose last byte is no newline (a torn line of an
 * earlier run) gets one first, so the torn line stays alone. Errors (full disk, closed pipe) name
 * the file.
 */
#ifndef TLSMETER_RECORD_WRITER_H
#define TLSMETER_RECORD_WRITER_H

#include <stdbool.h>

#include "core/buffer.h"
#include "core/error.h"
#include "record/cell.h"
#include "record/run.h"

struct record_writer {
    int fd;           /* -1: closed */
    const char *path; /* borrowed from the caller for the writer's life; "-" is standard output */
    struct buffer line;
    bool keep_samples; /* false: --no-samples */
};

MUST_USE bool record_writer_open(struct record_writer *writer, const char *path,
                                 struct error *error);
MUST_USE bool record_write_run(struct record_writer *writer, const struct run *run,
                               struct error *error);
MUST_USE bool record_write_cell(struct record_writer *writer, const struct cell *cell,
                                struct error *error);
/* `cell_key` may be NULL: the note is about the whole run. */
MUST_USE bool record_write_note(struct record_writer *writer, const char *run_id,
                                const char *cell_key, const char *text, const char *advice,
                                struct error *error);
/* Flushes and closes; reports what close(2) reports. Safe to call twice. */
MUST_USE bool record_writer_close(struct record_writer *writer, struct error *error);

#endif
