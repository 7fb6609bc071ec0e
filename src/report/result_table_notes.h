/*
 * Footnotes below result tables: a number for each flag and for each reason why a cell has no
 * value, in the order of their first mark, with meaning and advice.
 */
#ifndef TLSMETER_REPORT_RESULT_TABLE_NOTES_H
#define TLSMETER_REPORT_RESULT_TABLE_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/table.h"
#include "core/text_set.h"
#include "report/result_table_internal.h"

struct note {
    const char *text; /* a flag's name, or status and reason */
    bool is_flag;
    size_t cells; /* marked with it */
};

struct notes {
    struct text_set texts;
    struct note *items;
    size_t count;
    bool failed; /* memory ran out */
};

/* Appends the marks of a result, superscript numbers, and counts them; nothing for a clean one. */
void notes_of_result(struct notes *notes, const struct result *result, struct buffer *out);
/* The same for a cell told in parts; `flags` joined with ",", NULL: none. */
void notes_mark(struct notes *notes, enum cell_status status, const char *reason, const char *flags,
                struct buffer *out);
/* The list; `quiet` leaves meaning and advice out. */
void notes_render(const struct notes *notes, const struct table_style *style, bool quiet,
                  struct buffer *out);
void notes_free(struct notes *notes);

#endif
