#include "import/import.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/import_text.h"
#include "cli/output.h"
#include "record/writer.h"

struct import_settings {
    const char *output, *platform;
    bool csv, markdown, quiet;
};

/* What is done with each run. */
struct importing {
    const struct import_settings *settings;
    struct record_writer writer;
    struct cell cell;
    struct buffer csv;
    struct import_table *table; /* NULL: nothing is shown */
    uint64_t unaccounted, bytes, readings;
    bool writes;
};

static bool write_records(struct importing *importing, const struct import_run *run,
                          struct error *error)
{
    static const char *const arguments[] = {"tlsmeter", "import"};
    struct run record;
    run_init(&record, (int)COUNT_OF(arguments), arguments);
    import_fill_run(run, importing->settings->platform, &record);
    bool done = record_write_run(&importing->writer, &record, error);
    for (size_t i = 0; done && i < run->reading_count; i++) {
        cell_clear(&importing->cell);
        import_fill_cell(run, &run->readings[i], record.id, importing->settings->platform,
                         &importing->cell);
        done = record_write_cell(&importing->writer, &importing->cell, error);
    }
    for (size_t i = 0; done && i < run->finding_count; i++)
        done = record_write_note(&importing->writer, record.id, NULL, run->findings[i].text,
                                 import_finding_advice(run->findings[i].kind), error);
    run_free(&record);
    return done;
}

static bool on_run(void *context, const struct import_run *run, struct error *error)
{
    struct importing *importing = context;
    if (!importing->settings->quiet)
        import_print_summary(run);
    if (importing->settings->csv)
        return import_print_csv(run, &importing->csv, error);
    if (importing->writes && !write_records(importing, run, error))
        return false;
    return importing->table == NULL || import_table_add(importing->table, run, error);
}

static bool read_one(struct importing *importing, const char *path, struct error *error)
{
    struct import_sink sink = {.context = importing, .run = on_run};
    struct import_result result;
    if (!import_file(path, &sink, &result, error))
        return false;
    importing->unaccounted += result.unaccounted;
    importing->readings += result.readings;
    if (result.runs == 0) {
        output_warning("import", "%s: no measurement of a known tool in it; known are %s", path,
                       import_known_tools());
        importing->unaccounted++;
    }
    return true;
}

static bool read_all(struct importing *importing, const char *const *operands, size_t count,
                     struct error *error)
{
    static const char *const standard_input[] = {"-"};
    if (count == 0) {
        operands = standard_input;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_one(importing, operands[i], error))
            return false;
    }
    return !importing->settings->csv || import_flush_csv(&importing->csv, error);
}

static bool open_outputs(struct importing *importing, struct error *error)
{
    const struct import_settings *settings = importing->settings;
    cell_init(&importing->cell);
    buffer_init(&importing->csv, IMPORT_CSV_BYTES);
    if (settings->csv)
        import_csv_header(&importing->csv);
    if (settings->output != NULL) {
        importing->writes = record_writer_open(&importing->writer, settings->output, error);
        return importing->writes;
    }
    if (!settings->csv) {
        importing->table = import_table_new();
        return importing->table != NULL || error_set(error, ERROR_MEMORY, "memory ran out");
    }
    return true;
}

static bool close_outputs(struct importing *importing, bool done, struct error *error)
{
    if (done && importing->table != NULL && importing->readings > 0)
        done = import_table_print(importing->table, importing->settings->markdown, error);
    if (importing->writes) {
        struct error second;
        bool closed = record_writer_close(&importing->writer, done ? error : &second);
        done = done && closed;
    }
    import_table_free(importing->table);
    buffer_free(&importing->csv);
    cell_free(&importing->cell);
    return done;
}

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    struct importing importing = {.settings = settings};
    struct error error = {0};
    const struct import_settings *asked = settings;
    if (asked->csv && (asked->markdown || asked->output != NULL))
        return output_error("import", "--csv goes with neither --markdown nor --output",
                            EXIT_WRONG_USE);
    bool done =
        open_outputs(&importing, &error) && read_all(&importing, operands, operand_count, &error);
    done = close_outputs(&importing, done, &error);
    if (!done)
        return output_error("import", error.text, EXIT_NOT_MEASURED);
    return importing.unaccounted > 0 ? EXIT_NOT_MEASURED : EXIT_DONE;
}

static const struct option options[] = {
    OPTION_OUTPUT(struct import_settings, output),
    {.name = "platform",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct import_settings, platform),
     .argument = "NAME",
     .help = "Label the records with the machine they were measured on."},
    OPTION_CSV(struct import_settings, csv),
    OPTION_MARKDOWN(struct import_settings, markdown),
    OPTION_QUIET(struct import_settings, quiet),
};

static const char *const examples[] = {
    "tlsmeter import --csv speed.log",
    "Every number of a log in base units, with its status and line.",
    "tlsmeter import --platform gateway-a --output boards.jsonl gateway-a.log",
    "Put a log beside measurements of our own, to compare them.",
    "openssl speed -elapsed -evp aes-128-gcm 2>&1 | tlsmeter import",
    "Read what a tool is printing.",
    NULL,
};

const struct command command_import = {
    .name = "import",
    .summary = "read the logs of other benchmarks",
    .operands = "[FILE...]",
    .minimum_operands = 0,
    .maximum_operands = SIZE_MAX,
    .description =
        "Reads what openssl speed, s_time, wolfCrypt and Mbed TLS benchmark, cryptsetup benchmark, "
        "kcapi-speed, SecureMark-TLS and curl -w printed, also when mail, forums or loggers "
        "damaged "
        "it, and prints it as a table, as CSV or, with --output, as records. The tool is "
        "recognised "
        "by what it prints. A figure that is wrong is recomputed from the counts where the log "
        "holds them, and flagged; one that cannot be given a meaning has no value. Without a file, "
        "or with \"-\", standard input is read.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct import_settings),
    .run = run,
};
