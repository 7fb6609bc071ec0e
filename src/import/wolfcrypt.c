/*
 * wolfCrypt `benchmark` (wolfcrypt/benchmark/benchmark.c of 3.x to 5.x, and wolfTPM's).
 *
 *   AES-128-CBC-enc             20 MiB took 1.000 seconds,   19.724 MiB/s Cycles per byte = 2.30
 *   RSA     2048 public         10 ops took 1.133 sec, avg 113.271 ms, 8.828 ops/sec
 *   ECDHE [      SECP256R1]   256 agree           4 ops took 1.710 sec, avg 427.612 ms, ...
 *   AES      50 megs took 0.272 seconds, 183.717 MB/s                      (before 3.10)
 *   RSA 2048 encryption took 0.150 milliseconds, avg over 100 iterations
 *
 * Units: KiB and MiB say what they are; "kB" and "mB" are decimal. "KB" and "MB" were 1024 and
 * 1024 * 1024 as long as there was no other spelling (up to 4.5), and are decimal (-base10) in
 * logs of later versions, which their other labels give away.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "import/importer.h"
#include "import/units.h"
#include "import/wolfcrypt_names.h"

/* Marks a reading whose unit is open until the end of the run; no tool runs for so long. */
static const double UNIT_OPEN = -1;

struct wolfcrypt {
    bool later;  /* of a version that spells MiB */
    bool kilo_i; /* "KiB" or "MiB" was seen */
    bool row;    /* a result was read in this run */
    int64_t block_bytes;
    int device; /* -1: none named */
    bool csv_bulk, csv_keys;
    char held[240]; /* the last row, as long as its end may be on the next line */
    bool held_whole;
};

/* --- rows ---------------------------------------------------------------------------------- */

static void begin(struct wolfcrypt *state, struct collector *collector)
{
    if (collector->run.format[0] != '\0')
        return;
    collect_begin(collector, importer_wolfcrypt.name, importer_wolfcrypt.tool);
    bool later = state->later;
    int64_t block = state->block_bytes;
    *state = (struct wolfcrypt){.device = -1, .later = later, .block_bytes = block};
}

/* False when there is none, or when the line ends in the number. */
static bool has_cycles(const char *text, double *cycles)
{
    const char *equals = find_text(text, "Cycles per byte =");
    if (equals == NULL)
        return false;
    struct slice figure = slice_trim(slice_of(equals + 17));
    return scan_number(figure, cycles) > 0 && slice_decimals(figure) >= 2;
}

static void add_cycles(struct collector *collector, const struct reading *like, const char *text)
{
    double cycles;
    if (!has_cycles(text, &cycles))
        return;
    struct reading copy = *like;
    struct reading *reading = collect_reading(collector, copy.line);
    if (reading == NULL)
        return;
    *reading = copy;
    reading->metric = METRIC_CYCLES_PER_BYTE;
    reading->printed = cycles;
    reading->count = reading->counted_s = reading->nominal_s = NAN;
    reading->status = cycles > 0 ? CELL_OK : CELL_UNKNOWN;
    reading->value = cycles > 0 ? cycles : NAN;
    if (!(cycles > 0))
        reading->flags |= FLAG_BELOW_RESOLUTION;
}

/* The place of "took" among the words of a line. */
static unsigned split_at_took(const char *text, struct wolfcrypt_words *words)
{
    wolfcrypt_split(slice_of(text), words);
    unsigned took = 0;
    while (took < words->count && !slice_is(words->word[took], "took"))
        took++;
    return took;
}

/* Small letters are decimal, whatever the version. */
static double bulk_scale(struct slice unit)
{
    return unit_bytes(unit, !slice_starts(unit, "mB") && !slice_starts(unit, "kB"));
}

/* The amount is rounded to a whole unit of `counted_scale` bytes, and has to give the rate. */
static void judge_bulk(struct reading *reading, double counted_scale, bool open)
{
    double expected = 0, slack = 0;
    if (reading->counted_s > 0) {
        expected = reading->count * counted_scale / reading->counted_s;
        slack = 0.51 * counted_scale / reading->counted_s + 0.002 * expected;
    }
    if (reading->printed <= 0) {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_BELOW_RESOLUTION;
    } else if (fabs(expected - reading->printed) > slack && !open) {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_TABLE_DISAGREES;
    } else {
        reading->value = reading->printed;
    }
}

