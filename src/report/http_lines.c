/* Response time over payload as a line, what TLS costs by it, and advice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "core/text.h"
#include "core/utf8.h"
#include "measure/line_fit.h"
#include "report/http_table.h"

enum { MOST_POINTS = 64, LABEL_BYTES = 1024, NUMBER_BYTES = 64 };

/* Whether two rows differ in payload only. */
static bool same_line(const struct http_row *one, const struct http_row *other)
{
    return one->run == other->run && one->over == other->over && one->machine == other->machine &&
           one->connection == other->connection && one->requests == other->requests &&
           one->link == other->link && one->direction == other->direction &&
           one->phrase == other->phrase && one->payload_bytes >= 0 && other->payload_bytes >= 0;
}

static bool is_first_of_line(const struct http_rows *rows, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_line(&rows->items[i], &rows->items[index]))
            return false;
    return true;
}

/* At least three points: two make a line of anything. */
static bool fit_of(const struct http_rows *rows, const struct http_row *row, struct line_fit *fit)
{
    double x[MOST_POINTS], y[MOST_POINTS];
    size_t n = 0;
    for (size_t i = 0; i < rows->count && n < MOST_POINTS; i++) {
        double wall_ns = http_row_figure(&rows->items[i], HTTP_FIGURE_WALL_NS);
        if (!same_line(row, &rows->items[i]) || !isfinite(wall_ns))
            continue;
        x[n] = (double)rows->items[i].payload_bytes;
        y[n++] = wall_ns;
    }
    return n >= 3 && line_fit(x, y, n, fit);
}

static void put_ns_error(double value, double error, struct buffer *out)
{
    text_format_ns(value, out);
    buffer_append_text(out, " ±");
    text_format_ns(error, out);
}

static const char *line_of(const struct http_row *row, char text[LABEL_BYTES])
{
    bool is_new = row->connection != NULL && strcmp(row->connection, "new") == 0;
    bool up = row->direction != NULL && strcmp(row->direction, "upload") == 0;
    (void)snprintf(text, LABEL_BYTES, "%s, %s", is_new ? "a new connection" : "a kept connection",
                   up ? "up" : "down");
    return text;
}

/* The line of plain HTTP of the same journey; false when there is none. */
static bool plain_fit(const struct http_rows *rows, const struct http_row *row,
                      struct line_fit *fit)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct http_row plain = rows->items[i];
        const char *own = plain.phrase;
        plain.phrase = row->phrase;
        if (own != row->phrase && strcmp(rows->items[i].scheme, "http") == 0 &&
            same_line(row, &plain))
            return fit_of(rows, &rows->items[i], fit);
    }
    return false;
}

static void set_error(struct table *table, size_t column, const char *sign, double value,
                      double error)
{
    struct buffer text;
    buffer_init(&text, NUMBER_BYTES * 2);
    buffer_append_text(&text, sign);
    put_ns_error(value, error, &text);
    table_set(table, column, buffer_text(&text), NULL, MARK_NONE);
    buffer_free(&text);
}

/* What TLS costs: the difference of two lines. */
static void set_difference(struct table *table, size_t column, double own, double own_error,
                           double plain, double plain_error)
{
    set_error(table, column, own < plain ? "-" : "+", fabs(own - plain),
              hypot(own_error, plain_error));
}

enum { LINE_NAME, LINE_FIXED, LINE_SLOPE, LINE_TLS_FIXED, LINE_TLS_SLOPE, LINE_OFF, LINE_COLUMNS };

