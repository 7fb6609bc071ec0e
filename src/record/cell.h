/*
 * A cell: one measured (or imported) configuration, in memory.
 *
 * A cell owns all its memory through one arena: setters copy what they are given; cell_clear
 * empties it for reuse without giving memory back; cell_free returns everything. Setters do not
 * fail at the call: when memory runs out, `failed` turns true and the writer refuses the cell.
 *
 * `subject` and `implementation` are open, ordered sets of named values, as in the JSON. The names
 * and their order as written are the vocabulary of docs/record-format.md; units are part of the
 * name.
 */
#ifndef TLSMETER_RECORD_CELL_H
#define TLSMETER_RECORD_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/buffer.h"
#include "core/error.h"

#define RECORD_SCHEMA 1

enum value_kind { VALUE_TEXT, VALUE_INTEGER, VALUE_REAL, VALUE_BOOLEAN };

struct attribute {
    struct attribute *next;
    const char *name;
    enum value_kind kind;
    union {
        const char *text;
        int64_t integer;
        double real;
        bool boolean;
    } value;
};

struct attributes {
    struct attribute *first; /* in the order set */
    struct attribute *last;
};

/* The summary of one metric. Absent statistics are NaN; `n` is 0 for an imported single value,
 * which stands in `median`. */
struct metric {
    struct metric *next;
    const char *name;        /* "wall_ns", "cpu_ns", "bytes_per_s", ... */
    uint64_t n;              /* round values the statistics stand on */
    uint64_t ops_per_sample; /* 0: not said; above 1: percentiles are of batch means */
    double median, ci95_low, ci95_high, mad, min, p95, p99, max;
    double printed;        /* imported: what the log's table says; NaN when not imported */
    const double *samples; /* up to 200 round values, in time order */
    size_t sample_count;
};

struct label { /* one flag */
    struct label *next;
    const char *text;
};

enum cell_status { CELL_OK, CELL_SALVAGED, CELL_FAILED, CELL_UNAVAILABLE, CELL_UNKNOWN };

struct cell {
    struct arena arena;
    bool failed;            /* memory ran out while it was filled */
    const char *run;        /* id of its run line */
    const char *instrument; /* "crypto", "handshake", "http", "sim", "import" */
    const char *side;       /* "client", "server" or NULL */
    enum cell_status status;
    struct {
        const char *origin; /* error_origin_name() */
        const char *code;   /* error_code_name(), or the origin's own number as text */
        const char *text;   /* NULL when the status needs no reason */
    } reason;
    struct attributes subject, implementation, checks, source;
    struct metric *metrics; /* in the order set */
    struct label *flags;    /* in the order set, no flag twice */
    const char *ended;      /* "target", "cap", "interrupted" or NULL */
};

void cell_init(struct cell *cell);
void cell_clear(struct cell *cell);
void cell_free(struct cell *cell);

/* Sets one value in cell->subject, ->implementation, ->checks or ->source; a name already there is
 * overwritten in place. A NULL text sets nothing. */
void cell_set_text(struct cell *cell, struct attributes *set, const char *name, const char *text);
void cell_set_integer(struct cell *cell, struct attributes *set, const char *name, int64_t value);
void cell_set_real(struct cell *cell, struct attributes *set, const char *name, double value);
void cell_set_boolean(struct cell *cell, struct attributes *set, const char *name, bool value);
/* Sets cell->run, ->instrument, ->side or ->ended to a copy. */
void cell_copy_text(struct cell *cell, const char **field, const char *text);

/* Adds an empty metric (all statistics NaN) and returns it, or the one of that name; NULL when
 * memory ran out (`failed` is set). */
struct metric *cell_metric(struct cell *cell, const char *name);
void cell_metric_samples(struct cell *cell, struct metric *metric, const double *samples,
                         size_t count);
void cell_flag(struct cell *cell, const char *flag);
/* status and reason from an error: ERROR_UNAVAILABLE -> unavailable, all others -> failed. */
void cell_fail(struct cell *cell, const struct error *error);

const struct attribute *attributes_find(const struct attributes *set, const char *name);
/* The value as text, numbers formatted shortest; NULL when absent. `scratch` is used for numbers.
 */
const char *attributes_text(const struct attributes *set, const char *name, char scratch[32]);
int64_t attributes_integer(const struct attributes *set, const char *name, int64_t otherwise);
const struct metric *cell_find_metric(const struct cell *cell, const char *name);
bool cell_has_flag(const struct cell *cell, const char *flag);

/* The key two cells share when they measured the same thing: instrument, every subject value,
 * library, interface, device and cpu_features of the implementation, and side (not versions, not
 * the machine). Appends it to `out` in a form that compares with strcmp. */
void cell_key(const struct cell *cell, struct buffer *out);

const char *cell_status_name(enum cell_status status);
bool cell_status_parse(const char *name, enum cell_status *status);

#endif
