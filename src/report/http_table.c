#include "report/http_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "core/text.h"
#include "core/utf8.h"

enum { LABEL_BYTES = 1024, NUMBER_BYTES = 64 };

struct column {
    const char *title;
    enum http_figure figure;
    int side;
    bool is_rate;
};

/* Those of which any row has a value are shown. */
static const struct column figures[] = {
    {"rate", HTTP_FIGURE_PER_S, 0, true},
    {"median", HTTP_FIGURE_MEDIAN_NS, 0, false},
    {"99 % within", HTTP_FIGURE_P99_NS, 0, false},
    {"connect", HTTP_FIGURE_CONNECT_NS, 0, false},
    {"TLS", HTTP_FIGURE_TLS_NS, 0, false},
    {"first byte", HTTP_FIGURE_FIRST_BYTE_NS, 0, false},
    {"body", HTTP_FIGURE_BODY_NS, 0, false},
    {"client CPU", HTTP_FIGURE_CPU_NS, 0, false},
    {"server CPU", HTTP_FIGURE_CPU_NS, 1, false},
};
enum { NAME, TIME, INTERVAL, TIMES, ADDS, FIRST_FIGURE, MOST_COLUMNS = FIRST_FIGURE + 12 };

/* A table of rows that were measured alike: one by one, or under load. */
struct view {
    const struct http_rows *rows;
    const struct table_style *style;
    struct notes *notes;
    bool with_machines, under_load;
    const struct column *shown[MOST_COLUMNS];
    size_t shown_count;
};

static bool is_shown(const struct view *view, const struct http_row *row)
{
    return (row->connections > 0) == view->under_load;
}

void http_journey(const struct http_row *row, struct buffer *out)
{
    struct buffer size;
    buffer_init(&size, NUMBER_BYTES);
    bool is_new = row->connection != NULL && strcmp(row->connection, "new") == 0;
    if (!is_new)
        buffer_append_text(out, "a request on a kept connection");
    else if (row->requests == 1)
        buffer_append_text(out, "a new connection for each request");
    else
        buffer_printf(out, "%d requests on each new connection", (int)row->requests);
    if (row->payload_bytes >= 0) {
        text_format_size((uint64_t)row->payload_bytes, &size);
        bool up = row->direction != NULL && strcmp(row->direction, "upload") == 0;
        buffer_printf(out, ", %s %s", buffer_text(&size), up ? "up" : "down");
    }
    if (row->server != NULL)
        buffer_printf(out, ", %s", row->server);
    if (row->link != NULL)
        buffer_printf(out, ", over %s", row->link);
    if (row->connections > 0)
        buffer_printf(out, ", %d connections", (int)row->connections);
    if (row->rate != NULL)
        buffer_printf(out, ", %s requests a second", row->rate);
    buffer_free(&size);
}

static double side_figure(const struct http_row *row, const struct column *column)
{
    const struct http_row_side *side = &row->sides[column->side];
    return side->present && side->status == CELL_OK ? side->figures[column->figure] : NAN;
}

static void set_ns(struct table *table, size_t column, double ns)
{
    struct buffer text;
    buffer_init(&text, NUMBER_BYTES);
    if (isfinite(ns))
        text_format_ns(ns, &text);
    else
        buffer_append_char(&text, '-');
    table_set(table, column, buffer_text(&text), NULL, MARK_NONE);
    buffer_free(&text);
}

static double half_interval(const struct http_row *row)
{
    return (http_row_figure(row, HTTP_FIGURE_HIGH_NS) - http_row_figure(row, HTTP_FIGURE_LOW_NS)) /
           2;
}

/* Times as long and so much more as plain HTTP, with the interval of the difference: the two are
 * independent, their half widths add as squares. */
