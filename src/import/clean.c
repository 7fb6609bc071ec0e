#include "import/clean.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "core/attributes.h"
#include "import/scan.h"

/* Bytes that need a second look; everything else is copied as it is. */
static const bool SPECIAL[256] = {
    [0] = true,    [1] = true,    [2] = true,    [3] = true,    [4] = true,    [5] = true,
    [6] = true,    [7] = true,    [8] = true,    ['\t'] = true, ['\n'] = true, [11] = true,
    [12] = true,   ['\r'] = true, [14] = true,   [15] = true,   [16] = true,   [17] = true,
    [18] = true,   [19] = true,   [20] = true,   [21] = true,   [22] = true,   [23] = true,
    [24] = true,   [25] = true,   [26] = true,   [27] = true,   [28] = true,   [29] = true,
    [30] = true,   [31] = true,   ['*'] = true,  ['`'] = true,  ['&'] = true,  ['<'] = true,
    [0x7F] = true, [0xC2] = true, [0xE2] = true,
};

static const struct {
    const char *from;
    const char *to;
} REPLACED[] = {
    {"&gt;", ">"},         {"&lt;", "<"},         {"&amp;", "&"},         {"&nbsp;", " "},
    {"&quot;", "\""},      {"&#39;", "'"},        {"&apos;", "'"},        {"&#x27;", "'"},
    {"<br>", ""},          {"<br/>", ""},         {"<br />", ""},         {"\xC2\xA0", " "},
    {"\xE2\x80\x99", "'"}, {"\xE2\x80\x98", "'"}, {"\xE2\x80\x9C", "\""}, {"\xE2\x80\x9D", "\""},
    {"\xE2\x80\x8B", ""},  {"\xE2\x80\xAF", " "}, {"\xE2\x88\x92", "-"},
};

/* Length of a terminal escape at `text` (ECMA-48 control sequences and operating system commands),
 * 1 for a lone ESC. */
static size_t escape_length(const char *text, size_t left)
{
    if (left < 2)
        return 1;
    size_t at = 2;
    if (text[1] == '[') {
        while (at < left && ((unsigned char)text[at] < 0x40 || (unsigned char)text[at] > 0x7E))
            at++;
        return at < left ? at + 1 : left;
    }
    if (text[1] == ']') {
        while (at < left && text[at] != '\a' && text[at] != 27)
            at++;
        return at < left ? at + 1 : left;
    }
    return 2;
}

static size_t replace_at(const char *text, size_t left, const char **with)
{
    for (size_t i = 0; i < COUNT_OF(REPLACED); i++) {
        size_t length = strlen(REPLACED[i].from);
        if (length <= left && memcmp(text, REPLACED[i].from, length) == 0) {
            *with = REPLACED[i].to;
            return length;
        }
    }
    return 0;
}

static size_t squeeze(char *text, size_t length)
{
    size_t to = 0;
    for (size_t at = 0; at < length;) {
        unsigned char c = (unsigned char)text[at];
        if (!SPECIAL[c]) {
            text[to++] = text[at++];
            continue;
        }
        const char *with = "";
        size_t taken = c >= 32 ? replace_at(text + at, length - at, &with) : 0;
        if (taken > 0) {
            size_t with_length = strlen(with);
            memcpy(text + to, with, with_length);
            to += with_length;
            at += taken;
        } else if (c == 27) {
            at += escape_length(text + at, length - at);
        } else if (c == '\t') {
            text[to++] = ' ';
            at++;
        } else if (c == '*' || c == '`' || c < 32 || c == 0x7F) {
            at++;
        } else {
            text[to++] = text[at++];
        }
    }
    return to;
}

/* s_time draws '*', 'r' and version letters, nothing else; other stars are emphasis. */
static bool is_progress(const char *text, size_t length)
{
    size_t stars = 0;
    for (size_t i = 0; i < length; i++) {
        stars += text[i] == '*';
        if (strchr("*rst23 ", text[i]) == NULL || text[i] == '\0')
            return stars > 8 || (stars > 0 && (unsigned char)text[i] >= 0x80);
    }
    return stars > 0;
}

/* --- prefixes of loggers ------------------------------------------------------------------- */

