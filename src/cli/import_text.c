#include "cli/import_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "core/table.h"
#include "core/text.h"

/* --- CSV ----------------------------------------------------------------------------------- */

void import_csv_header(struct buffer *csv)
{
    buffer_append_text(csv, "file,run,algorithm,operation,size_bytes,variant,metric,printed,value,"
                            "status,flags,line\r\n");
}

static void append_unsigned(struct buffer *csv, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    buffer_append(csv, digits + at, sizeof digits - at);
}

/* Twelve significant digits; whole numbers, which most are, without the cost of printf. */
static void append_number(struct buffer *csv, double number)
{
    if (isnan(number))
        return;
    double magnitude = fabs(number);
    if (magnitude < 1e12 && magnitude == (double)(uint64_t)magnitude) {
        if (number < 0)
            buffer_append_char(csv, '-');
        append_unsigned(csv, (uint64_t)magnitude);
        return;
    }
    buffer_printf(csv, "%.12g", number);
}

static void append_flags(struct buffer *csv, uint32_t flags)
{
    bool any = false;
    for (unsigned bit = 0; flags >> bit != 0; bit++) {
        if (!(flags & 1u << bit) || reading_flag_name(bit) == NULL)
            continue;
        if (any)
            buffer_append_char(csv, ';');
        buffer_append_text(csv, reading_flag_name(bit));
        any = true;
    }
}

static void append_field(struct buffer *csv, const char *text)
{
    if (strpbrk(text, ",\"\r\n") != NULL)
        table_csv_field(text, csv);
    else
        buffer_append_text(csv, text);
    buffer_append_char(csv, ',');
}

static void append_reading(struct buffer *csv, const struct import_run *run,
                           const struct reading *reading)
{
    append_field(csv, run->file);
    append_unsigned(csv, run->number);
    buffer_append_char(csv, ',');
    append_field(csv, reading->algorithm);
    append_field(csv, reading->operation);
    if (reading->size_bytes >= 0)
        append_unsigned(csv, (uint64_t)reading->size_bytes);
    buffer_append_char(csv, ',');
    append_field(csv, reading->variant);
    append_field(csv, reading_metric_name(reading->metric));
    append_number(csv, reading->printed);
    buffer_append_char(csv, ',');
    append_number(csv, reading->value);
    buffer_append_char(csv, ',');
    append_field(csv, cell_status_name(reading->status));
    append_flags(csv, reading->flags);
    buffer_append_char(csv, ',');
    append_unsigned(csv, reading->line);
    buffer_append(csv, "\r\n", 2);
}

bool import_flush_csv(struct buffer *csv, struct error *error)
{
    if (csv->failed)
        return error_set(error, ERROR_MEMORY, "memory ran out");
    if (csv->length > 0 && fwrite(csv->data, 1, csv->length, stdout) != csv->length)
        return error_set_errno(error, errno, "standard output cannot be written");
    buffer_clear(csv);
    return true;
}

bool import_print_csv(const struct import_run *run, struct buffer *csv, struct error *error)
{
    for (size_t i = 0; i < run->reading_count; i++) {
        append_reading(csv, run, &run->readings[i]);
        if (csv->length > IMPORT_CSV_BYTES / 2 && !import_flush_csv(csv, error))
            return false;
    }
    return !csv->failed || error_set(error, ERROR_MEMORY, "memory ran out");
}

/* --- summary ------------------------------------------------------------------------------- */

void import_print_summary(const struct import_run *run)
{
    size_t counts[CELL_UNKNOWN + 1] = {0};
    for (size_t i = 0; i < run->reading_count; i++)
        counts[run->readings[i].status]++;
    char text[512];
    int length =
        snprintf(text, sizeof text, "%s: run %u: %s%s%s, lines %" PRIu32 "-%" PRIu32 ", %zu cells",
                 run->file, run->number, run->tool, run->facts.version[0] != '\0' ? " " : "",
                 run->facts.version, run->first_line, run->last_line, run->reading_count);
    for (int status = CELL_SALVAGED; status <= CELL_UNKNOWN && length > 0; status++) {
        if (counts[status] > 0 && (size_t)length < sizeof text)
            length += snprintf(text + length, sizeof text - (size_t)length, ", %zu %s",
                               counts[status], cell_status_name((enum cell_status)status));
    }
    for (char *at = text; *at != '\0'; at++) {
        if ((unsigned char)*at < 32 || *at == 127)
            *at = '?';
    }
    fprintf(stderr, "%s\n", text);
}

/* --- table --------------------------------------------------------------------------------- */

struct import_table {
    struct table table;
    struct buffer scratch;
};

