/*
 * Tables for people from cells: what `tlsmeter show` prints, and what a measurement prints at its
 * end.
 *
 * Cells are added one by one and kept as compact rows (texts are shared), so that 100,000 cells
 * take tens of megabytes. Cells with a size become tables of rates with the sizes as columns; those
 * without, operations per second and time per operation; cells of other instruments a plain list.
 * Rates are computed here, always from wall time (bytes_per_s = size_bytes * threads * 1e9 / median
 * wall_ns); imported cells have no wall time, and show the rate the importer believes. The best row
 * of a column is marked when at least two can be compared; a flagged cell is shown, with its flag
 * as a footnote, and never ranked. Cells that are failed or unavailable show their reason.
 *
 * The table owns copies of all it shows.
 */
#ifndef TLSMETER_REPORT_RESULT_TABLE_H
#define TLSMETER_REPORT_RESULT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"
#include "core/error.h"
#include "core/table.h"
#include "record/cell.h"
#include "record/run.h"

struct result_table;

/* NULL when memory runs out. */
struct result_table *result_table_new(void);
void result_table_free(struct result_table *table); /* NULL is allowed */

/* A line about the machine above the tables. */
MUST_USE bool result_table_add_run(struct result_table *table, const struct run *run,
                                   struct error *error);
MUST_USE bool result_table_add(struct result_table *table, const struct cell *cell,
                               struct error *error);
size_t result_table_cells(const struct result_table *table);

/* Appends everything to `out` in the style's format. Text and Markdown: machine lines, tables,
 * footnotes with advice; `quiet` leaves machine lines and advice out. CSV: a line per cell. */
MUST_USE bool result_table_render(struct result_table *table, const struct table_style *style,
                                  bool quiet, struct buffer *out, struct error *error);

#endif
