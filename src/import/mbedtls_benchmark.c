/*
 * Mbed TLS `benchmark` (programs/test/benchmark.c of PolarSSL 1.1 to Mbed TLS 3.6, and ports).
 *
 *   AES-CBC-128              :     165431 KiB/s,         18 cycles/byte
 *   RSA-2048                 :     458   public/s
 *   ECDSA-secp256r1          :     387 ms/sign
 *
 * The throughput is bytes / 1024 in every version, however the unit is spelled: KiB/s, KB/s, Kb/s.
 * Where a clock is stated, rate times cycles per byte has to be near it. The program rounds to
 * whole cycles per byte unless a port prints decimals: 0 means less than one.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "import/bound.h"
#include "import/importer.h"
#include "import/names.h"
#include "import/units.h"

/* 2^22 KiB/s: what a 32-bit counter of bytes shows when its clock does not advance. */
static const double SATURATED_KIB = 4194304;

struct mbedtls {
    bool row; /* a result was read in this run */
};

static void begin(struct collector *collector)
{
    if (collector->run.format[0] == '\0')
        collect_begin(collector, importer_mbedtls_benchmark.name, importer_mbedtls_benchmark.tool);
}

/* "<label> : <rest>": where the label ends. */
static bool split_label(const char *text, struct slice *label, struct slice *rest)
{
    const char *colon = find_text(text, ": ");
    if (colon == NULL)
        return false;
    *label = slice_trim((struct slice){text, (size_t)(colon - text)});
    *rest = slice_trim(slice_of(colon + 1));
    return label->length > 0 && label->length < NAME_BYTES;
}

/* --- throughput ---------------------------------------------------------------------------- */

/* "CTR_DRBG (NOPR)" -> ctr-drbg with variant nopr. */
static const char *drbg_variant(struct slice *label)
{
    static const struct {
        const char *suffix, *variant;
    } SUFFIXES[] = {{"(NOPR)", "nopr"}, {"(PR)", "pr"}};
    for (size_t i = 0; i < COUNT_OF(SUFFIXES); i++) {
        if (slice_ends(*label, SUFFIXES[i].suffix)) {
            label->length -= strlen(SUFFIXES[i].suffix);
            *label = slice_trim(*label);
            return SUFFIXES[i].variant;
        }
    }
    return "";
}

static void name_bulk(struct collector *collector, struct slice label, struct reading *reading)
{
    reading->label = collect_slice(collector, label);
    struct slice shorter = label;
    reading->variant = drbg_variant(&shorter);
    if (slice_starts(shorter, "AES-CMAC-PRF")) {
        reading->variant = "prf";
        shorter = slice_of("AES-CMAC-128");
    }
    if (slice_is(shorter, "3DES-CMAC")) {
        reading->algorithm = "des-ede3-cmac";
        reading->operation = "mac";
        return;
    }
    struct name name = name_symmetric(shorter);
    reading->algorithm = collect_text(collector, "%s", name.text);
    reading->operation = name_operation(name.kind);
}

/* Rate times cycles per byte is nowhere near the clock the log states: one of them is wrong. */
static bool contradicts_clock(const struct reading *reading, const struct reading *cycles,
                              double clock_hz)
{
    if (cycles == NULL || cycles->printed < 10 || isnan(clock_hz))
        return false;
    double ratio = reading->printed * cycles->printed / clock_hz;
    return ratio < 0.5 || ratio > 2;
}

static void judge_bulk(struct reading *reading, struct reading *cycles, double kib, double clock_hz)
{
    double bound = bound_bytes_per_s(reading->algorithm, reading->operation, clock_hz);
    if (kib == SATURATED_KIB || kib == SATURATED_KIB - 1) {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_COUNTER_SATURATED;
    } else if (!(kib > 0)) {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_BELOW_RESOLUTION;
    } else if (reading->printed > bound) {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_EXCEEDS_CLOCK;
    } else if (contradicts_clock(reading, cycles, clock_hz)) {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_TABLE_DISAGREES;
    } else {
        reading->value = reading->printed;
    }
    if (cycles == NULL)
        return;
    if (reading->status == CELL_OK && cycles->printed > 0) {
        cycles->value = cycles->printed;
        return;
    }
    /* the same clock made both; 0 is "less than one" */
    cycles->status = CELL_UNKNOWN;
    cycles->flags |= reading->status == CELL_OK ? FLAG_BELOW_RESOLUTION : reading->flags;
}