static void add_line(struct table *table, const struct http_rows *rows, const struct http_row *row,
                     const struct line_fit *fit)
{
    static const double kib = 1024;
    char label[LABEL_BYTES];
    struct line_fit plain;
    table_row(table);
    (void)snprintf(label, sizeof label, "  %s", row->phrase);
    table_set(table, LINE_NAME, label, NULL, MARK_NONE);
    set_error(table, LINE_FIXED, "", fit->fixed, fit->fixed_error);
    set_error(table, LINE_SLOPE, "", fit->slope * kib, fit->slope_error * kib);
    if (strcmp(row->scheme, "https") == 0 && plain_fit(rows, row, &plain)) {
        set_difference(table, LINE_TLS_FIXED, fit->fixed, fit->fixed_error, plain.fixed,
                       plain.fixed_error);
        set_difference(table, LINE_TLS_SLOPE, fit->slope * kib, fit->slope_error * kib,
                       plain.slope * kib, plain.slope_error * kib);
    }
    (void)snprintf(label, sizeof label, "%.0f %%", fit->worst_ratio * 100);
    table_set(table, LINE_OFF, label, NULL, MARK_NONE);
}

bool http_lines(const struct http_rows *rows, const struct table_style *style, struct buffer *out,
                struct error *error)
{
    static const struct table_column columns[LINE_COLUMNS] = {
        [LINE_NAME] = {.title = "", .flexible = true, .key = true},
        [LINE_FIXED] = {.title = "fixed", .right = true},
        [LINE_SLOPE] = {.title = "per KiB", .right = true},
        [LINE_TLS_FIXED] = {.title = "TLS adds", .right = true},
        [LINE_TLS_SLOPE] = {.title = "and per KiB", .right = true},
        [LINE_OFF] = {.title = "off by at most", .right = true}};
    struct table table;
    const struct http_row *headed = NULL;
    char label[LABEL_BYTES];
    table_init(&table, columns, LINE_COLUMNS);
    for (size_t i = 0; i < rows->count; i++) {
        const struct http_row *row = &rows->items[i];
        struct line_fit fit;
        if (!is_first_of_line(rows, i) || !fit_of(rows, row, &fit))
            continue;
        if (headed == NULL || headed->connection != row->connection ||
            headed->direction != row->direction || headed->requests != row->requests)
            table_heading(&table, line_of(row, label));
        headed = row;
        add_line(&table, rows, row, &fit);
    }
    bool good = true;
    if (headed != NULL) {
        buffer_append_text(out, "Response time = fixed + per byte, fitted over the payloads, with "
                                "standard errors\n");
        good = table_render(&table, style, out, error);
        buffer_append_char(out, '\n');
    }
    table_free(&table);
    return good;
}

/* ---- advice ---- */

static const struct http_row *find(const struct http_rows *rows, const struct http_row *like,
                                   const char *connection, const char *phrase)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct http_row *row = &rows->items[i];
        if (row->run == like->run && row->machine == like->machine &&
            row->direction == like->direction && row->link == like->link &&
            row->payload_bytes == like->payload_bytes && row->connection != NULL &&
            strcmp(row->connection, connection) == 0 && row->phrase == phrase &&
            (row->requests == 1 || strcmp(connection, "kept") == 0) &&
            isfinite(http_row_figure(row, HTTP_FIGURE_WALL_NS)))
            return row;
    }
    return NULL;
}

static void put_advice(const char *text, const struct table_style *style, struct buffer *out)
{
    if (style->format == TABLE_MARKDOWN)
        buffer_printf(out, "- %s\n", text);
    else
        utf8_wrap(text, 0, 2, style->width, out);
}

static void advise_keeping(const struct http_row *fresh, const struct http_row *kept,
                           const struct table_style *style, struct buffer *out)
{
    char text[LABEL_BYTES];
    double kept_ns = http_row_figure(kept, HTTP_FIGURE_WALL_NS);
    double extra_ns = http_row_figure(fresh, HTTP_FIGURE_WALL_NS) - kept_ns;
    if (!(extra_ns > 0) || !(kept_ns > 0))
        return;
    double requests = ceil(extra_ns / kept_ns / 0.1);
    struct buffer size;
    buffer_init(&size, NUMBER_BYTES);
    text_format_size((uint64_t)fresh->payload_bytes, &size);
    (void)snprintf(text, sizeof text,
                   "%s, %s: opening the connection costs as much as %.1f requests on a kept one; "
                   "from %.0f requests on each connection it is a tenth or less of their time.",
                   fresh->phrase, buffer_text(&size), extra_ns / kept_ns, requests);
    buffer_free(&size);
    put_advice(text, style, out);
}

