#include "core/table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

enum {
    GAP_WIDE = 2, /* blanks between columns */
    GAP_NARROW = 1,
};

struct entry {
    const char *text; /* NULL: empty */
    const char *note; /* NULL: none */
    uint32_t columns, note_columns;
    enum table_mark mark;
};

struct table_row {
    struct table_row *next;
    const char *heading; /* NULL: an ordinary row */
    const char *span;    /* NULL: none */
    size_t span_from;
    enum table_mark span_mark;
    struct entry entries[];
};

void table_init(struct table *table, const struct table_column *columns, size_t column_count)
{
    *table = (struct table){.columns = columns, .column_count = column_count};
}

void table_free(struct table *table)
{
    arena_free(&table->arena);
    table_init(table, table->columns, table->column_count);
}

static struct table_row *add_row(struct table *table, size_t entries)
{
    struct table_row *row = arena_take(&table->arena, sizeof *row + entries * sizeof(struct entry));
    if (row == NULL) {
        table->failed = true;
        return NULL;
    }
    if (table->last == NULL)
        table->first = row;
    else
        table->last->next = row;
    table->last = row;
    return row;
}

/* A clean copy; NULL of NULL and of "". */
static const char *copy_clean(struct table *table, const char *text)
{
    if (text == NULL || *text == '\0')
        return NULL;
    char *copy = arena_text(&table->arena, text);
    if (copy == NULL)
        table->failed = true;
    else
        utf8_clean(copy);
    return copy;
}

void table_row(struct table *table)
{
    (void)add_row(table, table->column_count);
}

void table_set(struct table *table, size_t column, const char *text, const char *note,
               enum table_mark mark)
{
    if (table->failed || table->last == NULL || column >= table->column_count)
        return;
    struct entry *entry = &table->last->entries[column];
    *entry = (struct entry){
        .text = copy_clean(table, text), .note = copy_clean(table, note), .mark = mark};
    if (entry->text != NULL)
        entry->columns = (uint32_t)utf8_columns(entry->text);
    if (entry->note != NULL)
        entry->note_columns = (uint32_t)utf8_columns(entry->note);
    if (mark == MARK_BEST)
        entry->note_columns++;
}

void table_heading(struct table *table, const char *text)
{
    struct table_row *row = add_row(table, 0);
    if (row != NULL)
        row->heading = copy_clean(table, text);
}

void table_span(struct table *table, size_t column, const char *text, enum table_mark mark)
{
    if (table->failed || table->last == NULL || column >= table->column_count)
        return;
    table->last->span = copy_clean(table, text);
    table->last->span_from = column;
    table->last->span_mark = mark;
}

/* ---- aligned text ---- */

/* One column as laid out. */
struct place {
    size_t text, note; /* widths */
    size_t block;      /* which of the blocks it stands in; key columns stand in all */
};

