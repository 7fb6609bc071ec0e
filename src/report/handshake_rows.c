#include "report/handshake_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"

enum { PHRASE_BYTES_MAXIMUM = 4096 };

static const char *const figure_names[HANDSHAKE_FIGURES] = {
    [FIGURE_WALL_NS] = "wall_ns",
    [FIGURE_CPU_NS] = "cpu_ns",
    [FIGURE_CPU_LOW_NS] = "cpu_ci95_low_ns",
    [FIGURE_CPU_HIGH_NS] = "cpu_ci95_high_ns",
    [FIGURE_COMPUTE_NS] = "compute_ns",
    [FIGURE_CONNECT_NS] = "connect_ns",
    [FIGURE_WAIT_NS] = "wait_ns",
    [FIGURE_P99_NS] = "p99_ns",
    [FIGURE_PER_S] = "handshakes_per_s",
    [FIGURE_BYTES_SENT] = "bytes_sent",
    [FIGURE_BYTES_RECEIVED] = "bytes_received",
    [FIGURE_FLIGHTS] = "flights",
    [FIGURE_ROUND_TRIPS] = "round_trips",
    [FIGURE_HEAP_PEAK_BYTES] = "heap_peak_bytes",
    [FIGURE_HEAP_IDLE_BYTES] = "heap_idle_bytes",
    [FIGURE_HEAP_ALLOCATIONS] = "heap_allocations",
    [FIGURE_STACK_PEAK_BYTES] = "stack_peak_bytes",
    [FIGURE_TRACED_NS] = "traced_ns",
    [FIGURE_UNTRACED_NS] = "untraced_ns",
    [FIGURE_UNATTRIBUTED_NS] = "unattributed_ns",
    [FIGURE_FAILED] = "failed",
};

const char *handshake_figure_name(enum handshake_figure figure)
{
    return figure_names[figure];
}

void handshake_rows_free(struct handshake_rows *rows)
{
    arena_free(&rows->arena);
    free(rows->items);
    rows->items = NULL;
}

static const char *gathered(struct handshake_rows *rows, struct buffer *text)
{
    const char *stored = text_set_add(rows->texts, buffer_text(text));
    buffer_clear(text);
    return stored;
}

static void append(struct buffer *out, const char *text)
{
    buffer_printf(out, "%s%s", out->length == 0 ? "" : ", ", text);
}

static bool is_text(const char *text, const char *other)
{
    return text != NULL && strcmp(text, other) == 0;
}

/* What goes without saying is not said. */
static void describe(const struct cell *cell, struct buffer *out)
{
    static const char *const first[] = {"protocol", "suite", "group", "key"};
    char scratch[32];
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        const char *text = attributes_text(&cell->subject, first[i], scratch);
        if (text != NULL)
            append(out, text);
    }
    const char *auth = attributes_text(&cell->subject, "auth", scratch);
    if (auth != NULL && !is_text(auth, "server"))
        append(out, is_text(auth, "mutual") ? "mutual" : "pre-shared key");
    const char *resumption = attributes_text(&cell->subject, "resumption", scratch);
    if (resumption != NULL && !is_text(resumption, "none")) {
        append(out, "resumed by ");
        buffer_append_text(out, resumption);
    }
    int64_t early_bytes = attributes_integer(&cell->subject, "early_data_bytes", 0);
    if (early_bytes > 0)
        buffer_printf(out, ", %d bytes of early data", (int)early_bytes);
    int64_t chain = attributes_integer(&cell->subject, "chain_length", 1);
    if (chain > 1)
        buffer_printf(out, ", chain of %d", (int)chain);
    for (const struct attribute *a = cell->subject.first; a != NULL; a = a->next) {
        static const char *const told[] = {
            "protocol",     "suite", "group", "key",          "auth",         "resumption",
            "chain_length", "over",  "kx",    "hello_verify", "peer_library", "early_data_bytes"};
        bool is_told = false;
        for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
            is_told = is_told || strcmp(a->name, told[i]) == 0;
        if (!is_told)
            buffer_printf(out, ", %s %s", a->name,
                          attributes_text(&cell->subject, a->name, scratch));
    }
}

