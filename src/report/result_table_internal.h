/*
 * What the files of result_table share: the compact rows, sorted into sections (kind and mode),
 * groups (what was done) and lines (who did it).
 */
#ifndef TLSMETER_REPORT_RESULT_TABLE_INTERNAL_H
#define TLSMETER_REPORT_RESULT_TABLE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buffer.h"
#include "core/table.h"
#include "core/text_set.h"
#include "record/cell.h"
#include "report/handshake_rows.h"
#include "report/http_rows.h"
#include "report/result_table.h"

/* Between name and value, and behind each value, of `variant`: no text of a record holds them. */
#define VARIANT_IS  '\x1e'
#define VARIANT_END '\x1f'

enum result_kind {
    RESULT_BYTES,      /* a rate in bytes/s, by size */
    RESULT_OPERATIONS, /* operations/s and time */
    RESULT_OTHER,      /* any other metric */
};

/* One cell. All texts are of the table's set: equal texts are equal pointers; NULL is absent. */
struct result {
    enum result_kind kind;
    enum cell_status status;
    const char *instrument, *mode, *algorithm, *operation;
    const char *detail; /* the rest of the subject, as a phrase */
    const char *library, *version;
    const char *variant; /* the rest of the implementation: name IS value END, ... */
    const char *metric;  /* the one the rates are of; NULL: no value */
    const char *flags;   /* joined with ","; NULL: none */
    const char *reason;
    double value, low, high, p99;         /* of the metric, in its unit */
    double bytes_per_s, operations_per_s; /* NaN: none */
    uint64_t size_bytes;
    uint32_t threads;
    uint32_t machine; /* index into machines */
    uint32_t order;   /* in which it was added */
};

/* A machine, or several runs on one: they share a line of summary. */
struct machine {
    const char *summary;
};

struct run_name {
    const char *id;
    uint32_t machine;
};

struct result_table {
    struct text_set texts;
    struct result *results;
    size_t count;
    struct machine *machines;
    size_t machine_count;
    struct run_name *runs;
    size_t run_count;
    bool sorted;
    struct handshake_rows handshakes;
    struct http_rows http;
};

/* Order of sections, groups, lines and sizes; for qsort. */
int result_compare(const void *a, const void *b);
/* A section is one table: kind, instrument, and the mode of sized work. */
bool result_same_section(const struct result *a, const struct result *b);
/* A group is what can be compared: the same work. */
bool result_same_group(const struct result *a, const struct result *b);
/* A line is who did it: library, version, variant, machine. */
bool result_same_line(const struct result *a, const struct result *b);
/* bytes/s or operations/s, as the kind says; NaN when there is none. */
double result_rate(const struct result *result);
/* The ends of the rate's 95 % interval; the rate itself when there is none. */
double result_rate_low(const struct result *result);
double result_rate_high(const struct result *result);
/* A value that may be compared with others: measured or believed, not flagged, not the harness. */
bool result_can_rank(const struct result *result);
/* The same, were it not for its flags. */
bool result_might_rank(const struct result *result);
/* Half of the 95 % interval over the median; NaN when there is none. */
double result_half_interval(const struct result *result);

/* What was done: "aes-128-gcm encrypt, 4 threads". */
void result_put_group(const struct result *result, struct buffer *out);
/* "openssl 3.0.22" */
void result_put_library(const struct result *result, struct buffer *out);
/* Library and version, what else tells the result from others of its group, and the number of its
 * machine. */
void result_put_line_name(const struct result *result, const struct result *group,
                          const struct result *group_end, bool with_machine, struct buffer *out);

/* The machine in a line, what a reader of figures asks first, under the names that `tlsmeter
 * machine` records: "CPU model, cores, governor, virtualisation, kernel; tlsmeter version". Of an
 * imported log: "file, platform, version of the tool, command". */
void machine_summary(const struct run *run, struct buffer *out);

/* Appends the rows as CSV. */
void result_table_csv(const struct result_table *table, struct buffer *out);
/* Appends text or Markdown. */
MUST_USE bool result_table_text(const struct result_table *table, const struct table_style *style,
                                bool quiet, struct buffer *out, struct error *error);

#endif
