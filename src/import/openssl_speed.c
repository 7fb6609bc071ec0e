/* The state of a run of `openssl speed`: which line belongs to what, and where a run ends. */
#include "import/openssl_speed.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAIT_LINES = 40, /* a result may be this many lines behind its sentence */
    JOIN_LINES = 6,  /* a wrapped row or sentence has at most this many pieces */
    MAXIMUM_WORKERS = 4096,
};

/* --- storage ------------------------------------------------------------------------------- */

static void *grow(struct collector *collector, void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    size_t wanted = *room == 0 ? 32 : *room * 2;
    void *larger = realloc(items, wanted * size);
    if (larger == NULL) {
        error_set(collector->error, ERROR_MEMORY, "memory ran out while reading the log");
        collector->stopped = true;
        return items;
    }
    *room = wanted;
    return larger;
}

static void forget(struct speed_run *run)
{
    run->count_count = 0;
    run->row_count = 0;
    run->header = NULL;
    run->key_operation_count = 0;
    run->key_names = false;
    run->workers = 0;
    run->any_total = false;
    run->late = false;
    run->error_line = 0;
    run->engine_error_line = 0;
    run->held.elapsed = false;
    run->wait.what = WAIT_NOTHING;
}

static void open_run(struct collector *collector)
{
    if (collector->run.format[0] == '\0')
        collect_begin(collector, importer_openssl_speed.name, importer_openssl_speed.tool);
}

static void end_run(struct speed_run *run, struct collector *collector)
{
    if (run->count_count > 0 || run->row_count > 0)
        speed_judge(run, collector);
    collect_finish(collector);
    forget(run);
}

static void next_run(struct speed_run *run, struct collector *collector)
{
    end_run(run, collector);
    open_run(collector);
}

struct speed_count *speed_add_count(struct speed_run *run, struct collector *collector,
                                    const struct speed_doing *doing)
{
    if (run->count_count >= SPEED_COUNTS)
        next_run(run, collector);
    run->counts =
        grow(collector, run->counts, run->count_count, &run->count_room, sizeof *run->counts);
    if (collector->stopped)
        return NULL;
    open_run(collector);
    struct speed_count *count = &run->counts[run->count_count];
    const struct speed_count *last = run->count_count > 0 ? count - 1 : NULL;
    *count = (struct speed_count){.doing = *doing,
                                  .line = collector->now_line,
                                  .count = NAN,
                                  .counted_s = NAN,
                                  .algorithm = ""};
    if (last != NULL && last->doing.kind == doing->kind &&
        last->doing.label.length == doing->label.length &&
        memcmp(last->doing.label.text, doing->label.text, doing->label.length) == 0) {
        count->doing.label = last->doing.label;
        count->algorithm = last->algorithm;
    } else {
        count->doing.label = slice_of(collect_slice(collector, doing->label));
        struct name name =
            doing->kind == SPEED_BULK ? name_symmetric(doing->label) : name_key(doing->label);
        if (doing->kind == SPEED_BULK || doing->size < 0)
            count->algorithm = collect_text(collector, "%s", name.text);
    }
    count->doing.rest = (struct slice){"", 0};
    run->count_count++;
    return count;
}

struct speed_row *speed_add_row(struct speed_run *run, struct collector *collector)
{
    if (run->row_count >= SPEED_ROWS)
        next_run(run, collector);
    run->rows = grow(collector, run->rows, run->row_count, &run->row_room, sizeof *run->rows);
    if (collector->stopped)
        return NULL;
    open_run(collector);
    struct speed_row *row = &run->rows[run->row_count++];
    *row = (struct speed_row){
        .worker = -1, .bits = -1, .label = "", .algorithm = "", .line = collector->now_line};
    return row;
}

struct speed_value *speed_copy_values(struct collector *collector, const struct speed_value *values,
                                      unsigned count)
{
    struct speed_value *copy = arena_take(&collector->arena, (count + 1) * sizeof *copy);
    if (copy == NULL) {
        collector->stopped = true;
        error_set(collector->error, ERROR_MEMORY, "memory ran out while reading the log");
        return NULL;
    }
    memcpy(copy, values, count * sizeof *copy);
    return copy;
}

const struct speed_header *speed_set_header(struct speed_run *run, struct collector *collector,
                                            const struct speed_header *header)
{
    open_run(collector);
    struct speed_header *copy = arena_take(&collector->arena, sizeof *copy);
    if (copy != NULL)
        *copy = *header;
    run->header = copy;
    return copy;
}

/* --- sentences ----------------------------------------------------------------------------- */

