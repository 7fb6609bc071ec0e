#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/machine_run.h"
#include "cli/output.h"
#include "core/terminal.h"
#include "core/text.h"
#include "measure/machine.h"
#include "record/writer.h"

struct machine_settings {
    const char *output;
    bool csv, markdown, quiet;
};

enum { OUTPUT_BYTES = 1 << 20, TEXT_COLUMNS = 2 };

enum form { AS_IT_IS, AS_SIZE, AS_MHZ, AS_PERCENT, AS_CELSIUS };

/* How facts are shown to people: in this order, under these headings; what is not named here comes
 * last under its own name. */
static const struct shown {
    const char *heading; /* of the group that begins here */
    const char *fact, *label;
    enum form form;
} shown[] = {
    {"Processor", "cpu.model", "model", AS_IT_IS},
    {NULL, "cpu.architecture", "architecture", AS_IT_IS},
    {NULL, "cpu.online", "CPUs online", AS_IT_IS},
    {NULL, "cpu.cores", "cores", AS_IT_IS},
    {NULL, "cpu.clusters", "kinds of cores", AS_IT_IS},
    {NULL, "cpu.unequal_cores", "unequal cores", AS_IT_IS},
    {NULL, "cpu.features", "crypto features", AS_IT_IS},
    {NULL, "counters.cycles", "counters", AS_IT_IS},
    {"Pace", "cpu.governor", "governor", AS_IT_IS},
    {NULL, "cpu.frequency_driver", "frequency driver", AS_IT_IS},
    {NULL, "cpu.energy_preference", "energy preference", AS_IT_IS},
    {NULL, "cpu.frequency_mhz", "frequency now", AS_MHZ},
    {NULL, "cpu.frequency_max_mhz", "frequency maximum", AS_MHZ},
    {NULL, "cpu.frequency_limit_mhz", "frequency limit", AS_MHZ},
    {NULL, "cpu.boost", "boost", AS_IT_IS},
    {NULL, "throttling.events", "throttling events", AS_IT_IS},
    {NULL, "throttling.board", "throttling", AS_IT_IS},
    {NULL, "throttling.cooling_level", "cooling level", AS_IT_IS},
    {NULL, "thermal.hottest_celsius", "hottest sensor", AS_CELSIUS},
    {NULL, "load.average_1min", "load, 1 minute", AS_IT_IS},
    {NULL, "load.steal_percent", "steal since boot", AS_PERCENT},
    {NULL, "cpu.quota_percent", "CPU quota", AS_PERCENT},
    {NULL, "power.mains", "on mains", AS_IT_IS},
    {"System", "board.model", "board", AS_IT_IS},
    {NULL, "os.name", "system", AS_IT_IS},
    {NULL, "kernel", "kernel", AS_IT_IS},
    {NULL, "clock.source", "clock source", AS_IT_IS},
    {NULL, "memory.total_bytes", "memory", AS_SIZE},
    {NULL, "memory.available_bytes", "memory available", AS_SIZE},
    {NULL, "virtualisation", "virtualisation", AS_IT_IS},
    {NULL, "container", "container", AS_IT_IS},
    {"Kernel crypto", "kernel_crypto.driver_count", "drivers", AS_IT_IS},
    {NULL, "kernel_crypto.drivers", "preferred", AS_IT_IS},
    {NULL, "kernel_crypto.accelerators", "accelerators", AS_IT_IS},
    {NULL, "kernel_crypto.af_alg", "AF_ALG", AS_IT_IS},
    {NULL, "kernel_crypto.dev_crypto", "/dev/crypto", AS_IT_IS},
    {"tlsmeter", "build.compiler", "compiler", AS_IT_IS},
    {NULL, "build.flags", "flags", AS_IT_IS},
    {NULL, "identity", NULL, AS_IT_IS},
};

static const struct table_column columns[] = {
    {.title = "fact", .key = true},
    {.title = "value", .flexible = true},
    {.title = "unavailable because", .flexible = true},
};

