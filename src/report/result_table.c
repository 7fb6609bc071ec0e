#include "report/result_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "report/handshake_table.h"
#include "report/http_table.h"
#include "report/result_table_internal.h"

enum { PHRASE_BYTES_MAXIMUM = 4096, SMALLEST_CAPACITY = 64 };

struct result_table *result_table_new(void)
{
    struct result_table *table = calloc(1, sizeof *table);
    if (table != NULL)
        table->handshakes.texts = table->http.texts = &table->texts;
    return table;
}

void result_table_free(struct result_table *table)
{
    if (table == NULL)
        return;
    handshake_rows_free(&table->handshakes);
    http_rows_free(&table->http);
    text_set_free(&table->texts);
    free(table->results);
    free(table->machines);
    free(table->runs);
    free(table);
}

size_t result_table_cells(const struct result_table *table)
{
    return table->count + table->handshakes.count + table->http.count;
}

static bool out_of_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "memory ran out for the tables");
}

/* The array with room for one more item of `size` bytes, or NULL: the old one stands. */
static void *room_for_one(void *items, size_t count, size_t size)
{
    bool is_full = count == 0 || (count >= SMALLEST_CAPACITY && (count & (count - 1)) == 0);
    if (!is_full)
        return items;
    return reallocarray(items, count < SMALLEST_CAPACITY ? SMALLEST_CAPACITY : 2 * count, size);
}

/* ---- machines ---- */

static bool machine_index(struct result_table *table, const char *summary, uint32_t *index,
                          struct error *error)
{
    const char *text = text_set_add(&table->texts, summary);
    if (text == NULL)
        return out_of_memory(error);
    for (size_t i = 0; i < table->machine_count; i++) {
        if (table->machines[i].summary != text)
            continue;
        *index = (uint32_t)i;
        return true;
    }
    struct machine *machines =
        room_for_one(table->machines, table->machine_count, sizeof *machines);
    if (machines == NULL)
        return out_of_memory(error);
    table->machines = machines;
    *index = (uint32_t)table->machine_count;
    table->machines[table->machine_count++] = (struct machine){.summary = text};
    return true;
}

static bool name_run(struct result_table *table, const char *id, const char *summary,
                     uint32_t *machine, struct error *error)
{
    const char *text = text_set_add(&table->texts, id);
    struct run_name *runs = room_for_one(table->runs, table->run_count, sizeof *runs);
    if (runs != NULL)
        table->runs = runs;
    if (text == NULL || runs == NULL)
        return out_of_memory(error);
    if (!machine_index(table, summary, machine, error))
        return false;
    table->runs[table->run_count++] = (struct run_name){.id = text, .machine = *machine};
    return true;
}

bool result_table_add_run(struct result_table *table, const struct run *run, struct error *error)
{
    struct buffer summary;
    buffer_init(&summary, PHRASE_BYTES_MAXIMUM);
    machine_summary(run, &summary);
    uint32_t machine = 0;
    bool done =
        name_run(table, run->id == NULL ? "" : run->id, buffer_text(&summary), &machine, error);
    buffer_free(&summary);
    return done;
}

/* Runs come just before their cells, so the search begins at the newest. */
static bool machine_of_run(struct result_table *table, const char *id, uint32_t *machine,
                           struct error *error)
{
    const char *text = text_set_add(&table->texts, id == NULL ? "" : id);
    if (text == NULL)
        return out_of_memory(error);
    for (size_t i = table->run_count; i > 0; i--) {
        if (table->runs[i - 1].id != text)
            continue;
        *machine = table->runs[i - 1].machine;
        return true;
    }
    return name_run(table, text, "", machine, error);
}

/* ---- a cell's texts ---- */

