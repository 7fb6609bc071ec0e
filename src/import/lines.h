/*
 * Lines of a log, whatever it went through.
 *
 * Splits at LF, CR LF and lone CR (a progress line drawn over itself); drops a UTF-8 byte-order
 * mark and reads UTF-16 with a mark (what a Windows shell redirects). A line longer than
 * IMPORT_LINE_BYTES is cut and says so. Bytes come from a stream or from memory.
 */
#ifndef TLSMETER_IMPORT_LINES_H
#define TLSMETER_IMPORT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"
#include "import/import.h"

struct line_source {
    FILE *stream; /* NULL: everything is in the buffer already */
    const unsigned char *bytes;
    size_t position, length;
    unsigned char buffer[64 * 1024];
    enum { ENCODING_UNSEEN, ENCODING_BYTES, ENCODING_UTF16LE, ENCODING_UTF16BE } encoding;
    bool failed;
    int errno_value;
    bool after_cr;
    uint64_t total_bytes;
    /* The present line, NUL-terminated; valid until the next call. */
    char text[IMPORT_LINE_BYTES + 1];
    size_t text_length;
    uint32_t number; /* from 1 */
    bool cut;        /* longer than it is held */
    bool ended;      /* with a line end; false: the file stops here */
};

void lines_from_stream(struct line_source *source, FILE *stream);
void lines_from_memory(struct line_source *source, const void *bytes, size_t length);
/* The next line; false at the end or when reading failed (see `failed`). */
bool lines_next(struct line_source *source);

#endif