/* <label> <n> <unit> took <t> seconds, <r> <unit>/s */
static bool bulk_row(struct wolfcrypt *state, struct collector *collector,
                     const struct import_line *line)
{
    struct wolfcrypt_words words;
    unsigned took = split_at_took(line->text, &words);
    double amount, seconds, rate;
    if (took < 3 || took + 4 >= words.count || !slice_starts(words.word[took + 2], "seconds") ||
        !slice_number(words.word[took - 2], &amount) ||
        !slice_number(words.word[took + 1], &seconds) || !slice_number(words.word[took + 3], &rate))
        return false;
    struct slice unit = words.word[took + 4];
    double scale = bulk_scale(unit), counted_scale = unit_bytes(words.word[took - 1], true);
    if (scale == 0 || counted_scale == 0)
        return false;
    begin(state, collector);
    state->row = true;
    state->kilo_i = state->kilo_i || find_text(line->text, "iB/s") != NULL;
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    wolfcrypt_name_bulk(collector, state->device, wolfcrypt_join(&words, 0, took - 2), reading);
    state->later = state->later || find_text(line->text, "no_AAD") != NULL ||
                   find_text(line->text, "DRBG") != NULL;
    reading->size_bytes = state->block_bytes > 0 ? state->block_bytes : -1;
    reading->metric = METRIC_BYTES_PER_S;
    reading->printed = rate * scale;
    reading->count = amount;
    reading->counted_s = seconds;
    bool open = unit_is_open(unit);
    judge_bulk(reading, counted_scale, open);
    reading->nominal_s = open ? UNIT_OPEN : NAN;
    add_cycles(collector, reading, line->text);
    return true;
}

static void judge_key(struct reading *reading)
{
    double rate = reading->printed, seconds = reading->counted_s;
    double expected = seconds > 0 ? reading->count / seconds : NAN;
    double slack = rate * (0.002 + (seconds > 0 ? 0.0006 / seconds : 1)) + 0.0006;
    if (reading->operation[0] == '\0') {
        reading->status = CELL_UNKNOWN;
    } else if (reading->count <= 0) {
        reading->status = CELL_FAILED;
    } else if (fabs(expected - rate) <= slack && rate > 0) {
        reading->value = rate;
    } else if (seconds > 0) {
        reading->status = CELL_SALVAGED;
        reading->value = expected;
        reading->flags |= rate > 0.0005 ? FLAG_TABLE_DISAGREES : FLAG_BELOW_RESOLUTION;
    } else {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_BELOW_RESOLUTION;
    }
}

/* <name> <bits> <operation> <n> ops took <t> sec, avg <ms> ms, <rate> ops/sec */
static bool key_row(struct wolfcrypt *state, struct collector *collector,
                    const struct import_line *line)
{
    struct wolfcrypt_words words;
    unsigned took = split_at_took(line->text, &words);
    double count, seconds, rate;
    if (took < 3 || took + 7 >= words.count || !slice_is(words.word[took - 1], "ops") ||
        !slice_number(words.word[took - 2], &count) ||
        !slice_number(words.word[took + 1], &seconds) || !slice_is(words.word[took + 3], "avg") ||
        !slice_number(words.word[took + 6], &rate) ||
        !slice_starts(words.word[took + 7], "ops/sec"))
        return false;
    begin(state, collector);
    state->row = true;
    state->later = state->later || strchr(line->text, '[') != NULL;
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    wolfcrypt_name_key(collector, state->device, &words, took - 2, reading);
    reading->printed = rate;
    reading->count = count;
    reading->counted_s = seconds;
    judge_key(reading);
    return true;
}

/* "RSA 2048 encryption took 0.150 milliseconds, avg over 100 iterations" */
static bool old_key_row(struct wolfcrypt *state, struct collector *collector,
                        const struct import_line *line)
{
    const char *unit = find_text(line->text, " milliseconds, avg over ");
    if (unit == NULL)
        return false;
    struct wolfcrypt_words words;
    wolfcrypt_split((struct slice){line->text, (size_t)(unit - line->text)}, &words);
    double milliseconds;
    if (words.count < 3 || !slice_number(words.word[words.count - 1], &milliseconds))
        return false;
    begin(state, collector);
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    unsigned end = words.count - 1;
    if (slice_is(words.word[end - 1], "took") || slice_is(words.word[end - 1], "time"))
        end--;
    wolfcrypt_name_key(collector, state->device, &words, end, reading);
    reading->printed = 1000 / milliseconds;
    if (milliseconds > 0 && reading->operation[0] != '\0') {
        reading->value = 1000 / milliseconds;
    } else {
        reading->status = CELL_UNKNOWN;
        reading->flags |= milliseconds > 0 ? 0 : FLAG_BELOW_RESOLUTION;
    }
    return true;
}

/* --- comma-separated output ---------------------------------------------------------------- */