static void put_value(const struct machine_fact *fact, enum form form, struct buffer *out)
{
    if (fact->kind == FACT_TEXT)
        buffer_append_text(out, fact->text);
    else if (fact->kind == FACT_BOOLEAN)
        buffer_append_text(out, fact->boolean ? "yes" : "no");
    else if (form == AS_SIZE)
        buffer_printf(out, "%.1f GiB", (double)fact->integer / 1073741824.0);
    else if (form == AS_MHZ)
        buffer_printf(out, "%.0f MHz", fact->real);
    else if (form == AS_PERCENT)
        buffer_printf(out, "%.2f %%", fact->real);
    else if (form == AS_CELSIUS)
        buffer_printf(out, "%.1f °C", fact->real);
    else if (fact->kind == FACT_INTEGER)
        buffer_printf(out, "%" PRId64, fact->integer);
    else
        buffer_printf(out, "%.4g", fact->real);
}

/* For people: label and text. */
static void add_row(struct table *table, const char *label, const struct machine_fact *fact,
                    enum form form)
{
    struct buffer value;
    buffer_init(&value, OUTPUT_BYTES);
    table_row(table);
    table_set(table, 0, label, NULL, MARK_DIM);
    if (fact->unavailable != NULL)
        buffer_printf(&value, "unavailable: %s", fact->unavailable);
    else
        put_value(fact, form, &value);
    table_span(table, 1, buffer_text(&value), fact->unavailable != NULL ? MARK_DIM : MARK_NONE);
    buffer_free(&value);
}

static const struct shown *find_shown(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(shown); i++)
        if (strcmp(shown[i].fact, name) == 0)
            return &shown[i];
    return NULL;
}

static void add_facts(struct table *table, const struct machine *machine)
{
    for (size_t i = 0; i < COUNT_OF(shown); i++) {
        const struct machine_fact *fact = machine_find(machine, shown[i].fact);
        if (shown[i].heading != NULL)
            table_heading(table, shown[i].heading);
        if (fact != NULL && shown[i].label != NULL)
            add_row(table, shown[i].label, fact, shown[i].form);
    }
    for (const struct machine_fact *fact = machine->facts; fact != NULL; fact = fact->next)
        if (find_shown(fact->name) == NULL)
            add_row(table, fact->name, fact, AS_IT_IS);
}

static void add_libraries(struct table *table, const struct run *run)
{
    static const char prefix[] = "library.";
    static const char missing[] = "unavailable.library.";
    const struct attribute *next = run->machine.first;
    for (; next != NULL; next = next->next) {
        struct machine_fact fact = {.kind = FACT_TEXT};
        const char *name;
        if (next->kind != VALUE_TEXT)
            continue;
        if (strncmp(next->name, prefix, sizeof prefix - 1) == 0) {
            name = next->name + sizeof prefix - 1;
            fact.text = next->value.text;
        } else if (strncmp(next->name, missing, sizeof missing - 1) == 0) {
            name = next->name + sizeof missing - 1;
            fact.unavailable = next->value.text;
        } else {
            continue;
        }
        add_row(table, name, &fact, AS_IT_IS);
    }
}

/* For programs: every fact under the name it has in records, the plain value. */
static void add_plain(struct table *table, const struct attributes *facts)
{
    static const char missing[] = "unavailable.";
    char scratch[32];
    for (const struct attribute *next = facts->first; next != NULL; next = next->next) {
        bool unavailable = strncmp(next->name, missing, sizeof missing - 1) == 0;
        table_row(table);
        table_set(table, 0, unavailable ? next->name + sizeof missing - 1 : next->name, NULL,
                  MARK_NONE);
        table_set(table, unavailable ? 2 : 1, attributes_text(facts, next->name, scratch), NULL,
                  MARK_NONE);
    }
}

