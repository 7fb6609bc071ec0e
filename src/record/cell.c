#include "record/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"

static const char *const status_names[] = {[CELL_OK] = "ok",
                                           [CELL_SALVAGED] = "salvaged",
                                           [CELL_FAILED] = "failed",
                                           [CELL_UNAVAILABLE] = "unavailable",
                                           [CELL_UNKNOWN] = "unknown"};

void cell_init(struct cell *cell)
{
    *cell = (struct cell){.failed = false};
}

void cell_clear(struct cell *cell)
{
    struct arena arena = cell->arena;
    arena_clear(&arena);
    *cell = (struct cell){.arena = arena};
}

void cell_free(struct cell *cell)
{
    arena_free(&cell->arena);
    cell_init(cell);
}

static void *take(struct cell *cell, size_t size)
{
    void *taken = arena_take(&cell->arena, size);
    if (taken == NULL)
        cell->failed = true;
    return taken;
}

static const char *copy(struct cell *cell, const char *text)
{
    const char *copied = arena_text(&cell->arena, text);
    if (copied == NULL && text != NULL)
        cell->failed = true;
    return copied;
}

static struct attribute *slot(struct cell *cell, struct attributes *set, const char *name)
{
    for (struct attribute *found = set->first; found != NULL; found = found->next)
        if (strcmp(found->name, name) == 0)
            return found;
    struct attribute *added = take(cell, sizeof *added);
    if (added == NULL)
        return NULL;
    added->name = copy(cell, name);
    if (added->name == NULL)
        return NULL;
    if (set->first == NULL)
        set->first = added;
    else
        set->last->next = added;
    set->last = added;
    return added;
}

void cell_set_text(struct cell *cell, struct attributes *set, const char *name, const char *text)
{
    struct attribute *attribute = text == NULL ? NULL : slot(cell, set, name);
    const char *copied = attribute == NULL ? NULL : copy(cell, text);
    if (copied == NULL)
        return;
    attribute->kind = VALUE_TEXT;
    attribute->value.text = copied;
}

void cell_set_integer(struct cell *cell, struct attributes *set, const char *name, int64_t value)
{
    struct attribute *attribute = slot(cell, set, name);
    if (attribute == NULL)
        return;
    attribute->kind = VALUE_INTEGER;
    attribute->value.integer = value;
}

void cell_set_real(struct cell *cell, struct attributes *set, const char *name, double value)
{
    struct attribute *attribute = slot(cell, set, name);
    if (attribute == NULL)
        return;
    attribute->kind = VALUE_REAL;
    attribute->value.real = value;
}

void cell_set_boolean(struct cell *cell, struct attributes *set, const char *name, bool value)
{
    struct attribute *attribute = slot(cell, set, name);
    if (attribute == NULL)
        return;
    attribute->kind = VALUE_BOOLEAN;
    attribute->value.boolean = value;
}

void cell_copy_text(struct cell *cell, const char **field, const char *text)
{
    *field = copy(cell, text);
}

struct metric *cell_metric(struct cell *cell, const char *name)
{
    struct metric **next = &cell->metrics;
    for (; *next != NULL; next = &(*next)->next)
        if (strcmp((*next)->name, name) == 0)
            return *next;
    struct metric *metric = take(cell, sizeof *metric);
    const char *copied = metric == NULL ? NULL : copy(cell, name);
    if (copied == NULL)
        return NULL;
    *metric = (struct metric){.name = copied,
                              .median = NAN,
                              .ci95_low = NAN,
                              .ci95_high = NAN,
                              .mad = NAN,
                              .min = NAN,
                              .p95 = NAN,
                              .p99 = NAN,
                              .max = NAN,
                              .printed = NAN};
    *next = metric;
    return metric;
}

void cell_metric_samples(struct cell *cell, struct metric *metric, const double *samples,
                         size_t count)
{
    double *copied = take(cell, count * sizeof *samples);
    if (copied == NULL)
        return;
    memcpy(copied, samples, count * sizeof *samples);
    metric->samples = copied;
    metric->sample_count = count;
}

void cell_flag(struct cell *cell, const char *flag)
{
    struct label **next = &cell->flags;
    for (; *next != NULL; next = &(*next)->next)
        if (strcmp((*next)->text, flag) == 0)
            return;
    struct label *label = take(cell, sizeof *label);
    const char *copied = label == NULL ? NULL : copy(cell, flag);
    if (copied == NULL)
        return;
    label->text = copied;
    *next = label;
}