/* The phrase without how it was resumed; equal for a full handshake and its resumption. */
static bool differ_in_resumption(const char *full, const char *resumed)
{
    const char *cut = strstr(resumed, ", resumed by ");
    if (cut == NULL || strstr(full, ", resumed by ") != NULL)
        return false;
    size_t before = (size_t)(cut - resumed);
    const char *behind = cut + 2 + strcspn(cut + 2, ",");
    return strncmp(full, resumed, before) == 0 && strcmp(full + before, behind) == 0;
}

static void advise_resuming(const struct http_row *full, const struct http_row *resumed,
                            const struct table_style *style, struct buffer *out)
{
    char text[LABEL_BYTES];
    double full_ns = http_row_figure(full, HTTP_FIGURE_WALL_NS);
    double saved_ns = full_ns - http_row_figure(resumed, HTTP_FIGURE_WALL_NS);
    double noise_ns = hypot(http_row_figure(full, HTTP_FIGURE_HIGH_NS) -
                                http_row_figure(full, HTTP_FIGURE_LOW_NS),
                            http_row_figure(resumed, HTTP_FIGURE_HIGH_NS) -
                                http_row_figure(resumed, HTTP_FIGURE_LOW_NS)) /
                      2;
    if (!(saved_ns > noise_ns)) /* also where there is no interval */
        return;
    struct buffer saved;
    buffer_init(&saved, NUMBER_BYTES);
    text_format_ns(saved_ns, &saved);
    (void)snprintf(text, sizeof text,
                   "%s: resuming saves %s of a new connection's first request, %.0f %%.",
                   full->phrase, buffer_text(&saved), saved_ns / full_ns * 100);
    buffer_free(&saved);
    put_advice(text, style, out);
}

static bool is_fresh(const struct http_row *row)
{
    return row->connection != NULL && strcmp(row->connection, "new") == 0 && row->requests == 1 &&
           row->connections < 0 && row->payload_bytes >= 0 && row->scheme != NULL &&
           strcmp(row->scheme, "https") == 0 && isfinite(http_row_figure(row, HTTP_FIGURE_WALL_NS));
}

/* The smallest payload says the most: what follows for larger ones is said by the lines. */
static bool was_advised(const struct http_rows *rows, size_t index)
{
    const struct http_row *row = &rows->items[index];
    for (size_t i = 0; i < index; i++)
        if (is_fresh(&rows->items[i]) && rows->items[i].phrase == row->phrase &&
            rows->items[i].run == row->run && rows->items[i].direction == row->direction &&
            rows->items[i].link == row->link && rows->items[i].machine == row->machine)
            return true;
    return false;
}

void http_advice(const struct http_rows *rows, const struct table_style *style, struct buffer *out)
{
    size_t before = out->length;
    for (size_t i = 0; i < rows->count; i++) {
        const struct http_row *row = &rows->items[i];
        if (!is_fresh(row) || was_advised(rows, i))
            continue;
        const struct http_row *kept = find(rows, row, "kept", row->phrase);
        if (kept != NULL)
            advise_keeping(row, kept, style, out);
        for (size_t j = 0; j < rows->count; j++)
            if (is_fresh(&rows->items[j]) && http_rows_same_journey(row, &rows->items[j]) &&
                differ_in_resumption(row->phrase, rows->items[j].phrase))
                advise_resuming(row, &rows->items[j], style, out);
    }
    if (out->length > before)
        buffer_append_char(out, '\n');
}