static void add_advice(struct table *table, const struct machine *machine)
{
    for (const struct machine_advice *next = machine->advice; next != NULL; next = next->next) {
        table_row(table);
        table_set(table, 0, next->warning ? "warning" : "note", NULL,
                  next->warning ? MARK_WARN : MARK_DIM);
        table_span(table, 1, next->finding, next->warning ? MARK_WARN : MARK_NONE);
        table_row(table);
        table_span(table, 1, next->advice, MARK_NONE);
    }
    if (machine->advice != NULL)
        return;
    table_row(table);
    table_set(table, 0, "ready", NULL, MARK_BEST);
    table_span(table, 1, "Nothing here stands in the way of true figures.", MARK_NONE);
}

static bool print_machine(const struct machine_settings *settings, const struct machine *machine,
                          const struct run *run, struct error *error)
{
    struct table_style style = output_style(settings->csv, settings->markdown);
    struct table table;
    struct buffer text;
    buffer_init(&text, OUTPUT_BYTES);
    table_init(&table, columns, style.format == TABLE_TEXT ? TEXT_COLUMNS : COUNT_OF(columns));
    if (style.format == TABLE_TEXT) {
        add_facts(&table, machine);
        add_libraries(&table, run);
        if (!settings->quiet) {
            table_heading(&table, "Advice");
            add_advice(&table, machine);
        }
    } else {
        add_plain(&table, &run->machine);
    }
    bool done = table_render(&table, &style, &text, error);
    if (done)
        output_buffer(&text);
    table_free(&table);
    buffer_free(&text);
    return done;
}

static bool write_run(const char *path, const struct machine *machine, const struct run *run,
                      struct error *error)
{
    struct record_writer writer;
    struct error ignored;
    if (!record_writer_open(&writer, path, error))
        return false;
    bool done = record_write_run(&writer, run, error);
    for (const struct machine_advice *next = machine->advice; done && next != NULL;
         next = next->next)
        done = record_write_note(&writer, run->id, NULL, next->finding, next->advice, error);
    return record_writer_close(&writer, done ? error : &ignored) && done;
}

static int run_machine(const void *settings_pointer, const char *const *operands,
                       size_t operand_count)
{
    (void)operands;
    (void)operand_count;
    const struct machine_settings *settings = settings_pointer;
    const char *const command_line[] = {"tlsmeter", "machine", "--output", settings->output};
    struct machine machine;
    struct run run;
    struct error error;
    if (settings->csv && settings->markdown)
        return output_error("machine", "--csv and --markdown exclude each other", EXIT_WRONG_USE);
    machine_probe(&machine, machine_view_real());
    run_init(&run, settings->output == NULL ? 2 : 4, command_line);
    machine_into_run(&machine, &run);
    libraries_into_run(&run);
    bool done = !machine.failed || error_set(&error, ERROR_MEMORY, "memory ran out");
    if (done && settings->output != NULL)
        done = write_run(settings->output, &machine, &run, &error);
    done = done && print_machine(settings, &machine, &run, &error);
    run_free(&run);
    machine_free(&machine);
    return done ? EXIT_DONE : output_error("machine", error.text, EXIT_NOT_MEASURED);
}

static const struct option options[] = {
    OPTION_OUTPUT(struct machine_settings, output),
    OPTION_CSV(struct machine_settings, csv),
    OPTION_MARKDOWN(struct machine_settings, markdown),
    OPTION_QUIET(struct machine_settings, quiet),
};

static const char *const examples[] = {
    "tlsmeter machine",
    "See whether this machine is fit for measuring, and what to change.",
    "tlsmeter machine --output gateway.jsonl",
    "Keep the description beside the measurements of this machine.",
    NULL,
};

const struct command command_machine = {
    .name = "machine",
    .summary = "describe this machine, with advice for measuring",
    .description =
        "Prints what bears on figures measured here: processor and crypto features, clusters of "
        "unequal cores, governor, frequency, throttling, load, virtualisation, the kernel's crypto "
        "drivers and interfaces, compiler, libraries; and advice. What cannot be known says why. "
        "Nothing printed names the machine or its owner.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct machine_settings),
    .run = run_machine,
};
