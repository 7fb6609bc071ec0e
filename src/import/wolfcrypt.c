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
#include "import/names.h"
#include "import/units.h"

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

enum { WORDS = 24 };

struct words {
    struct slice word[WORDS];
    unsigned count;
};

static void split(struct slice text, struct words *words)
{
    words->count = 0;
    while (words->count < WORDS && slice_word(&text, &words->word[words->count]))
        words->count++;
}

static struct slice join(const struct words *words, unsigned first, unsigned end)
{
    if (first >= end)
        return (struct slice){"", 0};
    const char *from = words->word[first].text;
    const char *to = words->word[end - 1].text + words->word[end - 1].length;
    return (struct slice){from, (size_t)(to - from)};
}

/* --- labels -------------------------------------------------------------------------------- */

/* Cuts `part` (with the hyphen before it) out of a label; true when it was there. */
static bool cut_part(char *label, const char *part)
{
    char *at = strstr(label, part);
    if (at == NULL)
        return false;
    size_t length = strlen(part);
    if (at[length] != '\0' && at[length] != '-' && at[length] != ' ')
        return false;
    memmove(at, at + length, strlen(at + length) + 1);
    return true;
}

static const char *device_variant(struct collector *collector, const struct wolfcrypt *state)
{
    return state->device >= 0 ? collect_text(collector, "device:%d", state->device) : "";
}

/* "AES-128-GCM-enc-no_AAD" -> aes-128-gcm, encrypt, no-aad. */
static void name_bulk(struct collector *collector, const struct wolfcrypt *state,
                      struct slice label, struct reading *reading)
{
    char text[NAME_BYTES];
    size_t length = label.length < sizeof text - 1 ? label.length : sizeof text - 1;
    memcpy(text, label.text, length);
    text[length] = '\0';
    const char *variant = device_variant(collector, state);
    if (cut_part(text, "-no_AAD"))
        variant = "no-aad";
    if (cut_part(text, "-STREAM"))
        variant = "stream";
    if (cut_part(text, "-HW") || cut_part(text, " HW"))
        variant = "device:1";
    if (cut_part(text, "-SW") || cut_part(text, " SW"))
        variant = "device:0";
    bool encrypts = cut_part(text, "-enc"), decrypts = !encrypts && cut_part(text, "-dec");
    if (has_prefix(text, "GMAC"))
        text[4] = '\0';
    if (has_prefix(text, "RNG"))
        text[3] = '\0';
    struct name name = name_symmetric(slice_of(text));
    bool derives = has_prefix(name.text, "pbkdf") || has_prefix(name.text, "scrypt");
    reading->label = collect_slice(collector, label);
    reading->algorithm = collect_text(collector, "%s", name.text);
    reading->operation = decrypts   ? "decrypt"
                         : encrypts ? "encrypt"
                         : derives  ? "kdf"
                                    : name_operation(name.kind);
    reading->variant = variant;
}

static const struct {
    const char *words;
    const char *operation;
} KEY_OPERATIONS[] = {
    {"public", "encrypt"},     {"private", "decrypt"},    {"key gen", "keygen"},
    {"agree", "derive"},       {"sign", "sign"},          {"verify", "verify"},
    {"encrypt", "encrypt"},    {"decrypt", "decrypt"},    {"encap", "encaps"},
    {"decap", "decaps"},       {"encaps", "encaps"},      {"decaps", "decaps"},
    {"encryption", "encrypt"}, {"decryption", "decrypt"}, {"gen", "keygen"},
    {"derive", "derive"},      {"keygen", "keygen"},
};

/* The operation whose words begin at `at`; the number of words, 0: none. */
static unsigned key_operation(const struct words *words, unsigned at, const char **operation)
{
    for (size_t i = 0; i < COUNT_OF(KEY_OPERATIONS); i++) {
        struct slice rest = slice_of(KEY_OPERATIONS[i].words), wanted;
        unsigned matched = 0;
        bool same = true;
        while (slice_word(&rest, &wanted)) {
            unsigned here = at + matched++;
            same = same && here < words->count && words->word[here].length == wanted.length &&
                   memcmp(words->word[here].text, wanted.text, wanted.length) == 0;
        }
        if (same) {
            *operation = KEY_OPERATIONS[i].operation;
            return matched;
        }
    }
    return 0;
}

/* "[", "SECP256R1]" among the words. */
static struct slice bracketed(const struct words *words, unsigned end)
{
    const char *open = NULL;
    for (unsigned i = 0; i < end; i++) {
        struct slice word = words->word[i];
        if (open == NULL && word.text[0] == '[')
            open = word.text + 1;
        if (open != NULL && word.text[word.length - 1] == ']') {
            const char *close = word.text + word.length - 1;
            return slice_trim((struct slice){open, (size_t)(close - open)});
        }
    }
    return (struct slice){"", 0};
}

