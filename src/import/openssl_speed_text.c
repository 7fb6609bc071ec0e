/* Single sentences and rows of `openssl speed`, without any state. */
#include "import/openssl_speed.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* --- "Doing ..." --------------------------------------------------------------------------- */

/* "3s" -> 3. */
static bool seconds_word(struct slice word, double *seconds)
{
    if (word.length < 2 || word.text[word.length - 1] != 's')
        return false;
    return slice_number((struct slice){word.text, word.length - 1}, seconds);
}

enum { DOING_WORDS = 16 };

struct words {
    struct slice word[DOING_WORDS];
    unsigned count;
};

static void split_words(struct slice text, struct words *words)
{
    words->count = 0;
    while (words->count < DOING_WORDS && slice_word(&text, &words->word[words->count]))
        words->count++;
}

/* Words i to j as one slice. */
static struct slice between(const struct words *words, unsigned first, unsigned end)
{
    if (first >= end)
        return (struct slice){"", 0};
    const char *from = words->word[first].text;
    const char *to = words->word[end - 1].text + words->word[end - 1].length;
    return (struct slice){from, (size_t)(to - from)};
}

/* "rsa's" -> "rsa". */
static struct slice without_plural(struct slice word)
{
    if (slice_ends(word, "'s"))
        word.length -= 2;
    return word;
}

/* <label> [ops] for <N>s on <S> size blocks, or <label> <N> times on <S> size blocks. */
static bool bulk_doing(const struct words *words, struct speed_doing *doing)
{
    unsigned n = words->count;
    if (n < 6 || !slice_is(words->word[n - 1], "blocks") || !slice_is(words->word[n - 2], "size") ||
        !slice_is(words->word[n - 4], "on") || !slice_integer(words->word[n - 3], &doing->size))
        return false;
    unsigned end;
    doing->nominal_s = NAN;
    double times;
    if (n >= 7 && slice_is(words->word[n - 6], "for") &&
        seconds_word(words->word[n - 5], &doing->nominal_s))
        end = n - 6;
    else if (n >= 7 && slice_is(words->word[n - 5], "times") &&
             slice_number(words->word[n - 6], &times))
        end = n - 6;
    else
        return false;
    if (end > 1 && slice_is(words->word[end - 1], "ops"))
        end--;
    doing->kind = SPEED_BULK;
    doing->operation = OPERATION_BULK;
    doing->label = between(words, 0, end);
    doing->label_words = end;
    doing->label_known = name_symmetric(doing->label).known;
    return end > 0;
}

static const struct {
    const char *word;
    enum speed_operation operation;
} OPERATION_WORDS[] = {
    {"private", OPERATION_SIGN},    {"public", OPERATION_VERIFY}, {"sign", OPERATION_SIGN},
    {"signs", OPERATION_SIGN},      {"verify", OPERATION_VERIFY}, {"encrypt", OPERATION_ENCRYPT},
    {"decrypt", OPERATION_DECRYPT}, {"keygen", OPERATION_KEYGEN}, {"encaps", OPERATION_ENCAPS},
    {"decaps", OPERATION_DECAPS},
};

static bool operation_word(struct slice word, enum speed_operation *operation)
{
    for (size_t i = 0; i < COUNT_OF(OPERATION_WORDS); i++) {
        if (slice_is(word, OPERATION_WORDS[i].word)) {
            *operation = OPERATION_WORDS[i].operation;
            return true;
        }
    }
    return false;
}

/* What the key is, by its word in a sentence. */
static bool key_word(struct slice word, enum speed_kind *kind)
{
    static const struct {
        const char *word;
        enum speed_kind kind;
    } KEYS[] = {
        {"rsa", SPEED_RSA},     {"dsa", SPEED_DSA},      {"ecdsa", SPEED_ECDSA},
        {"ecdh", SPEED_ECDH},   {"ffdh", SPEED_FFDH},    {"Ed25519", SPEED_EDDSA},
        {"Ed448", SPEED_EDDSA}, {"CurveSM2", SPEED_SM2}, {"sm2", SPEED_SM2},
    };
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if (slice_is_nocase(word, KEYS[i].word)) {
            *kind = KEYS[i].kind;
            return true;
        }
    }
    return false;
}

