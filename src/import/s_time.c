/*
 * `openssl s_time` (0.9.8 to 3.x).
 *
 *   520 connections in 5.35s; 97.20 connections/user sec, bytes read 0
 *   520 connections in 31 real seconds, 0 bytes read per connection
 *
 * The first line divides by the CPU seconds of the client and says nothing about connections per
 * second; the second does. Between them and the title stands a mark per connection: 'r' resumed,
 * '*' and other signs not.
 */
#include <math.h>
#include <string.h>

#include "import/importer.h"

struct s_time {
    bool reuse, row;
    bool titled; /* a title said whether sessions are new or reused */
    double cpu_rate, cpu_count;
    uint32_t cpu_line;
    uint64_t resumed, full;
};

static void begin(struct s_time *state, struct collector *collector)
{
    if (collector->run.format[0] != '\0')
        return;
    collect_begin(collector, importer_s_time.name, importer_s_time.tool);
    *state = (struct s_time){.cpu_rate = NAN, .cpu_count = NAN};
}

static struct reading *add(const struct s_time *state, struct collector *collector, uint32_t line)
{
    struct reading *reading = collect_reading(collector, line);
    if (reading == NULL)
        return NULL;
    reading->algorithm = "tls";
    reading->operation = "handshake";
    reading->label = !state->titled ? "" : state->reuse ? "reuse" : "new";
    reading->variant = reading->label;
    reading->metric = METRIC_CONNECTIONS_PER_S;
    reading->printed = state->cpu_rate;
    return reading;
}

/* A rate per CPU second that no line of real seconds followed. */
static void flush_cpu_rate(struct s_time *state, struct collector *collector)
{
    if (isnan(state->cpu_rate))
        return;
    struct reading *reading = add(state, collector, state->cpu_line);
    if (reading != NULL) {
        reading->status = CELL_UNKNOWN;
        reading->flags = FLAG_CPU_TIME;
        reading->count = state->cpu_count;
    }
    state->cpu_rate = NAN;
}

static void reset_marks(struct s_time *state)
{
    state->resumed = 0;
    state->full = 0;
}

static void finish(void *memory, struct collector *collector)
{
    struct s_time *state = memory;
    flush_cpu_rate(state, collector);
    collect_finish(collector);
    *state = (struct s_time){.cpu_rate = NAN, .cpu_count = NAN};
}

/* "520 connections in " -> 520 and what follows. */
static bool connections(const char *text, double *count, struct slice *rest)
{
    const char *words = find_text(text, " connections in ");
    if (words == NULL)
        return false;
    const char *from = words;
    while (from > text && from[-1] >= '0' && from[-1] <= '9')
        from--;
    *rest = slice_of(words + 16);
    return slice_number((struct slice){from, (size_t)(words - from)}, count);
}

static bool cpu_line(struct s_time *state, struct collector *collector, uint32_t line, double count,
                     struct slice rest)
{
    double seconds, rate;
    size_t length = scan_number(rest, &seconds);
    if (length == 0 || find_text(rest.text, "connections/user sec") == NULL)
        return false;
    struct slice after = slice_trim((struct slice){rest.text + length, rest.length - length});
    if (!slice_starts(after, "s;"))
        return false;
    after = slice_trim((struct slice){after.text + 2, after.length - 2});
    if (scan_number(after, &rate) == 0)
        rate = NAN;
    flush_cpu_rate(state, collector);
    state->cpu_rate = isnan(rate) && seconds > 0 ? count / seconds : rate;
    if (isnan(state->cpu_rate))
        state->cpu_rate = INFINITY;
    state->cpu_count = count;
    state->cpu_line = line;
    state->row = true;
    return true;
}

