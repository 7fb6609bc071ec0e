/*
 * Handshake cells as rows for people: client and server of the same handshake side by side.
 *
 * A row is found by run, subject and both libraries; each of its sides comes from one cell, or
 * stays empty (a server that is not ours). Part of the result table, whose texts it shares.
 */
#ifndef TLSMETER_REPORT_HANDSHAKE_ROWS_H
#define TLSMETER_REPORT_HANDSHAKE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/text_set.h"
#include "record/cell.h"

/* The figures of a side that tables show; NaN: there is none. In the order of the CSV's columns. */
enum handshake_figure {
    FIGURE_WALL_NS,
    FIGURE_CPU_NS,
    FIGURE_CPU_LOW_NS, /* the 95 % interval of it */
    FIGURE_CPU_HIGH_NS,
    FIGURE_COMPUTE_NS,
    FIGURE_CONNECT_NS,
    FIGURE_WAIT_NS,
    FIGURE_P99_NS, /* of single handshakes */
    FIGURE_PER_S,  /* handshakes per second under load */
    FIGURE_BYTES_SENT,
    FIGURE_BYTES_RECEIVED,
    FIGURE_FLIGHTS,
    FIGURE_ROUND_TRIPS,
    FIGURE_HEAP_PEAK_BYTES,
    FIGURE_HEAP_IDLE_BYTES,
    FIGURE_HEAP_ALLOCATIONS,
    FIGURE_STACK_PEAK_BYTES,
    FIGURE_TRACED_NS,
    FIGURE_UNTRACED_NS,
    FIGURE_UNATTRIBUTED_NS,
    FIGURE_FAILED, /* attempts that are in no figure */
    HANDSHAKE_FIGURES,
};

/* Where a side's time went: one operation. */
struct handshake_operation {
    const char *kind, *name;
    double self_ns, count;
};

struct handshake_row_side {
    bool present;
    enum cell_status status;
    const char *reason, *flags; /* flags joined with ","; NULL: none */
    double figures[HANDSHAKE_FIGURES];
    struct handshake_operation *operations; /* in the order of the record: the costliest first */
    size_t operation_count;
};

struct handshake_row {
    const char *run;
    const char *subject;   /* the rest of the subject, for comparing: equal pointers are equal */
    const char *over;      /* "memory", ... */
    const char *phrase;    /* the configuration in words */
    const char *libraries; /* "openssl 3.0.22", "openssl 3.0.22 to wolfssl 5.5.4" */
    const char *library[2];
    const char *limit; /* under load: what limits the rate */
    uint32_t machine;
    struct handshake_row_side sides[2]; /* 0 client, 1 server */
};

struct handshake_rows {
    struct text_set *texts; /* the result table's */
    struct arena arena;     /* operations */
    struct handshake_row *items;
    size_t count, capacity;
};

const char *handshake_figure_name(enum handshake_figure figure); /* "cpu_ns" */

MUST_USE bool handshake_rows_add(struct handshake_rows *rows, const struct cell *cell,
                                 uint32_t machine, struct error *error);
/* Groups equal configurations; before rendering. */
void handshake_rows_sort(struct handshake_rows *rows);
void handshake_rows_free(struct handshake_rows *rows);

#endif
