#include "cli/check_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/import_text.h"
#include "core/text.h"
#include "core/utf8.h"

enum { SHOWN_FIGURES = 24 };

/* --- text in paragraphs -------------------------------------------------------------------- */

static size_t text_width(const struct table_style *style)
{
    size_t width = style->width == 0 ? 80 : style->width;
    return width > 100 ? 100 : width;
}

/* `lead` and then the text, wrapped below itself. Log lines may hold any bytes: they are cleaned.
 */
static void append_paragraph(struct buffer *out, const struct table_style *style, const char *lead,
                             const char *text, size_t indent)
{
    struct buffer clean;
    buffer_init(&clean, 16384);
    buffer_append_text(&clean, text);
    if (clean.length > 0 && !clean.failed)
        utf8_clean(clean.data);
    buffer_append_text(out, lead);
    utf8_wrap(buffer_text(&clean), strlen(lead), indent, text_width(style), out);
    buffer_free(&clean);
}

/* --- one run ------------------------------------------------------------------------------- */

static void append_verdict(struct buffer *out, const struct table_style *style,
                           enum verdict verdict)
{
    static const char *const COLOURS[] = {"\033[1;32m", "\033[1;33m", "\033[1;31m"};
    buffer_append_text(out, "  verdict: ");
    if (style->colour)
        buffer_append_text(out, COLOURS[verdict]);
    buffer_append_text(out, verdict_name(verdict));
    if (style->colour)
        buffer_append_text(out, "\033[0m");
    buffer_append_char(out, '\n');
}

/* "lines 5, 6, 7, ... (10 in all)" */
static void append_lines(struct buffer *text, const struct verdict_reason *reason)
{
    if (reason->line_count == 0)
        return;
    buffer_append_text(text, reason->line_count == 1 ? " (line " : " (lines ");
    for (unsigned i = 0; i < reason->line_count; i++)
        buffer_printf(text, "%s%" PRIu32, i > 0 ? ", " : "", reason->lines[i]);
    if (reason->count > reason->line_count)
        buffer_printf(text, "%s; %zu in all", reason->line_count == REASON_LINES ? ", ..." : "",
                      reason->count);
    buffer_append_char(text, ')');
}

static void append_reasons(struct buffer *out, const struct table_style *style,
                           const struct verdict_report *report, bool quiet)
{
    struct buffer text;
    buffer_init(&text, 8192);
    for (unsigned i = 0; i < report->reason_count; i++) {
        const struct verdict_reason *reason = &report->reasons[i];
        if (quiet && reason->weight == VERDICT_TRUST)
            continue;
        buffer_clear(&text);
        buffer_printf(&text, "%s: %s", reason->name, reason->text);
        append_lines(&text, reason);
        append_paragraph(out, style, reason->weight == VERDICT_TRUST ? "  . " : "  - ",
                         buffer_text(&text), 4);
    }
    buffer_free(&text);
}

static const struct table_column FIGURES[] = {
    {.title = "", .key = true},
    {.title = "algorithm", .key = true},
    {.title = "operation", .flexible = true},
    {.title = "size", .right = true},
    {.title = "printed", .right = true},
    {.title = "true", .right = true},
    {.title = "printed/true", .right = true},
    {.title = "from"},
};

static void set_value(struct table *table, struct buffer *scratch, size_t column,
                      const struct reading *reading, double value, enum table_mark mark)
{
    buffer_clear(scratch);
    import_format_value(reading->metric, value, scratch);
    table_set(table, column, buffer_text(scratch), NULL, mark);
}

/* "110894 in 3 s" */
static void set_source(struct table *table, struct buffer *scratch, const struct reading *reading)
{
    buffer_clear(scratch);
    bool by_nominal =
        (reading->flags & (FLAG_CPU_TIME | FLAG_DURATION_OFF)) != 0 && !isnan(reading->nominal_s);
    if (!isnan(reading->count))
        buffer_printf(scratch, "%.0f in %.4g s", reading->count,
                      by_nominal ? reading->nominal_s : reading->counted_s);
    else
        buffer_append_text(scratch, reading->flags & FLAG_BELOW_RESOLUTION ? "seconds/op" : "sum");
    table_set(table, 7, buffer_text(scratch), NULL, MARK_DIM);
}

static void add_figure(struct table *table, struct buffer *scratch, const struct reading *reading)
{
    table_row(table);
    table_set(table, 0, "  ", NULL, MARK_NONE);
    table_set(table, 1, reading->algorithm, NULL, MARK_NONE);
    table_set(table, 2, reading->operation, NULL, MARK_NONE);
    buffer_clear(scratch);
    if (reading->size_bytes >= 0)
        text_format_size((uint64_t)reading->size_bytes, scratch);
    table_set(table, 3, buffer_text(scratch), NULL, MARK_NONE);
    set_value(table, scratch, 4, reading, reading->printed, MARK_WARN);
    set_value(table, scratch, 5, reading, reading->value, MARK_NONE);
    buffer_clear(scratch);
    double ratio = reading->printed / reading->value;
    if (isfinite(ratio))
        buffer_printf(scratch, ratio >= 10 ? "%.0f" : "%.2f", ratio);
    table_set(table, 6, buffer_text(scratch), NULL, MARK_NONE);
    set_source(table, scratch, reading);
}

static bool append_figures(const struct import_run *run, const struct table_style *style,
                           struct buffer *out, struct error *error)
{
    struct table table;
    struct buffer scratch;
    table_init(&table, FIGURES, COUNT_OF(FIGURES));
    buffer_init(&scratch, 4096);
    size_t shown = 0, recovered = 0;
    for (size_t i = 0; i < run->reading_count; i++) {
        if (run->readings[i].status != CELL_SALVAGED)
            continue;
        if (shown < SHOWN_FIGURES) {
            add_figure(&table, &scratch, &run->readings[i]);
            shown++;
        }
        recovered++;
    }
    buffer_append_text(out, "  true figures, from what the log counted:\n");
    bool done = table_render(&table, style, out, error);
    if (recovered > shown)
        buffer_printf(out, "    ... and %zu more: tlsmeter import --csv\n", recovered - shown);
    table_free(&table);
    buffer_free(&scratch);
    return done;
}

