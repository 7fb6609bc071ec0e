#include "report/http_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "core/buffer.h"

enum { PHRASE_BYTES = 4096 };

static const char *const figure_names[HTTP_FIGURES] = {
    [HTTP_FIGURE_WALL_NS] = "wall_ns",
    [HTTP_FIGURE_LOW_NS] = "wall_ci95_low_ns",
    [HTTP_FIGURE_HIGH_NS] = "wall_ci95_high_ns",
    [HTTP_FIGURE_P99_NS] = "p99_ns",
    [HTTP_FIGURE_CONNECT_NS] = "connect_ns",
    [HTTP_FIGURE_TLS_NS] = "tls_ns",
    [HTTP_FIGURE_TLS_COMPUTE_NS] = "tls_compute_ns",
    [HTTP_FIGURE_REQUEST_NS] = "request_ns",
    [HTTP_FIGURE_FIRST_BYTE_NS] = "first_byte_ns",
    [HTTP_FIGURE_BODY_NS] = "body_ns",
    [HTTP_FIGURE_CLOSE_NS] = "close_ns",
    [HTTP_FIGURE_CPU_NS] = "cpu_ns",
    [HTTP_FIGURE_BYTES_SENT] = "bytes_sent",
    [HTTP_FIGURE_BYTES_RECEIVED] = "bytes_received",
    [HTTP_FIGURE_TLS_BYTES] = "tls_bytes",
    [HTTP_FIGURE_PER_S] = "requests_per_s",
    [HTTP_FIGURE_MEDIAN_NS] = "latency_median_ns",
    [HTTP_FIGURE_FAILED] = "failed",
};

const char *http_figure_name(enum http_figure figure)
{
    return figure_names[figure];
}

void http_rows_free(struct http_rows *rows)
{
    free(rows->items);
    rows->items = NULL;
}

double http_row_figure(const struct http_row *row, enum http_figure figure)
{
    const struct http_row_side *client = &row->sides[0];
    return client->present && client->status == CELL_OK ? client->figures[figure] : NAN;
}

static const char *text_of(struct http_rows *rows, const struct attributes *set, const char *name)
{
    char scratch[32];
    return text_set_add(rows->texts, attributes_text(set, name, scratch));
}

static void append(const struct cell *cell, const char *name, struct buffer *out)
{
    char scratch[32];
    const char *text = attributes_text(&cell->subject, name, scratch);
    if (text != NULL)
        buffer_printf(out, ", %s", text);
}

/* "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256": the rest is said by key and protocol. */
static void append_cipher(const struct cell *cell, struct buffer *out)
{
    char scratch[32];
    const char *suite = attributes_text(&cell->subject, "suite", scratch);
    const char *with = suite == NULL ? NULL : strstr(suite, "_WITH_");
    if (with != NULL)
        buffer_printf(out, ", %s", with + strlen("_WITH_"));
    else if (suite != NULL)
        buffer_printf(out, ", %s", strncmp(suite, "TLS_", 4) == 0 ? suite + 4 : suite);
}

/* The most telling first: long lines are cut. What goes without saying is not said. */
static void describe_tls(const struct cell *cell, struct buffer *out)
{
    char scratch[32];
    append(cell, "key", out);
    const char *auth = attributes_text(&cell->subject, "auth", scratch);
    if (auth != NULL && strcmp(auth, "mutual") == 0)
        buffer_append_text(out, ", mutual");
    int64_t chain = attributes_integer(&cell->subject, "chain_length", 1);
    if (chain > 1)
        buffer_printf(out, ", chain of %d", (int)chain);
    const char *resumption = attributes_text(&cell->subject, "resumption", scratch);
    if (resumption != NULL && strcmp(resumption, "none") != 0)
        buffer_printf(out, ", resumed by %s", resumption);
    if (attributes_integer(&cell->subject, "early_data_bytes", 0) > 0)
        buffer_append_text(out, ", early data");
    append_cipher(cell, out);
    append(cell, "group", out);
    append(cell, "cpu", out);
}

static void put_protocol_and_library(const struct cell *cell, bool server, struct buffer *out)
{
    char scratch[32];
    const char *own = attributes_text(&cell->implementation, "library", scratch);
    char other_scratch[32];
    const char *peer = attributes_text(&cell->subject, "peer_library", other_scratch);
    char protocol_scratch[32];
    const char *protocol = attributes_text(&cell->subject, "protocol", protocol_scratch);
    buffer_printf(out, " %s", protocol == NULL ? "" : protocol);
    if (peer == NULL)
        buffer_printf(out, " %s", own == NULL ? "" : own);
    else
        buffer_printf(out, " %s to %s", server ? peer : own, server ? own : peer);
}

static const char *phrase_of(struct http_rows *rows, const struct cell *cell, bool server,
                             struct buffer *text)
{
    char scratch[32];
    const char *scheme = attributes_text(&cell->subject, "scheme", scratch);
    buffer_clear(text);
    buffer_append_text(text, scheme == NULL ? "" : scheme);
    if (scheme != NULL && strcmp(scheme, "https") == 0) {
        put_protocol_and_library(cell, server, text);
        describe_tls(cell, text);
    }
    return text_set_add(rows->texts, buffer_text(text));
}

static const char *server_of(struct http_rows *rows, const struct cell *cell, struct buffer *text)
{
    char scratch[32];
    const char *server = attributes_text(&cell->subject, "server", scratch);
    if (server == NULL)
        return NULL;
    buffer_clear(text);
    buffer_append_text(text, server);
    const char *target = attributes_text(&cell->subject, "target", scratch);
    buffer_append_text(text, target == NULL ? "" : target);
    return text_set_add(rows->texts, buffer_text(text));
}

