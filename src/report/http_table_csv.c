#include <inttypes.h>
#include <math.h>

#include "report/http_table.h"

static void put_text(const char *text, struct buffer *out)
{
    if (text != NULL)
        table_csv_field(text, out);
    buffer_append_char(out, ',');
}

static void put_number(int64_t number, struct buffer *out)
{
    if (number >= 0)
        buffer_printf(out, "%" PRId64, number);
    buffer_append_char(out, ',');
}

static void put_side(const struct http_row *row, int index, struct buffer *out)
{
    const struct http_row_side *side = &row->sides[index];
    put_text("http", out);
    put_text(index == 0 ? "client" : "server", out);
    put_text(row->over, out);
    put_text(row->server, out);
    put_text(row->connection, out);
    put_number(row->requests, out);
    put_text(row->direction, out);
    put_number(row->payload_bytes, out);
    put_text(row->phrase, out);
    put_text(cell_status_name(side->status), out);
    for (size_t i = 0; i < HTTP_FIGURES; i++) {
        if (isfinite(side->figures[i]))
            buffer_printf(out, "%.10g", side->figures[i]);
        buffer_append_char(out, ',');
    }
    put_text(side->flags, out);
    if (side->reason != NULL)
        table_csv_field(side->reason, out);
    buffer_append_text(out, "\r\n");
}

void http_table_csv(const struct http_rows *rows, struct buffer *out)
{
    buffer_append_text(out, "instrument,side,over,server,connection,requests,direction,"
                            "payload_bytes,configuration,status,");
    for (size_t i = 0; i < HTTP_FIGURES; i++)
        buffer_printf(out, "%s,", http_figure_name((enum http_figure)i));
    buffer_append_text(out, "flags,reason\r\n");
    for (size_t i = 0; i < rows->count; i++)
        for (int side = 0; side < 2; side++)
            if (rows->items[i].sides[side].present)
                put_side(&rows->items[i], side, out);
}