bool check_print_run(const struct import_run *run, const struct verdict_report *report,
                     const struct table_style *style, bool quiet, struct buffer *out,
                     struct error *error)
{
    struct buffer title;
    buffer_init(&title, 8192);
    buffer_printf(&title, "%s, run %u: %s%s%s, lines %" PRIu32 " to %" PRIu32 ", %zu figures",
                  run->file, run->number, run->tool, run->facts.version[0] != '\0' ? " " : "",
                  run->facts.version, run->first_line, run->last_line, run->reading_count);
    append_paragraph(out, style, "", buffer_text(&title), 2);
    buffer_free(&title);
    append_verdict(out, style, report->verdict);
    append_reasons(out, style, report, quiet);
    bool done = report->recovered == 0 || append_figures(run, style, out, error);
    if (report->instead[0] != '\0')
        append_paragraph(out, style, "  run instead: ", report->instead, 4);
    buffer_append_char(out, '\n');
    return done;
}

/* --- two logs ------------------------------------------------------------------------------ */

static const struct table_column SIZES[] = {
    {.title = "", .key = true},
    {.title = "size", .right = true, .key = true},
    {.title = "software", .right = true},
    {.title = "accelerated", .right = true},
    {.title = "speed-up", .right = true},
    {.title = "software MB/CPU s", .right = true},
    {.title = "accelerated MB/CPU s", .right = true},
};

static void set_number(struct table *table, size_t column, int decimals, double value)
{
    char text[48] = "-";
    if (isfinite(value))
        snprintf(text, sizeof text, "%.*f", decimals, value);
    table_set(table, column, text, NULL, MARK_NONE);
}

static void add_size(struct table *table, struct buffer *scratch, const struct versus_size *size)
{
    table_row(table);
    table_set(table, 0, "  ", NULL, MARK_NONE);
    buffer_clear(scratch);
    text_format_size(size->size_bytes, scratch);
    table_set(table, 1, buffer_text(scratch), NULL, MARK_NONE);
    buffer_clear(scratch);
    text_format_bytes_per_s(size->software, scratch);
    table_set(table, 2, buffer_text(scratch), NULL, MARK_NONE);
    buffer_clear(scratch);
    text_format_bytes_per_s(size->accelerated, scratch);
    table_set(table, 3, buffer_text(scratch), NULL, MARK_NONE);
    double ratio = size->accelerated / size->software;
    set_number(table, 4, ratio < 0.095 ? 4 : 2, ratio);
    set_number(table, 5, 1, size->software_mb_cpu_s);
    set_number(table, 6, 1, size->accelerated_mb_cpu_s);
}

static void append_crossover(struct buffer *out, const struct table_style *style,
                             const struct crossover *crossover)
{
    struct buffer text;
    buffer_init(&text, 4096);
    switch (crossover->kind) {
    case CROSSOVER_ALWAYS:
        buffer_append_text(&text, "it pays at every size measured.");
        break;
    case CROSSOVER_NEVER:
        buffer_append_text(&text, "it pays at no size measured: software is faster.");
        break;
    case CROSSOVER_EQUAL:
        buffer_append_text(&text, "both are the same at every size.");
        break;
    case CROSSOVER_ONCE:
    case CROSSOVER_SEVERAL:
        for (size_t i = 0; i < crossover->crossing_count && i < CROSSOVER_MOST_CROSSINGS; i++) {
            const struct crossing *crossing = &crossover->crossings[i];
            buffer_printf(
                &text, "%s%s from about %.0f bytes on (between %" PRIu64 " and %" PRIu64 ")",
                i > 0 ? "; " : "", crossing->to_candidate ? "it pays" : "software is faster",
                crossing->size_bytes, crossing->below_bytes, crossing->above_bytes);
        }
        buffer_append_char(&text, '.');
        break;
    default:
        buffer_append_text(&text, "no size in common.");
    }
    append_paragraph(out, style, "  crossover: ", buffer_text(&text), 4);
    buffer_free(&text);
}

static bool append_pair(const struct versus_pair *pair, const struct table_style *style,
                        struct buffer *out, struct error *error)
{
    struct table table;
    struct buffer scratch;
    table_init(&table, SIZES, COUNT_OF(SIZES));
    buffer_init(&scratch, 4096);
    for (size_t i = 0; i < pair->size_count; i++)
        add_size(&table, &scratch, &pair->sizes[i]);
    buffer_printf(out, "%s, %s\n", pair->algorithm, pair->operation);
    bool done = table_render(&table, style, out, error);
    table_free(&table);
    buffer_free(&scratch);
    append_crossover(out, style, &pair->crossover);
    return done;
}

bool check_print_versus(const struct versus *versus, const struct table_style *style,
                        struct buffer *out, struct error *error)
{
    static const char *const ANSWERS[] = {"yes", "no", "not certain"};
    struct buffer text;
    buffer_init(&text, 4096);
    buffer_printf(&text, "%s: %s.", ANSWERS[versus->answer], versus->why);
    append_paragraph(out, style, "Is the hardware used? ", buffer_text(&text), 2);
    buffer_free(&text);
    bool done = true;
    for (size_t i = 0; i < versus->pair_count && done; i++) {
        buffer_append_char(out, '\n');
        done = append_pair(&versus->pairs[i], style, out, error);
    }
    return done;
}