static const struct table_column COLUMNS[] = {
    {.title = "algorithm", .key = true},
    {.title = "operation", .key = true},
    {.title = "size", .right = true},
    {.title = "variant"},
    {.title = "printed", .right = true},
    {.title = "value", .right = true},
    {.title = "status"},
    {.title = "flags", .flexible = true},
    {.title = "line", .right = true},
};

struct import_table *import_table_new(void)
{
    struct import_table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return NULL;
    table_init(&table->table, COLUMNS, COUNT_OF(COLUMNS));
    buffer_init(&table->scratch, 4096);
    return table;
}

void import_table_free(struct import_table *table)
{
    if (table == NULL)
        return;
    table_free(&table->table);
    buffer_free(&table->scratch);
    free(table);
}

void import_format_value(enum reading_metric metric, double value, struct buffer *out)
{
    if (isnan(value)) {
        buffer_append_text(out, "-");
        return;
    }
    if (!isfinite(value)) {
        buffer_append_text(out, value > 0 ? "inf" : "-inf");
        return;
    }
    switch (metric) {
    case METRIC_BYTES_PER_S:
        text_format_bytes_per_s(value, out);
        break;
    case METRIC_SECONDS:
        text_format_ns(value * 1e9, out);
        break;
    case METRIC_CYCLES_PER_BYTE:
        buffer_printf(out, "%.4g c/B", value);
        break;
    case METRIC_MARKS:
        buffer_printf(out, "%.6g marks", value);
        break;
    default:
        text_format_per_s(value, out);
    }
}

static void set_value(struct import_table *table, size_t column, enum reading_metric metric,
                      double value, enum table_mark mark)
{
    buffer_clear(&table->scratch);
    import_format_value(metric, value, &table->scratch);
    table_set(&table->table, column, buffer_text(&table->scratch), NULL, mark);
}

static void add_reading(struct import_table *table, const struct reading *reading)
{
    enum table_mark mark = reading->status == CELL_OK ? MARK_NONE : MARK_WARN;
    table_row(&table->table);
    table_set(&table->table, 0, reading->algorithm, NULL, MARK_NONE);
    table_set(&table->table, 1, reading->operation, NULL, MARK_NONE);
    buffer_clear(&table->scratch);
    if (reading->size_bytes >= 0)
        append_unsigned(&table->scratch, (uint64_t)reading->size_bytes);
    table_set(&table->table, 2, buffer_text(&table->scratch), NULL, MARK_NONE);
    table_set(&table->table, 3, reading->variant, NULL, MARK_NONE);
    set_value(table, 4, reading->metric, reading->printed, MARK_DIM);
    set_value(table, 5, reading->metric, reading->value, mark);
    table_set(&table->table, 6, cell_status_name(reading->status), NULL, mark);
    buffer_clear(&table->scratch);
    append_flags(&table->scratch, reading->flags);
    table_set(&table->table, 7, buffer_text(&table->scratch), NULL, MARK_NONE);
    buffer_clear(&table->scratch);
    append_unsigned(&table->scratch, reading->line);
    table_set(&table->table, 8, buffer_text(&table->scratch), NULL, MARK_DIM);
}

bool import_table_add(struct import_table *table, const struct import_run *run, struct error *error)
{
    buffer_clear(&table->scratch);
    buffer_printf(&table->scratch, "%s, run %u: %s%s%s", run->file, run->number, run->tool,
                  run->facts.version[0] != '\0' ? " " : "", run->facts.version);
    table_heading(&table->table, buffer_text(&table->scratch));
    for (size_t i = 0; i < run->reading_count; i++)
        add_reading(table, &run->readings[i]);
    return !table->table.failed || error_set(error, ERROR_MEMORY, "memory ran out");
}

bool import_table_print(struct import_table *table, bool markdown, struct error *error)
{
    struct table_style style = output_style(false, markdown);
    struct buffer text;
    buffer_init(&text, SIZE_MAX / 2);
    bool done = table_render(&table->table, &style, &text, error);
    if (done)
        output_buffer(&text);
    buffer_free(&text);
    return done;
}

/* --- texts --------------------------------------------------------------------------------- */

const char *import_known_tools(void)
{
    static char text[512];
    size_t count, length = 0;
    const struct import_format *formats = import_formats(&count);
    for (size_t i = 0; i < count && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? ", " : "",
                                   formats[i].name);
    return text;
}

const char *import_finding_advice(enum finding_kind kind)
{
    switch (kind) {
    case FINDING_ENGINE_FAILED:
        return "check that the kernel module and the engine are there, and run it again";
    case FINDING_OPERATION_ERROR:
        return "do not use the figures of this operation";
    case FINDING_UNREAD:
    case FINDING_CUT:
        return "look at this line of the log";
    case FINDING_KERNEL:
        return "the machine was not sound during this run: run it again";
    default:
        return "";
    }
}
