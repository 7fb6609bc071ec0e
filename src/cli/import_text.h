/* How readings of foreign logs are printed: CSV, a table, one line per run. */
#ifndef TLSMETER_CLI_IMPORT_TEXT_H
#define TLSMETER_CLI_IMPORT_TEXT_H

#include "core/buffer.h"
#include "core/error.h"
#include "import/import.h"

#define IMPORT_CSV_BYTES (4u << 20)

/* "file,run,algorithm,..." and the lines of a run, written out whenever the buffer is half full. */
void import_csv_header(struct buffer *csv);
MUST_USE bool import_print_csv(const struct import_run *run, struct buffer *csv,
                               struct error *error);
MUST_USE bool import_flush_csv(struct buffer *csv, struct error *error);

/* One line about a run to standard error. */
void import_print_summary(const struct import_run *run);

/* All readings as a table to standard output. */
struct import_table;
struct import_table *import_table_new(void);
void import_table_free(struct import_table *table);
MUST_USE bool import_table_add(struct import_table *table, const struct import_run *run,
                               struct error *error);
MUST_USE bool import_table_print(struct import_table *table, bool markdown, struct error *error);

/* "openssl speed, wolfCrypt benchmark, ..." */
const char *import_known_tools(void);
const char *import_finding_advice(enum finding_kind kind);

/* Base units for people: 591434.7 bytes per second -> "591 kB/s". Appends. */
void import_format_value(enum reading_metric metric, double value, struct buffer *out);

#endif
