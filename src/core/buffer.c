#include "core/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_CAPACITY = 256 };

void buffer_init(struct buffer *buffer, size_t maximum)
{
    *buffer = (struct buffer){.maximum = maximum};
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    buffer_init(buffer, buffer->maximum);
}

void buffer_clear(struct buffer *buffer)
{
    buffer->length = 0;
    buffer->failed = false;
    if (buffer->data != NULL)
        buffer->data[0] = '\0';
}

/* Makes room for `extra` more bytes and the NUL. */
static bool reserve(struct buffer *buffer, size_t extra)
{
    if (buffer->failed)
        return false;
    if (extra > buffer->maximum || buffer->length > buffer->maximum - extra) {
        buffer->failed = true;
        return false;
    }
    size_t needed = buffer->length + extra + 1;
    if (needed <= buffer->capacity)
        return true;
    size_t capacity = buffer->capacity < SMALLEST_CAPACITY ? SMALLEST_CAPACITY : buffer->capacity;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(buffer->data, capacity);
    if (data == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t length)
{
    if (length == 0 || !reserve(buffer, length))
        return;
    memcpy(buffer->data + buffer->length, bytes, length);
    buffer->length += length;
    buffer->data[buffer->length] = '\0';
}

void buffer_append_text(struct buffer *buffer, const char *text)
{
    buffer_append(buffer, text, strlen(text));
}

void buffer_append_char(struct buffer *buffer, char c)
{
    buffer_append(buffer, &c, 1);
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
    if (buffer->failed)
        return;
    va_list arguments;
    va_list again;
    va_start(arguments, format);
    va_copy(again, arguments);
    /* Most texts fit the room that is there and are formatted once. */
    size_t room = buffer->capacity - buffer->length;
    char *end = buffer->data == NULL ? NULL : buffer->data + buffer->length;
    int length = vsnprintf(end, room, format, arguments);
    va_end(arguments);
    if (length < 0)
        buffer->failed = true;
    else if (reserve(buffer, (size_t)length)) {
        if ((size_t)length >= room)
            (void)vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    if (buffer->data != NULL)
        buffer->data[buffer->length] = '\0'; /* also after a text that was refused */
    va_end(again);
}

const char *buffer_text(const struct buffer *buffer)
{
    return buffer->data == NULL ? "" : buffer->data;
}
