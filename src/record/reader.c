#include "record/reader.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"

struct reading {
    const char *name;
    const struct record_handlers *handlers;
    struct record_read_result *result;
    struct cell cell; /* reused for every line */
};

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void take_value(struct cell *cell, struct attributes *set, const char *name,
                       const json_t *value)
{
    if (json_is_string(value))
        cell_set_text(cell, set, name, json_string_value(value));
    else if (json_is_integer(value))
        cell_set_integer(cell, set, name, json_integer_value(value));
    else if (json_is_real(value))
        cell_set_real(cell, set, name, json_real_value(value));
    else if (json_is_boolean(value))
        cell_set_boolean(cell, set, name, json_is_true(value));
}

static void take_set(struct cell *cell, struct attributes *set, json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) take_value(cell, set, name, value);
}

/* Nested objects become dotted names; deeper than a machine's description goes is passed over. */
static void take_nested(struct cell *cell, struct attributes *set, json_t *object,
                        const char *prefix, int depth)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        char dotted[256];
        int length = snprintf(dotted, sizeof dotted, "%s%s", prefix, name);
        if (length < 0 || (size_t)length >= sizeof dotted - 1)
            continue;
        if (!json_is_object(value)) {
            take_value(cell, set, dotted, value);
        } else if (depth < 8) {
            dotted[length] = '.';
            dotted[length + 1] = '\0';
            take_nested(cell, set, value, dotted, depth + 1);
        }
    }
}

static double number_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static uint64_t count_of(const json_t *object, const char *name)
{
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 ? (uint64_t)value : 0;
}