/* <bits> bit[s] {private|public|sign|verify|encrypt|decrypt} <key>['s|ops] for <N>s; the words
 * "private" and "public" give way to a following "sign", ... (3.2 prints "private rsa encrypt" for
 * the public operation). */
static bool key_doing(const struct words *words, struct speed_doing *doing)
{
    unsigned n = words->count;
    if (n < 5 || !slice_is(words->word[n - 2], "for") ||
        !seconds_word(words->word[n - 1], &doing->nominal_s) ||
        !slice_integer(words->word[0], &doing->size) || !slice_starts(words->word[1], "bit"))
        return false;
    bool key = false, operation = false;
    for (unsigned i = 2; i < n - 2; i++) {
        struct slice word = without_plural(words->word[i]);
        if (key_word(word, &doing->kind)) {
            key = true;
            doing->label = word;
        } else if (operation_word(word, &doing->operation)) {
            operation = true;
        }
    }
    if (!key)
        return false;
    if (doing->kind == SPEED_ECDH || doing->kind == SPEED_FFDH) {
        doing->operation = OPERATION_DERIVE;
        operation = true;
    }
    doing->label_words = 1;
    doing->label_known = true;
    return operation;
}

/* <name> {keygen|encaps|decaps|signs|verify} ops for <N>s; which table it is, its result says. */
static bool name_doing(const struct words *words, struct speed_doing *doing)
{
    if (words->count != 5 || !slice_is(words->word[2], "ops") || !slice_is(words->word[3], "for") ||
        !seconds_word(words->word[4], &doing->nominal_s) ||
        !operation_word(words->word[1], &doing->operation))
        return false;
    bool kem = doing->operation == OPERATION_ENCAPS || doing->operation == OPERATION_DECAPS;
    doing->kind = kem ? SPEED_KEM : SPEED_SIGNATURE;
    doing->label = words->word[0];
    doing->label_words = 1;
    doing->size = -1;
    doing->label_known = true;
    return true;
}

enum speed_part speed_parse_doing(const char *text, struct speed_doing *doing)
{
    *doing = (struct speed_doing){.nominal_s = NAN, .size = -1};
    const char *colon = strchr(text, ':');
    if (colon == NULL)
        return PART_INCOMPLETE;
    struct words words;
    split_words((struct slice){text + 6, (size_t)(colon - text - 6)}, &words);
    doing->rest = slice_of(colon + 1);
    if (bulk_doing(&words, doing) || key_doing(&words, doing) || name_doing(&words, doing))
        return PART_WHOLE;
    return PART_NO;
}

/* --- results ------------------------------------------------------------------------------- */

/* What follows the count: "2048", "256-bit" or the name of the key. */
static bool names_key(struct slice word, const struct speed_doing *doing)
{
    double bits;
    if (doing->size >= 0)
        return scan_number(word, &bits) > 0 && bits == (double)doing->size;
    return word.length == doing->label.length &&
           memcmp(word.text, doing->label.text, word.length) == 0;
}

/* The integer that begins "<count> <words> in <time>s", found backwards from "in". */
static bool count_before(const struct words *words, unsigned in, const struct speed_doing *doing,
                         double *count)
{
    int64_t number;
    if (doing->kind == SPEED_BULK) {
        unsigned end = in;
        if (end > 0 && slice_is(words->word[end - 1], "ops"))
            end--;
        for (unsigned label = doing->label_words; label > 0; label--) {
            if (end > label && slice_integer(words->word[end - 1 - label], &number)) {
                *count = (double)number;
                return true;
            }
            /* -mb names "evp" instead of the cipher */
            if (label == doing->label_words && label > 1 && end > 1 &&
                slice_is(words->word[end - 1], "evp's"))
                label = 2;
        }
        return false;
    }
    for (unsigned i = 0; i + 1 < in; i++) {
        if (slice_integer(words->word[i], &number) && names_key(words->word[i + 1], doing)) {
            *count = (double)number;
            return true;
        }
    }
    return false;
}

/* The words that end at `end`, as many as fit. */
static void words_before(const char *text, const char *end, struct words *words)
{
    const char *from = end;
    unsigned blanks = 0;
    while (from > text && blanks < DOING_WORDS - 2) {
        from--;
        blanks += *from == ' ' && (from == text || from[-1] != ' ');
    }
    split_words((struct slice){from, (size_t)(end - from)}, words);
}