/* A shape: 9 a digit, A a letter, blank one or more blanks, others themselves. Returns its length
 * at `text`, 0 when it is not there. */
static size_t shape_length(const char *text, const char *shape)
{
    const char *at = text;
    for (; *shape != '\0'; shape++) {
        if (*shape == '9') {
            if (!isdigit((unsigned char)*at))
                return 0;
            at++;
        } else if (*shape == 'A') {
            if (!isalpha((unsigned char)*at))
                return 0;
            at++;
        } else if (*shape == ' ') {
            if (*at != ' ')
                return 0;
            while (*at == ' ')
                at++;
        } else if (*shape == *at) {
            at++;
        } else {
            return 0;
        }
    }
    return (size_t)(at - text);
}

static size_t span_of(const char *text, const char *set)
{
    return strspn(text, set);
}

/* "tag: ", "tag[123]: ", "tag( 123): ": at most 48 characters without a blank before the colon,
 * but for blanks inside the parentheses. */
static size_t tag_length(const char *text)
{
    size_t at = 0;
    while (at < 48 && text[at] != '\0' && strchr(" :([", text[at]) == NULL)
        at++;
    if (at == 0)
        return 0;
    while (at < 48 && text[at] == ' ')
        at++;
    if (text[at] == '(' || text[at] == '[') {
        size_t inside = span_of(text + at + 1, "0123456789 ");
        if (inside == 0 || strchr(")]", text[at + 1 + inside]) == NULL ||
            text[at + 1 + inside] == '\0')
            return 0;
        at += inside + 2;
    }
    if (text[at] != ':' || (text[at + 1] != ' ' && text[at + 1] != '\0'))
        return 0;
    at++;
    return at + (text[at] == ' ');
}

/* "[   12.345678] ", "[12:34:56.7] ", "[00:00:01.234,000] <inf> tag: ". */
static size_t bracket_length(const char *text, bool *kernel)
{
    size_t inside = span_of(text + 1, "0123456789.:,-TZ+ ");
    if (inside < 4 || text[1 + inside] != ']' || strpbrk(text + 1, ".:") == NULL ||
        (size_t)(strpbrk(text + 1, ".:") - text) > inside)
        return 0;
    *kernel = memchr(text + 1, ':', inside) == NULL;
    size_t at = inside + 2;
    at += span_of(text + at, " ");
    if (text[at] == '<' && shape_length(text + at, "<AAA>") != 0) {
        at += 5;
        at += span_of(text + at, " ");
        at += tag_length(text + at);
    }
    return at;
}

/* "1234  5678 I tag : ", what logcat's threadtime puts behind the time. */
static size_t threadtime_length(const char *text)
{
    size_t process = span_of(text, "0123456789");
    size_t blanks = span_of(text + process, " ");
    size_t thread = span_of(text + process + blanks, "0123456789");
    size_t at = process + blanks + thread;
    size_t level = shape_length(text + at, " A ");
    if (process == 0 || blanks == 0 || thread == 0 || level == 0)
        return 0;
    return at + level + tag_length(text + at + level);
}

/* "2024-10-24T12:34:56.123Z ", "10-24 12:34:56.789  1234  5678 I tag : ". */
static size_t date_length(const char *text)
{
    size_t at = shape_length(text, "9999-99-99");
    bool year = at != 0;
    if (!year)
        at = shape_length(text, "99-99");
    if (at == 0 || (text[at] != ' ' && text[at] != 'T'))
        return 0;
    at++;
    size_t clock = shape_length(text + at, "99:99:99");
    if (clock == 0)
        return 0;
    at += clock;
    at += span_of(text + at, ".,0123456789");
    if (text[at] == 'Z')
        at++;
    else if (text[at] == '+' || (text[at] == '-' && isdigit((unsigned char)text[at + 1])))
        at += 1 + span_of(text + at + 1, "0123456789:");
    if (text[at] != ' ')
        return text[at] == '\0' ? at : 0;
    at += span_of(text + at, " ");
    return at + threadtime_length(text + at);
}

/* "12:34:56.789 -> ", "12:34:56 ". */
static size_t clock_length(const char *text)
{
    size_t at = shape_length(text, "99:99:99");
    if (at == 0)
        return 0;
    at += span_of(text + at, ".,0123456789");
    if (text[at] == ':')
        at++;
    if (text[at] != ' ')
        return 0;
    at += span_of(text + at, " ");
    if (text[at] == '-' && text[at + 1] == '>')
        at += 2;
    return at + span_of(text + at, " ");
}

