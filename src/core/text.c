#include "core/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"

enum {
    NEAREST_SHOWN = 3,
    NAME_BYTES_MAXIMUM = 64, /* longer names are never called near */
    NUMBER_BYTES_MAXIMUM = 40,
};

static int fold(char c)
{
    return tolower((unsigned char)c);
}

bool text_glob(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *retry = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == '?' || (*pattern != '\0' && fold(*pattern) == fold(*text))) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool text_has_glob(const char *pattern)
{
    return strpbrk(pattern, "*?") != NULL;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edit distance in which two neighbours that changed places count once (optimal string alignment).
 * Both texts are at most NAME_BYTES_MAXIMUM long. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][NAME_BYTES_MAXIMUM + 1];
    size_t *before = rows[0];
    size_t *last = rows[1];
    size_t *row = rows[2];
    size_t length = strlen(b);
    for (size_t j = 0; j <= length; j++)
        last[j] = before[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t replace = last[j - 1] + (fold(a[i - 1]) != fold(b[j - 1]));
            row[j] = smallest(last[j] + 1, row[j - 1] + 1, replace);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]) && before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[length];
}

/* How far a name is from what was typed; SIZE_MAX: not near. Names that only contain it come after
 * those that are a slip away. */
static size_t remoteness(const char *typed, const char *name)
{
    size_t typed_length = strlen(typed);
    if (typed_length == 0 || typed_length > NAME_BYTES_MAXIMUM || strlen(name) > NAME_BYTES_MAXIMUM)
        return SIZE_MAX;
    size_t distance = edit_distance(typed, name);
    if (distance <= typed_length / 3)
        return distance;
    if (typed_length >= 2 && strcasestr(name, typed) != NULL)
        return NAME_BYTES_MAXIMUM + distance;
    return SIZE_MAX;
}

void text_nearest(const char *typed, const char *const *names, size_t count, struct buffer *out)
{
    const char *best[NEAREST_SHOWN];
    size_t far[NEAREST_SHOWN];
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t distance = remoteness(typed, names[i]);
        if (distance == SIZE_MAX)
            continue;
        size_t place = found;
        while (place > 0 && far[place - 1] > distance)
            place--;
        if (place == NEAREST_SHOWN)
            continue;
        size_t last = found < NEAREST_SHOWN ? found++ : NEAREST_SHOWN - 1;
        for (; last > place; last--) {
            best[last] = best[last - 1];
            far[last] = far[last - 1];
        }
        best[place] = names[i];
        far[place] = distance;
    }
    for (size_t i = 0; i < found; i++)
        buffer_printf(out, "%s%s", i == 0 ? "" : ", ", best[i]);
}

/* Reads digits with at most one point; returns what follows them (blanks skipped), or NULL. */
static const char *parse_decimal(const char *text, double *value)
{
    char digits[NUMBER_BYTES_MAXIMUM];
    size_t length = strspn(text, "0123456789.");
    if (length == 0 || length >= sizeof digits)
        return NULL;
    memcpy(digits, text, length);
    digits[length] = '\0';
    char *end = NULL;
    *value = strtod(digits, &end);
    if (end != digits + length)
        return NULL;
    return text + length + strspn(text + length, " ");
}

bool text_parse_duration(const char *text, uint64_t *ns, struct error *error)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 6e10}};
    double value = 0;
    const char *unit = parse_decimal(text, &value);
    for (size_t i = 0; unit != NULL && i < COUNT_OF(units); i++) {
        if (strcmp(unit, units[i].name) != 0)
            continue;
        double result = value * units[i].ns;
        if (!(result < 9.2e18))
            return error_set(error, ERROR_USAGE, "\"%s\" is too long a time", text);
        *ns = (uint64_t)(result + 0.5);
        return true;
    }
    return error_set(error, ERROR_USAGE,
                     "\"%s\" is not a duration: give a number and ns, us, ms, s or min, like 250ms",
                     text);
}

