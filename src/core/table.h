/*
 * One model of a table, three renderings: aligned text, CSV and Markdown.
 *
 * A table is columns and rows of cells of text. As text it is fitted to the style's width: columns
 * are as wide as their widest cell; when that is too wide, columns stand closer, then flexible
 * columns are cut to no less than half the width (with "…"), then what is left over continues in a
 * second block below, with the key columns repeated. CSV follows RFC 4180 (CRLF line ends, quotes
 * doubled); Markdown escapes what Markdown would read. Widths are counted in terminal columns, not
 * bytes: text is UTF-8, and bytes that are no UTF-8, or control characters, are shown as "?".
 *
 * The table copies all text it is given and owns it. Adding never fails at the call: when memory
 * runs out `failed` turns true, and rendering says so.
 */
#ifndef TLSMETER_CORE_TABLE_H
#define TLSMETER_CORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/buffer.h"
#include "core/error.h"

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN };

struct table_style {
    enum table_format format;
    size_t width; /* terminal columns of text; 0: as wide as needed */
    bool colour;  /* bold, dim and colour by ANSI escapes; text only */
};

enum table_mark {
    MARK_NONE,
    MARK_BEST, /* bold, and a "*" behind the text */
    MARK_DIM,  /* of less weight: versions, notes */
    MARK_WARN, /* flagged, failed */
};

struct table_column {
    const char *title; /* borrowed until the table is freed */
    bool right;        /* numbers: aligned right */
    bool flexible;     /* may be cut to fit the width */
    bool key;          /* repeated in every block when the table is too wide for one */
};

struct table_row;

struct table {
    struct arena arena;
    const struct table_column *columns;
    size_t column_count;
    struct table_row *first, *last;
    bool failed;
};

/* `columns` is borrowed and must outlive the table. */
void table_init(struct table *table, const struct table_column *columns, size_t column_count);
void table_free(struct table *table);
/* A row of column_count empty cells, to be filled with table_set. */
void table_row(struct table *table);
/* Sets a cell of the last row; NULL text is an empty cell. `note` (NULL: none) is set close behind
 * the text outside the alignment, for footnote marks; CSV leaves it out. */
void table_set(struct table *table, size_t column, const char *text, const char *note,
               enum table_mark mark);
/* A line of its own across all columns, as a heading of the rows below (text only: CSV leaves it
 * out; in Markdown it is a row in bold). */
void table_heading(struct table *table, const char *text);
/* From `column` of the last row to the right edge one text, wrapped below itself when too long. */
void table_span(struct table *table, size_t column, const char *text, enum table_mark mark);

/* Appends the table. False when memory ran out or `out` is full. */
MUST_USE bool table_render(const struct table *table, const struct table_style *style,
                           struct buffer *out, struct error *error);

/* One RFC 4180 field, quoted only when needed; formulas are not defused: numbers stay numbers. */
void table_csv_field(const char *text, struct buffer *out);

#endif
