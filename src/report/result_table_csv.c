#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/result_table_internal.h"

static const char header[] =
    "instrument,algorithm,operation,mode,detail,size_bytes,threads,library,version,variant,status,"
    "metric,value,ci95_low,ci95_high,p99,bytes_per_s,operations_per_s,flags,reason,machine\r\n";

static void put_text(const char *text, struct buffer *out)
{
    if (text != NULL)
        table_csv_field(text, out);
    buffer_append_char(out, ',');
}

/* Nothing for NaN; else as many digits as tell doubles of measured things apart. */
static void put_number(double value, struct buffer *out)
{
    if (isfinite(value))
        buffer_printf(out, "%.10g", value);
    buffer_append_char(out, ',');
}

/* "provider=default;interface=evp" */
static void put_variant(const char *variant, struct buffer *scratch, struct buffer *out)
{
    buffer_clear(scratch);
    for (; variant != NULL && *variant != '\0'; variant++) {
        bool is_last = *variant == VARIANT_END && variant[1] == '\0';
        if (!is_last)
            buffer_append_char(scratch, *variant == VARIANT_IS    ? '='
                                        : *variant == VARIANT_END ? ';'
                                                                  : *variant);
    }
    put_text(buffer_text(scratch), out);
}

static void put_result(const struct result_table *table, const struct result *result,
                       struct buffer *scratch, struct buffer *out)
{
    put_text(result->instrument, out);
    put_text(result->algorithm, out);
    put_text(result->operation, out);
    put_text(result->mode, out);
    put_text(result->detail, out);
    if (result->size_bytes > 0)
        buffer_printf(out, "%" PRIu64, result->size_bytes);
    buffer_printf(out, ",%" PRIu32 ",", result->threads);
    put_text(result->library, out);
    put_text(result->version, out);
    put_variant(result->variant, scratch, out);
    put_text(cell_status_name(result->status), out);
    put_text(result->metric, out);
    put_number(result->value, out);
    put_number(result->low, out);
    put_number(result->high, out);
    put_number(result->p99, out);
    put_number(result->bytes_per_s, out);
    put_number(result->operations_per_s, out);
    put_text(result->flags, out);
    put_text(result->reason, out);
    table_csv_field(table->machines[result->machine].summary, out);
    buffer_append_text(out, "\r\n");
}

void result_table_csv(const struct result_table *table, struct buffer *out)
{
    struct buffer scratch;
    buffer_init(&scratch, out->maximum);
    buffer_append_text(out, header);
    for (size_t i = 0; i < table->count; i++)
        put_result(table, &table->results[i], &scratch, out);
    buffer_free(&scratch);
}