static void set_against(const struct http_row *plain, const struct http_row *row,
                        struct table *table)
{
    double plain_ns = http_row_figure(plain, HTTP_FIGURE_WALL_NS);
    double own_ns = http_row_figure(row, HTTP_FIGURE_WALL_NS);
    struct buffer text;
    if (!isfinite(plain_ns) || !isfinite(own_ns))
        return;
    buffer_init(&text, NUMBER_BYTES);
    buffer_printf(&text, "%.2f", own_ns / plain_ns);
    table_set(table, TIMES, buffer_text(&text), NULL, MARK_NONE);
    buffer_clear(&text);
    buffer_append_text(&text, own_ns < plain_ns ? "-" : "+");
    text_format_ns(fabs(own_ns - plain_ns), &text);
    double half = hypot(half_interval(plain), half_interval(row));
    if (isfinite(half)) {
        buffer_append_text(&text, " ±");
        text_format_ns(half, &text);
    }
    table_set(table, ADDS, buffer_text(&text), NULL, MARK_NONE);
    buffer_free(&text);
}

static void set_name(const struct view *view, const struct http_row *row, struct table *table)
{
    struct buffer name, marks;
    buffer_init(&name, LABEL_BYTES);
    buffer_init(&marks, NUMBER_BYTES);
    buffer_printf(&name, "  %s", row->phrase);
    if (view->with_machines)
        buffer_printf(&name, " [%u]", row->machine + 1);
    for (int side = 0; side < 2; side++) {
        const struct http_row_side *own = &row->sides[side];
        bool same = side == 1 && row->sides[0].present && row->sides[0].flags == own->flags;
        if (own->present && !same && own->status == CELL_OK)
            notes_mark(view->notes, own->status, NULL, own->flags, &marks);
    }
    table_set(table, NAME, buffer_text(&name), buffer_text(&marks), MARK_NONE);
    buffer_free(&name);
    buffer_free(&marks);
}

/* Why there are no figures. */
static void set_reason(const struct http_row *row, const struct http_row_side *told,
                       struct table *table)
{
    char text[LABEL_BYTES];
    (void)snprintf(text, sizeof text, "  %s", row->phrase);
    table_set(table, NAME, text, NULL, MARK_NONE);
    (void)snprintf(text, sizeof text, "%s: %s", cell_status_name(told->status),
                   told->reason == NULL ? "no reason recorded" : told->reason);
    table_span(table, 1, text, told->status == CELL_FAILED ? MARK_WARN : MARK_DIM);
}

static void set_figure(const struct column *column, const struct http_row *row, size_t place,
                       struct table *table)
{
    struct buffer text;
    double value = side_figure(row, column);
    if (!column->is_rate) {
        set_ns(table, place, value);
        return;
    }
    buffer_init(&text, NUMBER_BYTES);
    if (isfinite(value))
        text_format_per_s(value, &text);
    table_set(table, place, buffer_text(&text), NULL, MARK_NONE);
    buffer_free(&text);
}

static void add_row(const struct view *view, const struct http_row *plain,
                    const struct http_row *row, struct table *table)
{
    const struct http_row_side *told = &row->sides[row->sides[0].present ? 0 : 1];
    size_t first = view->under_load ? TIME : FIRST_FIGURE;
    char text[LABEL_BYTES];
    table_row(table);
    if (told->status != CELL_OK) {
        set_reason(row, told, table);
        return;
    }
    set_name(view, row, table);
    for (size_t i = 0; i < view->shown_count; i++)
        set_figure(view->shown[i], row, first + i, table);
    if (view->under_load) {
        table_set(table, first + view->shown_count, row->limit, NULL, MARK_NONE);
        double failed = http_row_figure(row, HTTP_FIGURE_FAILED);
        (void)snprintf(text, sizeof text, "%.0f", failed);
        table_set(table, first + view->shown_count + 1, isfinite(failed) ? text : "0", NULL,
                  isfinite(failed) ? MARK_WARN : MARK_NONE);
        return;
    }
    set_ns(table, TIME, http_row_figure(row, HTTP_FIGURE_WALL_NS));
    double half = half_interval(row) / http_row_figure(row, HTTP_FIGURE_WALL_NS) * 100;
    (void)snprintf(text, sizeof text, "%.2g %%", half);
    table_set(table, INTERVAL, isfinite(half) ? text : "-", NULL, MARK_NONE);
    if (plain != NULL && plain != row)
        set_against(plain, row, table);
}

