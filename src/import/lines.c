#include "import/lines.h"

#include <errno.h>
#include <string.h>

static void source_init(struct line_source *source)
{
    source->stream = NULL;
    source->bytes = source->buffer;
    source->position = 0;
    source->length = 0;
    source->encoding = ENCODING_UNSEEN;
    source->failed = false;
    source->errno_value = 0;
    source->after_cr = false;
    source->total_bytes = 0;
    source->text[0] = '\0';
    source->text_length = 0;
    source->number = 0;
    source->cut = false;
    source->ended = false;
}

void lines_from_stream(struct line_source *source, FILE *stream)
{
    source_init(source);
    source->stream = stream;
}

void lines_from_memory(struct line_source *source, const void *bytes, size_t length)
{
    source_init(source);
    source->bytes = bytes;
    source->length = length;
    source->total_bytes = length;
}

static bool refill(struct line_source *source)
{
    if (source->position < source->length)
        return true;
    if (source->stream == NULL || source->failed)
        return false;
    errno = 0;
    size_t got = fread(source->buffer, 1, sizeof source->buffer, source->stream);
    if (got == 0 && ferror(source->stream)) {
        source->failed = true;
        source->errno_value = errno != 0 ? errno : EIO;
    }
    source->position = 0;
    source->length = got;
    source->total_bytes += got;
    return got > 0;
}

static int next_byte(struct line_source *source)
{
    if (!refill(source))
        return -1;
    return source->bytes[source->position++];
}

/* Looks at the first bytes; a mark that is split over two reads cannot occur, since the first read
 * is larger. */
static void detect_encoding(struct line_source *source)
{
    source->encoding = ENCODING_BYTES;
    if (!refill(source))
        return;
    const unsigned char *bytes = source->bytes + source->position;
    size_t left = source->length - source->position;
    if (left >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF) {
        source->position += 3;
    } else if (left >= 2 && bytes[0] == 0xFF && bytes[1] == 0xFE) {
        source->position += 2;
        source->encoding = ENCODING_UTF16LE;
    } else if (left >= 2 && bytes[0] == 0xFE && bytes[1] == 0xFF) {
        source->position += 2;
        source->encoding = ENCODING_UTF16BE;
    }
}

static int next_unit(struct line_source *source)
{
    if (source->encoding == ENCODING_BYTES)
        return next_byte(source);
    int first = next_byte(source);
    int second = next_byte(source);
    if (first < 0 || second < 0)
        return -1;
    int unit = source->encoding == ENCODING_UTF16LE ? first | second << 8 : first << 8 | second;
    return unit < 0x80 ? unit : '?';
}

static void put(struct line_source *source, int c)
{
    if (source->text_length >= IMPORT_LINE_BYTES) {
        source->cut = true;
        return;
    }
    source->text[source->text_length++] = (char)c;
}

/* The common case, a whole line inside the buffer, in one copy. */
static bool take_plain_line(struct line_source *source)
{
    if (source->encoding != ENCODING_BYTES || source->after_cr || !refill(source))
        return false;
    const unsigned char *from = source->bytes + source->position;
    const unsigned char *end = memchr(from, '\n', source->length - source->position);
    if (end == NULL)
        return false;
    size_t length = (size_t)(end - from);
    size_t text_length = length > 0 && from[length - 1] == '\r' ? length - 1 : length;
    if (text_length > IMPORT_LINE_BYTES || memchr(from, '\r', text_length) != NULL)
        return false;
    memcpy(source->text, from, text_length);
    source->text_length = text_length;
    source->position += length + 1;
    source->ended = true;
    return true;
}

static bool take_line_by_unit(struct line_source *source)
{
    bool any = false;
    for (;;) {
        int c = next_unit(source);
        if (c < 0)
            return any;
        if (c == '\n' && source->after_cr && !any) {
            source->after_cr = false;
            continue;
        }
        source->after_cr = c == '\r';
        any = true;
        if (c == '\n' || c == '\r') {
            source->ended = true;
            return true;
        }
        put(source, c);
    }
}

bool lines_next(struct line_source *source)
{
    if (source->encoding == ENCODING_UNSEEN)
        detect_encoding(source);
    source->text_length = 0;
    source->cut = false;
    source->ended = false;
    if (!take_plain_line(source) && !take_line_by_unit(source))
        return false;
    source->text[source->text_length] = '\0';
    source->number++;
    return true;
}
