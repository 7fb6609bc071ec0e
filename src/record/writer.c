#include "record/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/attributes.h"
#include "record/json.h"
#include "record/reader.h"

static const char *shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

static bool write_all(struct record_writer *writer, const char *bytes, size_t length,
                      struct error *error)
{
    while (length > 0) {
        ssize_t written = write(writer->fd, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            int write_errno = errno;
            (void)error_set_errno(error, write_errno, "cannot write %s", shown(writer->path));
            if (error != NULL)
                error->code = ERROR_OUTPUT;
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* A file that ends in the middle of a line gets its newline, so that the torn line stays alone. */
static bool end_torn_line(struct record_writer *writer, struct error *error)
{
    char last = '\n';
    off_t size = lseek(writer->fd, 0, SEEK_END);
    if (size <= 0)
        return true; /* empty, or no file that can be sought */
    if (pread(writer->fd, &last, 1, size - 1) == 1 && last != '\n')
        return write_all(writer, "\n", 1, error);
    return true;
}

bool record_writer_open(struct record_writer *writer, const char *path, struct error *error)
{
    *writer = (struct record_writer){.fd = -1, .path = path, .keep_samples = true};
    buffer_init(&writer->line, RECORD_LINE_BYTES);
    if (strcmp(path, "-") == 0) {
        writer->fd = dup(STDOUT_FILENO);
    } else {
        writer->fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        if (writer->fd < 0 && errno == EACCES) /* a pipe or device that cannot be read */
            writer->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    }
    if (writer->fd < 0) {
        (void)error_set_errno(error, errno, "cannot open %s for writing", shown(path));
        if (error != NULL)
            error->code = ERROR_OUTPUT;
        return false;
    }
    return end_torn_line(writer, error);
}

static bool finish_line(struct record_writer *writer, struct error *error)
{
    buffer_append_text(&writer->line, "}\n");
    if (writer->line.failed) {
        buffer_clear(&writer->line);
        return error_set(error, ERROR_LIMIT, "a record for %s is too large or memory ran out",
                         shown(writer->path));
    }
    return write_all(writer, writer->line.data, writer->line.length, error);
}

static void start_line(struct record_writer *writer, const char *kind)
{
    buffer_clear(&writer->line);
    buffer_printf(&writer->line, "{\"record\":\"%s\",\"schema\":%d", kind, RECORD_SCHEMA);
}

static void put_text(struct buffer *line, const char *name, const char *text)
{
    if (text == NULL)
        return;
    json_name(line, name);
    json_string(line, text);
}

static void put_set(struct buffer *line, const char *name, const struct attributes *set)
{
    if (set->first == NULL)
        return;
    json_name(line, name);
    buffer_append_char(line, '{');
    for (const struct attribute *next = set->first; next != NULL; next = next->next)
        json_attribute(line, next);
    buffer_append_char(line, '}');
}

/* Length of the shared first part of two dotted names, up to and with a dot. */
static size_t shared_prefix(const char *a, const char *b)
{
    size_t shared = 0;
    for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
        if (a[i] == '.')
            shared = i + 1;
    return shared;
}

static bool has_prefix(const struct attributes *set, const struct attribute *before,
                       const char *name, size_t length)
{
    for (const struct attribute *found = set->first; found != before; found = found->next)
        if (shared_prefix(found->name, name) >= length)
            return true;
    return false;
}

/* One level of a dotted set: values whose name starts with `prefix`, nested objects for further
 * dots. */
static void put_nested(struct buffer *line, const struct attributes *set, const char *prefix,
                       size_t prefix_length)
{
    for (const struct attribute *next = set->first; next != NULL; next = next->next) {
        if (strncmp(next->name, prefix, prefix_length) != 0)
            continue;
        const char *rest = next->name + prefix_length;
        const char *dot = strchr(rest, '.');
        if (dot == NULL) {
            struct attribute leaf = *next;
            leaf.name = rest;
            json_attribute(line, &leaf);
            continue;
        }
        size_t deeper = (size_t)(dot - next->name) + 1;
        if (has_prefix(set, next, next->name, deeper))
            continue; /* its object was written with the first of its kind */
        char name[64];
        size_t name_length = (size_t)(dot - rest);
        if (name_length >= sizeof name)
            name_length = sizeof name - 1;
        memcpy(name, rest, name_length);
        name[name_length] = '\0';
        json_name(line, name);
        buffer_append_char(line, '{');
        put_nested(line, set, next->name, deeper);
        buffer_append_char(line, '}');
    }
}

bool record_write_run(struct record_writer *writer, const struct run *run, struct error *error)
{
    struct buffer *line = &writer->line;
    if (run->store.failed)
        return error_set(error, ERROR_MEMORY, "no memory for the run's description");
    start_line(writer, "run");
    put_text(line, "run", run->id);
    put_text(line, "tool", "tlsmeter");
    put_text(line, "tool_version", run->tool_version);
    put_text(line, "started", run->started);
    put_text(line, "command_line", run->command_line);
    if (run->seed > 0) {
        json_name(line, "seed");
        buffer_printf(line, "%" PRIu64, run->seed);
    }
    json_name(line, "machine");
    buffer_append_char(line, '{');
    put_nested(line, &run->machine, "", 0);
    buffer_append_char(line, '}');
    return finish_line(writer, error);
}

static void put_number(struct buffer *line, const char *name, double value)
{
    if (!isfinite(value))
        return;
    json_name(line, name);
    json_number(line, value);
}

static void put_samples(struct buffer *line, const struct metric *metric)
{
    const char *comma = "";
    json_name(line, "samples");
    buffer_append_char(line, '[');
    for (size_t i = 0; i < metric->sample_count; i++) {
        if (!isfinite(metric->samples[i]))
            continue;
        buffer_append_text(line, comma);
        json_number(line, metric->samples[i]);
        comma = ",";
    }
    buffer_append_char(line, ']');
}

static void put_metric(struct buffer *line, const struct metric *metric, bool keep_samples)
{
    json_name(line, metric->name);
    buffer_append_char(line, '{');
    if (metric->n > 0)
        buffer_printf(line, "\"n\":%" PRIu64, metric->n);
    if (metric->ops_per_sample > 0) {
        json_name(line, "ops_per_sample");
        buffer_printf(line, "%" PRIu64, metric->ops_per_sample);
    }
    put_number(line, "median", metric->median);
    if (isfinite(metric->ci95_low) && isfinite(metric->ci95_high)) {
        json_name(line, "ci95");
        buffer_append_char(line, '[');
        json_number(line, metric->ci95_low);
        buffer_append_char(line, ',');
        json_number(line, metric->ci95_high);
        buffer_append_char(line, ']');
    }
    put_number(line, "mad", metric->mad);
    put_number(line, "min", metric->min);
    put_number(line, "p95", metric->p95);
    put_number(line, "p99", metric->p99);
    put_number(line, "max", metric->max);
    put_number(line, "printed", metric->printed);
    if (keep_samples && metric->sample_count > 0)
        put_samples(line, metric);
    buffer_append_char(line, '}');
}

static void put_reason(struct buffer *line, const struct cell *cell)
{
    if (cell->reason.text == NULL)
        return;
    json_name(line, "reason");
    buffer_append_char(line, '{');
    put_text(line, "origin", cell->reason.origin);
    put_text(line, "code", cell->reason.code);
    put_text(line, "text", cell->reason.text);
    buffer_append_char(line, '}');
}

static void put_flags(struct buffer *line, const struct cell *cell)
{
    json_name(line, "flags");
    buffer_append_char(line, '[');
    for (const struct label *flag = cell->flags; flag != NULL; flag = flag->next) {
        if (flag != cell->flags)
            buffer_append_char(line, ',');
        json_string(line, flag->text);
    }
    buffer_append_char(line, ']');
}

bool record_write_cell(struct record_writer *writer, const struct cell *cell, struct error *error)
{
    struct buffer *line = &writer->line;
    if (cell->failed)
        return error_set(error, ERROR_MEMORY, "no memory for a cell");
    start_line(writer, "cell");
    put_text(line, "run", cell->run);
    put_text(line, "instrument", cell->instrument);
    put_text(line, "side", cell->side);
    put_text(line, "status", cell_status_name(cell->status));
    put_reason(line, cell);
    put_set(line, "subject", &cell->subject);
    put_set(line, "implementation", &cell->implementation);
    json_name(line, "metrics");
    buffer_append_char(line, '{');
    for (const struct metric *metric = cell->metrics; metric != NULL; metric = metric->next)
        put_metric(line, metric, writer->keep_samples);
    buffer_append_char(line, '}');
    put_set(line, "checks", &cell->checks);
    put_flags(line, cell);
    put_set(line, "source", &cell->source);
    put_text(line, "ended", cell->ended);
    return finish_line(writer, error);
}

bool record_write_note(struct record_writer *writer, const char *run_id, const char *cell_key,
                       const char *text, const char *advice, struct error *error)
{
    start_line(writer, "note");
    put_text(&writer->line, "run", run_id);
    put_text(&writer->line, "cell", cell_key);
    put_text(&writer->line, "text", text);
    put_text(&writer->line, "advice", advice);
    return finish_line(writer, error);
}

bool record_writer_close(struct record_writer *writer, struct error *error)
{
    int fd = writer->fd;
    writer->fd = -1;
    buffer_free(&writer->line);
    if (fd < 0 || close(fd) == 0)
        return true;
    (void)error_set_errno(error, errno, "cannot finish %s", shown(writer->path));
    if (error != NULL)
        error->code = ERROR_OUTPUT;
    return false;
}