static void put_title(const char *title, const struct table_style *style, struct buffer *out)
{
    if (style->format == TABLE_MARKDOWN) {
        buffer_printf(out, "%s\n\n", title);
        return;
    }
    buffer_append_text(out, style->colour ? "\033[1m" : "");
    utf8_wrap(title, 0, 0, style->width, out);
    buffer_append_text(out, style->colour ? "\033[0m" : "");
}

static void choose_columns(struct view *view)
{
    view->shown_count = 0;
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        bool any = false;
        bool load_only = figures[i].is_rate || figures[i].figure == HTTP_FIGURE_MEDIAN_NS;
        for (size_t r = 0; r < view->rows->count; r++)
            any = any || (is_shown(view, &view->rows->items[r]) &&
                          isfinite(side_figure(&view->rows->items[r], &figures[i])));
        if (any && (view->under_load || !load_only))
            view->shown[view->shown_count++] = &figures[i];
    }
}

static size_t name_columns(const struct view *view, struct table_column columns[MOST_COLUMNS])
{
    size_t count = 0;
    columns[count++] = (struct table_column){.title = "", .flexible = true, .key = true};
    if (!view->under_load) {
        columns[count++] = (struct table_column){.title = "response", .right = true};
        columns[count++] = (struct table_column){.title = "±", .right = true};
        columns[count++] = (struct table_column){.title = "/ HTTP", .right = true};
        columns[count++] = (struct table_column){.title = "TLS adds", .right = true};
    }
    for (size_t i = 0; i < view->shown_count; i++)
        columns[count++] = (struct table_column){.title = view->shown[i]->title, .right = true};
    if (view->under_load) {
        columns[count++] = (struct table_column){.title = "limited by"};
        columns[count++] = (struct table_column){.title = "failed", .right = true};
    }
    return count;
}

static bool is_plain(const struct http_row *row)
{
    return row->scheme != NULL && strcmp(row->scheme, "http") == 0;
}

static bool render_view(struct view *view, struct buffer *out, struct error *error)
{
    struct table_column columns[MOST_COLUMNS];
    struct table table;
    struct buffer heading;
    const struct http_row *plain = NULL;
    const struct http_row *last = NULL;
    choose_columns(view);
    table_init(&table, columns, name_columns(view, columns));
    buffer_init(&heading, LABEL_BYTES);
    for (size_t i = 0; i < view->rows->count; i++) {
        const struct http_row *row = &view->rows->items[i];
        if (!is_shown(view, row))
            continue;
        if (last == NULL || !http_rows_same_journey(row, last)) {
            buffer_clear(&heading);
            http_journey(row, &heading);
            table_heading(&table, buffer_text(&heading));
            plain = is_plain(row) ? row : NULL;
        }
        last = row;
        add_row(view, plain, row, &table);
    }
    bool good = true;
    if (last != NULL) {
        put_title(view->under_load ? "HTTP under load" : "HTTP response times, per request",
                  view->style, out);
        good = table_render(&table, view->style, out, error);
        buffer_append_char(out, '\n');
    }
    buffer_free(&heading);
    table_free(&table);
    return good;
}

bool http_table_text(const struct http_rows *rows, bool with_machines,
                     const struct table_style *style, struct notes *notes, struct buffer *out,
                     struct error *error)
{
    struct view view = {
        .rows = rows, .style = style, .notes = notes, .with_machines = with_machines};
    if (!render_view(&view, out, error))
        return false;
    view.under_load = true;
    if (!render_view(&view, out, error) || !http_waterfall(rows, style, out, error) ||
        !http_lines(rows, style, out, error))
        return false;
    http_advice(rows, style, out);
    return true;
}
