/* The tables of `openssl speed`: which line is a header, a row, or the rest of one. */
#include "import/openssl_speed_run.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- tables -------------------------------------------------------------------------------- */

bool speed_take_header(struct speed_run *run, struct collector *collector, const char *text)
{
    struct speed_header header;
    enum speed_part part = speed_parse_header(text, &header);
    if (part == PART_NO)
        return false;
    if (run->any_bulk)
        speed_next_run(run, collector);
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

bool speed_continue_header(struct speed_run *run, struct collector *collector, const char *text)
{
    if (!header_like(text) || ++run->wait.lines > SPEED_JOIN_LINES) {
        run->wait.what = WAIT_NOTHING;
        return false;
    }
    speed_join(run->wait.text, sizeof run->wait.text, text, false);
    return speed_take_header(run, collector, run->wait.text);
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
    run->any_bulk = true;
}

static bool row_complete(const struct speed_run *run, const struct speed_cells *cells)
{
    if (cells->values[cells->count - 1].form == FORM_CUT)
        return false;
    return run->header == NULL || cells->count >= run->header->count;
}

bool speed_take_bulk_row(struct speed_run *run, struct collector *collector,
                         const struct import_line *line)
{
    struct speed_cells cells;
    if (!speed_parse_bulk_row(line->text, &cells))
        return false;
    struct name name;
    if (speed_holds_figure(known_label(cells.label, &name)))
        return false;
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

void speed_give_up_row(struct speed_run *run, struct collector *collector, bool ends_file)
{
    struct speed_cells cells;
    if (speed_parse_bulk_row(run->wait.text, &cells))
        add_bulk_row(run, collector, &cells, run->wait.text, run->wait.line, run->wait.lines > 1,
                     ends_file);
    run->wait.what = WAIT_NOTHING;
}

bool speed_continue_row(struct speed_run *run, struct collector *collector,
                        const struct import_line *line)
{
    if (!values_only(line->text, false) || ++run->wait.lines > SPEED_JOIN_LINES) {
        speed_give_up_row(run, collector, false);
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

bool speed_take_key_row(struct speed_run *run, struct collector *collector,
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

void speed_give_up_key_row(struct speed_run *run, struct collector *collector)
{
    struct speed_key_row key;
    if (speed_parse_key_row(run->wait.text, run->key_names, &key))
        add_key_row(run, collector, &key, run->wait.line);
    run->wait.what = WAIT_NOTHING;
}

bool speed_continue_key_row(struct speed_run *run, struct collector *collector,
                            const struct import_line *line)
{
    if (!values_only(line->text, true) || ++run->wait.lines > SPEED_JOIN_LINES) {
        speed_give_up_key_row(run, collector);
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

bool speed_take_key_header(struct speed_run *run, struct collector *collector, const char *text)
{
    enum speed_operation operations[4];
    unsigned count = speed_parse_key_header(text, operations);
    if (count == 0)
        return false;
    speed_open_run(collector);
    run->key_operation_count = count;
    memcpy(run->key_operations, operations, sizeof operations);
    run->key_names = operations[0] == OPERATION_KEYGEN;
    return true;
}