static void take_result(struct speed_run *run, struct speed_count *count, const char *text,
                        double number, double seconds)
{
    count->count = number;
    count->counted_s = seconds;
    count->finished = true;
    if (count->doing.kind == SPEED_SIGNATURE && find_text(text, " KEM ") != NULL)
        count->doing.kind = SPEED_KEM;
    run->wait.what = WAIT_NOTHING;
}

/* A count that stands behind a table fits that table: standard error was put behind standard
 * output. The figure is printed with two decimals of a thousand, the time with two of a second. */
static bool fits_table(const struct speed_run *run, const struct speed_doing *doing, double count,
                       double seconds)
{
    struct name name = name_symmetric(doing->label);
    for (size_t i = 0; i < run->row_count && seconds > 0; i++) {
        const struct speed_row *row = &run->rows[i];
        if (row->kind != doing->kind)
            continue;
        bool bulk = row->kind == SPEED_BULK;
        if (bulk ? strcmp(row->algorithm, name.text) != 0 : row->bits != doing->size)
            continue;
        double rate = bulk ? count / seconds * (double)doing->size : count / seconds;
        for (unsigned j = 0; j < row->count; j++) {
            double printed = row->values[j].number * (row->values[j].thousands ? 1e3 : 1);
            if (row->values[j].form == FORM_NUMBER &&
                fabs(printed - rate) <= rate * (0.003 + 0.006 / seconds) + 0.06)
                return true;
        }
    }
    return false;
}

/* A sentence behind a table begins a new run, unless the table has no counts yet and fits. */
static void place_sentence(struct speed_run *run, struct collector *collector,
                           const struct speed_doing *doing)
{
    if (run->row_count == 0)
        return;
    double count, seconds;
    bool late = (run->count_count == 0 || run->late) &&
                speed_parse_result(doing->rest, doing, &count, &seconds) &&
                fits_table(run, doing, count, seconds);
    if (late) {
        run->late = true;
        if (run->held.elapsed)
            collector->run.facts.elapsed = true;
        run->held.elapsed = false;
        return;
    }
    bool elapsed = run->held.elapsed;
    next_run(run, collector);
    collector->run.facts.elapsed = elapsed;
}

static void keep_tail(struct speed_run *run, struct slice text)
{
    size_t length =
        text.length < sizeof run->wait.tail - 1 ? text.length : sizeof run->wait.tail - 1;
    memcpy(run->wait.tail, text.text + text.length - length, length);
    run->wait.tail[length] = '\0';
}

/* Behind what is there already: a result may be broken into more than two lines. */
static void add_to_tail(struct speed_run *run, struct slice text)
{
    char joined[2 * sizeof run->wait.tail];
    int length = snprintf(joined, sizeof joined, "%s %.*s", run->wait.tail,
                          (int)(text.length < 200 ? text.length : 200), text.text);
    keep_tail(run, (struct slice){joined, length > 0 ? (size_t)length : 0});
}

static bool sentence(struct speed_run *run, struct collector *collector, const char *text);
static enum speed_message message(struct speed_run *run, struct collector *collector,
                                  const char *text, struct speed_count *during);

/* The sentence is complete; its result may be. */
static void begin_count(struct speed_run *run, struct collector *collector,
                        const struct speed_doing *doing)
{
    place_sentence(run, collector, doing);
    struct slice rest = doing->rest;
    struct speed_count *count = speed_add_count(run, collector, doing);
    if (count == NULL)
        return;
    double number, seconds;
    /* a second sentence on the line: two streams were joined */
    const char *next = find_text(rest.text, "Doing ");
    struct slice own = rest;
    if (next != NULL)
        own.length = (size_t)(next - rest.text);
    if (speed_parse_result(own, &count->doing, &number, &seconds)) {
        take_result(run, count, rest.text, number, seconds);
    } else {
        run->wait.what = WAIT_RESULT;
        run->wait.count = run->count_count - 1;
        run->wait.lines = 0;
        keep_tail(run, own);
        if (slice_trim(own).length > 0)
            (void)message(run, collector, slice_trim(own).text, count);
    }
    if (next != NULL)
        (void)sentence(run, collector, next);
}

/* `text` begins with "Doing ". */
static bool sentence(struct speed_run *run, struct collector *collector, const char *text)
{
    struct speed_doing doing;
    enum speed_part part = speed_parse_doing(text, &doing);
    if (part == PART_WHOLE) {
        begin_count(run, collector, &doing);
        return true;
    }
    if (part == PART_INCOMPLETE && strlen(text) < 200) {
        run->wait.what = WAIT_DOING;
        run->wait.line = collector->now_line;
        run->wait.lines = 1;
        snprintf(run->wait.text, sizeof run->wait.text, "%s", text);
        open_run(collector);
        return true;
    }
    return false;
}

