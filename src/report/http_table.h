/* Tables of HTTP response times, as a part of the result table. */
#ifndef TLSMETER_REPORT_HTTP_TABLE_H
#define TLSMETER_REPORT_HTTP_TABLE_H

#include <stdbool.h>

#include "core/buffer.h"
#include "core/error.h"
#include "core/table.h"
#include "report/http_rows.h"
#include "report/result_table_notes.h"

/* A group per journey, plain HTTP first and each HTTPS against it; then the waterfalls, the lines
 * over payload, and advice. */
MUST_USE bool http_table_text(const struct http_rows *rows, bool with_machines,
                              const struct table_style *style, struct notes *notes,
                              struct buffer *out, struct error *error);
/* Where the time of a request goes, layer by layer. */
MUST_USE bool http_waterfall(const struct http_rows *rows, const struct table_style *style,
                             struct buffer *out, struct error *error);
/* Response time = fixed + per byte, and what that says. */
MUST_USE bool http_lines(const struct http_rows *rows, const struct table_style *style,
                         struct buffer *out, struct error *error);
void http_advice(const struct http_rows *rows, const struct table_style *style, struct buffer *out);
/* "a new connection for each request, 1 KiB down" */
void http_journey(const struct http_row *row, struct buffer *out);
/* A line per side. */
void http_table_csv(const struct http_rows *rows, struct buffer *out);

#endif
