/*
 * `kcapi-speed` of libkcapi (speed-test/cryptoperf-base.c of 0.10 to 1.5).
 *
 *   SHA-256(G)              |d|   65536 bytes|               20.99 MB/s|320 ops/s
 *   AES(G) CBC(G) 128,e,16,12345678,771604                                    (-r)
 *
 * The rate is printed in three ways by different versions: decimal, binary, and whole binary
 * megabytes before the point with (rest / 10000) behind it, without leading zeros. Operations per
 * second times bytes say which it is.
 */
#include <math.h>
#include <string.h>

#include "import/importer.h"
#include "import/names.h"
#include "import/units.h"

struct kcapi {
    bool row;
    char held[160]; /* a row whose end is on the next line; "" none */
};

static void begin(struct collector *collector)
{
    if (collector->run.format[0] == '\0')
        collect_begin(collector, importer_kcapi.name, importer_kcapi.tool);
}

/* "AES(AESNI) CBC(ASM) 128" -> "AES CBC 128" and "aesni+asm". */
static void split_drivers(struct slice label, char name[NAME_BYTES], char drivers[NAME_BYTES])
{
    size_t name_length = 0, driver_length = 0;
    bool inside = false;
    for (size_t i = 0; i < label.length; i++) {
        char c = label.text[i];
        if (c == '(') {
            inside = true;
            if (driver_length > 0 && driver_length < NAME_BYTES - 1)
                drivers[driver_length++] = '+';
        } else if (c == ')') {
            inside = false;
        } else if (inside && driver_length < NAME_BYTES - 1) {
            drivers[driver_length++] = c == ' ' ? '-' : (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
        } else if (!inside && name_length < NAME_BYTES - 1) {
            name[name_length++] = c;
        }
    }
    name[name_length] = '\0';
    drivers[driver_length] = '\0';
}

static void name_reading(struct collector *collector, struct slice label, bool encrypts,
                         struct reading *reading)
{
    char text[NAME_BYTES], drivers[NAME_BYTES];
    split_drivers(label, text, drivers);
    struct name name = name_symmetric(slice_of(text));
    reading->label = collect_slice(collector, label);
    reading->algorithm = collect_text(collector, "%s", name.text);
    reading->operation = name.kind != NAME_CIPHER ? name_operation(name.kind)
                         : encrypts               ? "encrypt"
                                                  : "decrypt";
    reading->variant = drivers[0] != '\0' ? collect_text(collector, "driver:%s", drivers) : "";
    reading->metric = METRIC_BYTES_PER_S;
}

/* What "2.28 MB" may mean. `low` and `high` enclose it. */
struct meaning {
    double value, low, high;
};

static unsigned meanings(struct slice number, double figure, struct slice unit,
                         struct meaning meaning[3])
{
    double decimal = unit_bytes(unit, false), binary = unit_bytes(unit, true);
    double step = 0.5 * pow(10, -fmax(0, slice_decimals(number)));
    meaning[0] =
        (struct meaning){figure * decimal, (figure - step) * decimal, (figure + step) * decimal};
    meaning[1] =
        (struct meaning){figure * binary, (figure - step) * binary, (figure + step) * binary};
    const char *point = memchr(number.text, '.', number.length);
    if (point == NULL || binary <= 1)
        return 2;
    double whole = floor(figure), part, small;
    struct slice behind = {point + 1, (size_t)(number.text + number.length - point - 1)};
    if (!slice_number(behind, &part))
        return 2;
    if (binary > 1e9)
        small = 1e7;
    else if (binary < 1e6)
        small = 10;
    else
        small = 1e4;
    double base = whole * binary + part * small;
    meaning[2] = (struct meaning){base + small / 2, base, base + small};
    return 3;
}

static void judge(struct reading *reading, struct slice number, double figure, struct slice unit,
                  double ops)
{
    struct meaning meaning[3];
    unsigned count = meanings(number, figure, unit, meaning);
    double low = ops * (double)reading->size_bytes;
    double high = (ops + 1) * (double)reading->size_bytes; /* operations are cut to whole ones */
    reading->printed = meaning[0].value;
    if (!(figure > 0)) {
        reading->status = CELL_UNKNOWN;
        reading->flags |= FLAG_BELOW_RESOLUTION;
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        if (meaning[i].high < low * 0.999 || meaning[i].low > high * 1.001)
            continue;
        reading->value = meaning[i].value;
        if (i == 0)
            return;
        if (i == 1) {
            reading->printed = meaning[1].value;
            return;
        }
        /* a figure that nobody reads as it is meant */
        reading->status = CELL_SALVAGED;
        reading->flags |= FLAG_TABLE_DISAGREES;
        return;
    }
    reading->status = CELL_SALVAGED;
    reading->value = (low + high) / 2;
    reading->flags |= FLAG_TABLE_DISAGREES;
    if (ops < 100) {
        reading->status = CELL_UNKNOWN;
        reading->value = NAN;
    }
}

/* "65536 bytes", "320 ops/s": a number and a word that begins so. */
static bool number_and(struct slice field, const char *unit, double *number)
{
    struct slice word;
    return slice_word(&field, &word) && slice_number(word, number) &&
           slice_starts(slice_trim(field), unit);
}

static unsigned split_row(const char *text, char separator, struct slice field[5])
{
    struct slice rest = slice_of(text);
    unsigned count = 0;
    while (count < 5 && slice_field(&rest, separator, &field[count]))
        count++;
    return rest.text == NULL ? count : 6;
}

/* <name>|<e or d>|<size> bytes|<rate> MB/s|<n> ops/s */
static bool row(struct collector *collector, const struct import_line *line)
{
    struct slice field[5], unit, number;
    double size, figure, ops;
    if (split_row(line->text, '|', field) != 5 || slice_trim(field[0]).length == 0 ||
        !number_and(field[2], "bytes", &size) || !number_and(field[4], "ops", &ops))
        return false;
    if (!slice_word(&field[3], &number) || !slice_number(number, &figure) ||
        !slice_word(&field[3], &unit) || unit_bytes(unit, true) == 0)
        return false;
    begin(collector);
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    name_reading(collector, slice_trim(field[0]), slice_is(slice_trim(field[1]), "e"), reading);
    reading->size_bytes = (int64_t)size;
    reading->count = ops;
    judge(reading, number, figure, unit, ops);
    return true;
}

/* <name>,<e or d>,<size>,<bytes per second>,<operations per second> */
static bool raw_row(struct collector *collector, const struct import_line *line)
{
    struct slice field[5];
    int64_t size;
    double rate, ops;
    if (split_row(line->text, ',', field) != 5 ||
        (!slice_is(field[1], "e") && !slice_is(field[1], "d")) || !slice_integer(field[2], &size) ||
        !slice_number(field[3], &rate) || !slice_number(field[4], &ops))
        return false;
    begin(collector);
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    name_reading(collector, field[0], field[1].text[0] == 'e', reading);
    reading->size_bytes = size;
    reading->printed = rate;
    bool agrees = rate >= ops * (double)size * 0.999 && rate <= (ops + 1) * (double)size * 1.001;
    if (rate > 0 && agrees) {
        reading->value = rate;
    } else {
        reading->status = CELL_UNKNOWN;
        reading->flags |= rate > 0 ? FLAG_TABLE_DISAGREES : FLAG_BELOW_RESOLUTION;
    }
    return true;
}

static bool failure(struct collector *collector, const struct import_line *line)
{
    if (!has_prefix(line->text, "cryptoperf:"))
        return false;
    begin(collector);
    bool initialised = find_text(line->text, "initialization for") != NULL ||
                       find_text(line->text, "could not allocate") != NULL;
    collect_finding(collector, initialised ? FINDING_UNAVAILABLE : FINDING_OPERATION_ERROR,
                    line->number, line->text);
    return true;
}

static bool is_row(const char *text)
{
    return find_text(text, " bytes|") != NULL && find_text(text, "/s") != NULL;
}

/* A row that was wrapped: tries it with this line. */
static bool held_row(struct kcapi *state, struct collector *collector,
                     const struct import_line *line)
{
    if (state->held[0] == '\0')
        return false;
    for (int blank = 1; blank >= 0; blank--) {
        char joined[400];
        snprintf(joined, sizeof joined, "%s%s%.200s", state->held, blank == 1 ? " " : "",
                 line->text);
        struct import_line whole = *line;
        whole.text = joined;
        if (row(collector, &whole)) {
            state->held[0] = '\0';
            return true;
        }
    }
    state->held[0] = '\0';
    return false;
}

static bool probe(const struct import_line *line)
{
    return has_prefix(line->text, "cryptoperf:") || is_row(line->text) ||
           find_text(line->text, " bytes|") != NULL || find_text(line->text, "kcapi-speed") != NULL;
}

static void finish(void *memory, struct collector *collector)
{
    struct kcapi *state = memory;
    collect_finish(collector);
    state->row = false;
}

static bool parse(void *memory, struct collector *collector, const struct import_line *line)
{
    struct kcapi *state = memory;
    const char *text = line->text;
    if (line->stars)
        return false;
    if ((is_row(text) && row(collector, line)) || held_row(state, collector, line)) {
        state->row = true;
        return true;
    }
    if (find_text(text, "bytes|") != NULL && line->length < sizeof state->held) {
        snprintf(state->held, sizeof state->held, "%s", text);
        return true;
    }
    if (failure(collector, line))
        return true;
    if (find_text(text, "kcapi-speed") != NULL) {
        begin(collector);
        collector->run.facts.command = collect_slice(collector, slice_of(text));
        return true;
    }
    if (find_text(text, "untested") != NULL && find_text(text, "|") != NULL) {
        collect_finding(collector, FINDING_UNAVAILABLE, line->number, text);
        return true;
    }
    return raw_row(collector, line);
}

const struct importer importer_kcapi = {
    .name = "kcapi-speed",
    .tool = "kcapi-speed",
    .description = "kcapi-speed of libkcapi 0.10 to 1.5, also with -r",
    .state_size = sizeof(struct kcapi),
    .probe = probe,
    .parse = parse,
    .finish = finish,
};