void cell_fail(struct cell *cell, const struct error *error)
{
    char number[32];
    cell->status = error->code == ERROR_UNAVAILABLE ? CELL_UNAVAILABLE : CELL_FAILED;
    cell->reason.origin = error_origin_name(error->origin);
    cell->reason.code = error_code_name(error->code);
    if (error->origin != ORIGIN_TLSMETER) {
        (void)snprintf(number, sizeof number, "%" PRId64, error->origin_code);
        cell->reason.code = copy(cell, number);
    }
    cell->reason.text = copy(cell, error->text);
}

const struct attribute *attributes_find(const struct attributes *set, const char *name)
{
    for (const struct attribute *found = set->first; found != NULL; found = found->next)
        if (strcmp(found->name, name) == 0)
            return found;
    return NULL;
}

static const char *value_text(const struct attribute *attribute, char scratch[32])
{
    switch (attribute->kind) {
    case VALUE_TEXT:
        return attribute->value.text;
    case VALUE_BOOLEAN:
        return attribute->value.boolean ? "true" : "false";
    case VALUE_INTEGER:
        (void)snprintf(scratch, 32, "%" PRId64, attribute->value.integer);
        return scratch;
    case VALUE_REAL:
        (void)snprintf(scratch, 32, "%.9g", attribute->value.real);
        return scratch;
    }
    return "";
}

const char *attributes_text(const struct attributes *set, const char *name, char scratch[32])
{
    const struct attribute *found = attributes_find(set, name);
    return found == NULL ? NULL : value_text(found, scratch);
}

int64_t attributes_integer(const struct attributes *set, const char *name, int64_t otherwise)
{
    const struct attribute *found = attributes_find(set, name);
    if (found != NULL && found->kind == VALUE_INTEGER)
        return found->value.integer;
    if (found != NULL && found->kind == VALUE_REAL && fabs(found->value.real) < 0x1p62)
        return (int64_t)found->value.real;
    return otherwise;
}

const struct metric *cell_find_metric(const struct cell *cell, const char *name)
{
    for (const struct metric *metric = cell->metrics; metric != NULL; metric = metric->next)
        if (strcmp(metric->name, name) == 0)
            return metric;
    return NULL;
}

bool cell_has_flag(const struct cell *cell, const char *flag)
{
    for (const struct label *label = cell->flags; label != NULL; label = label->next)
        if (strcmp(label->text, flag) == 0)
            return true;
    return false;
}

/* The separators of ASCII: no name or value of ours holds them. */
static void append_field(struct buffer *out, const char *name, const char *value)
{
    buffer_append_text(out, name);
    buffer_append_char(out, '=');
    buffer_append_text(out, value);
    buffer_append_char(out, '\x1f');
}

/* Appends the subject in the order of names, since two writers may order them differently. */
static void append_sorted(struct buffer *out, const struct attributes *set)
{
    char scratch[32];
    const char *last = "";
    for (;;) {
        const struct attribute *next = NULL;
        for (const struct attribute *found = set->first; found != NULL; found = found->next)
            if (strcmp(found->name, last) > 0 &&
                (next == NULL || strcmp(found->name, next->name) < 0))
                next = found;
        if (next == NULL)
            return;
        append_field(out, next->name, value_text(next, scratch));
        last = next->name;
    }
}

void cell_key(const struct cell *cell, struct buffer *out)
{
    static const char *const implementation_names[] = {"library", "interface", "device",
                                                       "cpu_features"};
    char scratch[32];
    append_field(out, "instrument", cell->instrument == NULL ? "" : cell->instrument);
    append_sorted(out, &cell->subject);
    for (size_t i = 0; i < COUNT_OF(implementation_names); i++) {
        const char *text = attributes_text(&cell->implementation, implementation_names[i], scratch);
        if (text != NULL)
            append_field(out, implementation_names[i], text);
    }
    append_field(out, "side", cell->side == NULL ? "" : cell->side);
}

const char *cell_status_name(enum cell_status status)
{
    return status_names[status];
}

bool cell_status_parse(const char *name, enum cell_status *status)
{
    for (size_t i = 0; i < COUNT_OF(status_names); i++)
        if (strcmp(status_names[i], name) == 0) {
            *status = (enum cell_status)i;
            return true;
        }
    return false;
}
