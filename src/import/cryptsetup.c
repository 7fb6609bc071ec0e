/*
 * `cryptsetup benchmark` (1.6 to 2.7).
 *
 *   PBKDF2-sha256      73635 iterations per second for 256-bit key
 *       aes-xts        256b      1024.6 MiB/s      1101.4 MiB/s
 *
 * The key of XTS is two keys: "aes-xts 256b" is AES-128-XTS.
 */
#include <math.h>
#include <string.h>

#include "import/importer.h"
#include "import/names.h"
#include "import/units.h"

struct cryptsetup {
    bool row;
};

static void begin(struct collector *collector)
{
    if (collector->run.format[0] == '\0')
        collect_begin(collector, importer_cryptsetup.name, importer_cryptsetup.tool);
}

static void set_figure(struct reading *reading, double figure)
{
    reading->printed = figure;
    if (figure > 0) {
        reading->value = figure;
    } else {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_BELOW_RESOLUTION;
    }
}

/* PBKDF2-sha256 73635 iterations per second ..., or N/A */
static bool pbkdf_row(struct collector *collector, const struct import_line *line)
{
    struct slice rest = slice_of(line->text), label, word;
    if (!slice_word(&rest, &label) || !slice_starts(label, "PBKDF2-") || !slice_word(&rest, &word))
        return false;
    double figure = NAN;
    bool absent = slice_is(word, "N/A");
    if (!absent &&
        (!slice_number(word, &figure) || !slice_starts(slice_trim(rest), "iterations per second")))
        return false;
    begin(collector);
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    struct name hash = name_symmetric((struct slice){label.text + 7, label.length - 7});
    reading->label = collect_slice(collector, label);
    reading->algorithm = collect_text(collector, "pbkdf2-%s", hash.text);
    reading->operation = "kdf";
    reading->metric = METRIC_ITERATIONS_PER_S;
    if (absent)
        reading->status = CELL_UNAVAILABLE;
    else
        set_figure(reading, figure);
    return true;
}

/* "256b" -> 256 */
static bool key_bits(struct slice word, int64_t *bits)
{
    return word.length > 1 && word.text[word.length - 1] == 'b' &&
           slice_integer((struct slice){word.text, word.length - 1}, bits) && *bits > 0;
}

/* One of the two columns: "12.6 MiB/s" or "N/A". False: the line ends here. */
static bool take_column(struct slice *rest, double *rate, bool *absent)
{
    struct slice word, unit;
    *absent = false;
    if (!slice_word(rest, &word))
        return false;
    if (slice_is(word, "N/A")) {
        *absent = true;
        return true;
    }
    if (!slice_number(word, rate) || !slice_word(rest, &unit))
        return false;
    double scale = unit_bytes(unit, true);
    *rate *= scale;
    return scale > 0;
}

static const char *cipher_name(struct collector *collector, struct slice label, int64_t bits)
{
    const char *dash = memchr(label.text, '-', label.length);
    if (dash == NULL)
        return collect_text(collector, "%.*s-%lld", (int)label.length, label.text, (long long)bits);
    size_t cipher = (size_t)(dash - label.text);
    struct slice mode = {dash + 1, label.length - cipher - 1};
    const char *more = memchr(mode.text, '-', mode.length); /* "aes-xts-plain64" */
    if (more != NULL)
        mode.length = (size_t)(more - mode.text);
    long long size =
        slice_is(mode, "xts") || slice_is(mode, "lrw") ? (long long)bits / 2 : (long long)bits;
    return collect_text(collector, "%.*s-%lld-%.*s", (int)cipher, label.text, size,
                        (int)mode.length, mode.text);
}

static void add_direction(struct collector *collector, uint32_t line, struct slice label,
                          const char *algorithm, const char *operation, double rate, bool absent)
{
    struct reading *reading = collect_reading(collector, line);
    if (reading == NULL)
        return;
    reading->label = collect_slice(collector, label);
    reading->algorithm = algorithm;
    reading->operation = operation;
    reading->metric = METRIC_BYTES_PER_S;
    if (absent)
        reading->status = CELL_UNAVAILABLE;
    else
        set_figure(reading, rate);
}

/* aes-cbc 128b 12.6 MiB/s 14.8 MiB/s */
static bool cipher_row(struct collector *collector, const struct import_line *line)
{
    struct slice rest = slice_of(line->text), label, word;
    int64_t bits;
    if (!slice_word(&rest, &label) || label.length > 40 || !slice_word(&rest, &word) ||
        !key_bits(word, &bits))
        return false;
    begin(collector);
    const char *algorithm = cipher_name(collector, label, bits);
    static const char *const OPERATIONS[] = {"encrypt", "decrypt"};
    for (int i = 0; i < 2; i++) {
        double rate = NAN;
        bool absent;
        if (!take_column(&rest, &rate, &absent)) {
            collect_finding(collector, FINDING_CUT, line->number, line->text);
            return true;
        }
        add_direction(collector, line->number, label, algorithm, OPERATIONS[i], rate, absent);
    }
    return true;
}

/* argon2i 4 iterations, 172077 memory, 4 parallel threads (CPUs) for 256-bit key (...) */
static bool argon_row(struct collector *collector, const struct import_line *line)
{
    if (!has_prefix(line->text, "argon2") || find_text(line->text, "iterations,") == NULL)
        return false;
    begin(collector);
    collect_finding_text(collector, FINDING_REMARK, line->number,
                         "%.40s...: a choice of parameters, not a speed", line->text);
    return true;
}

static bool is_title(const char *text)
{
    return find_text(text, "Tests are approximate using memory only") != NULL;
}

static bool probe(const struct import_line *line)
{
    struct slice rest = slice_of(line->text), word;
    int64_t bits;
    if (is_title(line->text) || find_text(line->text, "cryptsetup benchmark") != NULL)
        return true;
    if (has_prefix(line->text, "PBKDF2-"))
        return find_text(line->text, "iterations per second") != NULL;
    return find_text(line->text, "MiB/s") != NULL && slice_word(&rest, &word) &&
           slice_word(&rest, &word) && key_bits(word, &bits);
}

static void finish(void *memory, struct collector *collector)
{
    struct cryptsetup *state = memory;
    collect_finish(collector);
    state->row = false;
}

static bool parse(void *memory, struct collector *collector, const struct import_line *line)
{
    struct cryptsetup *state = memory;
    if (line->stars)
        return false;
    bool command = find_text(line->text, "cryptsetup benchmark") != NULL;
    if (command || is_title(line->text)) {
        if (state->row)
            finish(state, collector);
        begin(collector);
        if (command)
            collector->run.facts.command = collect_slice(collector, slice_of(line->text));
        return true;
    }
    if (pbkdf_row(collector, line) || argon_row(collector, line) || cipher_row(collector, line)) {
        state->row = true;
        return true;
    }
    return find_text(line->text, "Algorithm") != NULL &&
           find_text(line->text, "Encryption") != NULL;
}

const struct importer importer_cryptsetup = {
    .name = "cryptsetup",
    .tool = "cryptsetup benchmark",
    .description = "cryptsetup benchmark of 1.6 to 2.7: ciphers, PBKDF2",
    .state_size = sizeof(struct cryptsetup),
    .probe = probe,
    .parse = parse,
    .finish = finish,
};
