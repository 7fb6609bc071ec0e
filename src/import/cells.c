/* Readings as records. */
#include <math.h>

#include "import/import.h"

static void fill_source(const struct import_run *run, const struct reading *reading,
                        struct cell *cell)
{
    cell_set_text(cell, &cell->source, "tool", run->tool);
    cell_set_text(cell, &cell->source, "file", run->file);
    cell_set_integer(cell, &cell->source, "run", (int64_t)run->number);
    cell_set_integer(cell, &cell->source, "line", (int64_t)reading->line);
    cell_set_text(cell, &cell->source, "label", reading->label);
    if (reading->count_line != 0)
        cell_set_integer(cell, &cell->source, "count_line", (int64_t)reading->count_line);
    if (isfinite(reading->count))
        cell_set_real(cell, &cell->source, "count", reading->count);
    if (isfinite(reading->counted_s))
        cell_set_real(cell, &cell->source, "counted_s", reading->counted_s);
    if (isfinite(reading->nominal_s))
        cell_set_real(cell, &cell->source, "nominal_s", reading->nominal_s);
}

static void fill_implementation(const struct import_run *run, const char *platform,
                                struct cell *cell)
{
    const struct run_facts *facts = &run->facts;
    cell_set_text(cell, &cell->implementation, "library", run->tool);
    if (facts->version[0] != '\0')
        cell_set_text(cell, &cell->implementation, "version", facts->version);
    if (facts->engine[0] != '\0')
        cell_set_text(cell, &cell->implementation,
                      facts->engine_is_provider ? "provider" : "engine", facts->engine);
    if (facts->cpu_info[0] != '\0')
        cell_set_text(cell, &cell->implementation, "cpu_features", facts->cpu_info);
    cell_set_text(cell, &cell->implementation, "platform", platform);
}

static void fill_metric(const struct reading *reading, struct cell *cell)
{
    struct metric *metric = cell_metric(cell, reading_metric_name(reading->metric));
    if (metric == NULL)
        return;
    metric->median = reading->value;
    metric->printed = reading->printed;
}

void import_fill_cell(const struct import_run *run, const struct reading *reading,
                      const char *run_id, const char *platform, struct cell *cell)
{
    cell_copy_text(cell, &cell->run, run_id);
    cell_copy_text(cell, &cell->instrument, "import");
    cell->status = reading->status;
    cell_set_text(cell, &cell->subject, "algorithm", reading->algorithm);
    cell_set_text(cell, &cell->subject, "operation", reading->operation);
    if (reading->size_bytes >= 0)
        cell_set_integer(cell, &cell->subject, "size_bytes", reading->size_bytes);
    if (reading->variant[0] != '\0')
        cell_set_text(cell, &cell->subject, "variant", reading->variant);
    fill_implementation(run, platform, cell);
    fill_metric(reading, cell);
    for (unsigned bit = 0; reading_flag_name(bit) != NULL; bit++) {
        if (reading->flags & 1u << bit)
            cell_flag(cell, reading_flag_name(bit));
    }
    fill_source(run, reading, cell);
}

void import_fill_run(const struct import_run *run, const char *platform, struct run *record)
{
    const struct run_facts *facts = &run->facts;
    run_set_text(record, "platform", platform);
    run_set_text(record, "log.tool", run->tool);
    run_set_text(record, "log.file", run->file);
    run_set_integer(record, "log.run", (int64_t)run->number);
    const struct {
        const char *name, *text;
    } texts[] = {
        {"log.command", facts->command},   {"log.version", facts->version},
        {"log.built", facts->built},       {"log.options", facts->options},
        {"log.compiler", facts->compiler}, {"log.engine", facts->engine},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (texts[i].text[0] != '\0')
            run_set_text(record, texts[i].name, texts[i].text);
    }
    if (isfinite(facts->cpu_percent))
        run_set_real(record, "log.cpu_percent", facts->cpu_percent);
    if (isfinite(facts->clock_hz))
        run_set_real(record, "log.clock_hz", facts->clock_hz);
    if (facts->workers > 0)
        run_set_integer(record, "log.workers", (int64_t)facts->workers);
    run_set_boolean(record, "log.elapsed", facts->elapsed);
}