static bool starts_something(const char *text)
{
    return has_prefix(text, "Doing ") || has_prefix(text, "type ") || has_prefix(text, "+") ||
           speed_is_version(text) || has_prefix(text, "built on:") ||
           has_prefix(text, "The 'numbers'") || has_prefix(text, "Got:");
}

static bool ends_in_digits(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && isdigit((unsigned char)text[length - 1]);
}

/* A number was broken in two at the end of the line: "977" "706 aes-128-cbc's in 2.96s". For keys
 * the number of bits follows the count, so a line that begins with it is whole. */
static bool number_was_broken(const struct speed_doing *doing, const char *tail, const char *text)
{
    if (!ends_in_digits(tail) || !isdigit((unsigned char)text[0]))
        return false;
    int64_t first;
    struct slice rest = slice_of(text), word;
    return doing->kind == SPEED_BULK || !slice_word(&rest, &word) || !slice_integer(word, &first) ||
           first != doing->size;
}

/* A line behind a sentence without a result. False: it is not the sentence's. */
static bool continue_result(struct speed_run *run, struct collector *collector, const char *text)
{
    struct speed_count *count = &run->counts[run->wait.count];
    if (starts_something(text) || ++run->wait.lines > WAIT_LINES) {
        run->wait.what = WAIT_NOTHING;
        return false;
    }
    const char *doing = find_text(text, "Doing ");
    size_t length = doing != NULL ? (size_t)(doing - text) : strlen(text);
    bool broken = number_was_broken(&count->doing, run->wait.tail, text);
    double number, seconds;
    char joined[sizeof run->wait.tail + IMPORT_LINE_BYTES + 2];
    bool found = !broken &&
                 speed_parse_result((struct slice){text, length}, &count->doing, &number, &seconds);
    for (int blank = 1; blank >= 0 && !found; blank--) {
        if (broken && blank == 1)
            continue;
        int written = snprintf(joined, sizeof joined, "%s%s%.*s", run->wait.tail,
                               blank == 1 ? " " : "", (int)length, text);
        found =
            written > 0 && speed_parse_result(slice_of(joined), &count->doing, &number, &seconds);
    }
    if (found) {
        take_result(run, count, text, number, seconds);
    } else {
        if (message(run, collector, text, count) != MESSAGE_NONE)
            run->wait.tail[0] = '\0';
        else
            add_to_tail(run, (struct slice){text, length});
    }
    if (doing != NULL)
        (void)sentence(run, collector, doing);
    return true;
}

/* --- tables -------------------------------------------------------------------------------- */

static bool take_header(struct speed_run *run, struct collector *collector, const char *text)
{
    struct speed_header header;
    enum speed_part part = speed_parse_header(text, &header);
    if (part == PART_NO)
        return false;
    bool bulk_rows = false;
    for (size_t i = 0; i < run->row_count; i++)
        bulk_rows = bulk_rows || (run->rows[i].kind == SPEED_BULK && run->rows[i].worker < 0);
    if (bulk_rows)
        next_run(run, collector);
    if (part == PART_INCOMPLETE || (run->wait.what != WAIT_HEADER && header.count > 0)) {
        /* one more line may still belong to it */
        if (run->wait.what != WAIT_HEADER) {
            run->wait.lines = 1;
            snprintf(run->wait.text, sizeof run->wait.text, "%s", text);
        }
        run->wait.what = WAIT_HEADER;
    }
    header.line = collector->now_line;
    if (header.count > 0)
        speed_set_header(run, collector, &header);
    run->key_operation_count = 0;
    return true;
}

/* Only sizes, "bytes" and pieces of them. */
static bool header_like(const char *text)
{
    struct slice rest = slice_of(text), word;
    bool any = false;
    while (slice_word(&rest, &word)) {
        int64_t number;
        any = true;
        bool piece = word.length <= 5 && (find_text("bytes", "bytes") != NULL) && word.length > 0 &&
                     strspn(word.text, "bytes") >= word.length;
        if (!piece && !slice_integer(word, &number))
            return false;
    }
    return any;
}

static bool continue_header(struct speed_run *run, struct collector *collector, const char *text)
{
    if (!header_like(text) || ++run->wait.lines > JOIN_LINES) {
        run->wait.what = WAIT_NOTHING;
        return false;
    }
    speed_join(run->wait.text, sizeof run->wait.text, text, false);
    return take_header(run, collector, run->wait.text);
}

