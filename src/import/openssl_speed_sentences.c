/* What `openssl speed` is doing, and what came of it, across wrapped lines. */
#include "import/openssl_speed_run.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    speed_next_run(run, collector);
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
            (void)speed_message(run, collector, slice_trim(own).text, count);
    }
    if (next != NULL)
        (void)speed_sentence(run, collector, next);
}

/* `text` begins with "Doing ". */
bool speed_sentence(struct speed_run *run, struct collector *collector, const char *text)
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
        speed_open_run(collector);
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
bool speed_continue_result(struct speed_run *run, struct collector *collector, const char *text)
{
    struct speed_count *count = &run->counts[run->wait.count];
    if (starts_something(text) || ++run->wait.lines > SPEED_WAIT_LINES) {
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
        if (speed_message(run, collector, text, count) != MESSAGE_NONE)
            run->wait.tail[0] = '\0';
        else
            add_to_tail(run, (struct slice){text, length});
    }
    if (doing != NULL)
        (void)speed_sentence(run, collector, doing);
    return true;
}

/* The sentence itself was wrapped: with a blank or without, whichever names a known label. */
bool speed_continue_doing(struct speed_run *run, struct collector *collector, const char *text)
{
    char spaced[SPEED_TEXT_BYTES], glued[SPEED_TEXT_BYTES];
    if (starts_something(text) || ++run->wait.lines > SPEED_JOIN_LINES) {
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
