#include "report/handshake_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "core/text.h"
#include "core/utf8.h"

enum { MOST_COLUMNS = 24, NUMBER_BYTES = 64, LABEL_BYTES = 512 };

enum format {
    FORMAT_NS,
    FORMAT_NUMBER,
    FORMAT_BYTES, /* sent and received */
    FORMAT_KIB,   /* of client and server */
    FORMAT_PER_S,
};

/* One column of figures; two figures share one where they are read together. */
struct column {
    const char *title;
    enum handshake_figure figure;
    int side;
    enum format format;
    bool ranked;     /* the least is best */
    bool not_memory; /* says nothing where nothing is waited for */
};

static const struct column columns[] = {
    {"client", FIGURE_CPU_NS, 0, FORMAT_NS, true, false},
    {"server", FIGURE_CPU_NS, 1, FORMAT_NS, true, false},
    {"duration", FIGURE_WALL_NS, 0, FORMAT_NS, true, true},
    {"99 % within", FIGURE_P99_NS, 0, FORMAT_NS, false, true},
    {"connect", FIGURE_CONNECT_NS, 0, FORMAT_NS, false, true},
    {"compute", FIGURE_COMPUTE_NS, 0, FORMAT_NS, false, true},
    {"waiting", FIGURE_WAIT_NS, 0, FORMAT_NS, false, true},
    {"rate", FIGURE_PER_S, 0, FORMAT_PER_S, false, true},
    {"failed", FIGURE_FAILED, 0, FORMAT_NUMBER, false, true},
    {"bytes out/in", FIGURE_BYTES_SENT, 0, FORMAT_BYTES, false, false},
    {"RTT", FIGURE_ROUND_TRIPS, 0, FORMAT_NUMBER, false, false},
    {"heap KiB", FIGURE_HEAP_PEAK_BYTES, 0, FORMAT_KIB, false, false},
};

struct view {
    const struct handshake_rows *rows;
    const struct table_style *style;
    struct notes *notes;
    const char *over;
    bool with_machines;
    const struct column *shown[MOST_COLUMNS];
    size_t shown_count;
    size_t interval_column, capacity_column, limit_column; /* 0: not shown */
};

static double figure_of(const struct handshake_row *row, const struct column *column)
{
    const struct handshake_row_side *side = &row->sides[column->side];
    return side->present && side->status == CELL_OK ? side->figures[column->figure] : NAN;
}

static bool is_clean(const struct handshake_row *row, int side)
{
    return row->sides[side].present && row->sides[side].status == CELL_OK &&
           row->sides[side].flags == NULL;
}

static double other_figure(const struct handshake_row *row, int side, enum handshake_figure figure)
{
    const struct column column = {.figure = figure, .side = side};
    return figure_of(row, &column);
}

/* "314/824": "-" for what there is not. */
static void put_two(double first, double second, struct buffer *out)
{
    if (isfinite(first))
        buffer_printf(out, "%.0f/", first);
    else
        buffer_append_text(out, "-/");
    if (isfinite(second))
        buffer_printf(out, "%.0f", second);
    else
        buffer_append_char(out, '-');
}

static void put_figure(const struct column *column, const struct handshake_row *row,
                       struct buffer *out)
{
    double value = figure_of(row, column);
    if (column->format == FORMAT_BYTES)
        put_two(value, other_figure(row, 0, FIGURE_BYTES_RECEIVED), out);
    else if (column->format == FORMAT_KIB)
        put_two(value / 1024, other_figure(row, 1, column->figure) / 1024, out);
    else if (!isfinite(value))
        buffer_append_text(out, "-");
    else if (column->format == FORMAT_NS)
        text_format_ns(value, out);
    else if (column->format == FORMAT_PER_S)
        text_format_per_s(value, out);
    else
        buffer_printf(out, "%.0f", value);
}

/* The best of the group's clean rows, or not to be told from it by the intervals. */
static bool is_best(const struct handshake_row *group, const struct handshake_row *end,
                    const struct handshake_row *row, const struct column *column)
{
    size_t clean = 0;
    const struct handshake_row *best = NULL;
    if (!column->ranked || !is_clean(row, column->side))
        return false;
    for (const struct handshake_row *other = group; other < end; other++) {
        if (!is_clean(other, column->side) || !isfinite(figure_of(other, column)))
            continue;
        clean++;
        if (best == NULL || figure_of(other, column) < figure_of(best, column))
            best = other;
    }
    if (clean < 2)
        return false;
    if (column->figure != FIGURE_CPU_NS)
        return row == best;
    return row == best || row->sides[column->side].figures[FIGURE_CPU_LOW_NS] <=
                              best->sides[column->side].figures[FIGURE_CPU_HIGH_NS];
}