bool speed_parse_result(struct slice text, const struct speed_doing *doing, double *count,
                        double *counted_s)
{
    for (size_t at = 0; at + 4 < text.length; at++) {
        if (text.text[at] != ' ' || memcmp(text.text + at, " in ", 4) != 0)
            continue;
        struct slice rest = {text.text + at + 4, text.length - at - 4};
        while (rest.length > 0 && rest.text[0] == ' ') {
            rest.text++;
            rest.length--;
        }
        size_t length = scan_number(rest, counted_s);
        if (length == 0 || length >= rest.length || rest.text[length] != 's')
            continue;
        if (length + 1 < rest.length && isalnum((unsigned char)rest.text[length + 1]) &&
            rest.text[length + 1] != 'D')
            continue;
        struct words words;
        words_before(text.text, text.text + at, &words);
        if (count_before(&words, words.count, doing, count))
            return true;
    }
    return false;
}

/* --- headers ------------------------------------------------------------------------------- */

enum { LARGEST_SIZE = 1 << 30 };

struct column {
    int64_t size;   /* -1: none yet */
    size_t matched; /* letters of "bytes" */
};

/* The next piece of "16384 bytes", which a wrapped line may have broken anywhere. */
static bool add_piece(struct column *column, struct slice word)
{
    if (column->matched + word.length <= 5 &&
        memcmp(&"bytes"[column->matched], word.text, word.length) == 0) {
        column->matched += word.length;
        return true;
    }
    int64_t more;
    if (column->matched != 0 || !slice_integer(word, &more) || more < 0)
        return false;
    for (size_t i = 0; i < word.length && column->size < LARGEST_SIZE; i++)
        column->size = column->size * 10 + (word.text[i] - '0');
    return column->size <= LARGEST_SIZE;
}

enum speed_part speed_parse_header(const char *text, struct speed_header *header)
{
    const char *type = find_text(text, "type ");
    if (type == NULL || (type != text && type[-1] != ' '))
        return PART_NO;
    *header = (struct speed_header){.count = 0};
    struct slice rest = slice_of(type + 4), word;
    struct column column = {.size = -1};
    while (slice_word(&rest, &word)) {
        if (column.size < 0) {
            if (!slice_integer(word, &column.size) || column.size <= 0 ||
                column.size > LARGEST_SIZE)
                return header->count > 0 ? PART_WHOLE : PART_NO;
            continue;
        }
        if (!add_piece(&column, word))
            return PART_NO;
        if (column.matched < 5)
            continue;
        if (header->count == SPEED_COLUMNS)
            return PART_NO;
        header->sizes[header->count] = column.size;
        header->ends[header->count++] = (unsigned)(word.text + word.length - 1 - type);
        column = (struct column){.size = -1};
    }
    if (column.size >= 0)
        return PART_INCOMPLETE;
    return header->count > 0 ? PART_WHOLE : PART_NO;
}

unsigned speed_parse_key_header(const char *text, enum speed_operation operations[4])
{
    static const struct {
        const char *word;
        enum speed_operation operation;
    } COLUMNS[] = {
        {"sign", OPERATION_SIGN},       {"signs", OPERATION_SIGN},
        {"verify", OPERATION_VERIFY},   {"encrypt", OPERATION_ENCRYPT},
        {"decrypt", OPERATION_DECRYPT}, {"op", OPERATION_DERIVE},
        {"keygen", OPERATION_KEYGEN},   {"encaps", OPERATION_ENCAPS},
        {"decaps", OPERATION_DECAPS},
    };
    struct slice rest = slice_of(text), word;
    unsigned count = 0;
    bool rates = false;
    while (slice_word(&rest, &word)) {
        /* once a rate was named, what follows are rates too, or pieces of one */
        if (rates || slice_ends(word, "/s")) {
            rates = true;
            continue;
        }
        size_t i = 0;
        while (i < COUNT_OF(COLUMNS) && !slice_is(word, COLUMNS[i].word))
            i++;
        if (i == COUNT_OF(COLUMNS) || count == 4)
            return 0;
        operations[count++] = COLUMNS[i].operation;
    }
    return rates ? count : 0;
}

/* --- values -------------------------------------------------------------------------------- */