static bool csv_header(struct wolfcrypt *state, struct collector *collector, const char *text)
{
    bool bulk = has_prefix(text, "Algorithm,MB/s,") || has_prefix(text, "Algorithm,MiB/s,");
    bool keys = has_prefix(text, "Algorithm,key size,operation,");
    if (!bulk && !keys)
        return false;
    begin(state, collector);
    state->csv_bulk = bulk;
    state->csv_keys = keys;
    return true;
}

static int at_most(size_t length, int limit)
{
    return length < (size_t)limit ? (int)length : limit;
}

/* The column is headed MB/s, but the tool changes to KiB for slow rows without saying so: only the
 * cycles per byte, where they are counted, tell which it is. */
static void csv_bulk_row(const struct wolfcrypt *state, struct reading *reading, double rate,
                         double cycles_per_byte)
{
    double clock = rate * 1048576 * cycles_per_byte;
    bool mega = clock > 5e6 && clock < 1e10;
    bool kilo = !mega && clock / 1024 > 5e6 && clock / 1024 < 1e10;
    reading->metric = METRIC_BYTES_PER_S;
    reading->size_bytes = state->block_bytes > 0 ? state->block_bytes : -1;
    reading->printed = rate * (kilo ? 1024 : 1048576);
    reading->status = mega || kilo ? CELL_OK : CELL_UNKNOWN;
    reading->value = mega || kilo ? reading->printed : NAN;
}

static bool csv_row(struct wolfcrypt *state, struct collector *collector,
                    const struct import_line *line)
{
    if (!state->csv_bulk && !state->csv_keys)
        return false;
    struct slice rest = slice_of(line->text), field[6];
    unsigned count = 0;
    while (count < 6 && slice_field(&rest, ',', &field[count]))
        count++;
    double rate, cycles = 0;
    unsigned column = state->csv_bulk ? 1 : 4;
    if (count < column + 1 || !slice_number(slice_trim(field[column]), &rate))
        return false;
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    if (state->csv_bulk) {
        wolfcrypt_name_bulk(collector, state->device, slice_trim(field[0]), reading);
        if (count < 3 || !slice_number(slice_trim(field[2]), &cycles))
            cycles = 0;
        csv_bulk_row(state, reading, rate, cycles);
        return true;
    }
    char text[128];
    snprintf(text, sizeof text, "%.*s %.*s %.*s", at_most(field[0].length, 40), field[0].text,
             at_most(field[1].length, 40), field[1].text, at_most(field[2].length, 40),
             field[2].text);
    struct wolfcrypt_words words;
    wolfcrypt_split(slice_of(text), &words);
    wolfcrypt_name_key(collector, state->device, &words, words.count, reading);
    reading->printed = rate;
    if (rate > 0 && reading->operation[0] != '\0')
        reading->value = rate;
    else
        reading->status = CELL_UNKNOWN;
    return true;
}

/* --- other lines --------------------------------------------------------------------------- */

static void settle_units(const struct wolfcrypt *state, struct collector *collector)
{
    bool decimal = state->later || state->kilo_i;
    for (size_t i = 0; i < collector->reading_count; i++) {
        struct reading *reading = &collector->readings[i];
        if (reading->nominal_s != UNIT_OPEN)
            continue;
        reading->nominal_s = NAN;
        if (!decimal)
            continue;
        bool mega = reading->printed / reading->count * reading->counted_s > 1e5;
        double factor = mega ? 1e6 / 1048576 : 1e3 / 1024;
        reading->printed *= factor;
        reading->value *= factor;
    }
}

static void finish(void *memory, struct collector *collector)
{
    struct wolfcrypt *state = memory;
    settle_units(state, collector);
    collect_finish(collector);
    *state = (struct wolfcrypt){.device = -1};
}

/* "wolfCrypt Benchmark (block bytes 1024, min 1.0 sec each)" */
static bool title(struct wolfcrypt *state, struct collector *collector, const char *text)
{
    const char *block = find_text(text, "block bytes ");
    if (find_text(text, "wolfCrypt Benchmark (") == NULL || block == NULL)
        return false;
    if (state->row)
        finish(state, collector);
    begin(state, collector);
    double bytes;
    if (scan_number(slice_of(block + 12), &bytes) > 0 && bytes > 0 && bytes < 1e9)
        state->block_bytes = (int64_t)bytes;
    collector->run.facts.block_size =
        collect_text(collector, "%lld", (long long)state->block_bytes);
    return true;
}

/* "wolfSSL version 4.5.0" */
static bool version(struct wolfcrypt *state, struct collector *collector, const char *text)
{
    const char *at = find_text(text, "wolfSSL version ");
    if (at == NULL)
        return false;
    if (state->row)
        finish(state, collector);
    begin(state, collector);
    collector->run.facts.version = collect_slice(collector, slice_trim(slice_of(at + 16)));
    double number;
    if (scan_number(slice_of(at + 16), &number) > 0)
        state->later = number > 4.55;
    return true;
}

