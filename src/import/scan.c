#include "import/scan.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct slice slice_of(const char *text)
{
    return (struct slice){text, strlen(text)};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

struct slice slice_trim(struct slice slice)
{
    while (slice.length > 0 && is_blank(slice.text[0])) {
        slice.text++;
        slice.length--;
    }
    while (slice.length > 0 && is_blank(slice.text[slice.length - 1]))
        slice.length--;
    return slice;
}

bool slice_is(struct slice slice, const char *text)
{
    for (size_t i = 0; i < slice.length; i++) {
        if (slice.text[i] != text[i] || text[i] == '\0')
            return false;
    }
    return text[slice.length] == '\0';
}

bool slice_is_nocase(struct slice slice, const char *text)
{
    return slice.length == strlen(text) && strncasecmp(slice.text, text, slice.length) == 0;
}

bool slice_starts(struct slice slice, const char *prefix)
{
    for (size_t i = 0; prefix[i] != '\0'; i++) {
        if (i == slice.length || slice.text[i] != prefix[i])
            return false;
    }
    return true;
}

bool slice_ends(struct slice slice, const char *suffix)
{
    size_t length = strlen(suffix);
    return slice.length >= length &&
           memcmp(slice.text + slice.length - length, suffix, length) == 0;
}

bool slice_word(struct slice *rest, struct slice *word)
{
    while (rest->length > 0 && is_blank(rest->text[0])) {
        rest->text++;
        rest->length--;
    }
    if (rest->length == 0)
        return false;
    size_t length = 0;
    while (length < rest->length && !is_blank(rest->text[length]))
        length++;
    *word = (struct slice){rest->text, length};
    rest->text += length;
    rest->length -= length;
    return true;
}

bool slice_field(struct slice *rest, char separator, struct slice *field)
{
    if (rest->text == NULL)
        return false;
    const char *end = rest->length > 0 ? memchr(rest->text, separator, rest->length) : NULL;
    size_t length = end != NULL ? (size_t)(end - rest->text) : rest->length;
    *field = (struct slice){rest->text, length};
    if (end == NULL) {
        *rest = (struct slice){NULL, 0};
        return true;
    }
    rest->text += length + 1;
    rest->length -= length + 1;
    return true;
}

static const double POWERS_OF_TEN[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* Exact to within one rounding for up to 18 digits with up to 15 behind the point, which covers
 * every figure these tools print; longer ones are no number here. */
size_t scan_number(struct slice text, double *value)
{
    size_t at = 0;
    bool negative = false;
    if (at < text.length && (text.text[at] == '-' || text.text[at] == '+'))
        negative = text.text[at++] == '-';
    uint64_t digits = 0;
    size_t digit_count = 0, behind = 0;
    bool point = false;
    for (; at < text.length; at++) {
        char c = text.text[at];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
            break;
        digits = digits * 10 + (uint64_t)(c - '0');
        behind += point;
        if (++digit_count > 18)
            return 0;
    }
    if (digit_count == 0 || behind > 15)
        return 0;
    double magnitude = (double)digits / POWERS_OF_TEN[behind];
    *value = negative ? -magnitude : magnitude;
    return at;
}

bool slice_number(struct slice slice, double *value)
{
    return slice.length > 0 && scan_number(slice, value) == slice.length;
}

bool slice_integer(struct slice slice, int64_t *value)
{
    double number;
    if (!slice_number(slice, &number) || memchr(slice.text, '.', slice.length) != NULL)
        return false;
    *value = (int64_t)number;
    return true;
}

int slice_decimals(struct slice slice)
{
    const char *point = slice.length > 0 ? memchr(slice.text, '.', slice.length) : NULL;
    if (point == NULL)
        return -1;
    return (int)(slice.text + slice.length - point - 1);
}

const char *find_text(const char *text, const char *needle)
{
    return strstr(text, needle);
}

const char *find_nocase(const char *text, const char *needle)
{
    return strcasestr(text, needle);
}

bool has_prefix(const char *text, const char *prefix)
{
    while (*prefix != '\0') {
        if (*text++ != *prefix++)
            return false;
    }
    return true;
}