static bool not_a_number(struct slice word, struct speed_value *value)
{
    bool negative = slice_starts(word, "-");
    if (negative) {
        word.text++;
        word.length--;
    }
    if (word.length < 3)
        return false;
    if (slice_starts(word, "inf") || slice_starts(word, "1.#INF")) {
        *value = (struct speed_value){FORM_INFINITE, false, negative ? -INFINITY : INFINITY};
        return true;
    }
    if (slice_starts(word, "nan") || slice_starts(word, "1.#IND") ||
        slice_starts(word, "1.#QNAN")) {
        *value = (struct speed_value){FORM_NAN, false, NAN};
        return true;
    }
    return false;
}

bool speed_whole_value(struct slice word, bool keys, struct speed_value *value, bool *seconds)
{
    *seconds = false;
    char last = word.length > 0 ? word.text[word.length - 1] : '\0';
    bool suffixed = last == 'k' || (keys && last == 's');
    if (not_a_number(word, value)) {
        *seconds = last == 's';
        value->thousands = last == 'k';
        return true;
    }
    struct slice digits = {word.text, word.length - suffixed};
    double number;
    if (word.length == 0 || !slice_number(digits, &number))
        return false;
    int decimals = slice_decimals(digits);
    if (keys) {
        *seconds = last == 's';
        if (last == 'k' || (*seconds && decimals < 3) || (!*seconds && decimals != 1))
            return false;
    } else if (decimals != 2) {
        return false;
    }
    *value = (struct speed_value){FORM_NUMBER, last == 'k', number};
    return true;
}

/* --- rows ---------------------------------------------------------------------------------- */

/* The last word of `text` before `end`. */
static struct slice last_word(const char *text, const char *end)
{
    while (end > text && end[-1] == ' ')
        end--;
    const char *from = end;
    while (from > text && from[-1] != ' ')
        from--;
    return (struct slice){from, (size_t)(end - from)};
}

/* Digits, point, sign and suffix only: a value or a piece of one. */
static bool value_like(struct slice word)
{
    bool digit = false;
    for (size_t i = 0; i < word.length; i++) {
        char c = word.text[i];
        digit = digit || isdigit((unsigned char)c);
        if (!isdigit((unsigned char)c) && c != '.' && c != 'k' && c != 's' && c != '-')
            return false;
    }
    return digit;
}

bool speed_holds_figure(struct slice label)
{
    for (size_t i = 1; i + 1 < label.length; i++) {
        if (label.text[i] == '.' && isdigit((unsigned char)label.text[i - 1]) &&
            isdigit((unsigned char)label.text[i + 1]))
            return true;
    }
    struct slice word = last_word(label.text, label.text + label.length);
    return word.length < label.length && word.length > 1 && value_like(word) &&
           slice_ends(word, "k");
}

bool speed_parse_bulk_row(const char *text, struct speed_cells *cells)
{
    cells->count = 0;
    const char *end = text + strlen(text);
    struct speed_value values[SPEED_COLUMNS + 1];
    unsigned ends[SPEED_COLUMNS + 1], count = 0;
    while (count < SPEED_COLUMNS + 1) {
        struct slice word = last_word(text, end);
        bool seconds;
        if (word.length == 0)
            break;
        if (!speed_whole_value(word, false, &values[count], &seconds)) {
            /* only the outermost value may be a piece: the log was cut there */
            if (count > 0 || !value_like(word))
                break;
            values[count] = (struct speed_value){.form = FORM_CUT, .number = NAN};
        }
        ends[count++] = (unsigned)(word.text + word.length - 1 - text);
        end = word.text;
    }
    struct slice label = slice_trim((struct slice){text, (size_t)(end - text)});
    if (count == 0 || label.length == 0 || (count == 1 && values[0].form == FORM_CUT))
        return false;
    cells->label = label;
    cells->count = count;
    for (unsigned i = 0; i < count; i++) {
        cells->values[i] = values[count - 1 - i];
        cells->ends[i] = ends[count - 1 - i];
    }
    return true;
}

/* "(nistp256)" -> "nistp256". */
static struct slice in_parentheses(struct slice word)
{
    if (word.length > 2 && word.text[0] == '(' && word.text[word.length - 1] == ')')
        return (struct slice){word.text + 1, word.length - 2};
    return (struct slice){"", 0};
}