static bool device(struct wolfcrypt *state, struct collector *collector, const char *text)
{
    const char *at = find_text(text, "useDevice:");
    double number;
    if (at == NULL || scan_number(slice_of(at + 10), &number) == 0 || number < 0 || number > 1e6)
        return false;
    begin(state, collector);
    state->device = (int)number;
    return true;
}

static bool any_row(struct wolfcrypt *state, struct collector *collector,
                    const struct import_line *line)
{
    return bulk_row(state, collector, line) || key_row(state, collector, line) ||
           old_key_row(state, collector, line);
}

static void hold(struct wolfcrypt *state, const char *text, bool whole)
{
    double cycles;
    bool complete = whole && has_cycles(text, &cycles);
    state->held_whole = whole;
    snprintf(state->held, sizeof state->held, "%.230s", complete ? "" : text);
}

/* The row before was wrapped: its end, or its cycles per byte, stand on this line. */
static bool held_row(struct wolfcrypt *state, struct collector *collector,
                     const struct import_line *line)
{
    char joined[600];
    if (state->held[0] == '\0')
        return false;
    bool done = false;
    for (int blank = 1; blank >= 0 && !done; blank--) {
        snprintf(joined, sizeof joined, "%s%s%.200s", state->held, blank == 1 ? " " : "",
                 line->text);
        struct import_line whole = *line;
        whole.text = joined;
        whole.number = line->number > 1 ? line->number - 1 : 1;
        if (!state->held_whole) {
            done = any_row(state, collector, &whole);
        } else if (collector->reading_count > 0 &&
                   find_text(joined, "Cycles per byte = ") != NULL) {
            struct reading last = collector->readings[collector->reading_count - 1];
            add_cycles(collector, &last, joined);
            done = true;
        }
    }
    if (done || state->held_whole)
        state->held[0] = '\0';
    else if (strlen(state->held) + line->length < sizeof state->held - 1 &&
             find_text(line->text, " took ") == NULL)
        hold(state, joined, false);
    return done;
}

static bool probe(const struct import_line *line)
{
    const char *text = line->text;
    return find_text(text, "wolfCrypt Benchmark") != NULL ||
           find_text(text, "wolfSSL version ") != NULL || find_text(text, " ops took ") != NULL ||
           find_text(text, "with useDevice:") != NULL ||
           (find_text(text, " took ") != NULL && find_text(text, " seconds, ") != NULL &&
            find_text(text, "B/s") != NULL) ||
           find_text(text, "milliseconds, avg over ") != NULL ||
           has_prefix(text, "Algorithm,MB/s,Cycles per byte");
}

/* A row whose end is missing: "RSA 2048 public 10 ops took 1.133 sec," */
static bool begins_row(const char *text)
{
    return find_text(text, " took ") != NULL &&
           (find_text(text, "sec") != NULL || find_text(text, " ops ") != NULL ||
            find_text(text, "iB ") != NULL || find_text(text, "B took") != NULL);
}

static bool parse(void *memory, struct collector *collector, const struct import_line *line)
{
    struct wolfcrypt *state = memory;
    const char *text = line->text;
    if (line->stars)
        return false;
    bool took = find_text(text, " took ") != NULL;
    if ((took || find_text(text, "milliseconds") != NULL) && any_row(state, collector, line)) {
        hold(state, text, true);
        return true;
    }
    if (held_row(state, collector, line))
        return true;
    if (begins_row(text)) {
        begin(state, collector);
        if (line->last)
            collect_finding(collector, FINDING_CUT, line->number, text);
        else
            hold(state, text, false);
        return true;
    }
    if (title(state, collector, text) || version(state, collector, text) ||
        device(state, collector, text) || csv_header(state, collector, text) ||
        csv_row(state, collector, line))
        return true;
    if (find_nocase(text, "benchmark") != NULL && find_nocase(text, "fail") != NULL) {
        begin(state, collector);
        collect_finding(collector, FINDING_OPERATION_ERROR, line->number, text);
        return true;
    }
    return find_text(text, "Benchmark complete") != NULL;
}

const struct importer importer_wolfcrypt = {
    .name = "wolfcrypt",
    .tool = "wolfCrypt benchmark",
    .description = "wolfCrypt benchmark of 3.x to 5.x: all units, keys, devices, -csv",
    .state_size = sizeof(struct wolfcrypt),
    .probe = probe,
    .parse = parse,
    .finish = finish,
};
