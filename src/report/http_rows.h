/*
 * HTTP cells as rows for people: client and server of the same requests side by side, plain HTTP
 * beside each HTTPS. Part of the result table, whose texts it shares.
 */
#ifndef TLSMETER_REPORT_HTTP_ROWS_H
#define TLSMETER_REPORT_HTTP_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/text_set.h"
#include "record/cell.h"

/* The figures of a side; NaN: there is none. In the order of the CSV's columns. */
enum http_figure {
    HTTP_FIGURE_WALL_NS,
    HTTP_FIGURE_LOW_NS, /* the 95 % interval of it */
    HTTP_FIGURE_HIGH_NS,
    HTTP_FIGURE_P99_NS,
    HTTP_FIGURE_CONNECT_NS,
    HTTP_FIGURE_TLS_NS,
    HTTP_FIGURE_TLS_COMPUTE_NS,
    HTTP_FIGURE_REQUEST_NS,
    HTTP_FIGURE_FIRST_BYTE_NS,
    HTTP_FIGURE_BODY_NS,
    HTTP_FIGURE_CLOSE_NS,
    HTTP_FIGURE_CPU_NS,
    HTTP_FIGURE_BYTES_SENT,
    HTTP_FIGURE_BYTES_RECEIVED,
    HTTP_FIGURE_TLS_BYTES,
    HTTP_FIGURE_PER_S,     /* requests per second under load */
    HTTP_FIGURE_MEDIAN_NS, /* of single requests under load */
    HTTP_FIGURE_FAILED,    /* requests that are in no figure */
    HTTP_FIGURES,
};

struct http_row_side {
    bool present;
    enum cell_status status;
    const char *reason, *flags; /* flags joined with ","; NULL: none */
    double figures[HTTP_FIGURES];
};

struct http_row {
    const char *run;
    const char *over, *server;       /* "loopback"; "network" and "example.org/path" */
    const char *link;                /* an emulated one; NULL: none */
    const char *connection;          /* "kept", "new" */
    const char *direction;           /* "download", "upload"; NULL: of a URL */
    int64_t requests, payload_bytes; /* -1: none */
    int64_t connections;             /* of a load; -1: none */
    const char *rate;                /* of an open loop; NULL: none */
    const char *limit;               /* under load: what limits the rate */
    const char *scheme;              /* "http", "https" */
    const char *phrase;              /* "https openssl 3.0.22, tls1.3, ..." */
    uint32_t machine;
    struct http_row_side sides[2]; /* 0 client, 1 server */
};

struct http_rows {
    struct text_set *texts; /* the result table's */
    struct http_row *items;
    size_t count, capacity;
};

const char *http_figure_name(enum http_figure figure);
MUST_USE bool http_rows_add(struct http_rows *rows, const struct cell *cell, uint32_t machine,
                            struct error *error);
/* Groups what is compared: one journey after another, plain HTTP first. */
void http_rows_sort(struct http_rows *rows);
void http_rows_free(struct http_rows *rows);
/* Whether two rows are of the same journey: they differ in how the bytes are protected only. */
bool http_rows_same_journey(const struct http_row *one, const struct http_row *other);
/* Good figures of the client; NaN when there are none. */
double http_row_figure(const struct http_row *row, enum http_figure figure);

#endif