/* The label may have something in front: the longest end of it that is a known name. */
static struct slice known_label(struct slice label, struct name *name)
{
    *name = name_symmetric(label);
    struct slice rest = label, word;
    for (int dropped = 0; !name->known && dropped < 8; dropped++) {
        struct slice before = rest;
        if (!slice_word(&rest, &word) || slice_trim(rest).length == 0)
            break;
        struct name shorter = name_symmetric(slice_trim(rest));
        if (shorter.known) {
            *name = shorter;
            return slice_trim(rest);
        }
        (void)before;
    }
    return label;
}

static bool plausible_label(struct slice label)
{
    unsigned words = 0;
    struct slice rest = label, word;
    while (slice_word(&rest, &word))
        words++;
    return label.length <= 40 && words <= 3 && memchr(label.text, ':', label.length) == NULL &&
           memchr(label.text, '=', label.length) == NULL && isalnum((unsigned char)label.text[0]) &&
           !isdigit((unsigned char)label.text[0]);
}

static bool has_suffixed_value(const struct speed_cells *cells)
{
    for (unsigned i = 0; i < cells->count; i++) {
        if (cells->values[i].thousands || cells->values[i].form == FORM_INFINITE)
            return true;
    }
    return false;
}

/* Where values are missing, the columns they stand under say which: "%-13s" and then " %11.2fk"
 * below "%7d bytes". Fills `placed` (header->count values); false when the columns do not fit. */
static bool place_by_column(const struct speed_cells *cells, const struct speed_header *header,
                            const char *text, struct speed_value *placed)
{
    size_t label_start = (size_t)(cells->label.text - text);
    size_t shift = cells->label.length > 13 ? cells->label.length - 13 : 0;
    for (unsigned j = 0; j < header->count; j++)
        placed[j] = (struct speed_value){.form = FORM_ABSENT, .number = NAN};
    unsigned column = 0;
    for (unsigned i = 0; i < cells->count; i++) {
        size_t end = cells->ends[i] - label_start - shift - (cells->values[i].thousands ? 1 : 0);
        while (column < header->count && header->ends[column] != end)
            column++;
        if (column == header->count)
            return false;
        placed[column++] = cells->values[i];
    }
    return true;
}

static void add_bulk_row(struct speed_run *run, struct collector *collector,
                         const struct speed_cells *cells, const char *text, uint32_t line,
                         bool joined, bool ends_file)
{
    struct name name;
    struct slice label = known_label(cells->label, &name);
    struct speed_row *row = speed_add_row(run, collector);
    if (row == NULL)
        return;
    row->kind = SPEED_BULK;
    row->label = collect_slice(collector, label);
    row->algorithm = collect_text(collector, "%s", name.text);
    row->name_kind = name.kind;
    row->known = name.known;
    row->line = line;
    row->header = run->header;
    row->ends_file = ends_file;
    struct speed_value placed[SPEED_COLUMNS + 1];
    unsigned count = cells->count;
    memcpy(placed, cells->values, count * sizeof placed[0]);
    if (run->header != NULL && count < run->header->count) {
        struct speed_cells moved = *cells;
        moved.label = label;
        if (!joined && place_by_column(&moved, run->header, text, placed))
            count = run->header->count;
        else
            memcpy(placed, cells->values, count * sizeof placed[0]);
        row->cut = count < run->header->count;
        collect_finding(collector, FINDING_CUT, line, "this row has fewer values than columns");
    }
    row->count = count;
    row->values = speed_copy_values(collector, placed, count);
    run->any_total = true;
}

static bool row_complete(const struct speed_run *run, const struct speed_cells *cells)
{
    if (cells->values[cells->count - 1].form == FORM_CUT)
        return false;
    return run->header == NULL || cells->count >= run->header->count;
}

static bool take_bulk_row(struct speed_run *run, struct collector *collector,
                          const struct import_line *line)
{
    struct speed_cells cells;
    if (!speed_parse_bulk_row(line->text, &cells))
        return false;
    struct name name;
    (void)known_label(cells.label, &name);
    bool full = run->header != NULL && cells.count >= run->header->count;
    bool suffixed = has_suffixed_value(&cells);
    if (!name.known && !(full && plausible_label(cells.label)))
        return false;
    if (!full && !suffixed)
        return false;
    if (run->header == NULL && cells.count < 3)
        return false;
    if (row_complete(run, &cells) || line->last) {
        add_bulk_row(run, collector, &cells, line->text, line->number, false, line->last);
        return true;
    }
    run->wait.what = WAIT_ROW;
    run->wait.line = line->number;
    run->wait.lines = 1;
    snprintf(run->wait.text, sizeof run->wait.text, "%s", line->text);
    return true;
}

