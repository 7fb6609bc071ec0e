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

bool http_lines(const struct http_rows *rows, const struct table_style *style, struct buffer *out,
                struct error *error)
{
    static const struct table_column columns[] = {{.title = "", .flexible = true, .key = true},
                                                  {.title = "fixed", .right = true},
                                                  {.title = "per KiB", .right = true},
                                                  {.title = "off by at most", .right = true}};
    struct table table;
    const struct http_row *headed = NULL;
    char label[LABEL_BYTES];
    bool any = false;
    table_init(&table, columns, COUNT_OF(columns));
    for (size_t i = 0; i < rows->count; i++) {
        const struct http_row *row = &rows->items[i];
        struct line_fit fit;
        if (!is_first_of_line(rows, i) || !fit_of(rows, row, &fit))
            continue;
        if (headed == NULL || headed->connection != row->connection ||
            headed->direction != row->direction || headed->requests != row->requests)
            table_heading(&table, line_of(row, label));
        headed = row;
        any = true;
        struct buffer text;
        buffer_init(&text, NUMBER_BYTES * 2);
        table_row(&table);
        (void)snprintf(label, sizeof label, "  %s", row->phrase);
        table_set(&table, 0, label, NULL, MARK_NONE);
        put_ns_error(fit.fixed, fit.fixed_error, &text);
        table_set(&table, 1, buffer_text(&text), NULL, MARK_NONE);
        buffer_clear(&text);
        put_ns_error(fit.slope * 1024, fit.slope_error * 1024, &text);
        table_set(&table, 2, buffer_text(&text), NULL, MARK_NONE);
        buffer_clear(&text);
        buffer_printf(&text, "%.0f %%", fit.worst_ratio * 100);
        table_set(&table, 3, buffer_text(&text), NULL, MARK_NONE);
        buffer_free(&text);
    }
    bool good = true;
    if (any) {
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
    if (style->format == TABLE_MARKDOWN)
        buffer_printf(out, "- %s\n", text);
    else
        utf8_wrap(text, 0, 2, style->width, out);
}

void http_advice(const struct http_rows *rows, const struct table_style *style, struct buffer *out)
{
    size_t before = out->length;
    for (size_t i = 0; i < rows->count; i++) {
        const struct http_row *row = &rows->items[i];
        bool is_fresh = row->connection != NULL && strcmp(row->connection, "new") == 0 &&
                        row->requests == 1 && row->payload_bytes >= 0 && row->scheme != NULL &&
                        strcmp(row->scheme, "https") == 0;
        const struct http_row *kept = is_fresh ? find(rows, row, "kept", row->phrase) : NULL;
        if (kept != NULL && isfinite(http_row_figure(row, HTTP_FIGURE_WALL_NS)))
            advise_keeping(row, kept, style, out);
    }
    if (out->length > before)
        buffer_append_char(out, '\n');
}
