/*
 * A growing byte buffer with a maximum given at creation.
 *
 * Appending never fails at the call: a buffer that ran out of memory or would pass its maximum
 * turns `failed` and ignores what follows, so that a writer checks once, at the end. The bytes are
 * always followed by a NUL that does not count. The buffer owns its bytes; buffer_free gives them
 * back.
 */
#ifndef TLSMETER_CORE_BUFFER_H
#define TLSMETER_CORE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attributes.h"

struct buffer {
    char *data;    /* NULL until the first append */
    size_t length; /* bytes held */
    size_t capacity;
    size_t maximum; /* bytes; appending past it sets `failed` */
    bool failed;
};

void buffer_init(struct buffer *buffer, size_t maximum);
void buffer_free(struct buffer *buffer);
/* Empties it and clears `failed`; keeps the memory. */
void buffer_clear(struct buffer *buffer);
void buffer_append(struct buffer *buffer, const void *bytes, size_t length);
void buffer_append_text(struct buffer *buffer, const char *text);
void buffer_append_char(struct buffer *buffer, char c);
void buffer_printf(struct buffer *buffer, const char *format, ...) PRINTF_LIKE(2, 3);
/* The bytes as a NUL-terminated string, "" when empty. Valid until the next call on the buffer. */
const char *buffer_text(const struct buffer *buffer);

#endif