/* Only values and pieces of values. */
static bool values_only(const char *text, bool keys)
{
    struct slice rest = slice_of(text), word;
    bool any = false;
    while (slice_word(&rest, &word)) {
        struct speed_value value;
        bool seconds;
        any = true;
        bool digits = true;
        for (size_t i = 0; i < word.length; i++)
            digits = digits && strchr("0123456789.-ks", word.text[i]) != NULL;
        if (!digits && !speed_whole_value(word, keys, &value, &seconds))
            return false;
    }
    return any;
}

static void give_up_row(struct speed_run *run, struct collector *collector, bool ends_file)
{
    struct speed_cells cells;
    if (speed_parse_bulk_row(run->wait.text, &cells))
        add_bulk_row(run, collector, &cells, run->wait.text, run->wait.line, run->wait.lines > 1,
                     ends_file);
    run->wait.what = WAIT_NOTHING;
}

static bool continue_row(struct speed_run *run, struct collector *collector,
                         const struct import_line *line)
{
    if (!values_only(line->text, false) || ++run->wait.lines > JOIN_LINES) {
        give_up_row(run, collector, false);
        return false;
    }
    speed_join(run->wait.text, sizeof run->wait.text, line->text, false);
    struct speed_cells cells;
    if (speed_parse_bulk_row(run->wait.text, &cells) && row_complete(run, &cells)) {
        add_bulk_row(run, collector, &cells, run->wait.text, run->wait.line, true, false);
        run->wait.what = WAIT_NOTHING;
    }
    return true;
}

/* --- tables of keys ------------------------------------------------------------------------ */

static void set_operations(struct speed_row *row, unsigned count,
                           const enum speed_operation *operations)
{
    row->operation_count = count;
    memcpy(row->operations, operations, count * sizeof *operations);
}

/* Which operations the values of a row are: the header says; without one, the kind and the number
 * of values do. 0 when they cannot be told. */
static void find_operations(const struct speed_run *run, struct speed_row *row)
{
    static const enum speed_operation SIGNING[] = {OPERATION_SIGN, OPERATION_VERIFY,
                                                   OPERATION_ENCRYPT, OPERATION_DECRYPT};
    static const enum speed_operation DERIVING[] = {OPERATION_DERIVE};
    unsigned expected = row->count / 2;
    if (run->key_operation_count > 0 && run->key_operation_count == expected) {
        set_operations(row, run->key_operation_count, run->key_operations);
        return;
    }
    bool derives = row->kind == SPEED_ECDH || row->kind == SPEED_FFDH;
    if (derives && row->count == 2)
        set_operations(row, 1, DERIVING);
    else if (!derives && row->kind < SPEED_KEM && (row->count == 4 || row->count == 8))
        set_operations(row, expected, SIGNING);
}

static unsigned expected_values(const struct speed_run *run, const struct speed_key_row *key)
{
    if (run->key_operation_count > 0)
        return 2 * run->key_operation_count;
    if (key->kind == SPEED_ECDH || key->kind == SPEED_FFDH)
        return 2;
    return key->kind >= SPEED_KEM ? 6 : 4;
}

static bool key_row_complete(const struct speed_run *run, const struct speed_key_row *key)
{
    return key->count >= expected_values(run, key) && key->values[key->count - 1].form != FORM_CUT;
}

static void add_key_row(struct speed_run *run, struct collector *collector,
                        const struct speed_key_row *key, uint32_t line)
{
    struct speed_row *row = speed_add_row(run, collector);
    if (row == NULL)
        return;
    row->kind = key->kind;
    row->bits = key->bits;
    row->label = collect_slice(collector, key->name);
    row->line = line;
    row->count = key->count;
    row->has_seconds = true;
    row->values = speed_copy_values(collector, key->values, key->count);
    find_operations(run, row);
    for (unsigned i = 0; i < row->operation_count; i++) {
        /* seconds first, then rates: anything else is a damaged row */
        if (!key->seconds[i] || key->seconds[row->operation_count + i])
            row->operation_count = 0;
    }
    if (row->kind == SPEED_KEM && row->operation_count == 3 && row->operations[1] == OPERATION_SIGN)
        row->kind = SPEED_SIGNATURE;
    if (row->operation_count == 0 || row->count != 2 * row->operation_count)
        collect_finding(collector, FINDING_CUT, line, "this row does not have its columns");
    run->any_total = true;
}