struct layout {
    const struct table *table;
    const struct table_style *style;
    struct place *places;
    size_t gap;
    size_t blocks;
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure(struct layout *layout)
{
    const struct table *table = layout->table;
    for (size_t c = 0; c < table->column_count; c++)
        layout->places[c] = (struct place){.text = utf8_columns(table->columns[c].title)};
    for (const struct table_row *row = table->first; row != NULL; row = row->next) {
        for (size_t c = 0; row->heading == NULL && c < table->column_count; c++) {
            struct place *place = &layout->places[c];
            place->text = larger(place->text, row->entries[c].columns);
            place->note = larger(place->note, row->entries[c].note_columns);
        }
    }
}

static size_t place_width(const struct place *place)
{
    return place->text + place->note;
}

static size_t total_width(const struct layout *layout)
{
    size_t width = 0;
    for (size_t c = 0; c < layout->table->column_count; c++)
        width += place_width(&layout->places[c]) + (c == 0 ? 0 : layout->gap);
    return width;
}

/* Cuts flexible columns, the widest first, until the table fits or each has no more than half the
 * width: a name that is cut further tells nothing apart. */
static void cut_flexible(struct layout *layout)
{
    while (total_width(layout) > layout->style->width) {
        struct place *widest = NULL;
        for (size_t c = 0; c < layout->table->column_count; c++) {
            struct place *place = &layout->places[c];
            if (layout->table->columns[c].flexible && place->text > layout->style->width / 2 &&
                (widest == NULL || place->text > widest->text))
                widest = place;
        }
        if (widest == NULL)
            return;
        widest->text--;
    }
}

/* Deals the columns that are no keys into blocks that fit. */
static void make_blocks(struct layout *layout)
{
    size_t keys = 0;
    for (size_t c = 0; c < layout->table->column_count; c++)
        if (layout->table->columns[c].key)
            keys += place_width(&layout->places[c]) + layout->gap;
    size_t used = keys;
    bool empty = true;
    layout->blocks = 1;
    for (size_t c = 0; c < layout->table->column_count; c++) {
        struct place *place = &layout->places[c];
        if (layout->table->columns[c].key)
            continue;
        if (!empty && used + place_width(place) > layout->style->width) {
            layout->blocks++;
            used = keys;
        }
        used += place_width(place) + layout->gap;
        place->block = layout->blocks - 1;
        empty = false;
    }
}

static void fit(struct layout *layout)
{
    layout->gap = GAP_WIDE;
    layout->blocks = 1;
    if (layout->style->width == 0 || total_width(layout) <= layout->style->width)
        return;
    layout->gap = GAP_NARROW;
    cut_flexible(layout);
    if (total_width(layout) <= layout->style->width)
        return;
    layout->gap = GAP_WIDE;
    make_blocks(layout);
}

static bool stands_in(const struct layout *layout, size_t column, size_t block)
{
    return layout->table->columns[column].key || layout->places[column].block == block;
}

/* A line of text in the making: blanks are owed until something follows, so that no line ends in
 * them. */
struct line {
    struct buffer *out;
    size_t owed;
    size_t column;
};

static void pad(struct line *line, size_t blanks)
{
    line->owed += blanks;
    line->column += blanks;
}

static void put(struct line *line, const char *text, size_t bytes, size_t columns)
{
    if (bytes == 0)
        return;
    for (; line->owed > 0; line->owed--)
        buffer_append_char(line->out, ' ');
    buffer_append(line->out, text, bytes);
    line->column += columns;
}

static const char *escape_of(enum table_mark mark)
{
    static const char *const escapes[] = {[MARK_NONE] = NULL,
                                          [MARK_BEST] = "\033[1m",
                                          [MARK_DIM] = "\033[2m",
                                          [MARK_WARN] = "\033[33m"};
    return escapes[mark];
}

static void put_marked(struct line *line, const char *text, size_t bytes, size_t columns,
                       enum table_mark mark, bool colour)
{
    const char *escape = colour && bytes > 0 ? escape_of(mark) : NULL;
    if (escape != NULL)
        put(line, escape, strlen(escape), 0);
    put(line, text, bytes, columns);
    if (escape != NULL)
        put(line, "\033[0m", strlen("\033[0m"), 0);
}

static void put_entry(struct line *line, const struct entry *entry, const struct place *place,
                      bool right, bool colour)
{
    const char *text = entry->text == NULL ? "" : entry->text;
    size_t columns = entry->columns;
    size_t bytes = strlen(text);
    bool cut = columns > place->text;
    if (cut) {
        bytes = utf8_fit(text, place->text - 1);
        columns = place->text;
    }
    if (right)
        pad(line, place->text - columns);
    put_marked(line, text, bytes, cut ? columns - 1 : columns, entry->mark, colour);
    if (cut)
        put(line, "…", strlen("…"), 1);
    if (entry->mark == MARK_BEST)
        put(line, "*", 1, 1);
    if (entry->note != NULL)
        put(line, entry->note, strlen(entry->note),
            entry->note_columns - (entry->mark == MARK_BEST));
    pad(line, place->note - entry->note_columns);
    if (!right)
        pad(line, place->text - columns);
}

static void end_line(struct line *line)
{
    buffer_append_char(line->out, '\n');
    line->owed = 0;
    line->column = 0;
}

static void put_titles(const struct layout *layout, size_t block, struct line *line)
{
    bool any = false;
    for (size_t c = 0; c < layout->table->column_count; c++)
        any = any || *layout->table->columns[c].title != '\0';
    if (!any)
        return;
    bool first = true;
    for (size_t c = 0; c < layout->table->column_count; c++) {
        if (!stands_in(layout, c, block))
            continue;
        const struct table_column *column = &layout->table->columns[c];
        struct entry title = {.text = column->title,
                              .columns = (uint32_t)utf8_columns(column->title)};
        pad(line, first ? 0 : layout->gap);
        put_entry(line, &title, &layout->places[c], column->right, false);
        first = false;
    }
    end_line(line);
}

static void put_span(const struct layout *layout, const struct table_row *row, struct line *line)
{
    const char *escape = layout->style->colour ? escape_of(row->span_mark) : NULL;
    size_t column = line->column;
    put(line, escape == NULL ? "" : escape, escape == NULL ? 0 : strlen(escape), 0);
    put(line, "", 0, 0);
    for (; line->owed > 0; line->owed--)
        buffer_append_char(line->out, ' ');
    size_t width = layout->style->width;
    struct buffer wrapped;
    buffer_init(&wrapped, line->out->maximum);
    utf8_wrap(row->span, column, column, width > column ? width : 0, &wrapped);
    buffer_append(line->out, buffer_text(&wrapped), wrapped.length > 0 ? wrapped.length - 1 : 0);
    line->out->failed = line->out->failed || wrapped.failed;
    buffer_free(&wrapped);
    put(line, "\033[0m", escape == NULL ? 0 : strlen("\033[0m"), 0);
}

/* True when the row has something to say in this block. */
static bool says_something(const struct layout *layout, const struct table_row *row, size_t block)
{
    if (block == 0)
        return true;
    for (size_t c = 0; c < layout->table->column_count; c++)
        if (!layout->table->columns[c].key && layout->places[c].block == block &&
            row->entries[c].text != NULL)
            return true;
    return false;
}

static void put_row(const struct layout *layout, const struct table_row *row, size_t block,
                    struct line *line)
{
    bool first = true;
    for (size_t c = 0; c < layout->table->column_count; c++) {
        if (!stands_in(layout, c, block))
            continue;
        pad(line, first ? 0 : layout->gap);
        if (row->span != NULL && c == row->span_from && block == 0) {
            put_span(layout, row, line);
            break;
        }
        put_entry(line, &row->entries[c], &layout->places[c], layout->table->columns[c].right,
                  layout->style->colour);
        first = false;
    }
    end_line(line);
}

/* Headings wait for the first row below them. */
static void put_block(const struct layout *layout, size_t block, struct line *line)
{
    const char *heading = NULL;
    put_titles(layout, block, line);
    for (const struct table_row *row = layout->table->first; row != NULL; row = row->next) {
        if (row->heading != NULL) {
            heading = row->heading;
            continue;
        }
        if (!says_something(layout, row, block))
            continue;
        if (heading != NULL) {
            put_marked(line, heading, strlen(heading), 0, MARK_BEST, layout->style->colour);
            end_line(line);
            heading = NULL;
        }
        put_row(layout, row, block, line);
    }
}

static bool render_text(const struct table *table, const struct table_style *style,
                        struct buffer *out)
{
    struct layout layout = {.table = table, .style = style};
    layout.places = calloc(table->column_count + 1, sizeof *layout.places);
    if (layout.places == NULL)
        return false;
    measure(&layout);
    fit(&layout);
    struct line line = {.out = out};
    for (size_t block = 0; block < layout.blocks; block++) {
        if (block > 0)
            end_line(&line);
        put_block(&layout, block, &line);
    }
    free(layout.places);
    return true;
}

/* ---- CSV ---- */

void table_csv_field(const char *text, struct buffer *out)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        buffer_append_text(out, text);
        return;
    }
    buffer_append_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            buffer_append_char(out, '"');
        buffer_append_char(out, *text);
    }
    buffer_append_char(out, '"');
}