static const char *gather_flags(struct handshake_rows *rows, const struct cell *cell,
                                struct buffer *text)
{
    for (const struct label *flag = cell->flags; flag != NULL; flag = flag->next)
        buffer_printf(text, "%s%s", text->length == 0 ? "" : ",", flag->text);
    return cell->flags == NULL ? NULL : gathered(rows, text);
}

static double median_of(const struct cell *cell, const char *name)
{
    const struct metric *metric = cell_find_metric(cell, name);
    return metric == NULL ? NAN : metric->median;
}

static void gather_figures(const struct cell *cell, struct handshake_row_side *side)
{
    for (size_t i = 0; i < HANDSHAKE_FIGURES; i++)
        side->figures[i] = median_of(cell, figure_names[i]);
    const struct metric *cpu = cell_find_metric(cell, "cpu_ns");
    const struct metric *latency = cell_find_metric(cell, "latency_ns");
    if (cpu != NULL) {
        side->figures[FIGURE_CPU_LOW_NS] = cpu->ci95_low;
        side->figures[FIGURE_CPU_HIGH_NS] = cpu->ci95_high;
    }
    if (latency != NULL)
        side->figures[FIGURE_P99_NS] = latency->p99;
    int64_t failed = attributes_integer(&cell->checks, "failed", 0);
    if (failed > 0)
        side->figures[FIGURE_FAILED] = (double)failed;
}

/* "self_ns/KIND/NAME" with its "count/KIND/NAME". */
static bool gather_operation(struct handshake_rows *rows, const struct cell *cell,
                             const struct metric *metric, struct handshake_operation *operation)
{
    char text[256];
    const char *kind = metric->name + strlen("self_ns/");
    const char *slash = strchr(kind, '/');
    if (slash == NULL)
        return false;
    (void)snprintf(text, sizeof text, "%.*s", (int)(slash - kind), kind);
    operation->kind = text_set_add(rows->texts, text);
    operation->name = text_set_add(rows->texts, slash + 1);
    operation->self_ns = metric->median;
    (void)snprintf(text, sizeof text, "count/%s", kind);
    operation->count = median_of(cell, text);
    return true;
}

static bool is_operation(const struct metric *metric)
{
    return strncmp(metric->name, "self_ns/", strlen("self_ns/")) == 0;
}

static bool gather_operations(struct handshake_rows *rows, const struct cell *cell,
                              struct handshake_row_side *side)
{
    size_t count = 0;
    for (const struct metric *metric = cell->metrics; metric != NULL; metric = metric->next)
        count += is_operation(metric);
    if (count == 0)
        return true;
    side->operations = arena_take(&rows->arena, count * sizeof *side->operations);
    if (side->operations == NULL)
        return false;
    for (const struct metric *metric = cell->metrics; metric != NULL; metric = metric->next)
        if (is_operation(metric) &&
            gather_operation(rows, cell, metric, &side->operations[side->operation_count]))
            side->operation_count++;
    return true;
}

/* Everything of the subject but the peer's library, which is the other side's own. */
static void subject_key(const struct cell *cell, struct buffer *out)
{
    char scratch[32];
    for (const struct attribute *a = cell->subject.first; a != NULL; a = a->next)
        if (strcmp(a->name, "peer_library") != 0)
            buffer_printf(out, "%s=%s;", a->name,
                          attributes_text(&cell->subject, a->name, scratch));
}

static void name_libraries(struct handshake_rows *rows, const struct cell *cell,
                           struct handshake_row *row, size_t side, struct buffer *text)
{
    char scratch[32];
    const struct attributes *who = &cell->implementation;
    const char *own = attributes_text(who, "library", scratch);
    const char *peer = attributes_text(&cell->subject, "peer_library", scratch);
    row->library[side] = text_set_add(rows->texts, own == NULL ? "" : own);
    row->library[1 - side] = peer == NULL ? row->library[side] : text_set_add(rows->texts, peer);
    char named[2][96];
    const char *version = attributes_text(who, "version", scratch);
    (void)snprintf(named[side], sizeof named[side], "%s%s%s", own == NULL ? "" : own,
                   version == NULL ? "" : " ", version == NULL ? "" : version);
    version = attributes_text(who, "peer_version", scratch);
    (void)snprintf(named[1 - side], sizeof named[1 - side], "%s%s%s", peer == NULL ? "" : peer,
                   version == NULL ? "" : " ", version == NULL ? "" : version);
    if (peer == NULL)
        buffer_append_text(text, named[side]);
    else
        buffer_printf(text, "%s to %s", named[0], named[1]);
    /* Where nobody asked for a suite, what was agreed on is what tells the lines apart. */
    if (attributes_find(&cell->subject, "suite") == NULL) {
        const char *suite = attributes_text(&cell->checks, "negotiated_suite", scratch);
        if (suite != NULL)
            buffer_printf(text, ", %s", suite);
    }
    row->libraries = gathered(rows, text);
}