/* Half of the wider of the two sides' intervals over the median, in percent. */
static double half_interval(const struct handshake_row *row)
{
    double widest = NAN;
    for (int side = 0; side < 2; side++) {
        const double *figures = row->sides[side].figures;
        if (!row->sides[side].present || row->sides[side].status != CELL_OK)
            continue;
        double half = (figures[FIGURE_CPU_HIGH_NS] - figures[FIGURE_CPU_LOW_NS]) / 2 /
                      figures[FIGURE_CPU_NS] * 100;
        if (isfinite(half) && !(half <= widest))
            widest = half;
    }
    return widest;
}

/* Handshakes that one core of a server can do in a second. */
static double capacity(const struct handshake_row *row)
{
    const struct handshake_row_side *server = &row->sides[1];
    return server->present && server->status == CELL_OK ? 1e9 / server->figures[FIGURE_CPU_NS]
                                                        : NAN;
}

static void choose_columns(struct view *view)
{
    bool in_memory = view->over != NULL && strcmp(view->over, "memory") == 0;
    view->shown_count = 0;
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        bool any = false;
        for (size_t r = 0; r < view->rows->count; r++)
            any = any || (view->rows->items[r].over == view->over &&
                          isfinite(figure_of(&view->rows->items[r], &columns[i])));
        if (any && !(in_memory && columns[i].not_memory))
            view->shown[view->shown_count++] = &columns[i];
    }
}

/* The row's name with its footnotes. */
static void add_name(struct view *view, const struct handshake_row *row, struct table *table)
{
    struct buffer name;
    struct buffer marks;
    buffer_init(&name, LABEL_BYTES);
    buffer_init(&marks, NUMBER_BYTES);
    buffer_printf(&name, "  %s", row->libraries);
    if (view->with_machines)
        buffer_printf(&name, " [%u]", row->machine + 1);
    for (int side = 0; side < 2; side++) {
        const struct handshake_row_side *own = &row->sides[side];
        const struct handshake_row_side *client = &row->sides[0];
        bool same = side == 1 && client->present && client->flags == own->flags &&
                    client->reason == own->reason;
        if (own->present && !same)
            notes_mark(view->notes, own->status, own->status == CELL_OK ? NULL : own->reason,
                       own->flags, &marks);
    }
    bool unmeasured = row->sides[0].present && row->sides[0].status != CELL_OK;
    table_set(table, 0, buffer_text(&name), buffer_text(&marks), unmeasured ? MARK_DIM : MARK_NONE);
    buffer_free(&name);
    buffer_free(&marks);
}

static void add_row(struct view *view, const struct handshake_row *group,
                    const struct handshake_row *end, const struct handshake_row *row,
                    struct table *table)
{
    struct buffer text;
    const struct handshake_row_side *told = &row->sides[row->sides[0].present ? 0 : 1];
    table_row(table);
    if (told->status != CELL_OK) {
        char reason[LABEL_BYTES];
        char name[LABEL_BYTES];
        (void)snprintf(name, sizeof name, "  %s", row->libraries);
        table_set(table, 0, name, NULL, MARK_NONE);
        (void)snprintf(reason, sizeof reason, "%s: %s", cell_status_name(told->status),
                       told->reason == NULL ? "no reason recorded" : told->reason);
        table_span(table, 1, reason, told->status == CELL_FAILED ? MARK_WARN : MARK_DIM);
        return;
    }
    add_name(view, row, table);
    buffer_init(&text, NUMBER_BYTES);
    for (size_t i = 0; i < view->shown_count; i++) {
        const struct column *column = view->shown[i];
        buffer_clear(&text);
        put_figure(column, row, &text);
        table_set(table, i + 1, buffer_text(&text), NULL,
                  is_best(group, end, row, column) ? MARK_BEST : MARK_NONE);
    }
    buffer_clear(&text);
    if (isfinite(half_interval(row)))
        buffer_printf(&text, "%.2g %%", half_interval(row));
    if (view->interval_column > 0)
        table_set(table, view->interval_column, buffer_text(&text), NULL, MARK_NONE);
    buffer_clear(&text);
    if (isfinite(capacity(row)))
        text_format_per_s(capacity(row), &text);
    if (view->capacity_column > 0)
        table_set(table, view->capacity_column, buffer_text(&text), NULL, MARK_NONE);
    if (view->limit_column > 0)
        table_set(table, view->limit_column, row->limit, NULL, MARK_NONE);
    buffer_free(&text);
}