static const char *row_text(const struct table_row *row, size_t column)
{
    if (row->span != NULL && row->span_from == column)
        return row->span;
    return row->entries[column].text == NULL ? "" : row->entries[column].text;
}

static void render_csv(const struct table *table, struct buffer *out)
{
    for (size_t c = 0; c < table->column_count; c++) {
        buffer_append_text(out, c == 0 ? "" : ",");
        table_csv_field(table->columns[c].title, out);
    }
    buffer_append_text(out, "\r\n");
    for (const struct table_row *row = table->first; row != NULL; row = row->next) {
        if (row->heading != NULL)
            continue;
        for (size_t c = 0; c < table->column_count; c++) {
            buffer_append_text(out, c == 0 ? "" : ",");
            table_csv_field(row_text(row, c), out);
        }
        buffer_append_text(out, "\r\n");
    }
}

/* ---- Markdown ---- */

static void put_markdown(const char *text, struct buffer *out)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\|*_<>[]`", *text) != NULL)
            buffer_append_char(out, '\\');
        buffer_append_char(out, *text);
    }
}

static void markdown_row(const struct table *table, const struct table_row *row, struct buffer *out)
{
    for (size_t c = 0; c < table->column_count; c++) {
        const char *text = row->heading == NULL ? row_text(row, c) : c == 0 ? row->heading : "";
        const struct entry *entry = row->heading == NULL ? &row->entries[c] : NULL;
        bool bold = *text != '\0' && (entry == NULL || entry->mark == MARK_BEST);
        buffer_append_text(out, bold ? "| **" : "| ");
        put_markdown(text, out);
        buffer_append_text(out, bold ? "**" : "");
        if (entry != NULL && entry->note != NULL)
            put_markdown(entry->note, out);
        buffer_append_text(out, *text == '\0' ? "" : " ");
    }
    buffer_append_text(out, "|\n");
}

static void render_markdown(const struct table *table, struct buffer *out)
{
    for (size_t c = 0; c < table->column_count; c++) {
        buffer_append_text(out, "| ");
        put_markdown(table->columns[c].title, out);
        buffer_append_text(out, *table->columns[c].title == '\0' ? "" : " ");
    }
    buffer_append_text(out, "|\n");
    for (size_t c = 0; c < table->column_count; c++)
        buffer_append_text(out, table->columns[c].right ? "|---:" : "|:---");
    buffer_append_text(out, "|\n");
    for (const struct table_row *row = table->first; row != NULL; row = row->next)
        markdown_row(table, row, out);
}

bool table_render(const struct table *table, const struct table_style *style, struct buffer *out,
                  struct error *error)
{
    if (table->failed)
        return error_set(error, ERROR_MEMORY, "memory ran out for a table");
    bool done = true;
    if (style->format == TABLE_CSV)
        render_csv(table, out);
    else if (style->format == TABLE_MARKDOWN)
        render_markdown(table, out);
    else
        done = render_text(table, style, out);
    if (!done || out->failed)
        return error_set(error, ERROR_MEMORY, "memory ran out for a table");
    return true;
}
