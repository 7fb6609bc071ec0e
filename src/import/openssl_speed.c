/* The state of a run of `openssl speed`: which line belongs to what, and where a run ends. */
#include "import/openssl_speed_run.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    run->any_bulk = false;
    run->late = false;
    run->error_line = 0;
    run->engine_error_line = 0;
    run->held.elapsed = false;
    run->wait.what = WAIT_NOTHING;
}

void speed_open_run(struct collector *collector)
{
    if (collector->run.format[0] == '\0')
        collect_begin(collector, importer_openssl_speed.name, importer_openssl_speed.tool);
}

void speed_end_run(struct speed_run *run, struct collector *collector)
{
    if (run->count_count > 0 || run->row_count > 0)
        speed_judge(run, collector);
    collect_finish(collector);
    forget(run);
}

void speed_next_run(struct speed_run *run, struct collector *collector)
{
    speed_end_run(run, collector);
    speed_open_run(collector);
}

struct speed_count *speed_add_count(struct speed_run *run, struct collector *collector,
                                    const struct speed_doing *doing)
{
    if (run->count_count >= SPEED_COUNTS)
        speed_next_run(run, collector);
    run->counts =
        grow(collector, run->counts, run->count_count, &run->count_room, sizeof *run->counts);
    if (collector->stopped)
        return NULL;
    speed_open_run(collector);
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
        speed_next_run(run, collector);
    run->rows = grow(collector, run->rows, run->row_count, &run->row_room, sizeof *run->rows);
    if (collector->stopped)
        return NULL;
    speed_open_run(collector);
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
    speed_open_run(collector);
    struct speed_header *copy = arena_take(&collector->arena, sizeof *copy);
    if (copy != NULL)
        *copy = *header;
    run->header = copy;
    return copy;
}

/* --- machine-readable lines ---------------------------------------------------------------- */

static bool has_rows_of_own(const struct speed_run *run)
{
    return run->any_total;
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
        speed_next_run(run, collector);
    if (!speed_mr_line(run, collector, text))
        return false;
    if (!child && has_prefix(text, "+F"))
        run->any_total = true;
    run->any_bulk = run->any_bulk || (!child && has_prefix(text, "+F:"));
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
    if (!fits || ++run->wait.lines > SPEED_JOIN_LINES) {
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
        child < 0 || child > 4096)
        return false;
    if (has_rows_of_own(run))
        speed_next_run(run, collector);
    speed_open_run(collector);
    if ((unsigned)child + 1 > run->workers)
        run->workers = (unsigned)child + 1;
    return true;
}

/* --- messages ------------------------------------------------------------------------------ */

enum speed_message speed_message(struct speed_run *run, struct collector *collector,
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
        speed_next_run(run, collector);
    bool engine_known = collector->run.facts.engine[0] != '\0';
    if (has_rows_of_own(run) && !engine_known && find_nocase(text, "invalid engine") != NULL)
        speed_next_run(run, collector);
    if (speed_message(run, collector, text, NULL) == MESSAGE_NONE)
        return false;
    speed_open_run(collector);
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
        speed_next_run(run, collector);
    speed_open_run(collector);
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
        speed_sentence(run, collector, doing))
        return true;
    return take_command(run, collector, text) || speed_take_header(run, collector, text) ||
           speed_take_key_header(run, collector, text) ||
           speed_take_key_row(run, collector, line) || speed_take_bulk_row(run, collector, line) ||
           take_message(run, collector, text);
}

static bool continue_wait(struct speed_run *run, struct collector *collector,
                          const struct import_line *line)
{
    switch (run->wait.what) {
    case WAIT_RESULT:
        return speed_continue_result(run, collector, line->text);
    case WAIT_DOING:
        return speed_continue_doing(run, collector, line->text);
    case WAIT_HEADER:
        return speed_continue_header(run, collector, line->text);
    case WAIT_ROW:
        return speed_continue_row(run, collector, line);
    case WAIT_KEY_ROW:
        return speed_continue_key_row(run, collector, line);
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

static bool is_machine_readable(const char *text)
{
    return has_prefix(text, "+F:") || has_prefix(text, "+H:") || has_prefix(text, "+DT") ||
           (has_prefix(text, "+F") && isdigit((unsigned char)text[2])) ||
           find_text(text, "Got: +") != NULL || has_prefix(text, "Forked child ");
}

static bool is_announcement(const char *text)
{
    return has_prefix(text, "You have chosen to measure elapsed time") ||
           (find_text(text, "ngine \"") != NULL && find_text(text, "\" set") != NULL) ||
           find_nocase(text, "invalid engine") != NULL || speed_is_command(text) ||
           speed_is_version(text);
}

static bool is_table(const char *text)
{
    struct speed_header header;
    enum speed_operation operations[4];
    struct speed_key_row key;
    return speed_parse_header(text, &header) != PART_NO ||
           speed_parse_key_header(text, operations) > 0 || speed_parse_key_row(text, false, &key);
}

static bool probe(const struct import_line *line)
{
    struct speed_doing doing;
    const char *at = find_text(line->text, "Doing ");
    return (at != NULL && speed_parse_doing(at, &doing) != PART_NO) ||
           is_machine_readable(line->text) || is_table(line->text) || is_announcement(line->text);
}

static void finish(void *state, struct collector *collector)
{
    struct speed_run *run = state;
    if (run->wait.what == WAIT_ROW)
        speed_give_up_row(run, collector, true);
    else if (run->wait.what == WAIT_KEY_ROW)
        speed_give_up_key_row(run, collector);
    else if (run->wait.what == WAIT_MR)
        (void)take_mr(run, collector, run->wait.text);
    speed_end_run(run, collector);
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
