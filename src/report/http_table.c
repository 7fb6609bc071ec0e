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
};

static const struct column layers[] = {
    {"connect", HTTP_FIGURE_CONNECT_NS, 0},       {"TLS", HTTP_FIGURE_TLS_NS, 0},
    {"first byte", HTTP_FIGURE_FIRST_BYTE_NS, 0}, {"body", HTTP_FIGURE_BODY_NS, 0},
    {"client CPU", HTTP_FIGURE_CPU_NS, 0},        {"server CPU", HTTP_FIGURE_CPU_NS, 1},
};
enum { NAME, TIME, INTERVAL, TIMES, ADDS, LAYERS, TLS_BYTES = LAYERS + 6, P99, COLUMNS };

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

static void set_name(const struct http_row *row, bool with_machines, struct notes *notes,
                     struct table *table)
{
    struct buffer name, marks;
    buffer_init(&name, LABEL_BYTES);
    buffer_init(&marks, NUMBER_BYTES);
    buffer_printf(&name, "  %s", row->phrase);
    if (with_machines)
        buffer_printf(&name, " [%u]", row->machine + 1);
    for (int side = 0; side < 2; side++) {
        const struct http_row_side *own = &row->sides[side];
        bool same = side == 1 && row->sides[0].present && row->sides[0].flags == own->flags;
        if (own->present && !same && own->status == CELL_OK)
            notes_mark(notes, own->status, NULL, own->flags, &marks);
    }
    table_set(table, NAME, buffer_text(&name), buffer_text(&marks), MARK_NONE);
    buffer_free(&name);
    buffer_free(&marks);
}

static void add_row(const struct http_row *plain, const struct http_row *row, bool with_machines,
                    struct notes *notes, struct table *table)
{
    const struct http_row_side *told = &row->sides[row->sides[0].present ? 0 : 1];
    char text[LABEL_BYTES];
    table_row(table);
    if (told->status != CELL_OK) {
        (void)snprintf(text, sizeof text, "  %s", row->phrase);
        table_set(table, NAME, text, NULL, MARK_NONE);
        (void)snprintf(text, sizeof text, "%s: %s", cell_status_name(told->status),
                       told->reason == NULL ? "no reason recorded" : told->reason);
        table_span(table, 1, text, told->status == CELL_FAILED ? MARK_WARN : MARK_DIM);
        return;
    }
    set_name(row, with_machines, notes, table);
    set_ns(table, TIME, http_row_figure(row, HTTP_FIGURE_WALL_NS));
    double half = half_interval(row) / http_row_figure(row, HTTP_FIGURE_WALL_NS) * 100;
    (void)snprintf(text, sizeof text, "%.2g %%", half);
    table_set(table, INTERVAL, isfinite(half) ? text : "-", NULL, MARK_NONE);
    if (plain != NULL && plain != row)
        set_against(plain, row, table);
    for (size_t i = 0; i < COUNT_OF(layers); i++)
        set_ns(table, LAYERS + i, side_figure(row, &layers[i]));
    double tls_bytes = http_row_figure(row, HTTP_FIGURE_TLS_BYTES);
    (void)snprintf(text, sizeof text, "%.0f", tls_bytes);
    table_set(table, TLS_BYTES, isfinite(tls_bytes) ? text : "-", NULL, MARK_NONE);
    set_ns(table, P99, http_row_figure(row, HTTP_FIGURE_P99_NS));
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

static bool render_journeys(const struct http_rows *rows, bool with_machines,
                            const struct table_style *style, struct notes *notes,
                            struct buffer *out, struct error *error)
{
    static const struct table_column columns[COLUMNS] = {
        [NAME] = {.title = "", .flexible = true, .key = true},
        [TIME] = {.title = "response", .right = true},
        [INTERVAL] = {.title = "±", .right = true},
        [TIMES] = {.title = "/ HTTP", .right = true},
        [ADDS] = {.title = "TLS adds", .right = true},
        [LAYERS] = {.title = "connect", .right = true},
        [LAYERS + 1] = {.title = "TLS", .right = true},
        [LAYERS + 2] = {.title = "first byte", .right = true},
        [LAYERS + 3] = {.title = "body", .right = true},
        [LAYERS + 4] = {.title = "client CPU", .right = true},
        [LAYERS + 5] = {.title = "server CPU", .right = true},
        [TLS_BYTES] = {.title = "TLS bytes", .right = true},
        [P99] = {.title = "99 % within", .right = true},
    };
    struct table table;
    struct buffer heading;
    table_init(&table, columns, COLUMNS);
    buffer_init(&heading, LABEL_BYTES);
    const struct http_row *plain = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const struct http_row *row = &rows->items[i];
        if (i == 0 || !http_rows_same_journey(row, &rows->items[i - 1])) {
            bool is_plain = row->scheme != NULL && strcmp(row->scheme, "http") == 0;
            buffer_clear(&heading);
            http_journey(row, &heading);
            table_heading(&table, buffer_text(&heading));
            plain = is_plain ? row : NULL;
        }
        add_row(plain, row, with_machines, notes, &table);
    }
    put_title("HTTP response times, per request", style, out);
    bool good = table_render(&table, style, out, error);
    buffer_append_char(out, '\n');
    buffer_free(&heading);
    table_free(&table);
    return good;
}

bool http_table_text(const struct http_rows *rows, bool with_machines,
                     const struct table_style *style, struct notes *notes, struct buffer *out,
                     struct error *error)
{
    if (rows->count == 0)
        return true;
    if (!render_journeys(rows, with_machines, style, notes, out, error) ||
        !http_waterfall(rows, style, out, error) || !http_lines(rows, style, out, error))
        return false;
    http_advice(rows, style, out);
    return true;
}