/* "<n> KiB/s, <m> cycles/byte" into bytes per second and cycles; NaN without cycles. */
static bool bulk_figures(struct slice rest, double *rate, double *per_byte)
{
    struct slice word, unit;
    *per_byte = NAN;
    if (!slice_word(&rest, &word) || !slice_number(word, rate) || !slice_word(&rest, &unit))
        return false;
    while (unit.length > 0 && unit.text[unit.length - 1] == ',')
        unit.length--;
    double scale = unit_bytes(unit, true);
    if (scale == 0 || !slice_ends(unit, "/s"))
        return false;
    *rate *= scale;
    bool cycles = slice_word(&rest, &word) && slice_number(word, per_byte) &&
                  slice_starts(slice_trim(rest), "cycles/byte");
    if (!cycles)
        *per_byte = NAN;
    return true;
}

static bool bulk_row(struct collector *collector, const struct import_line *line,
                     struct slice label, struct slice rest)
{
    double rate, per_byte;
    if (!bulk_figures(rest, &rate, &per_byte))
        return false;
    begin(collector);
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    name_bulk(collector, label, reading);
    reading->metric = METRIC_BYTES_PER_S;
    reading->printed = rate;
    struct reading copy = *reading;
    size_t index = collector->reading_count - 1;
    struct reading *cycles = isnan(per_byte) ? NULL : collect_reading(collector, line->number);
    if (cycles != NULL) {
        *cycles = copy;
        cycles->metric = METRIC_CYCLES_PER_BYTE;
        cycles->printed = per_byte;
        index = collector->reading_count - 2;
    }
    if (index < collector->reading_count)
        judge_bulk(&collector->readings[index], cycles, rate / 1024, collector->run.facts.clock_hz);
    return true;
}

/* --- keys ---------------------------------------------------------------------------------- */

struct key_words {
    bool per_second; /* else milliseconds per operation */
    const char *operation;
    bool handshake;
};

/* "public/s", "ms/ public", "full handshake/s", "ms/handshake", "sign/s". */
static bool key_unit(struct slice rest, struct key_words *words)
{
    static const struct {
        const char *word, *operation;
    } OPERATIONS[] = {
        {"public", "verify"},   {"private", "sign"},     {"sign", "sign"},
        {"verify", "verify"},   {"handshake", "derive"}, {"keygen", "keygen"},
        {"encrypt", "encrypt"}, {"decrypt", "decrypt"},
    };
    char text[64];
    size_t length = 0;
    struct slice word;
    while (slice_word(&rest, &word) && length + word.length + 1 < sizeof text) {
        bool last = word.text[word.length - 1] == ',';
        memcpy(text + length, word.text, word.length - last);
        length += word.length - last;
        if (last)
            break;
    }
    text[length] = '\0';
    *words = (struct key_words){.operation = NULL};
    words->per_second = length > 2 && strcmp(text + length - 2, "/s") == 0;
    if (!words->per_second && !has_prefix(text, "ms/"))
        return false;
    for (size_t i = 0; i < COUNT_OF(OPERATIONS); i++) {
        if (find_text(text, OPERATIONS[i].word) != NULL)
            words->operation = OPERATIONS[i].operation;
    }
    words->handshake = find_text(text, "handshake") != NULL;
    return words->operation != NULL;
}

/* "ECDSA-secp256r1", "ECDHE-x25519", "RSA-2048", "DHE-2048". */
static void name_key_reading(struct collector *collector, struct slice label,
                             struct reading *reading)
{
    static const struct {
        const char *prefix, *ours, *variant;
        bool curve;
    } FAMILIES[] = {
        {"RSA-", "rsa-", "", false},
        {"DHE-", "dh-", "ephemeral", false},
        {"DH-", "dh-", "static", false},
        {"ECDSA-", "ecdsa-", "", true},
        {"ECDHE-", "ecdh-", "ephemeral", true},
        {"ECDH-", "ecdh-", "static", true},
    };
    reading->label = collect_slice(collector, label);
    for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
        size_t prefix = strlen(FAMILIES[i].prefix);
        if (!slice_starts(label, FAMILIES[i].prefix))
            continue;
        struct slice rest = {label.text + prefix, label.length - prefix};
        reading->variant = FAMILIES[i].variant;
        if (!FAMILIES[i].curve) {
            reading->algorithm =
                collect_text(collector, "%s%.*s", FAMILIES[i].ours, (int)rest.length, rest.text);
            return;
        }
        struct name name = name_curve(rest);
        bool whole = has_prefix(name.text, "x25519") || has_prefix(name.text, "x448");
        reading->algorithm =
            collect_text(collector, "%s%s", whole ? "" : FAMILIES[i].ours, name.text);
        return;
    }
    reading->algorithm = collect_text(collector, "%s", name_key(label).text);
}