/* Digits only; returns what follows them, or NULL when there are none or too many. */
static const char *parse_digits(const char *text, uint64_t *value)
{
    if (!isdigit((unsigned char)*text))
        return NULL;
    char *end = NULL;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 ? end : NULL;
}

bool text_parse_size(const char *text, uint64_t *bytes, struct error *error)
{
    static const struct {
        const char *name;
        unsigned shift;
    } units[] = {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    uint64_t value = 0;
    const char *unit = parse_digits(text, &value);
    if (unit != NULL)
        unit += strspn(unit, " ");
    for (size_t i = 0; unit != NULL && i < COUNT_OF(units); i++) {
        if (strcmp(unit, units[i].name) != 0)
            continue;
        if (value > UINT64_MAX >> units[i].shift)
            return error_set(error, ERROR_USAGE, "\"%s\" is too large a size", text);
        *bytes = value << units[i].shift;
        return true;
    }
    return error_set(error, ERROR_USAGE,
                     "\"%s\" is not a size: give bytes or KiB, MiB, GiB, like 1420 or 16KiB", text);
}

bool text_parse_ratio(const char *text, double *ratio, struct error *error)
{
    double value = 0;
    const char *unit = parse_decimal(text, &value);
    if (unit != NULL && strcmp(unit, "%") == 0)
        value /= 100;
    else if (unit == NULL || *unit != '\0')
        return error_set(error, ERROR_USAGE,
                         "\"%s\" is not a ratio: give per cent or a fraction, like 1%% or 0.01",
                         text);
    if (!(value > 0 && value <= 1))
        return error_set(error, ERROR_USAGE, "\"%s\" is out of range: above 0%%, at most 100%%",
                         text);
    *ratio = value;
    return true;
}

bool text_parse_u64(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *value,
                    struct error *error)
{
    uint64_t parsed = 0;
    const char *end = parse_digits(text, &parsed);
    if (end != NULL && *end == '\0' && parsed >= minimum && parsed <= maximum) {
        *value = parsed;
        return true;
    }
    if (maximum == UINT64_MAX)
        return error_set(error, ERROR_USAGE, "\"%s\" is not a whole number of at least %" PRIu64,
                         text, minimum);
    return error_set(error, ERROR_USAGE,
                     "\"%s\" is not a whole number from %" PRIu64 " to %" PRIu64, text, minimum,
                     maximum);
}

struct prefix {
    const char *unit;
    double scale;
};

/* Three significant digits in the largest unit that keeps the number at or above 1; the last unit
 * takes whatever is larger. */
static void format_scaled(double value, const struct prefix *prefixes, size_t count,
                          struct buffer *out)
{
    if (!isfinite(value)) {
        buffer_append_text(out, "-");
        return;
    }
    size_t i = 0;
    while (i + 1 < count && fabs(value) / prefixes[i].scale >= 999.5)
        i++;
    double scaled = value / prefixes[i].scale;
    int decimals = fabs(scaled) < 9.995 ? 2 : fabs(scaled) < 99.95 ? 1 : 0;
    buffer_printf(out, "%.*f %s", decimals, scaled, prefixes[i].unit);
}

void text_format_ns(double ns, struct buffer *out)
{
    static const struct prefix prefixes[] = {{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    format_scaled(ns, prefixes, COUNT_OF(prefixes), out);
}

void text_format_bytes_per_s(double bytes_per_s, struct buffer *out)
{
    static const struct prefix prefixes[] = {
        {"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}};
    format_scaled(bytes_per_s, prefixes, COUNT_OF(prefixes), out);
}

void text_format_per_s(double per_s, struct buffer *out)
{
    static const struct prefix prefixes[] = {{"/s", 1}, {"k/s", 1e3}, {"M/s", 1e6}, {"G/s", 1e9}};
    format_scaled(per_s, prefixes, COUNT_OF(prefixes), out);
}

void text_format_size(uint64_t bytes, struct buffer *out)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    size_t i = 0;
    while (i + 1 < COUNT_OF(units) && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        i++;
    }
    buffer_printf(out, "%" PRIu64 " %s", bytes, units[i]);
}
