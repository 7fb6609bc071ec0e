#include "record/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at `bytes`, 0 when there is none (Unicode 15, table
 * 3-7). */
static size_t utf8_length(const unsigned char *bytes)
{
    unsigned char lead = bytes[0];
    size_t length = lead < 0x80                   ? 1
                    : lead >= 0xc2 && lead < 0xe0 ? 2
                    : lead < 0xe0                 ? 0
                    : lead < 0xf0                 ? 3
                    : lead < 0xf5                 ? 4
                                                  : 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    bool bad = (lead == 0xe0 && bytes[1] < 0xa0) || (lead == 0xed && bytes[1] > 0x9f) ||
               (lead == 0xf0 && bytes[1] < 0x90) || (lead == 0xf4 && bytes[1] > 0x8f);
    return bad ? 0 : length;
}

static size_t json_character(struct buffer *out, const unsigned char *bytes)
{
    size_t length = utf8_length(bytes);
    if (length == 0) {
        buffer_append_text(out, "\xef\xbf\xbd");
        return 1;
    }
    if (bytes[0] == '"' || bytes[0] == '\\')
        buffer_printf(out, "\\%c", bytes[0]);
    else if (bytes[0] < 0x20 || bytes[0] == 0x7f)
        buffer_printf(out, "\\u%04x", bytes[0]);
    else
        buffer_append(out, bytes, length);
    return length;
}

/* Characters that stand for themselves, which nearly all do: copied at once. */
static size_t plain_length(const unsigned char *bytes)
{
    size_t length = 0;
    while (bytes[length] >= 0x20 && bytes[length] < 0x7f && bytes[length] != '"' &&
           bytes[length] != '\\')
        length++;
    return length;
}

void json_string(struct buffer *out, const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    buffer_append_char(out, '"');
    while (*bytes != '\0') {
        size_t plain = plain_length(bytes);
        if (plain > 0)
            buffer_append(out, bytes, plain);
        bytes += plain;
        if (*bytes != '\0')
            bytes += json_character(out, bytes);
    }
    buffer_append_char(out, '"');
}

void json_number(struct buffer *out, double value)
{
    char text[40];
    if (fabs(value) < 1e15 && value == (double)(int64_t)value && !signbit(value)) {
        buffer_printf(out, "%" PRId64, (int64_t)value); /* what %.15g prints, sooner */
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    buffer_append_text(out, text);
}

void json_name(struct buffer *out, const char *name)
{
    if (out->length > 0 && out->data[out->length - 1] != '{')
        buffer_append_char(out, ',');
    json_string(out, name);
    buffer_append_char(out, ':');
}

void json_attribute(struct buffer *out, const struct attribute *attribute)
{
    if (attribute->kind == VALUE_REAL && !isfinite(attribute->value.real))
        return;
    json_name(out, attribute->name);
    switch (attribute->kind) {
    case VALUE_TEXT:
        json_string(out, attribute->value.text);
        break;
    case VALUE_INTEGER:
        buffer_printf(out, "%" PRId64, attribute->value.integer);
        break;
    case VALUE_REAL:
        json_number(out, attribute->value.real);
        break;
    case VALUE_BOOLEAN:
        buffer_append_text(out, attribute->value.boolean ? "true" : "false");
        break;
    }
}