static bool key_row(struct collector *collector, const struct import_line *line, struct slice label,
                    struct slice rest)
{
    struct slice word;
    struct key_words words;
    double number;
    if (!slice_word(&rest, &word) || !slice_number(word, &number) || !key_unit(rest, &words))
        return false;
    begin(collector);
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    name_key_reading(collector, label, reading);
    reading->operation = words.operation;
    reading->metric = METRIC_OPS_PER_S;
    reading->printed = words.per_second ? number : 1000 / number;
    if (number > 0) {
        reading->value = reading->printed;
    } else {
        reading->printed = words.per_second ? 0 : NAN;
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_BELOW_RESOLUTION;
    }
    return true;
}

/* --- other lines --------------------------------------------------------------------------- */

static bool known_label(struct slice label)
{
    static const char *const FAMILIES[] = {"RSA-",  "DHE-",     "DH-",       "ECDSA-", "ECDHE-",
                                           "ECDH-", "CTR_DRBG", "HMAC_DRBG", "ARIA-",  "CAMELLIA-"};
    for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
        if (slice_starts(label, FAMILIES[i]))
            return true;
    }
    return name_symmetric(label).known;
}

static bool is_row(const char *text)
{
    struct slice label, rest, word;
    double number;
    if (!split_label(text, &label, &rest) || !slice_word(&rest, &word) ||
        !slice_number(word, &number) || !known_label(label))
        return false;
    struct key_words words;
    return find_text(rest.text, "B/s") != NULL || find_text(rest.text, "b/s") != NULL ||
           key_unit(rest, &words);
}

static bool probe(const struct import_line *line)
{
    return has_prefix(line->text, "mbedTLS version") ||
           has_prefix(line->text, "Mbed TLS version") || is_row(line->text);
}

static void finish(void *memory, struct collector *collector)
{
    struct mbedtls *state = memory;
    collect_finish(collector);
    state->row = false;
}

static bool failed_row(struct collector *collector, const struct import_line *line,
                       struct slice label, struct slice rest)
{
    if (!known_label(label) ||
        (!slice_starts(rest, "FAILED") && find_text(rest.text, "-0x") == NULL))
        return false;
    begin(collector);
    struct reading *reading = collect_reading(collector, line->number);
    if (reading != NULL) {
        name_bulk(collector, label, reading);
        reading->status = CELL_FAILED;
    }
    collect_finding(collector, FINDING_OPERATION_ERROR, line->number, line->text);
    return true;
}

static bool parse(void *memory, struct collector *collector, const struct import_line *line)
{
    struct mbedtls *state = memory;
    const char *text = line->text;
    struct slice label, rest;
    if (line->stars)
        return false;
    if (has_prefix(text, "mbedTLS version") || has_prefix(text, "Mbed TLS version")) {
        if (state->row)
            finish(state, collector);
        begin(collector);
        collector->run.facts.version =
            collect_slice(collector, slice_of(strstr(text, "version") + 8));
        return true;
    }
    if (!split_label(text, &label, &rest))
        return false;
    if (is_row(text)) {
        bool read = bulk_row(collector, line, label, rest) || key_row(collector, line, label, rest);
        if (!read)
            collect_finding(collector, FINDING_UNREAD, line->number, text);
        state->row = true;
        return true;
    }
    if (failed_row(collector, line, label, rest))
        return true;
    struct slice word;
    double number;
    if (known_label(label) && slice_word(&rest, &word) && slice_number(word, &number)) {
        begin(collector);
        collect_finding(collector, line->last ? FINDING_CUT : FINDING_UNREAD, line->number, text);
        return true;
    }
    return false;
}

const struct importer importer_mbedtls_benchmark = {
    .name = "mbedtls-benchmark",
    .tool = "Mbed TLS benchmark",
    .description = "Mbed TLS benchmark of PolarSSL 1.1 to 3.6 and ports: rates, cycles, ms/op",
    .state_size = sizeof(struct mbedtls),
    .probe = probe,
    .parse = parse,
    .finish = finish,
};