static struct handshake_row *find_row(struct handshake_rows *rows, const struct handshake_row *key,
                                      size_t side)
{
    for (size_t i = rows->count; i > 0; i--) {
        struct handshake_row *row = &rows->items[i - 1];
        if (row->run == key->run && row->subject == key->subject &&
            row->library[0] == key->library[0] && row->library[1] == key->library[1] &&
            !row->sides[side].present)
            return row;
    }
    if (rows->count == rows->capacity) {
        size_t capacity = rows->capacity == 0 ? 64 : 2 * rows->capacity;
        struct handshake_row *items = reallocarray(rows->items, capacity, sizeof *items);
        if (items == NULL)
            return NULL;
        rows->items = items;
        rows->capacity = capacity;
    }
    rows->items[rows->count] = *key;
    return &rows->items[rows->count++];
}

/* A client under load that asked the server for its CPU time tells it for both. */
static void tell_server(const struct cell *cell, struct handshake_row *row)
{
    double cpu_ns = median_of(cell, "server_cpu_ns");
    if (!isfinite(cpu_ns) || row->sides[1].present)
        return;
    for (size_t i = 0; i < HANDSHAKE_FIGURES; i++)
        row->sides[1].figures[i] = NAN;
    row->sides[1].present = true;
    row->sides[1].status = CELL_OK;
    row->sides[1].flags = row->sides[0].flags;
    row->sides[1].figures[FIGURE_CPU_NS] = cpu_ns;
}

bool handshake_rows_add(struct handshake_rows *rows, const struct cell *cell, uint32_t machine,
                        struct error *error)
{
    struct handshake_row key = {.machine = machine};
    size_t side = is_text(cell->side, "server") ? 1 : 0;
    char scratch[32];
    struct buffer text;
    buffer_init(&text, PHRASE_BYTES_MAXIMUM);
    key.run = text_set_add(rows->texts, cell->run == NULL ? "" : cell->run);
    key.over = text_set_add(rows->texts, attributes_text(&cell->subject, "over", scratch));
    subject_key(cell, &text);
    key.subject = gathered(rows, &text);
    describe(cell, &text);
    key.phrase = gathered(rows, &text);
    name_libraries(rows, cell, &key, side, &text);
    struct handshake_row *row = find_row(rows, &key, side);
    bool good = row != NULL && !rows->texts->failed;
    if (good) {
        struct handshake_row_side *own = &row->sides[side];
        own->present = true;
        own->status = cell->status;
        own->reason = text_set_add(rows->texts, cell->reason.text);
        own->flags = gather_flags(rows, cell, &text);
        gather_figures(cell, own);
        row->limit =
            text_set_add(rows->texts, attributes_text(&cell->checks, "bottleneck", scratch));
        tell_server(cell, row);
        good = gather_operations(rows, cell, own) && !rows->texts->failed && !text.failed;
    }
    buffer_free(&text);
    return good || error_set(error, ERROR_MEMORY, "memory ran out for the tables");
}

static int compare_texts(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

/* Transport, configuration, libraries, machine. */
static int compare(const void *a, const void *b)
{
    const struct handshake_row *one = a;
    const struct handshake_row *other = b;
    int order = compare_texts(one->over, other->over);
    if (order == 0)
        order = compare_texts(one->phrase, other->phrase);
    if (order == 0)
        order = compare_texts(one->subject, other->subject);
    if (order == 0)
        order = compare_texts(one->libraries, other->libraries);
    if (order == 0)
        order = (one->machine > other->machine) - (one->machine < other->machine);
    return order;
}

void handshake_rows_sort(struct handshake_rows *rows)
{
    if (rows->count > 1)
        qsort(rows->items, rows->count, sizeof *rows->items, compare);
}