static const char *attribute_value(const struct attribute *attribute, char scratch[32])
{
    switch (attribute->kind) {
    case VALUE_TEXT:
        return attribute->value.text;
    case VALUE_INTEGER:
        (void)snprintf(scratch, 32, "%" PRId64, attribute->value.integer);
        return scratch;
    case VALUE_REAL:
        (void)snprintf(scratch, 32, "%.6g", attribute->value.real);
        return scratch;
    case VALUE_BOOLEAN:
        return attribute->value.boolean ? "yes" : "no";
    }
    return "";
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static void append_phrase(const char *phrase, const char *value, struct buffer *out)
{
    buffer_printf(out, "%s%s%s%s", out->length == 0 ? "" : ", ", value, *phrase == '\0' ? "" : " ",
                  phrase);
}

/* What a reader must know beyond algorithm, operation and size: "pss", "fresh peer key",
 * "4 threads", "chain_length 2". */
static void describe_subject(const struct cell *cell, struct buffer *out)
{
    static const char *const elsewhere[] = {"algorithm",  "operation", "mode",
                                            "size_bytes", "threads",   NULL};
    char scratch[32];
    for (const struct attribute *a = cell->subject.first; a != NULL; a = a->next) {
        if (is_one_of(a->name, elsewhere))
            continue;
        const char *value = attribute_value(a, scratch);
        if (strcmp(a->name, "peer_key") == 0)
            append_phrase("peer key", value, out);
        else if (a->kind == VALUE_TEXT)
            append_phrase("", value, out);
        else
            append_phrase(value, a->name, out);
    }
    int64_t threads = attributes_integer(&cell->subject, "threads", 1);
    if (threads > 1)
        buffer_printf(out, "%s%" PRId64 " threads", out->length == 0 ? "" : ", ", threads);
    if (cell->side != NULL)
        append_phrase("", cell->side, out);
}

static void append_variant(const struct attribute *attribute, struct buffer *out)
{
    char scratch[32];
    buffer_printf(out, "%s%c%s%c", attribute->name, VARIANT_IS, attribute_value(attribute, scratch),
                  VARIANT_END);
}

static void describe_variant(const struct cell *cell, struct buffer *out)
{
    for (const struct attribute *a = cell->implementation.first; a != NULL; a = a->next)
        if (strcmp(a->name, "library") != 0 && strcmp(a->name, "version") != 0)
            append_variant(a, out);
}

/* Texts gathered in one buffer, one after another. */
static const char *gathered(struct result_table *table, struct buffer *text)
{
    const char *stored = text->length == 0 ? NULL : text_set_add(&table->texts, text->data);
    buffer_clear(text);
    return stored;
}

static void gather_texts(struct result_table *table, const struct cell *cell, struct result *result)
{
    char scratch[32];
    struct buffer text;
    buffer_init(&text, PHRASE_BYTES_MAXIMUM);
    describe_subject(cell, &text);
    result->detail = gathered(table, &text);
    describe_variant(cell, &text);
    result->variant = gathered(table, &text);
    for (const struct label *flag = cell->flags; flag != NULL; flag = flag->next)
        buffer_printf(&text, "%s%s", text.length == 0 ? "" : ",", flag->text);
    result->flags = gathered(table, &text);
    buffer_free(&text);

    struct text_set *texts = &table->texts;
    result->instrument = text_set_add(texts, cell->instrument);
    result->reason = text_set_add(texts, cell->reason.text);
    result->mode = text_set_add(texts, attributes_text(&cell->subject, "mode", scratch));
    result->algorithm = text_set_add(texts, attributes_text(&cell->subject, "algorithm", scratch));
    result->operation = text_set_add(texts, attributes_text(&cell->subject, "operation", scratch));
    const struct attributes *who = &cell->implementation;
    const char *name = "library";
    if (attributes_find(who, name) == NULL) {
        who = &cell->source; /* an imported log tells the tool that printed it */
        name = "tool";
    }
    result->library = text_set_add(texts, attributes_text(who, name, scratch));
    result->version = text_set_add(texts, attributes_text(who, "version", scratch));
}

/* ---- a cell's values ---- */

/* The metric that says how fast it is, or the first that says anything. */
static const struct metric *main_metric(const struct cell *cell)
{
    static const char *const names[] = {"wall_ns", "bytes_per_s", "operations_per_s", "ops_per_s"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const struct metric *metric = cell_find_metric(cell, names[i]);
        if (metric != NULL && isfinite(metric->median))
            return metric;
    }
    for (const struct metric *metric = cell->metrics; metric != NULL; metric = metric->next)
        if (isfinite(metric->median))
            return metric;
    return NULL;
}

static void compute_rates(struct result *result, bool has_size)
{
    result->kind = has_size ? RESULT_BYTES : RESULT_OPERATIONS;
    if (result->metric == NULL)
        return;
    if (strcmp(result->metric, "wall_ns") == 0) {
        result->operations_per_s = result->threads * 1e9 / result->value;
        if (has_size)
            result->bytes_per_s = (double)result->size_bytes * result->operations_per_s;
    } else if (strcmp(result->metric, "bytes_per_s") == 0) {
        result->kind = RESULT_BYTES;
        result->bytes_per_s = result->value;
    } else if (strcmp(result->metric, "operations_per_s") == 0 ||
               strcmp(result->metric, "ops_per_s") == 0) {
        result->kind = RESULT_OPERATIONS;
        result->operations_per_s = result->value;
    } else {
        result->kind = RESULT_OTHER;
    }
}

static void gather_values(struct result_table *table, const struct cell *cell,
                          struct result *result)
{
    int64_t size = attributes_integer(&cell->subject, "size_bytes", 0);
    int64_t threads = attributes_integer(&cell->subject, "threads", 1);
    result->size_bytes = size > 0 ? (uint64_t)size : 0;
    result->threads = threads > 0 && threads < UINT32_MAX ? (uint32_t)threads : 1;
    result->status = cell->status;
    result->value = result->low = result->high = result->p99 = NAN;
    result->bytes_per_s = result->operations_per_s = NAN;
    const struct metric *metric = main_metric(cell);
    bool has_value = metric != NULL && (cell->status == CELL_OK || cell->status == CELL_SALVAGED);
    if (has_value) {
        result->metric = text_set_add(&table->texts, metric->name);
        result->value = metric->median;
        result->low = metric->ci95_low;
        result->high = metric->ci95_high;
        if (metric->ops_per_sample <= 1) /* else it is of batch means: no latency */
            result->p99 = metric->p99;
    }
    compute_rates(result, size > 0);
}

/* Cells of two-sided instruments, which have tables of their own. True: it was one. */
static bool add_two_sided(struct result_table *table, const struct cell *cell, bool *good,
                          struct error *error)
{
    uint32_t machine = 0;
    const char *instrument = cell->instrument == NULL ? "" : cell->instrument;
    bool is_handshake = strcmp(instrument, "handshake") == 0;
    if (!is_handshake && strcmp(instrument, "http") != 0)
        return false;
    *good = machine_of_run(table, cell->run, &machine, error) &&
            (is_handshake ? handshake_rows_add(&table->handshakes, cell, machine, error)
                          : http_rows_add(&table->http, cell, machine, error));
    return true;
}

bool result_table_add(struct result_table *table, const struct cell *cell, struct error *error)
{
    bool good = true;
    if (add_two_sided(table, cell, &good, error))
        return good;
    struct result *results = room_for_one(table->results, table->count, sizeof *results);
    if (results == NULL || table->count >= UINT32_MAX)
        return out_of_memory(error);
    table->results = results;
    struct result result = {.order = (uint32_t)table->count};
    if (!machine_of_run(table, cell->run, &result.machine, error))
        return false;
    gather_texts(table, cell, &result);
    gather_values(table, cell, &result);
    if (table->texts.failed)
        return out_of_memory(error);
    table->results[table->count++] = result;
    table->sorted = false;
    return true;
}

/* A table per instrument, an empty line between. */
static void render_csv(const struct result_table *table, struct buffer *out)
{
    size_t begin = out->length;
    if (table->count > 0 || table->handshakes.count + table->http.count == 0)
        result_table_csv(table, out);
    if (table->handshakes.count > 0) {
        buffer_append_text(out, out->length > begin ? "\r\n" : "");
        handshake_table_csv(&table->handshakes, out);
    }
    if (table->http.count > 0) {
        buffer_append_text(out, out->length > begin ? "\r\n" : "");
        http_table_csv(&table->http, out);
    }
}

bool result_table_render(struct result_table *table, const struct table_style *style, bool quiet,
                         struct buffer *out, struct error *error)
{
    if (!table->sorted && table->count > 0)
        qsort(table->results, table->count, sizeof *table->results, result_compare);
    handshake_rows_sort(&table->handshakes);
    http_rows_sort(&table->http);
    table->sorted = true;
    if (style->format == TABLE_CSV)
        render_csv(table, out);
    else if (!result_table_text(table, style, quiet, out, error))
        return false;
    return !out->failed || out_of_memory(error);
}
