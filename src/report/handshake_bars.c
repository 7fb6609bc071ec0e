/* Where the time of a handshake went, as bars in text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "core/text.h"
#include "report/handshake_table.h"

enum { BAR_COLUMNS = 30, LABEL_BYTES = 256, LEAST_PERCENT = 1 };

static void put_bar(double share, struct buffer *out)
{
    int filled = (int)(share * BAR_COLUMNS + 0.5);
    for (int i = 0; i < filled; i++)
        buffer_append_char(out, '#');
}

static void add_line(struct table *table, const char *name, double count, double self_ns,
                     double total_ns)
{
    struct buffer text;
    buffer_init(&text, LABEL_BYTES);
    table_row(table);
    table_set(table, 0, name, NULL, MARK_NONE);
    if (count >= 0.5)
        buffer_printf(&text, "%.0f", count);
    table_set(table, 1, buffer_text(&text), NULL, MARK_NONE);
    buffer_clear(&text);
    text_format_ns(self_ns, &text);
    table_set(table, 2, buffer_text(&text), NULL, MARK_NONE);
    buffer_clear(&text);
    buffer_printf(&text, "%.1f %%", self_ns / total_ns * 100);
    table_set(table, 3, buffer_text(&text), NULL, MARK_NONE);
    buffer_clear(&text);
    put_bar(self_ns / total_ns, &text);
    table_set(table, 4, buffer_text(&text), NULL, MARK_NONE);
    buffer_free(&text);
}

/* Operations below a percent share a line for their kind. */
static void add_small(struct table *table, const struct handshake_row_side *side, double total_ns)
{
    for (size_t i = 0; i < side->operation_count; i++) {
        const char *kind = side->operations[i].kind;
        bool first = true;
        double self_ns = 0;
        double count = 0;
        for (size_t j = 0; j < side->operation_count; j++) {
            const struct handshake_operation *other = &side->operations[j];
            if (other->kind != kind || other->self_ns * 100 >= LEAST_PERCENT * total_ns)
                continue;
            first = first && j >= i;
            self_ns += other->self_ns;
            count += other->count;
        }
        char name[LABEL_BYTES];
        (void)snprintf(name, sizeof name, "  %s, small ones", kind);
        if (first && self_ns > 0 && side->operations[i].self_ns * 100 < LEAST_PERCENT * total_ns)
            add_line(table, name, count, self_ns, total_ns);
    }
}

static void add_side(struct table *table, const struct handshake_row_side *side, const char *who)
{
    char heading[LABEL_BYTES];
    struct buffer text;
    double traced_ns = side->figures[FIGURE_TRACED_NS];
    double untraced_ns = side->figures[FIGURE_UNTRACED_NS];
    buffer_init(&text, LABEL_BYTES);
    text_format_ns(untraced_ns, &text);
    buffer_append_text(&text, "; traced ");
    text_format_ns(traced_ns, &text);
    (void)snprintf(heading, sizeof heading, "%s: %s (%+.0f %%)", who, buffer_text(&text),
                   (traced_ns / untraced_ns - 1) * 100);
    buffer_free(&text);
    table_heading(table, heading);
    for (size_t i = 0; i < side->operation_count; i++) {
        const struct handshake_operation *operation = &side->operations[i];
        if (operation->self_ns * 100 < LEAST_PERCENT * traced_ns)
            continue;
        (void)snprintf(heading, sizeof heading, "  %s", operation->name);
        add_line(table, heading, operation->count, operation->self_ns, traced_ns);
    }
    add_small(table, side, traced_ns);
    add_line(table, "  unattributed", 0, side->figures[FIGURE_UNATTRIBUTED_NS], traced_ns);
}

bool handshake_bars(const struct handshake_rows *rows, const struct table_style *style,
                    struct buffer *out, struct error *error)
{
    static const struct table_column titles[] = {{.title = "", .key = true},
                                                 {.title = "calls", .right = true},
                                                 {.title = "time", .right = true},
                                                 {.title = "share", .right = true},
                                                 {.title = ""}};
    for (size_t i = 0; i < rows->count; i++) {
        const struct handshake_row *row = &rows->items[i];
        struct table table;
        if (row->sides[0].operation_count == 0 && row->sides[1].operation_count == 0)
            continue;
        table_init(&table, titles, COUNT_OF(titles));
        for (int side = 0; side < 2; side++)
            if (row->sides[side].operation_count > 0)
                add_side(&table, &row->sides[side], side == 0 ? "client" : "server");
        buffer_printf(out, "Where the time goes: %s, %s\n%s", row->libraries, row->phrase,
                      style->format == TABLE_MARKDOWN ? "\n" : "");
        bool good = table_render(&table, style, out, error);
        table_free(&table);
        if (!good)
            return false;
        buffer_append_char(out, '\n');
    }
    return true;
}