static void take_samples(struct cell *cell, struct metric *metric, const json_t *array)
{
    size_t count = json_array_size(array);
    if (count == 0)
        return;
    double *samples = malloc(count * sizeof *samples);
    if (samples == NULL) {
        cell->failed = true;
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (json_is_number(json_array_get(array, i)))
            samples[kept++] = json_number_value(json_array_get(array, i));
    cell_metric_samples(cell, metric, samples, kept);
    free(samples);
}

static void take_metric(struct cell *cell, const char *name, const json_t *object,
                        bool want_samples)
{
    struct metric *metric = cell_metric(cell, name);
    if (metric == NULL)
        return;
    const json_t *interval = json_object_get(object, "ci95");
    metric->n = count_of(object, "n");
    metric->ops_per_sample = count_of(object, "ops_per_sample");
    metric->median = number_of(object, "median");
    metric->mad = number_of(object, "mad");
    metric->min = number_of(object, "min");
    metric->p95 = number_of(object, "p95");
    metric->p99 = number_of(object, "p99");
    metric->max = number_of(object, "max");
    metric->printed = number_of(object, "printed");
    if (json_array_size(interval) == 2 && json_is_number(json_array_get(interval, 0)) &&
        json_is_number(json_array_get(interval, 1))) {
        metric->ci95_low = json_number_value(json_array_get(interval, 0));
        metric->ci95_high = json_number_value(json_array_get(interval, 1));
    }
    if (want_samples)
        take_samples(cell, metric, json_object_get(object, "samples"));
}

static void take_cell(struct reading *reading, json_t *line)
{
    struct cell *cell = &reading->cell;
    const char *name;
    json_t *value;
    size_t index;
    cell_clear(cell);
    cell_copy_text(cell, &cell->run, text_of(line, "run"));
    cell_copy_text(cell, &cell->instrument, text_of(line, "instrument"));
    cell_copy_text(cell, &cell->side, text_of(line, "side"));
    cell_copy_text(cell, &cell->ended, text_of(line, "ended"));
    const char *status = text_of(line, "status");
    if (status == NULL || !cell_status_parse(status, &cell->status))
        cell->status = status == NULL ? CELL_OK : CELL_UNKNOWN;
    const json_t *reason = json_object_get(line, "reason");
    cell_copy_text(cell, &cell->reason.origin, text_of(reason, "origin"));
    cell_copy_text(cell, &cell->reason.code, text_of(reason, "code"));
    cell_copy_text(cell, &cell->reason.text, text_of(reason, "text"));
    take_set(cell, &cell->subject, json_object_get(line, "subject"));
    take_set(cell, &cell->implementation, json_object_get(line, "implementation"));
    take_set(cell, &cell->checks, json_object_get(line, "checks"));
    take_set(cell, &cell->source, json_object_get(line, "source"));
    json_t *metrics = json_object_get(line, "metrics");
    json_object_foreach(metrics, name, value)
        take_metric(cell, name, value, reading->handlers->want_samples);
    json_array_foreach(json_object_get(line, "flags"), index, value) if (json_is_string(value))
        cell_flag(cell, json_string_value(value));
}

static bool handle_cell(struct reading *reading, json_t *line, struct error *error)
{
    reading->result->cells++;
    if (reading->handlers->cell == NULL)
        return true;
    take_cell(reading, line);
    if (reading->cell.failed)
        return error_set(error, ERROR_MEMORY, "no memory for a cell");
    return reading->handlers->cell(reading->handlers->context, &reading->cell, error);
}

static bool handle_run(struct reading *reading, json_t *line, struct error *error)
{
    reading->result->runs++;
    if (reading->handlers->run == NULL)
        return true;
    struct run run;
    memset(&run, 0, sizeof run);
    cell_copy_text(&run.store, &run.id, text_of(line, "run"));
    cell_copy_text(&run.store, &run.tool_version, text_of(line, "tool_version"));
    cell_copy_text(&run.store, &run.started, text_of(line, "started"));
    cell_copy_text(&run.store, &run.command_line, text_of(line, "command_line"));
    run.seed = count_of(line, "seed");
    take_nested(&run.store, &run.machine, json_object_get(line, "machine"), "", 0);
    bool handled = run.store.failed
                       ? error_set(error, ERROR_MEMORY, "no memory for a run's description")
                       : reading->handlers->run(reading->handlers->context, &run, error);
    run_free(&run);
    return handled;
}

static bool handle_note(struct reading *reading, json_t *line, struct error *error)
{
    reading->result->notes++;
    if (reading->handlers->note == NULL)
        return true;
    return reading->handlers->note(reading->handlers->context, text_of(line, "run"),
                                   text_of(line, "cell"), text_of(line, "text"),
                                   text_of(line, "advice"), error);
}

static bool handle_line(struct reading *reading, json_t *line, struct error *error)
{
    const char *kind = text_of(line, "record");
    if (kind == NULL)
        return error_set(error, ERROR_INPUT,
                         "no \"record\" in this line: not a record of tlsmeter");
    if (strcmp(kind, "cell") == 0)
        return handle_cell(reading, line, error);
    if (strcmp(kind, "run") == 0)
        return handle_run(reading, line, error);
    if (strcmp(kind, "note") == 0)
        return handle_note(reading, line, error);
    reading->result->other++; /* a kind of a later version */
    return true;
}

/* Ends of the array that starts at `at`, which holds numbers only; NULL when it holds anything
 * else. */
static char *end_of_numbers(char *at)
{
    size_t length = strspn(at, "0123456789+-.eE, ");
    return at[length] == ']' ? at + length : NULL;
}

/* Cuts the numbers out of every `"samples":[...]`, which are most of a line's bytes. The pattern
 * cannot stand inside a string: a quote there is escaped. */
static size_t cut_samples(char *line, size_t length)
{
    static const char pattern[] = "\"samples\":[";
    char *found = memmem(line, length, pattern, sizeof pattern - 1);
    if (found == NULL)
        return length;
    char *out = found;
    char *in = found;
    char *end = line + length;
    while (found != NULL) {
        size_t before = (size_t)(found - in) + sizeof pattern - 1;
        memmove(out, in, before);
        out += before;
        in += before;
        char *close = end_of_numbers(in);
        if (close != NULL)
            in = close;
        found = memmem(in, (size_t)(end - in), pattern, sizeof pattern - 1);
    }
    memmove(out, in, (size_t)(end - in));
    out += end - in;
    *out = '\0';
    return (size_t)(out - line);
}

/* Whether the line begins as a record of ours does: then it was one, and was cut short. */
static bool is_torn(const char *line, size_t length)
{
    static const char beginning[] = "{\"record\":\"";
    size_t compared = length < sizeof beginning - 1 ? length : sizeof beginning - 1;
    return memcmp(line, beginning, compared) == 0;
}

static bool read_line(struct reading *reading, char *line, size_t length, struct error *error)
{
    if (length > 0 && line[length - 1] == '\r')
        length--;
    if (strspn(line, " \t\r") >= length)
        return true;
    if (!reading->handlers->want_samples && memchr(line, '\0', length) == NULL)
        length = cut_samples(line, length);
    json_error_t json_error;
    json_t *parsed = json_loadb(line, length, JSON_REJECT_DUPLICATES, &json_error);
    if (parsed == NULL && is_torn(line, length)) {
        reading->result->torn++;
        return true;
    }
    bool handled = parsed == NULL ? error_set(error, ERROR_INPUT, "no JSON: %s", json_error.text)
                                  : handle_line(reading, parsed, error);
    json_decref(parsed);
    return handled || error_prefix(error, "%s:%llu", reading->name,
                                   (unsigned long long)reading->result->lines);
}

/* A line of at most RECORD_LINE_BYTES into `line`; false at the end of the stream. */
static bool next_line(FILE *stream, struct buffer *line)
{
    int c;
    buffer_clear(line);
    while ((c = getc_unlocked(stream)) != EOF && c != '\n')
        buffer_append_char(line, (char)c);
    return c != EOF || line->length > 0 || line->failed;
}

bool record_read_stream(FILE *stream, const char *name, const struct record_handlers *handlers,
                        struct record_read_result *result, struct error *error)
{
    struct reading reading = {.name = name, .handlers = handlers, .result = result};
    struct buffer line;
    bool good = true;
    *result = (struct record_read_result){.lines = 0};
    buffer_init(&line, RECORD_LINE_BYTES);
    cell_init(&reading.cell);
    while (good && next_line(stream, &line)) {
        result->lines++;
        if (line.failed)
            good = error_set(error, ERROR_LIMIT, "%s:%llu: a line is longer than %u bytes", name,
                             (unsigned long long)result->lines, RECORD_LINE_BYTES);
        else if (line.length > 0)
            good = read_line(&reading, line.data, line.length, error);
    }
    if (good && ferror(stream) != 0)
        good = error_set_errno(error, errno, "cannot read %s", name);
    cell_free(&reading.cell);
    buffer_free(&line);
    return good;
}

bool record_read_file(const char *path, const struct record_handlers *handlers,
                      struct record_read_result *result, struct error *error)
{
    if (strcmp(path, "-") == 0)
        return record_read_stream(stdin, "standard input", handlers, result, error);
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return error_set_errno(error, errno, "cannot open %s", path);
    bool good = record_read_stream(stream, path, handlers, result, error);
    (void)fclose(stream);
    return good;
}
