/* Tables of handshakes, as a part of the result table. */
#ifndef TLSMETER_REPORT_HANDSHAKE_TABLE_H
#define TLSMETER_REPORT_HANDSHAKE_TABLE_H

#include <stdbool.h>

#include "core/buffer.h"
#include "core/error.h"
#include "core/table.h"
#include "report/handshake_rows.h"
#include "report/result_table_notes.h"

/* A table per transport, groups of equal configurations, a line per pair of libraries; below, where
 * the time went, for rows that were traced. */
MUST_USE bool handshake_table_text(const struct handshake_rows *rows, bool with_machines,
                                   const struct table_style *style, struct notes *notes,
                                   struct buffer *out, struct error *error);
/* The part of it that tells where the time went. */
MUST_USE bool handshake_bars(const struct handshake_rows *rows, const struct table_style *style,
                             struct buffer *out, struct error *error);
/* A line per side. */
void handshake_table_csv(const struct handshake_rows *rows, struct buffer *out);

#endif
