#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/output.h"
#include "core/text.h"
#include "record/reader.h"
#include "report/result_table.h"

struct show_settings {
    struct text_list algorithms, libraries;
    bool csv, markdown, quiet;
};

/* While reading: the tables that grow, and what was left out. */
struct reading {
    const struct show_settings *settings;
    struct result_table *table;
    uint64_t cells;
};

static bool matches(const struct text_list *globs, const char *text)
{
    if (!globs->given)
        return true;
    for (size_t i = 0; text != NULL && i < globs->count; i++)
        if (text_glob(globs->items[i], text))
            return true;
    return false;
}

static bool on_run(void *context, const struct run *run, struct error *error)
{
    struct reading *reading = context;
    return result_table_add_run(reading->table, run, error);
}

static bool on_cell(void *context, const struct cell *cell, struct error *error)
{
    struct reading *reading = context;
    char scratch[32];
    reading->cells++;
    if (!matches(&reading->settings->algorithms,
                 attributes_text(&cell->subject, "algorithm", scratch)) ||
        !matches(&reading->settings->libraries,
                 attributes_text(&cell->implementation, "library", scratch)))
        return true;
    return result_table_add(reading->table, cell, error);
}

static bool read_file(struct reading *reading, const char *path, struct error *error)
{
    struct record_handlers handlers = {.context = reading, .run = on_run, .cell = on_cell};
    struct record_read_result result;
    if (!record_read_file(path, &handlers, &result, error))
        return false;
    if (result.torn > 0)
        output_warning("show", "%s: torn lines, left out: %" PRIu64, path, result.torn);
    return true;
}

static bool print_tables(struct reading *reading, struct error *error)
{
    const struct show_settings *settings = reading->settings;
    if (reading->cells == 0)
        return error_set(error, ERROR_INPUT, "no measurement in these files");
    if (result_table_cells(reading->table) == 0)
        return error_set(error, ERROR_INPUT, "none of the %" PRIu64 " cells is selected",
                         reading->cells);
    struct table_style style = output_style(settings->csv, settings->markdown);
    return output_tables(reading->table, &style, settings->quiet, error);
}

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    const struct show_settings *show = settings;
    if (show->csv && show->markdown)
        return output_error("show", "--csv and --markdown exclude each other", EXIT_WRONG_USE);
    struct reading reading = {.settings = show, .table = result_table_new()};
    struct error error;
    bool done = reading.table != NULL || error_set(&error, ERROR_MEMORY, "memory ran out");
    for (size_t i = 0; done && i < operand_count; i++)
        done = read_file(&reading, operands[i], &error);
    done = done && print_tables(&reading, &error);
    result_table_free(reading.table);
    return done ? EXIT_DONE : output_error("show", error.text, EXIT_NOT_MEASURED);
}

static const struct option options[] = {
    {.name = "algorithm",
     .kind = OPTION_LIST,
     .offset = offsetof(struct show_settings, algorithms),
     .argument = "GLOB,...",
     .help = "Show these algorithms only."},
    {.name = "library",
     .kind = OPTION_LIST,
     .offset = offsetof(struct show_settings, libraries),
     .argument = "GLOB,...",
     .help = "Show these libraries only."},
    OPTION_CSV(struct show_settings, csv),
    OPTION_MARKDOWN(struct show_settings, markdown),
    OPTION_QUIET(struct show_settings, quiet),
};

static const char *const examples[] = {
    "tlsmeter show result.jsonl",
    "Print the tables of a measurement.",
    "tlsmeter show --algorithm 'aes-*-gcm,chacha20-poly1305' gateway.jsonl ecu.jsonl",
    "Compare the ciphers of TLS 1.3 on two machines.",
    "tlsmeter show --csv result.jsonl > result.csv",
    "Take every cell to a spreadsheet.",
    NULL,
};

const struct command command_show = {
    .name = "show",
    .summary = "print tables from record files",
    .operands = "FILE...",
    .minimum_operands = 1,
    .maximum_operands = SIZE_MAX,
    .description =
        "Prints the records of one or more files as tables: a line for each implementation, sizes "
        "as columns, rates of wall time with the half of their 95 % interval. The best of each "
        "column is marked. A flagged figure carries a number that leads to its meaning and advice "
        "below, and is never ranked. \"-\" reads standard input.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct show_settings),
    .run = run,
};
