#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "core/text.h"
#include "core/utf8.h"
#include "report/handshake_table.h"
#include "report/http_table.h"
#include "report/result_table_internal.h"
#include "report/result_table_notes.h"

enum { LABEL_BYTES_MAXIMUM = 4096, NUMBER_BYTES = 64 };

/* What the legend below the tables must explain. */
enum legend {
    LEGEND_BEST = 1,
    LEGEND_INTERVAL = 2,
    LEGEND_BYTES = 4,
    LEGEND_WALL = 8,
    LEGEND_IMPORTED = 16,
};

struct view {
    const struct result_table *table;
    const struct table_style *style;
    struct notes notes;
    unsigned legend;
};

/* One table: the results from `begin` up to `end`. */
struct section {
    struct view *view;
    const struct result *begin, *end;
    struct table *out;
    uint64_t *sizes; /* ascending; RESULT_BYTES only */
    size_t size_count;
    size_t interval_column, p99_column; /* 0: none */
    double unit;                        /* of the rates: 1e6 for MB/s */
    bool flat; /* one implementation throughout: lines are named by what they did */
};

/* The best of a column within a group, and how many can be compared. */
struct best {
    double rate, low;
    double unranked; /* the fastest that is flagged: above it nothing else may be called the best */
    size_t compared;
};

/* ---- cells ---- */

static const struct result *group_end(const struct section *section, const struct result *group)
{
    const struct result *end = group;
    while (end < section->end && result_same_group(group, end))
        end++;
    return end;
}

static const struct result *line_end(const struct section *section, const struct result *line)
{
    const struct result *end = line;
    while (end < section->end && result_same_line(line, end))
        end++;
    return end;
}

