#include "core/utf8.h"

#include <stdbool.h>
#include <string.h>

#include "core/attributes.h"

struct range {
    uint32_t first, last;
};

static const struct range no_columns[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x2064},
    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
};

static const struct range two_columns[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

static bool within(uint32_t character, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (character >= ranges[i].first && character <= ranges[i].last)
            return true;
    return false;
}

/* Bytes that follow a lead byte, and the smallest character that needs them; 0: no lead byte. */
static size_t following(unsigned char lead, uint32_t *bits, uint32_t *smallest)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t smallest;
    } forms[] = {{0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if ((lead & forms[i].mask) != forms[i].lead)
            continue;
        *bits = (uint32_t)(lead & ~forms[i].mask & 0xFF);
        *smallest = forms[i].smallest;
        return i + 1;
    }
    return 0;
}

uint32_t utf8_decode(const char *text, size_t *length)
{
    unsigned char lead = (unsigned char)text[0];
    *length = 1;
    if (lead < 0x80)
        return lead;
    uint32_t character = 0;
    uint32_t smallest = 0;
    size_t more = following(lead, &character, &smallest);
    if (more == 0)
        return UTF8_INVALID;
    for (size_t i = 1; i <= more; i++) {
        unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xC0) != 0x80)
            return UTF8_INVALID;
        character = character << 6 | (byte & 0x3Fu);
    }
    if (character < smallest || character > 0x10FFFF ||
        (character >= 0xD800 && character <= 0xDFFF))
        return UTF8_INVALID;
    *length = more + 1;
    return character;
}

size_t utf8_character_columns(uint32_t character)
{
    if (character < 0x300)
        return 1;
    if (within(character, no_columns, COUNT_OF(no_columns)))
        return 0;
    return character != UTF8_INVALID && within(character, two_columns, COUNT_OF(two_columns)) ? 2
                                                                                              : 1;
}

size_t utf8_columns(const char *text)
{
    size_t columns = 0;
    size_t length = 0;
    for (; *text != '\0'; text += length)
        columns += utf8_character_columns(utf8_decode(text, &length));
    return columns;
}

size_t utf8_fit(const char *text, size_t columns)
{
    size_t used = 0;
    size_t length = 0;
    const char *c = text;
    for (; *c != '\0'; c += length) {
        used += utf8_character_columns(utf8_decode(c, &length));
        if (used > columns)
            break;
    }
    return (size_t)(c - text);
}

void utf8_clean(char *text)
{
    char *to = text;
    size_t length = 0;
    for (const char *from = text; *from != '\0'; from += length) {
        uint32_t character = utf8_decode(from, &length);
        bool harmless = character != UTF8_INVALID && character >= ' ' &&
                        !(character >= 0x7F && character <= 0x9F);
        if (!harmless) {
            *to++ = '?';
            continue;
        }
        memmove(to, from, length);
        to += length;
    }
    *to = '\0';
}

static void new_line(size_t indent, struct buffer *out)
{
    buffer_append_char(out, '\n');
    for (size_t i = 0; i < indent; i++)
        buffer_append_char(out, ' ');
}

/* Columns of the first `length` bytes. */
static size_t word_columns(const char *word, size_t length)
{
    size_t columns = 0;
    size_t step = 0;
    for (const char *end = word + length; word < end; word += step)
        columns += utf8_character_columns(utf8_decode(word, &step));
    return columns;
}

void utf8_wrap(const char *text, size_t column, size_t indent, size_t width, struct buffer *out)
{
    bool line_begins = true;
    while (*(text += strspn(text, " ")) != '\0') {
        if (*text == '\n') {
            text++;
            new_line(*text == '\n' || *text == '\0' ? 0 : indent, out);
            column = indent;
            line_begins = true;
            continue;
        }
        size_t length = strcspn(text, " \n");
        size_t columns = word_columns(text, length);
        if (!line_begins && width > 0 && column + 1 + columns > width) {
            new_line(indent, out);
            column = indent;
        } else if (!line_begins) {
            buffer_append_char(out, ' ');
            column++;
        }
        buffer_append(out, text, length);
        text += length;
        column += columns;
        line_begins = false;
    }
    buffer_append_char(out, '\n');
}