bool http_rows_same_journey(const struct http_row *one, const struct http_row *other)
{
    return one->run == other->run && one->over == other->over && one->server == other->server &&
           one->link == other->link && one->connection == other->connection &&
           one->direction == other->direction && one->requests == other->requests &&
           one->payload_bytes == other->payload_bytes && one->connections == other->connections &&
           one->rate == other->rate && one->machine == other->machine;
}

static struct http_row *find_row(struct http_rows *rows, const struct http_row *key, size_t side)
{
    for (size_t i = rows->count; i > 0; i--) {
        struct http_row *row = &rows->items[i - 1];
        if (http_rows_same_journey(row, key) && row->phrase == key->phrase &&
            !row->sides[side].present)
            return row;
    }
    if (rows->count == rows->capacity) {
        size_t capacity = rows->capacity == 0 ? 64 : 2 * rows->capacity;
        struct http_row *items = reallocarray(rows->items, capacity, sizeof *items);
        if (items == NULL)
            return NULL;
        rows->items = items;
        rows->capacity = capacity;
    }
    rows->items[rows->count] = *key;
    return &rows->items[rows->count++];
}

static void gather_figures(const struct cell *cell, struct http_row_side *side)
{
    for (size_t i = 0; i < HTTP_FIGURES; i++) {
        const struct metric *metric = cell_find_metric(cell, figure_names[i]);
        side->figures[i] = metric == NULL ? NAN : metric->median;
    }
    const struct metric *wall = cell_find_metric(cell, "wall_ns");
    if (wall != NULL) {
        side->figures[HTTP_FIGURE_LOW_NS] = wall->ci95_low;
        side->figures[HTTP_FIGURE_HIGH_NS] = wall->ci95_high;
    }
    const struct metric *latency = cell_find_metric(cell, "latency_ns");
    if (latency != NULL) {
        side->figures[HTTP_FIGURE_P99_NS] = latency->p99;
        side->figures[HTTP_FIGURE_MEDIAN_NS] = latency->median;
    }
    int64_t failed = attributes_integer(&cell->checks, "failed", 0);
    if (failed > 0)
        side->figures[HTTP_FIGURE_FAILED] = (double)failed;
}

static const char *flags_of(struct http_rows *rows, const struct cell *cell, struct buffer *text)
{
    if (cell->flags == NULL)
        return NULL;
    buffer_clear(text);
    for (const struct label *flag = cell->flags; flag != NULL; flag = flag->next)
        buffer_printf(text, "%s%s", text->length == 0 ? "" : ",", flag->text);
    return text_set_add(rows->texts, buffer_text(text));
}

bool http_rows_add(struct http_rows *rows, const struct cell *cell, uint32_t machine,
                   struct error *error)
{
    size_t side = cell->side != NULL && strcmp(cell->side, "server") == 0 ? 1 : 0;
    struct buffer text;
    buffer_init(&text, PHRASE_BYTES);
    struct http_row key = {
        .run = text_set_add(rows->texts, cell->run == NULL ? "" : cell->run),
        .over = text_of(rows, &cell->subject, "over"),
        .server = server_of(rows, cell, &text),
        .link = text_of(rows, &cell->subject, "link"),
        .connection = text_of(rows, &cell->subject, "connection"),
        .direction = text_of(rows, &cell->subject, "direction"),
        .requests = attributes_integer(&cell->subject, "requests", -1),
        .payload_bytes = attributes_integer(&cell->subject, "payload_bytes", -1),
        .connections = attributes_integer(&cell->subject, "connections", -1),
        .rate = text_of(rows, &cell->subject, "rate_per_s"),
        .limit = text_of(rows, &cell->checks, "bottleneck"),
        .scheme = text_of(rows, &cell->subject, "scheme"),
        .phrase = phrase_of(rows, cell, side == 1, &text),
        .machine = machine,
    };
    struct http_row *row = find_row(rows, &key, side);
    if (row != NULL) {
        struct http_row_side *own = &row->sides[side];
        own->present = true;
        own->status = cell->status;
        own->reason = text_set_add(rows->texts, cell->reason.text);
        own->flags = flags_of(rows, cell, &text);
        gather_figures(cell, own);
    }
    bool good = row != NULL && !rows->texts->failed && !text.failed;
    buffer_free(&text);
    return good || error_set(error, ERROR_MEMORY, "memory ran out for the tables");
}

static int compare_texts(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *a, const void *b)
{
    const struct http_row *one = a;
    const struct http_row *other = b;
    const int orders[] = {
        compare_texts(one->over, other->over),
        compare_texts(one->server, other->server),
        compare_texts(one->link, other->link),
        compare_numbers(one->connections, other->connections),
        compare_texts(one->rate, other->rate),
        -compare_texts(one->connection, other->connection), /* new, then kept */
        compare_texts(one->direction, other->direction),
        compare_numbers(one->requests, other->requests),
        compare_numbers(one->payload_bytes, other->payload_bytes),
        compare_texts(one->run, other->run),
        compare_numbers(one->machine, other->machine),
        compare_texts(one->scheme, other->scheme), /* http, then https */
        compare_texts(one->phrase, other->phrase),
    };
    for (size_t i = 0; i < COUNT_OF(orders); i++)
        if (orders[i] != 0)
            return orders[i];
    return 0;
}

void http_rows_sort(struct http_rows *rows)
{
    if (rows->count > 1)
        qsort(rows->items, rows->count, sizeof *rows->items, compare);
}
