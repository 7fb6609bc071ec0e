#include "report/result_table_notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "record/flag.h"

enum { NOTE_BYTES_MAXIMUM = 4096, NOTE_INDENT = 4, GROWTH = 16 };

static void put_superscript(size_t number, struct buffer *out)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (number >= 10)
        put_superscript(number / 10, out);
    buffer_append_text(out, digits[number % 10]);
}

/* The note's number, from 1; 0 when memory ran out. */
static size_t number_of(struct notes *notes, const char *text, bool is_flag)
{
    const char *stored = text_set_add(&notes->texts, text);
    for (size_t i = 0; stored != NULL && i < notes->count; i++) {
        if (notes->items[i].text != stored || notes->items[i].is_flag != is_flag)
            continue;
        notes->items[i].cells++;
        return i + 1;
    }
    struct note *items = notes->items;
    if (notes->count % GROWTH == 0)
        items = reallocarray(items, notes->count + GROWTH, sizeof *items);
    if (stored == NULL || items == NULL) {
        notes->failed = true;
        return 0;
    }
    notes->items = items;
    notes->items[notes->count++] = (struct note){.text = stored, .is_flag = is_flag, .cells = 1};
    return notes->count;
}

static void mark(struct notes *notes, const char *text, bool is_flag, struct buffer *out)
{
    size_t number = number_of(notes, text, is_flag);
    if (out->length > 0)
        buffer_append_char(out, ',');
    put_superscript(number, out);
}

void notes_of_result(struct notes *notes, const struct result *result, struct buffer *out)
{
    notes_mark(notes, result->status, result->reason, result->flags, out);
}

void notes_mark(struct notes *notes, enum cell_status status, const char *reason, const char *flags,
                struct buffer *out)
{
    struct buffer text;
    buffer_init(&text, NOTE_BYTES_MAXIMUM);
    if (status != CELL_OK && (reason != NULL || flags == NULL)) {
        buffer_append_text(&text, cell_status_name(status));
        if (reason != NULL)
            buffer_printf(&text, ": %s", reason);
        mark(notes, buffer_text(&text), false, out);
    }
    for (const char *flag = flags; flag != NULL && *flag != '\0';) {
        size_t length = strcspn(flag, ",");
        buffer_clear(&text);
        buffer_append(&text, flag, length);
        mark(notes, buffer_text(&text), true, out);
        flag += length + (flag[length] == ',');
    }
    buffer_free(&text);
}

static void put_note(const struct note *note, size_t number, bool quiet, struct buffer *text)
{
    put_superscript(number, text);
    buffer_printf(text, " %s", note->text);
    if (note->cells > 1)
        buffer_printf(text, " (%zu cells)", note->cells);
    const struct flag *flag = note->is_flag ? flag_find(note->text) : NULL;
    if (flag != NULL && !quiet)
        buffer_printf(text, ": %s; %s", flag->meaning, flag->advice);
}

void notes_render(const struct notes *notes, const struct table_style *style, bool quiet,
                  struct buffer *out)
{
    struct buffer text;
    buffer_init(&text, NOTE_BYTES_MAXIMUM);
    for (size_t i = 0; i < notes->count; i++) {
        buffer_clear(&text);
        put_note(&notes->items[i], i + 1, quiet, &text);
        if (style->format == TABLE_MARKDOWN)
            buffer_printf(out, "%s  \n", buffer_text(&text));
        else
            utf8_wrap(buffer_text(&text), 0, NOTE_INDENT, style->width, out);
    }
    if (notes->count > 0 && !quiet)
        buffer_append_char(out, '\n');
    buffer_free(&text);
}

void notes_free(struct notes *notes)
{
    text_set_free(&notes->texts);
    free(notes->items);
    *notes = (struct notes){0};
}