static bool take_key_row(struct speed_run *run, struct collector *collector,
                         const struct import_line *line)
{
    struct speed_key_row key;
    if (!speed_parse_key_row(line->text, run->key_names, &key))
        return false;
    if (key_row_complete(run, &key) || line->last) {
        add_key_row(run, collector, &key, line->number);
        return true;
    }
    run->wait.what = WAIT_KEY_ROW;
    run->wait.line = line->number;
    run->wait.lines = 1;
    snprintf(run->wait.text, sizeof run->wait.text, "%s", line->text);
    return true;
}

static void give_up_key_row(struct speed_run *run, struct collector *collector)
{
    struct speed_key_row key;
    if (speed_parse_key_row(run->wait.text, run->key_names, &key))
        add_key_row(run, collector, &key, run->wait.line);
    run->wait.what = WAIT_NOTHING;
}

static bool continue_key_row(struct speed_run *run, struct collector *collector,
                             const struct import_line *line)
{
    if (!values_only(line->text, true) || ++run->wait.lines > JOIN_LINES) {
        give_up_key_row(run, collector);
        return false;
    }
    speed_join(run->wait.text, sizeof run->wait.text, line->text, true);
    struct speed_key_row key;
    if (speed_parse_key_row(run->wait.text, run->key_names, &key) && key_row_complete(run, &key)) {
        add_key_row(run, collector, &key, run->wait.line);
        run->wait.what = WAIT_NOTHING;
    }
    return true;
}

static bool take_key_header(struct speed_run *run, struct collector *collector, const char *text)
{
    enum speed_operation operations[4];
    unsigned count = speed_parse_key_header(text, operations);
    if (count == 0)
        return false;
    open_run(collector);
    run->key_operation_count = count;
    memcpy(run->key_operations, operations, sizeof operations);
    run->key_names = operations[0] == OPERATION_KEYGEN;
    return true;
}

/* --- machine-readable lines ---------------------------------------------------------------- */

static bool has_rows_of_own(const struct speed_run *run)
{
    for (size_t i = run->row_count; i > 0; i--) {
        if (run->rows[i - 1].worker < 0)
            return true;
    }
    return false;
}

static bool ends_in_from(const char *text)
{
    size_t length = strlen(text);
    return length >= 5 && strcmp(text + length - 5, "from ") == 0;
}

/* "+F:..." with fewer values than sizes, or a last value without its two decimals; "Got: ..."
 * without its "from". */
static bool mr_incomplete(const struct speed_run *run, const char *text)
{
    if (has_prefix(text, "Got:"))
        return find_text(text, " from ") == NULL || ends_in_from(text);
    if (!has_prefix(text, "+F:") || run->header == NULL)
        return false;
    unsigned colons = 0;
    for (const char *at = text; *at != '\0'; at++)
        colons += *at == ':';
    const char *last = strrchr(text, ':') + 1;
    return colons < run->header->count + 2 || slice_decimals(slice_of(last)) < 2;
}

static bool take_mr(struct speed_run *run, struct collector *collector, const char *text)
{
    bool child = find_text(text, "Got: ") != NULL;
    bool begins = has_prefix(text, "+H") || has_prefix(text, "+DT") || has_prefix(text, "+DN");
    if (has_rows_of_own(run) && (begins || child))
        next_run(run, collector);
    if (!speed_mr_line(run, collector, text))
        return false;
    if (!child && has_prefix(text, "+F"))
        run->any_total = true;
    return true;
}

static bool begin_mr(struct speed_run *run, struct collector *collector,
                     const struct import_line *line)
{
    const char *text = line->text;
    const char *at = text[0] == '+' ? text : find_text(text, "Got: +");
    if (at == NULL && strcmp(text, "Got:") == 0)
        at = text;
    if (at == NULL)
        at = find_text(text, "+F:");
    if (at == NULL)
        return false;
    if (mr_incomplete(run, at) && !line->last) {
        run->wait.what = WAIT_MR;
        run->wait.line = line->number;
        run->wait.lines = 1;
        snprintf(run->wait.text, sizeof run->wait.text, "%s", at);
        return true;
    }
    return take_mr(run, collector, at);
}

