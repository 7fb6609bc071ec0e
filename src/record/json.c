#include "record/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

static size_t json_character(struct buffer *out, const char *text)
{
    size_t length;
    uint32_t character = utf8_decode(text, &length);
    if (character == UTF8_INVALID)
        buffer_append_text(out, "\xef\xbf\xbd");
    else if (character == '"' || character == '\\')
        buffer_printf(out, "\\%c", text[0]);
    else if (character < 0x20 || character == 0x7f)
        buffer_printf(out, "\\u%04x", character);
    else
        buffer_append(out, text, length);
    return length;
}

/* Characters that stand for themselves, which nearly all do: copied at once. */
static size_t plain_length(const char *text)
{
    size_t length = 0;
    while (text[length] >= 0x20 && text[length] < 0x7f && text[length] != '"' &&
           text[length] != '\\')
        length++;
    return length;
}

void json_string(struct buffer *out, const char *text)
{
    buffer_append_char(out, '"');
    while (*text != '\0') {
        size_t plain = plain_length(text);
        if (plain > 0)
            buffer_append(out, text, plain);
        text += plain;
        if (*text != '\0')
            text += json_character(out, text);
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
