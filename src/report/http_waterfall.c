/* Where the time of a request goes: its layers one after another, as bars in text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "core/text.h"
#include "report/http_table.h"

enum { BAR_COLUMNS = 32, LABEL_BYTES = 1024, NUMBER_BYTES = 64, LAYERS = 6 };

struct layer {
    const char *name;
    double ns;
};

/* The handshake in two: the client's own compute, and waiting for the server. */
static void layers_of(const struct http_row *row, struct layer layers[LAYERS])
{
    double tls_ns = http_row_figure(row, HTTP_FIGURE_TLS_NS);
    double own_ns = http_row_figure(row, HTTP_FIGURE_TLS_COMPUTE_NS);
    layers[0] = (struct layer){"TCP connect", http_row_figure(row, HTTP_FIGURE_CONNECT_NS)};
    layers[1] = (struct layer){"TLS, client's compute", own_ns};
    layers[2] = (struct layer){"TLS, waiting for the server", tls_ns - own_ns};
    layers[3] = (struct layer){"request sent", http_row_figure(row, HTTP_FIGURE_REQUEST_NS)};
    layers[4] = (struct layer){"first byte", http_row_figure(row, HTTP_FIGURE_FIRST_BYTE_NS)};
    layers[5] = (struct layer){"body", http_row_figure(row, HTTP_FIGURE_BODY_NS)};
}

static void add_layer(struct table *table, const struct layer *layer, double start_ns,
                      double whole_ns)
{
    struct buffer text;
    char label[LABEL_BYTES];
    buffer_init(&text, LABEL_BYTES);
    table_row(table);
    (void)snprintf(label, sizeof label, "  %s", layer->name);
    table_set(table, 0, label, NULL, MARK_NONE);
    text_format_ns(layer->ns, &text);
    table_set(table, 1, buffer_text(&text), NULL, MARK_NONE);
    buffer_clear(&text);
    buffer_printf(&text, "%.0f %%", layer->ns / whole_ns * 100);
    table_set(table, 2, buffer_text(&text), NULL, MARK_NONE);
    buffer_clear(&text);
    int from = (int)(start_ns / whole_ns * BAR_COLUMNS + 0.5);
    int to = (int)((start_ns + layer->ns) / whole_ns * BAR_COLUMNS + 0.5);
    for (int i = 0; i < to || i <= from; i++)
        buffer_append_char(&text, i < from ? '.' : to == from ? '|' : '#');
    table_set(table, 3, buffer_text(&text), NULL, MARK_NONE);
    buffer_free(&text);
}

static void add_request(struct table *table, const struct http_row *row)
{
    struct layer layers[LAYERS];
    double whole_ns = 0, start_ns = 0;
    layers_of(row, layers);
    for (int i = 0; i < LAYERS; i++)
        whole_ns += isfinite(layers[i].ns) ? layers[i].ns : 0;
    if (!(whole_ns > 0))
        return;
    table_heading(table, row->phrase);
    for (int i = 0; i < LAYERS; i++) {
        if (!isfinite(layers[i].ns))
            continue;
        add_layer(table, &layers[i], start_ns, whole_ns);
        start_ns += layers[i].ns;
    }
}

/* Of the first journey with a new connection: the others have fewer layers. */
bool http_waterfall(const struct http_rows *rows, const struct table_style *style,
                    struct buffer *out, struct error *error)
{
    static const struct table_column columns[] = {{.title = "", .key = true},
                                                  {.title = "time", .right = true},
                                                  {.title = "share", .right = true},
                                                  {.title = ""}};
    const struct http_row *first = NULL;
    struct table table;
    struct buffer journey;
    for (size_t i = 0; i < rows->count && first == NULL; i++)
        if (isfinite(http_row_figure(&rows->items[i], HTTP_FIGURE_CONNECT_NS)))
            first = &rows->items[i];
    if (first == NULL)
        return true;
    table_init(&table, columns, COUNT_OF(columns));
    for (size_t i = 0; i < rows->count; i++)
        if (http_rows_same_journey(first, &rows->items[i]))
            add_request(&table, &rows->items[i]);
    buffer_init(&journey, LABEL_BYTES);
    http_journey(first, &journey);
    buffer_printf(out, "Layer by layer: %s\n%s", buffer_text(&journey),
                  style->format == TABLE_MARKDOWN ? "\n" : "");
    bool good = table_render(&table, style, out, error);
    buffer_append_char(out, '\n');
    buffer_free(&journey);
    table_free(&table);
    return good;
}