static bool continue_mr(struct speed_run *run, struct collector *collector, const char *text)
{
    bool opened = strcmp(run->wait.text, "Got:") == 0;
    bool fits =
        strspn(text, "0123456789.:") > 0 || has_prefix(text, "from ") || (opened && text[0] == '+');
    if (!fits || ++run->wait.lines > JOIN_LINES) {
        run->wait.what = WAIT_NOTHING;
        (void)take_mr(run, collector, run->wait.text);
        return false;
    }
    size_t length = strlen(run->wait.text);
    snprintf(run->wait.text + length, sizeof run->wait.text - length, "%s%s",
             opened || has_prefix(text, "from ") ? " " : "", text);
    if (!mr_incomplete(run, run->wait.text)) {
        run->wait.what = WAIT_NOTHING;
        (void)take_mr(run, collector, run->wait.text);
    }
    return true;
}

static bool forked_child(struct speed_run *run, struct collector *collector, const char *text)
{
    int64_t child;
    if (!has_prefix(text, "Forked child ") || !slice_integer(slice_of(text + 13), &child) ||
        child < 0 || child > MAXIMUM_WORKERS)
        return false;
    if (has_rows_of_own(run))
        next_run(run, collector);
    open_run(collector);
    if ((unsigned)child + 1 > run->workers)
        run->workers = (unsigned)child + 1;
    return true;
}

/* --- messages ------------------------------------------------------------------------------ */

static enum speed_message message(struct speed_run *run, struct collector *collector,
                                  const char *text, struct speed_count *during)
{
    enum speed_message kind = speed_read_message(text, collector);
    switch (kind) {
    case MESSAGE_ENGINE_FAILED:
        collector->run.facts.engine_failed = true;
        collect_finding(collector, FINDING_ENGINE_FAILED, collector->now_line, text);
        break;
    case MESSAGE_ENGINE_ERROR:
        collector->run.facts.engine_failed = true;
        collect_finding(collector, FINDING_ENGINE_FAILED, collector->now_line, text);
        if (during != NULL)
            during->error = true;
        if (run->count_count > 0 || run->row_count > 0)
            run->engine_error_line = collector->now_line;
        break;
    case MESSAGE_ERROR:
        collect_finding(collector, FINDING_OPERATION_ERROR, collector->now_line, text);
        if (during != NULL)
            during->error = true;
        else if (run->error_line == 0)
            run->error_line = collector->now_line;
        if (find_text(text, "wrong final block length") != NULL ||
            find_text(text, "block_final") != NULL || find_nocase(text, "bad decrypt") != NULL)
            collector->run.facts.decrypt = true;
        break;
    case MESSAGE_KEY_ERROR:
        collect_finding(collector, FINDING_OPERATION_ERROR, collector->now_line, text);
        if (during != NULL)
            during->error = true;
        break;
    default:
        break;
    }
    return kind;
}

/* A message that stands before the sentences of a run, seen after a table. */
static bool begins_run(const char *text)
{
    return has_prefix(text, "engine \"") || has_prefix(text, "Engine \"") ||
           speed_is_version(text) || has_prefix(text, "ALGO: ") ||
           has_prefix(text, "To get the most accurate results");
}

static bool take_message(struct speed_run *run, struct collector *collector, const char *text)
{
    bool elapsed = has_prefix(text, "You have chosen to measure elapsed time");
    if (elapsed && run->row_count > 0 && run->count_count == 0) {
        run->held.elapsed = true;
        return true;
    }
    bool again =
        elapsed && (run->row_count > 0 || (run->count_count > 0 && collector->run.facts.elapsed));
    if (again || (has_rows_of_own(run) && begins_run(text)))
        next_run(run, collector);
    bool engine_known = collector->run.facts.engine[0] != '\0';
    if (has_rows_of_own(run) && !engine_known && find_nocase(text, "invalid engine") != NULL)
        next_run(run, collector);
    if (message(run, collector, text, NULL) == MESSAGE_NONE)
        return false;
    open_run(collector);
    return true;
}

static bool take_command(struct speed_run *run, struct collector *collector, const char *text)
{
    if (!speed_is_command(text))
        return false;
    if (has_prefix(text, "Command being timed")) {
        if (!collector->run.facts.command_known)
            speed_read_command(text, collector);
        return false; /* the block it begins is everyone's */
    }
    if (run->row_count > 0 || run->count_count > 0)
        next_run(run, collector);
    open_run(collector);
    speed_read_command(text, collector);
    return true;
}

/* --- the importer -------------------------------------------------------------------------- */

static bool begin_something(struct speed_run *run, struct collector *collector,
                            const struct import_line *line)
{
    const char *text = line->text;
    if (begin_mr(run, collector, line) || forked_child(run, collector, text))
        return true;
    const char *doing = find_text(text, "Doing ");
    if (doing != NULL && (doing == text || !isalnum((unsigned char)doing[-1])) &&
        sentence(run, collector, doing))
        return true;
    return take_command(run, collector, text) || take_header(run, collector, text) ||
           take_key_header(run, collector, text) || take_key_row(run, collector, line) ||
           take_bulk_row(run, collector, line) || take_message(run, collector, text);
}