static const char *curve_of_bits(int64_t bits)
{
    static const struct {
        int64_t bits;
        const char *curve;
    } CURVES[] = {{192, "p192"}, {224, "p224"}, {256, "p256"}, {384, "p384"}, {521, "p521"}};
    for (size_t i = 0; i < COUNT_OF(CURVES); i++) {
        if (CURVES[i].bits == bits)
            return CURVES[i].curve;
    }
    return NULL;
}

/* "RSA", "ECDHE" with a curve or bits, "ED" 25519, "ML-KEM 768", ... */
static const char *name_key_algorithm(struct collector *collector, const struct words *words,
                                      unsigned end, int64_t bits)
{
    struct slice first = words->word[0];
    long long number = bits;
    if (slice_is(first, "RSA") || slice_is(first, "DH") || slice_is(first, "DSA"))
        return collect_text(collector, "%s-%lld",
                            slice_is(first, "RSA")  ? "rsa"
                            : slice_is(first, "DH") ? "dh"
                                                    : "dsa",
                            number);
    if (slice_is(first, "ED") || slice_is(first, "CURVE"))
        return collect_text(collector, "%s%lld", slice_is(first, "ED") ? "ed" : "x", number);
    static const char *const EXCHANGES[] = {"ECC", "ECDHE", "ECDH", "EC-DHE"};
    const char *curve = curve_of_bits(bits);
    struct slice named = bracketed(words, end);
    struct name name;
    if (named.length > 0) {
        name = name_curve(named);
        curve = name.text;
    }
    bool signs = slice_is(first, "ECDSA") || slice_is(first, "EC-DSA");
    bool exchange = false;
    for (size_t i = 0; i < COUNT_OF(EXCHANGES); i++)
        exchange = exchange || slice_is(first, EXCHANGES[i]);
    if ((signs || exchange) && curve != NULL)
        return collect_text(collector, "%s-%s", signs ? "ecdsa" : "ecdh", curve);
    struct slice whole = join(words, 0, end);
    if (whole.length == 0)
        return "";
    return collect_text(collector, "%s", name_key(whole).text);
}

/* "ML-KEM 768" "192 key gen": a name with a number of its own, then the strength. */
static void name_key_reading(struct collector *collector, const struct wolfcrypt *state,
                             const struct words *words, unsigned end, struct reading *reading)
{
    unsigned at = 0, length = 0;
    const char *operation = "";
    for (at = 1; at < end && length == 0; at++)
        length = key_operation(words, at, &operation);
    at = length > 0 ? at - 1 : end;
    int64_t bits = -1;
    unsigned name_end = at;
    if (at > 1 && slice_integer(words->word[at - 1], &bits)) {
        name_end = at - 1;
        int64_t own;
        bool numbered = name_end > 1 && slice_integer(words->word[name_end - 1], &own);
        bool post_quantum = slice_starts(words->word[0], "ML-") ||
                            slice_starts(words->word[0], "KYBER") ||
                            slice_starts(words->word[0], "DILITHIUM");
        if (!numbered && post_quantum)
            name_end = at;
    }
    const char *variant = device_variant(collector, state);
    for (unsigned i = at + length; i < end; i++) {
        if (slice_is(words->word[i], "HW"))
            variant = "device:1";
        else if (slice_is(words->word[i], "SW"))
            variant = "device:0";
    }
    reading->label = collect_slice(collector, join(words, 0, end));
    reading->algorithm = name_key_algorithm(collector, words, name_end, bits);
    reading->operation = operation;
    reading->variant = variant;
    reading->metric = METRIC_OPS_PER_S;
}

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