static bool key_values(struct slice rest, struct speed_key_row *row)
{
    struct slice word;
    row->count = 0;
    while (slice_word(&rest, &word)) {
        if (row->count == COUNT_OF(row->values))
            return false;
        struct speed_value *value = &row->values[row->count];
        if (!speed_whole_value(word, true, value, &row->seconds[row->count])) {
            if (rest.length > 0 || !value_like(word))
                return false;
            *value = (struct speed_value){.form = FORM_CUT, .number = NAN};
            row->seconds[row->count] = false;
        }
        row->count++;
    }
    return row->count > 0;
}

/* rsa 2048 bits <values>, dsa 1024 bits <values>. */
static bool named_bits_row(struct slice text, struct speed_key_row *row)
{
    struct slice word;
    for (int tries = 0; tries < 6 && slice_word(&text, &word); tries++) {
        bool rsa = slice_is(word, "rsa");
        if (!rsa && !slice_is(word, "dsa"))
            continue;
        row->kind = rsa ? SPEED_RSA : SPEED_DSA;
        return slice_word(&text, &word) && slice_integer(word, &row->bits) && row->bits > 0 &&
               slice_word(&text, &word) && slice_starts(word, "bit") && key_values(text, row);
    }
    return false;
}

/* 256 bits ecdsa (nistp256) <values>, 2048 bits ffdh <values>. */
static bool bits_first_row(struct slice text, struct speed_key_row *row)
{
    static const struct {
        const char *word;
        enum speed_kind kind;
    } KINDS[] = {
        {"ecdsa", SPEED_ECDSA}, {"ecdh", SPEED_ECDH}, {"EdDSA", SPEED_EDDSA},
        {"SM2", SPEED_SM2},     {"ffdh", SPEED_FFDH},
    };
    struct slice word, before = {"", 0};
    for (int tries = 0; tries < 6 && slice_word(&text, &word); tries++) {
        if (!slice_starts(word, "bit") || !slice_integer(before, &row->bits)) {
            before = word;
            continue;
        }
        if (!slice_word(&text, &word))
            return false;
        for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
            if (!slice_is(word, KINDS[i].word))
                continue;
            row->kind = KINDS[i].kind;
            if (row->kind != SPEED_FFDH) {
                if (!slice_word(&text, &word))
                    return false;
                row->name = in_parentheses(word);
                if (row->name.length == 0)
                    return false;
            }
            return key_values(text, row);
        }
        return false;
    }
    return false;
}

/* rsa2048 <3 times> <3 rates>. */
static bool name_first_row(struct slice text, struct speed_key_row *row)
{
    struct slice name;
    if (!slice_word(&text, &name))
        return false;
    while (text.length > 0 && slice_starts(name, "[") && !slice_ends(name, "]")) {
        if (!slice_word(&text, &name))
            return false;
    }
    if (slice_starts(name, "[") && !slice_word(&text, &name))
        return false;
    row->kind = SPEED_KEM;
    row->name = name;
    return isalpha((unsigned char)name.text[0]) && key_values(text, row) && row->seconds[0];
}

bool speed_parse_key_row(const char *text, bool names_expected, struct speed_key_row *row)
{
    *row = (struct speed_key_row){.bits = -1, .name = {"", 0}};
    struct slice line = slice_of(text);
    if (find_text(text, " bit") != NULL)
        return named_bits_row(line, row) || bits_first_row(line, row);
    return names_expected && name_first_row(line, row);
}

void speed_join(char *text, size_t room, const char *more, bool keys)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    struct slice before = last_word(text, text + length);
    struct slice rest = slice_of(more), after;
    struct speed_value value;
    bool seconds;
    bool apart = true;
    if (value_like(before) && slice_word(&rest, &after) &&
        (value_like(after) || after.length == 1)) {
        bool whole = speed_whole_value(before, keys, &value, &seconds);
        bool suffix = slice_is(after, "k") || (keys && slice_is(after, "s"));
        apart = whole && !suffix;
    }
    while (*more == ' ')
        more++;
    if (apart && length + 1 < room)
        text[length++] = ' ';
    for (; *more != '\0' && length + 1 < room; more++)
        text[length++] = *more;
    text[length] = '\0';
}