/* The sentence itself was wrapped: with a blank or without, whichever names a known label. */
static bool continue_doing(struct speed_run *run, struct collector *collector, const char *text)
{
    char spaced[SPEED_TEXT_BYTES], glued[SPEED_TEXT_BYTES];
    if (starts_something(text) || ++run->wait.lines > JOIN_LINES) {
        run->wait.what = WAIT_NOTHING;
        return false;
    }
    snprintf(spaced, sizeof spaced, "%.1000s %.1000s", run->wait.text, text);
    snprintf(glued, sizeof glued, "%.1000s%.1000s", run->wait.text, text);
    struct speed_doing first, second;
    enum speed_part as_spaced = speed_parse_doing(spaced, &first);
    enum speed_part as_glued = speed_parse_doing(glued, &second);
    if (as_spaced == PART_INCOMPLETE && as_glued == PART_INCOMPLETE) {
        snprintf(run->wait.text, sizeof run->wait.text, "%s", spaced);
        return true;
    }
    run->wait.what = WAIT_NOTHING;
    bool take_glued = as_glued == PART_WHOLE &&
                      (as_spaced != PART_WHOLE || (second.label_known && !first.label_known));
    if (take_glued)
        begin_count(run, collector, &second);
    else if (as_spaced == PART_WHOLE)
        begin_count(run, collector, &first);
    return take_glued || as_spaced == PART_WHOLE;
}

static bool continue_wait(struct speed_run *run, struct collector *collector,
                          const struct import_line *line)
{
    switch (run->wait.what) {
    case WAIT_RESULT:
        return continue_result(run, collector, line->text);
    case WAIT_DOING:
        return continue_doing(run, collector, line->text);
    case WAIT_HEADER:
        return continue_header(run, collector, line->text);
    case WAIT_ROW:
        return continue_row(run, collector, line);
    case WAIT_KEY_ROW:
        return continue_key_row(run, collector, line);
    case WAIT_MR:
        return continue_mr(run, collector, line->text);
    default:
        return false;
    }
}

static bool parse(void *state, struct collector *collector, const struct import_line *line)
{
    struct speed_run *run = state;
    if (line->stars)
        return false;
    if (line->length == 0)
        return false;
    if (continue_wait(run, collector, line))
        return true;
    return begin_something(run, collector, line);
}

static bool probe(const struct import_line *line)
{
    const char *text = line->text;
    struct speed_header header;
    struct speed_doing doing;
    enum speed_operation operations[4];
    struct speed_key_row key;
    if (has_prefix(text, "+F:") || has_prefix(text, "+H:") || has_prefix(text, "+DT") ||
        (has_prefix(text, "+F") && isdigit((unsigned char)text[2])) ||
        find_text(text, "Got: +") != NULL || has_prefix(text, "Forked child "))
        return true;
    const char *at = find_text(text, "Doing ");
    if (at != NULL && speed_parse_doing(at, &doing) != PART_NO)
        return true;
    return speed_is_command(text) || speed_is_version(text) ||
           speed_parse_header(text, &header) != PART_NO ||
           speed_parse_key_header(text, operations) > 0 || speed_parse_key_row(text, false, &key) ||
           has_prefix(text, "You have chosen to measure elapsed time") ||
           (find_text(text, "ngine \"") != NULL && find_text(text, "\" set") != NULL) ||
           find_nocase(text, "invalid engine") != NULL;
}

static void finish(void *state, struct collector *collector)
{
    struct speed_run *run = state;
    if (run->wait.what == WAIT_ROW)
        give_up_row(run, collector, true);
    else if (run->wait.what == WAIT_KEY_ROW)
        give_up_key_row(run, collector);
    else if (run->wait.what == WAIT_MR)
        (void)take_mr(run, collector, run->wait.text);
    end_run(run, collector);
}

static void release(void *state)
{
    struct speed_run *run = state;
    free(run->counts);
    free(run->rows);
}

const struct importer importer_openssl_speed = {
    .name = "openssl-speed",
    .tool = "openssl speed",
    .description = "openssl speed of 0.9.8 to 3.x and LibreSSL: tables, sentences, -mr, -multi",
    .state_size = sizeof(struct speed_run),
    .probe = probe,
    .parse = parse,
    .finish = finish,
    .free = release,
};