static void judge(const struct s_time *state, struct reading *reading)
{
    if (!isnan(state->cpu_rate))
        reading->flags |= FLAG_CPU_TIME;
    if (!(reading->count > 0) || !(reading->counted_s > 0)) {
        reading->status = reading->count > 0 ? CELL_UNKNOWN : CELL_FAILED;
    } else if (state->reuse && state->resumed == 0 && state->full > 0) {
        reading->status = CELL_FAILED;
        reading->flags |= FLAG_NOT_RESUMED;
    } else {
        bool as_printed = isnan(state->cpu_rate) && state->titled;
        reading->status = as_printed ? CELL_OK : CELL_SALVAGED;
        reading->value = reading->count / reading->counted_s;
        reading->flags |= state->titled ? 0 : FLAG_TRUNCATED;
    }
}

/* ", 536870956 bytes read per connection" */
static void note_transfer(struct collector *collector, uint32_t line, const char *text)
{
    double bytes;
    const char *comma = find_text(text, ", ");
    if (comma != NULL && scan_number(slice_of(comma + 2), &bytes) > 0 && bytes > 1e6)
        collect_finding_text(collector, FINDING_NOTE, line,
                             "%.0f bytes were read per connection: this measures the transfer, not "
                             "the handshake",
                             bytes);
}

static bool real_line(struct s_time *state, struct collector *collector, uint32_t line,
                      double count, struct slice rest)
{
    double seconds;
    if (scan_number(rest, &seconds) == 0 || find_text(rest.text, "real seconds") == NULL)
        return false;
    struct reading *reading = add(state, collector, line);
    if (reading == NULL)
        return true;
    state->row = true;
    reading->count = count;
    reading->counted_s = seconds;
    judge(state, reading);
    note_transfer(collector, line, rest.text);
    state->cpu_rate = NAN;
    reset_marks(state);
    return true;
}

/* The marks of one line, up to a sign that is none. */
static void count_marks(struct s_time *state, const char *text)
{
    for (; *text != '\0' && strchr("*rst23 ", *text) != NULL; text++) {
        state->resumed += *text == 'r';
        state->full += *text != 'r' && *text != ' ';
    }
}

static bool is_marks(const char *text)
{
    size_t length = strspn(text, "*rst23");
    return length >= 4 &&
           (text[length] == '\0' || (unsigned char)text[length] >= 0x80 || text[length] == '(');
}

static bool probe(const struct import_line *line)
{
    return find_text(line->text, "Collecting connection statistics for ") != NULL ||
           find_text(line->text, "Now timing with session id reuse") != NULL ||
           find_text(line->text, "connections/user sec") != NULL ||
           (find_text(line->text, " connections in ") != NULL &&
            find_text(line->text, "real seconds") != NULL) ||
           (find_text(line->text, "openssl") != NULL && find_text(line->text, " s_time ") != NULL);
}

static bool parse(void *memory, struct collector *collector, const struct import_line *line)
{
    struct s_time *state = memory;
    const char *text = line->text;
    double count;
    struct slice rest;
    if (line->stars || is_marks(text)) {
        if (collector->run.format[0] == '\0')
            return false;
        count_marks(state, text);
        return true;
    }
    bool command = find_text(text, " s_time ") != NULL && find_text(text, "openssl") != NULL;
    if (command || find_text(text, "Collecting connection statistics for ") != NULL) {
        if (state->row)
            finish(state, collector);
        begin(state, collector);
        state->reuse = false;
        state->titled = true;
        if (command)
            collector->run.facts.command = collect_slice(collector, slice_of(text));
        return true;
    }
    if (connections(text, &count, &rest)) {
        begin(state, collector);
        return cpu_line(state, collector, line->number, count, rest) ||
               real_line(state, collector, line->number, count, rest);
    }
    if (find_text(text, "Now timing with session id reuse") != NULL) {
        begin(state, collector);
        flush_cpu_rate(state, collector);
        state->reuse = true;
        state->titled = true;
        reset_marks(state);
        return true;
    }
    return strcmp(text, "starting") == 0 || strcmp(text, "No CIPHER specified") == 0;
}

const struct importer importer_s_time = {
    .name = "s_time",
    .tool = "openssl s_time",
    .description = "openssl s_time of 0.9.8 to 3.x, new and reused sessions",
    .state_size = sizeof(struct s_time),
    .probe = probe,
    .parse = parse,
    .finish = finish,
};