static void add_cycles(struct collector *collector, const struct reading *like, const char *text)
{
    const char *equals = find_text(text, "Cycles per byte =");
    double cycles;
    if (equals == NULL || scan_number(slice_trim(slice_of(equals + 17)), &cycles) == 0)
        return;
    if (slice_decimals(slice_trim(slice_of(equals + 17))) < 2)
        return; /* the line ends in the number */
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

/* <label> <n> <unit> took <t> seconds, <r> <unit>/s */
static bool bulk_row(struct wolfcrypt *state, struct collector *collector,
                     const struct import_line *line)
{
    struct words words;
    split(slice_of(line->text), &words);
    unsigned took = 0;
    while (took < words.count && !slice_is(words.word[took], "took"))
        took++;
    double amount, seconds, rate;
    if (took < 3 || took + 4 >= words.count || !slice_starts(words.word[took + 2], "seconds") ||
        !slice_number(words.word[took - 2], &amount) ||
        !slice_number(words.word[took + 1], &seconds) || !slice_number(words.word[took + 3], &rate))
        return false;
    struct slice unit = words.word[took + 4], counted = words.word[took - 1];
    double scale = unit_bytes(unit, true), counted_scale = unit_bytes(counted, true);
    if (scale == 0 || counted_scale == 0)
        return false;
    begin(state, collector);
    state->row = true;
    state->kilo_i = state->kilo_i || find_text(line->text, "iB/s") != NULL;
    if (slice_starts(unit, "mB") || slice_starts(unit, "kB"))
        scale = unit_bytes(unit, false);
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    name_bulk(collector, state, join(&words, 0, took - 2), reading);
    state->later = state->later || find_text(line->text, "no_AAD") != NULL ||
                   find_text(line->text, "DRBG") != NULL;
    reading->size_bytes = state->block_bytes > 0 ? state->block_bytes : -1;
    reading->metric = METRIC_BYTES_PER_S;
    reading->printed = rate * scale;
    reading->count = amount;
    reading->counted_s = seconds;
    bool open = unit_is_open(unit);
    /* the amount is rounded to a whole unit */
    double expected = seconds > 0 ? amount * counted_scale / seconds : 0;
    double slack = seconds > 0 ? 0.51 * counted_scale / seconds + 0.002 * expected : 0;
    if (rate <= 0) {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_BELOW_RESOLUTION;
    } else if (fabs(expected - rate * scale) > slack && !open) {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_TABLE_DISAGREES;
    } else {
        reading->value = rate * scale;
    }
    reading->nominal_s = open ? UNIT_OPEN : NAN;
    add_cycles(collector, reading, line->text);
    return true;
}

/* <name> <bits> <operation> <n> ops took <t> sec, avg <ms> ms, <rate> ops/sec */
static bool key_row(struct wolfcrypt *state, struct collector *collector,
                    const struct import_line *line)
{
    struct words words;
    split(slice_of(line->text), &words);
    unsigned took = 0;
    while (took < words.count && !slice_is(words.word[took], "took"))
        took++;
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
    name_key_reading(collector, state, &words, took - 2, reading);
    reading->printed = rate;
    reading->count = count;
    reading->counted_s = seconds;
    double expected = seconds > 0 ? count / seconds : NAN;
    bool agrees =
        fabs(expected - rate) <= rate * (0.002 + (seconds > 0 ? 0.0006 / seconds : 1)) + 0.0006;
    if (reading->operation[0] == '\0') {
        reading->status = CELL_UNKNOWN;
    } else if (count <= 0) {
        reading->status = CELL_FAILED;
    } else if (agrees && rate > 0) {
        reading->value = rate;
    } else if (seconds > 0) {
        reading->status = CELL_SALVAGED;
        reading->value = expected;
        reading->flags |= rate > 0.0005 ? FLAG_TABLE_DISAGREES : FLAG_BELOW_RESOLUTION;
    } else {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_BELOW_RESOLUTION;
    }
    return true;
}

/* "RSA 2048 encryption took 0.150 milliseconds, avg over 100 iterations" */
static bool old_key_row(struct wolfcrypt *state, struct collector *collector,
                        const struct import_line *line)
{
    const char *unit = find_text(line->text, " milliseconds, avg over ");
    if (unit == NULL)
        return false;
    struct words words;
    split((struct slice){line->text, (size_t)(unit - line->text)}, &words);
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
    name_key_reading(collector, state, &words, end, reading);
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
static bool csv_row(struct wolfcrypt *state, struct collector *collector,
                    const struct import_line *line)
{
    if (!state->csv_bulk && !state->csv_keys)
        return false;
    struct slice rest = slice_of(line->text), field[6];
    unsigned count = 0;
    while (count < 6 && slice_field(&rest, ',', &field[count]))
        count++;
    double rate, other = 0;
    unsigned column = state->csv_bulk ? 1 : 4;
    if (count < column + 1 || !slice_number(slice_trim(field[column]), &rate))
        return false;
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    if (state->csv_bulk) {
        name_bulk(collector, state, slice_trim(field[0]), reading);
        reading->metric = METRIC_BYTES_PER_S;
        reading->size_bytes = state->block_bytes > 0 ? state->block_bytes : -1;
        reading->printed = rate * 1048576;
        bool cycles = count > 2 && slice_number(slice_trim(field[2]), &other) && other > 0;
        double clock = rate * 1048576 * other;
        bool mega = cycles && clock > 5e6 && clock < 1e10;
        bool kilo = cycles && !mega && clock / 1024 > 5e6 && clock / 1024 < 1e10;
        reading->status = mega || kilo ? CELL_OK : CELL_UNKNOWN;
        reading->value = mega ? rate * 1048576 : kilo ? rate * 1024 : NAN;
        if (kilo)
            reading->printed = reading->value;
        return true;
    }
    char text[128];
    snprintf(text, sizeof text, "%.*s %.*s %.*s", at_most(field[0].length, 40), field[0].text,
             at_most(field[1].length, 40), field[1].text, at_most(field[2].length, 40),
             field[2].text);
    struct words words;
    split(slice_of(text), &words);
    name_key_reading(collector, state, &words, words.count, reading);
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
    state->held_whole = whole;
    snprintf(state->held, sizeof state->held, "%.230s", text);
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
    if (took && find_text(text, "sec") == NULL && !line->last)
        took = find_text(text, " ops ") != NULL || find_text(text, "iB ") != NULL ||
               find_text(text, "B took") != NULL;
    if (took) {
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