static void add_groups(struct view *view, struct table *table)
{
    const struct handshake_row *end = view->rows->items + view->rows->count;
    for (const struct handshake_row *group = view->rows->items; group < end;) {
        const struct handshake_row *next = group;
        while (next < end && next->over == group->over && next->subject == group->subject)
            next++;
        if (group->over == view->over) {
            table_heading(table, group->phrase);
            for (const struct handshake_row *row = group; row < next; row++)
                add_row(view, group, next, row, table);
        }
        group = next;
    }
}

static void put_title(const struct view *view, struct buffer *out)
{
    char title[LABEL_BYTES];
    bool in_memory = view->over == NULL || strcmp(view->over, "memory") == 0;
    (void)snprintf(title, sizeof title, "Handshakes over %s, CPU time of each side%s",
                   view->over == NULL ? "memory" : view->over,
                   in_memory ? "; nothing is waited for" : "");
    if (view->style->format == TABLE_MARKDOWN) {
        buffer_printf(out, "%s\n\n", title);
        return;
    }
    buffer_append_text(out, view->style->colour ? "\033[1m" : "");
    utf8_wrap(title, 0, 0, view->style->width, out);
    buffer_append_text(out, view->style->colour ? "\033[0m" : "");
}

static bool has_limit(const struct handshake_row *row)
{
    return row->limit != NULL;
}

static bool has_interval(const struct handshake_row *row)
{
    return isfinite(half_interval(row));
}

static bool has_capacity(const struct handshake_row *row)
{
    return isfinite(capacity(row));
}

static bool any_row(const struct view *view, bool (*has)(const struct handshake_row *row))
{
    for (size_t i = 0; i < view->rows->count; i++)
        if (view->rows->items[i].over == view->over && has(&view->rows->items[i]))
            return true;
    return false;
}

static void add_derived_columns(struct view *view, struct table_column *titles, size_t *count)
{
    view->interval_column = view->capacity_column = view->limit_column = 0;
    if (any_row(view, has_interval)) {
        view->interval_column = *count;
        titles[(*count)++] = (struct table_column){.title = "±", .right = true};
    }
    if (any_row(view, has_capacity)) {
        view->capacity_column = *count;
        titles[(*count)++] = (struct table_column){.title = "per core", .right = true};
    }
    if (any_row(view, has_limit)) {
        view->limit_column = *count;
        titles[(*count)++] = (struct table_column){.title = "limited by"};
    }
}

static bool render_section(struct view *view, struct buffer *out, struct error *error)
{
    struct table_column titles[MOST_COLUMNS] = {{.title = "", .flexible = true, .key = true}};
    struct table table;
    choose_columns(view);
    size_t count = 1;
    for (size_t i = 0; i < view->shown_count; i++)
        titles[count++] = (struct table_column){.title = view->shown[i]->title, .right = true};
    add_derived_columns(view, titles, &count);
    if (count == 1) /* nothing was measured: room for the reasons */
        titles[count++] = (struct table_column){.title = ""};
    table_init(&table, titles, count);
    add_groups(view, &table);
    put_title(view, out);
    bool good = table_render(&table, view->style, out, error);
    buffer_append_char(out, '\n');
    table_free(&table);
    return good;
}

bool handshake_table_text(const struct handshake_rows *rows, bool with_machines,
                          const struct table_style *style, struct notes *notes, struct buffer *out,
                          struct error *error)
{
    struct view view = {
        .rows = rows, .style = style, .notes = notes, .with_machines = with_machines};
    for (size_t i = 0; i < rows->count; i++) {
        view.over = rows->items[i].over;
        if ((i == 0 || rows->items[i - 1].over != view.over) && !render_section(&view, out, error))
            return false;
    }
    return handshake_bars(rows, style, out, error);
}