/* "Oct 24 12:34:56 host tag[123]: ". */
static size_t syslog_length(const char *text)
{
    size_t at = shape_length(text, "AAA 9");
    if (at == 0)
        return 0;
    at += span_of(text + at, "0123456789");
    size_t clock = shape_length(text + at, " 99:99:99 ");
    if (clock == 0)
        return 0;
    at += clock;
    size_t host = strcspn(text + at, " ");
    if (text[at + host] != ' ')
        return 0;
    size_t tag = tag_length(text + at + host + 1);
    return tag != 0 ? at + host + 1 + tag : 0;
}

/* "I/tag( 123): " of logcat and "I (1234) tag: " of ESP-IDF. */
static size_t level_length(const char *text)
{
    if (text[0] == '\0' || strchr("VDIWEF", text[0]) == NULL)
        return 0;
    if (text[1] == '/') {
        size_t tag = tag_length(text + 2);
        return tag != 0 ? 2 + tag : 0;
    }
    if (text[1] != ' ' || text[2] != '(')
        return 0;
    size_t inside = span_of(text + 3, "0123456789");
    if (inside == 0 || text[3 + inside] != ')' || text[4 + inside] != ' ')
        return 0;
    size_t tag = tag_length(text + 5 + inside);
    return tag != 0 ? 5 + inside + tag : 0;
}

static size_t logger_length(const char *text, bool *kernel)
{
    if (text[0] == '[')
        return bracket_length(text, kernel);
    if (isdigit((unsigned char)text[0])) {
        size_t length = date_length(text);
        return length != 0 ? length : clock_length(text);
    }
    if (isupper((unsigned char)text[0])) {
        size_t length = level_length(text);
        return length != 0 ? length : syslog_length(text);
    }
    return 0;
}

/* Quote and comment marks at the front: "> ", ">>", "# ", "#", "// ", "| ", "+ " is not one (it
 * begins the machine-readable lines). */
static size_t mark_length(const char *text)
{
    if (text[0] == '>' || text[0] == '#' || text[0] == '|')
        return 1;
    if (text[0] == '/' && text[1] == '/')
        return 2;
    return 0;
}

static size_t prefix_length(const char *text, bool *kernel)
{
    size_t at = 0;
    for (int round = 0; round < 16; round++) {
        size_t blanks = span_of(text + at, " ");
        size_t length = mark_length(text + at + blanks);
        if (length == 0)
            length = logger_length(text + at + blanks, kernel);
        if (length == 0)
            break;
        at += blanks + length;
    }
    return at;
}

/* The bars of a Markdown table, known by the bar at its front. */
static void drop_bars(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '|')
            text[i] = ' ';
    }
}

/* Where the marks of a progress line begin, behind what a mail or a logger put before them. */
static size_t progress_start(const char *text, size_t length)
{
    bool kernel;
    size_t at = span_of(text, "\t");
    at += prefix_length(text + at, &kernel);
    if (text[at] == 27) {
        size_t escape = escape_length(text + at, length - at);
        at += escape < length - at ? escape : length - at;
    }
    at += span_of(text + at, " ");
    return at < length ? at : length;
}

struct clean_line clean(char *text, size_t length)
{
    struct clean_line line = {.text = text, .length = length};
    if (memchr(text, '*', length) != NULL) {
        char *marks = text + progress_start(text, length);
        size_t marks_length = length - (size_t)(marks - text);
        if (is_progress(marks, marks_length))
            return (struct clean_line){marks, marks_length, true, false};
    }
    length = squeeze(text, length);
    text[length] = '\0';
    bool table = text[span_of(text, " ")] == '|';
    size_t prefix = prefix_length(text, &line.kernel);
    prefix += span_of(text + prefix, " ");
    if (prefix > length)
        prefix = length;
    line.text = text + prefix;
    line.length = length - prefix;
    if (table)
        drop_bars(line.text, line.length);
    while (line.length > 0 && line.text[line.length - 1] == ' ')
        line.length--;
    line.text[line.length] = '\0';
    return line;
}