static size_t size_index(const struct section *section, uint64_t size)
{
    size_t low = 0;
    size_t high = section->size_count;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (section->sizes[middle] <= size)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void find_best(const struct section *section, const struct result *group,
                      const struct result *end, struct best *best)
{
    for (const struct result *result = group; result < end; result++) {
        struct best *column = &best[size_index(section, result->size_bytes)];
        double rate = result_rate(result);
        if (!result_can_rank(result)) {
            if (result_might_rank(result))
                column->unranked = fmax(column->unranked, rate);
            continue;
        }
        if (column->compared++ == 0 || rate > column->rate) {
            column->rate = rate;
            column->low = result_rate_low(result);
        }
    }
}

/* The best, and what cannot be told from it because the intervals overlap. Where a flagged figure
 * is higher nobody knows. */
static bool is_best(const struct result *result, const struct best *best)
{
    return best->compared > 1 && best->rate >= best->unranked && result_can_rank(result) &&
           result_rate_high(result) >= best->low;
}

/* Three significant digits; whole numbers in full. */
static void put_number(double value, struct buffer *out)
{
    double size = fabs(value);
    int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    if (size > 0 && size < 0.0995)
        buffer_printf(out, "%.3g", value);
    else
        buffer_printf(out, "%.*f", decimals, value);
}

static void set_rate(const struct section *section, size_t column, const struct result *result,
                     bool best)
{
    struct buffer text;
    struct buffer note;
    buffer_init(&text, NUMBER_BYTES);
    buffer_init(&note, NUMBER_BYTES);
    if (isfinite(result_rate(result)) && section->unit > 0)
        put_number(result_rate(result) / section->unit, &text);
    else if (isfinite(result_rate(result)))
        text_format_per_s(result_rate(result), &text);
    else if (isfinite(result->value))
        put_number(result->value, &text);
    else
        buffer_append_text(&text, cell_status_name(result->status));
    notes_of_result(&section->view->notes, result, &note);
    enum table_mark mark = best                                                 ? MARK_BEST
                           : result->status != CELL_OK || result->flags != NULL ? MARK_WARN
                                                                                : MARK_NONE;
    if (best)
        section->view->legend |= LEGEND_BEST;
    if (result->metric != NULL)
        section->view->legend |=
            strcmp(result->metric, "wall_ns") == 0 ? LEGEND_WALL : LEGEND_IMPORTED;
    table_set(section->out, column, buffer_text(&text), buffer_text(&note), mark);
    buffer_free(&text);
    buffer_free(&note);
}

static void set_interval(const struct section *section, double half)
{
    if (section->interval_column == 0 || !isfinite(half))
        return;
    char text[NUMBER_BYTES];
    double percent = half * 100;
    (void)snprintf(text, sizeof text, "%.*f %%",
                   percent < 0.995  ? 2
                   : percent < 9.95 ? 1
                                    : 0,
                   percent);
    table_set(section->out, section->interval_column, text, NULL, MARK_NONE);
    section->view->legend |= LEGEND_INTERVAL;
}

static void set_time(const struct section *section, size_t column, double ns)
{
    if (!isfinite(ns))
        return;
    struct buffer text;
    buffer_init(&text, NUMBER_BYTES);
    text_format_ns(ns, &text);
    table_set(section->out, column, buffer_text(&text), NULL, MARK_NONE);
    buffer_free(&text);
}

/* ---- rows ---- */

/* All results of a line have no value, for the same reason. */
static bool has_nothing(const struct result *line, const struct result *end)
{
    for (const struct result *result = line; result < end; result++)
        if (isfinite(result->value) || result->reason != line->reason ||
            result->status != line->status || result->flags != line->flags)
            return false;
    return true;
}

static void start_row(const struct section *section, const struct result *group,
                      const struct result *end, const struct result *line)
{
    struct buffer name;
    buffer_init(&name, LABEL_BYTES_MAXIMUM);
    if (section->flat) {
        result_put_group(line, &name);
    } else {
        buffer_append_text(&name, section->view->style->format == TABLE_TEXT ? "  " : "");
        result_put_line_name(line, group, end, section->view->table->machine_count > 1, &name);
    }
    table_row(section->out);
    table_set(section->out, 0, buffer_text(&name), NULL, MARK_NONE);
    buffer_free(&name);
}

static void span_reason(const struct section *section, const struct result *line)
{
    struct buffer text;
    buffer_init(&text, LABEL_BYTES_MAXIMUM);
    buffer_append_text(&text, cell_status_name(line->status));
    if (line->reason != NULL)
        buffer_printf(&text, ": %s", line->reason);
    table_span(section->out, 1, buffer_text(&text), MARK_DIM);
    buffer_free(&text);
}

/* Equal sizes of a line stand in rows below each other; row `copy` shows the copy-th of each. The
 * return says whether there is another. */
static bool add_sized_row(const struct section *section, const struct result *line,
                          const struct result *end, size_t copy, const struct best *best)
{
    double half = NAN;
    bool more = false;
    for (const struct result *first = line; first < end;) {
        const struct result *next = first;
        while (next < end && next->size_bytes == first->size_bytes)
            next++;
        if (copy < (size_t)(next - first)) {
            const struct result *result = first + copy;
            size_t column = size_index(section, result->size_bytes);
            set_rate(section, column + 1, result, is_best(result, &best[column]));
            half = fmax(half, result_half_interval(result));
        }
        more = more || copy + 1 < (size_t)(next - first);
        first = next;
    }
    set_interval(section, half);
    return more;
}

static void add_plain_row(const struct section *section, const struct result *result,
                          const struct best *best)
{
    set_rate(section, 1, result, is_best(result, best));
    if (section->begin->kind == RESULT_OPERATIONS)
        set_time(section, 2, 1e9 * result->threads / result->operations_per_s);
    else
        table_set(section->out, 2, result->metric, NULL, MARK_NONE);
    if (section->p99_column > 0)
        set_time(section, section->p99_column, result->p99);
    set_interval(section, result_half_interval(result));
}

static void add_line(const struct section *section, const struct result *group,
                     const struct result *end, const struct result *line, const struct result *next,
                     const struct best *best)
{
    if (has_nothing(line, next)) {
        start_row(section, group, end, line);
        span_reason(section, line);
        return;
    }
    bool more = true;
    for (size_t copy = 0; more && section->begin->kind == RESULT_BYTES; copy++) {
        start_row(section, group, end, line);
        more = add_sized_row(section, line, next, copy, best);
    }
    for (const struct result *r = line; section->begin->kind != RESULT_BYTES && r < next; r++) {
        start_row(section, group, end, line);
        add_plain_row(section, r, best);
    }
}

static bool add_groups(struct section *section)
{
    struct best *best = calloc(section->size_count + 1, sizeof *best);
    if (best == NULL)
        return false;
    for (const struct result *group = section->begin; group < section->end;) {
        const struct result *end = group_end(section, group);
        memset(best, 0, (section->size_count + 1) * sizeof *best);
        find_best(section, group, end, best);
        if (!section->flat) {
            struct buffer heading;
            buffer_init(&heading, LABEL_BYTES_MAXIMUM);
            result_put_group(group, &heading);
            table_heading(section->out, buffer_text(&heading));
            buffer_free(&heading);
        }
        for (const struct result *line = group; line < end;) {
            const struct result *next = line_end(section, line);
            add_line(section, group, end, line, next, best);
            line = next;
        }
        group = end;
    }
    free(best);
    return true;
}

/* ---- sections ---- */

static int compare_sizes(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a;
    uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static bool gather_sizes(struct section *section)
{
    size_t count = (size_t)(section->end - section->begin);
    section->sizes = calloc(count + 1, sizeof *section->sizes);
    if (section->sizes == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        section->sizes[i] = section->begin[i].size_bytes;
    qsort(section->sizes, count, sizeof *section->sizes, compare_sizes);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || section->sizes[i] != section->sizes[section->size_count - 1])
            section->sizes[section->size_count++] = section->sizes[i];
    return true;
}

/* MB/s, unless all rates are below one. */
static void choose_unit(struct section *section)
{
    double largest = 0;
    for (const struct result *r = section->begin; r < section->end; r++)
        if (isfinite(result_rate(r)))
            largest = fmax(largest, result_rate(r));
    section->unit = largest < 1e6 ? 1e3 : 1e6;
}

static bool is_flat(const struct section *section)
{
    const struct result *begin = section->begin;
    for (const struct result *r = begin; r < section->end; r++)
        if (r->library != begin->library || r->version != begin->version ||
            r->machine != begin->machine ||
            (r > begin && result_same_group(r - 1, r) && r[-1].variant != r->variant))
            return false;
    return true;
}

static bool any(const struct section *section, double (*value)(const struct result *))
{
    for (const struct result *r = section->begin; r < section->end; r++)
        if (isfinite(value(r)))
            return true;
    return false;
}

static double p99_of(const struct result *result)
{
    return result->kind == RESULT_OPERATIONS ? result->p99 : NAN;
}

/* Columns with their titles, in the table's arena. NULL when memory ran out. */
static const struct table_column *make_columns(struct section *section, size_t *count)
{
    struct arena *arena = &section->out->arena;
    struct table_column *columns = arena_take(arena, (section->size_count + 6) * sizeof *columns);
    if (columns == NULL)
        return NULL;
    columns[0] = (struct table_column){.title = "", .flexible = true, .key = true};
    *count = 1;
    for (size_t i = 0; i < section->size_count; i++) {
        struct buffer title;
        buffer_init(&title, NUMBER_BYTES);
        if (section->sizes[i] == 0)
            buffer_append_text(&title, "no size");
        else
            text_format_size(section->sizes[i], &title);
        const char *text = arena_text(arena, buffer_text(&title));
        buffer_free(&title);
        columns[(*count)++] =
            (struct table_column){.title = text == NULL ? "" : text, .right = true};
    }
    if (section->begin->kind == RESULT_OPERATIONS) {
        columns[(*count)++] = (struct table_column){.title = "operations", .right = true};
        columns[(*count)++] = (struct table_column){.title = "time each", .right = true};
    } else if (section->begin->kind == RESULT_OTHER) {
        columns[(*count)++] = (struct table_column){.title = "value", .right = true};
        columns[(*count)++] = (struct table_column){.title = "metric"};
    }
    if (any(section, p99_of)) {
        section->p99_column = (*count)++;
        columns[section->p99_column] = (struct table_column){.title = "99 % within", .right = true};
    }
    if (any(section, result_half_interval)) {
        section->interval_column = (*count)++;
        columns[section->interval_column] = (struct table_column){.title = "±", .right = true};
    }
    return columns;
}

static const char *mode_phrase(const char *mode)
{
    static const struct {
        const char *mode, *phrase;
    } phrases[] = {
        {"record", "record mode: as TLS, one key, a new nonce and a tag for each message"},
        {"message", "message mode: a new key for each message"},
        {"stream", "stream mode: one key, one long run of updates"},
        {"openssl-speed", "openssl-speed mode: the calls of openssl speed -evp"},
    };
    for (size_t i = 0; i < COUNT_OF(phrases); i++)
        if (strcmp(phrases[i].mode, mode) == 0)
            return phrases[i].phrase;
    return mode;
}

static void put_title(const struct section *section, struct buffer *out)
{
    const struct result *first = section->begin;
    struct buffer title;
    buffer_init(&title, LABEL_BYTES_MAXIMUM);
    bool is_import = first->instrument != NULL && strcmp(first->instrument, "import") == 0;
    if (first->kind == RESULT_BYTES)
        buffer_append_text(&title, section->unit < 1e6 ? "kB/s" : "MB/s");
    else
        buffer_append_text(&title, first->kind == RESULT_OPERATIONS ? "Operations per second"
                                                                    : "Other figures");
    if (is_import)
        buffer_append_text(&title, ", imported");
    if (first->kind == RESULT_BYTES && first->mode != NULL)
        buffer_printf(&title, ", %s", mode_phrase(first->mode));
    if (section->flat) {
        buffer_append_text(&title, "; ");
        result_put_library(first, &title);
    }
    const struct table_style *style = section->view->style;
    if (style->format == TABLE_MARKDOWN) {
        buffer_printf(out, "%s\n\n", buffer_text(&title));
    } else {
        buffer_append_text(out, style->colour ? "\033[1m" : "");
        utf8_wrap(buffer_text(&title), 0, 0, style->width, out);
        buffer_append_text(out, style->colour ? "\033[0m" : "");
    }
    buffer_free(&title);
}

static bool render_section(struct section *section, struct buffer *out, struct error *error)
{
    if (section->begin->kind == RESULT_BYTES) {
        if (!gather_sizes(section))
            return error_set(error, ERROR_MEMORY, "memory ran out for the tables");
        choose_unit(section);
        section->view->legend |= LEGEND_BYTES;
    }
    section->flat = is_flat(section);
    size_t count = 0;
    const struct table_column *columns = make_columns(section, &count);
    struct table *table = section->out;
    table->columns = columns;
    table->column_count = count;
    if (columns == NULL || !add_groups(section))
        return error_set(error, ERROR_MEMORY, "memory ran out for the tables");
    put_title(section, out);
    if (!table_render(table, section->view->style, out, error))
        return false;
    buffer_append_char(out, '\n');
    return true;
}

/* ---- the whole ---- */

static void put_paragraph(const struct view *view, const char *text, size_t indent,
                          struct buffer *out)
{
    if (view->style->format == TABLE_MARKDOWN) {
        buffer_printf(out, "%s\n", text);
        return;
    }
    buffer_append_text(out, view->style->colour ? "\033[2m" : "");
    utf8_wrap(text, 0, indent, view->style->width, out);
    buffer_append_text(out, view->style->colour ? "\033[0m" : "");
}

static void put_machines(const struct view *view, struct buffer *out)
{
    const struct result_table *table = view->table;
    bool any_line = false;
    struct buffer line;
    buffer_init(&line, LABEL_BYTES_MAXIMUM * 2);
    for (size_t i = 0; i < table->machine_count; i++) {
        const char *summary = table->machines[i].summary;
        if (*summary == '\0' && table->machine_count == 1)
            continue;
        buffer_clear(&line);
        if (table->machine_count > 1)
            buffer_printf(&line, "[%zu] ", i + 1);
        buffer_append_text(&line, *summary == '\0' ? "unknown machine: no run line" : summary);
        utf8_wrap(buffer_text(&line), 0, 4, view->style->width, out);
        any_line = true;
    }
    if (any_line)
        buffer_append_char(out, '\n');
    buffer_free(&line);
}

static void put_legend(const struct view *view, struct buffer *out)
{
    struct buffer text;
    buffer_init(&text, LABEL_BYTES_MAXIMUM);
    if (view->legend & LEGEND_WALL)
        buffer_append_text(&text, "Rates are of wall time. ");
    if (view->legend & LEGEND_IMPORTED)
        buffer_append_text(&text, "Imported figures are those believed, which may differ from "
                                  "those printed. ");
    if (view->legend & LEGEND_BYTES)
        buffer_append_text(&text, "1 MB/s is 1,000,000 bytes per second. ");
    if (view->legend & LEGEND_INTERVAL)
        buffer_append_text(&text,
                           "±: half of the 95\u00a0% interval of the median, the widest in the "
                           "line. ");
    if (view->legend & LEGEND_BEST)
        buffer_append_text(&text, "*: the best, or not to be told from it.");
    if (text.length > 0)
        put_paragraph(view, buffer_text(&text), 0, out);
    buffer_free(&text);
}

static bool render_sections(struct view *view, struct buffer *out, struct error *error)
{
    const struct result *end = view->table->results + view->table->count;
    for (const struct result *begin = view->table->results; begin < end;) {
        const struct result *next = begin;
        while (next < end && result_same_section(begin, next))
            next++;
        struct table table;
        table_init(&table, NULL, 0);
        struct section section = {.view = view, .begin = begin, .end = next, .out = &table};
        bool done = render_section(&section, out, error);
        free(section.sizes);
        table_free(&table);
        if (!done)
            return false;
        begin = next;
    }
    return true;
}

bool result_table_text(const struct result_table *table, const struct table_style *style,
                       bool quiet, struct buffer *out, struct error *error)
{
    struct view view = {.table = table, .style = style};
    if (!quiet)
        put_machines(&view, out);
    bool done =
        render_sections(&view, out, error) &&
        handshake_table_text(&table->handshakes, table->machine_count > 1, style, &view.notes, out,
                             error) &&
        http_table_text(&table->http, table->machine_count > 1, style, &view.notes, out, error);
    if (done && view.notes.failed)
        done = error_set(error, ERROR_MEMORY, "memory ran out for the footnotes");
    if (done)
        notes_render(&view.notes, style, quiet, out);
    if (done && !quiet)
        put_legend(&view, out);
    notes_free(&view.notes);
    return done;
}
