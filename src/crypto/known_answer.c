#include "crypto/known_answer.h"

#include <string.h>

#include "core/attributes.h"
#include "crypto/known_answer_tables.h"

static const struct known_answer_table *const tables[] = {
    &known_answers_symmetric,
    &known_answers_curve,
    &known_answers_key,
};

const struct known_answer *known_answer_next(const char *algorithm,
                                             const struct known_answer *after)
{
    bool passed = after == NULL;
    for (size_t t = 0; t < COUNT_OF(tables); t++) {
        for (size_t i = 0; i < tables[t]->count; i++) {
            const struct known_answer *row = &tables[t]->rows[i];
            if (passed && strcmp(row->algorithm, algorithm) == 0)
                return row;
            passed = passed || row == after;
        }
    }
    return NULL;
}

const struct known_answer *known_answer_find(const char *algorithm)
{
    return known_answer_next(algorithm, NULL);
}

static int nibble(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void decode(const char *hex, struct known_bytes *out)
{
    out->length = 0;
    if (hex == NULL)
        return;
    for (; hex[0] != '\0' && hex[1] != '\0' && out->length < sizeof out->bytes; hex += 2)
        out->bytes[out->length++] =
            (unsigned char)((unsigned)nibble(hex[0]) << 4 | (unsigned)nibble(hex[1]));
}

void known_answer_decode(const struct known_answer *answer, struct known_values *values)
{
    decode(answer->key, &values->key);
    decode(answer->nonce, &values->nonce);
    decode(answer->aad, &values->aad);
    decode(answer->input, &values->input);
    decode(answer->output, &values->output);
    values->tag_bytes = answer->tag_bytes;
}

bool known_answer_compare(const struct known_answer *answer, const void *got, size_t got_length,
                          const void *expected, size_t expected_length, struct error *error)
{
    if (got_length == expected_length && memcmp(got, expected, got_length) == 0)
        return true;
    return error_set(error, ERROR_KNOWN_ANSWER, "%s does not give the answer of %s",
                     answer->algorithm, answer->source);
}

void known_fill(char purpose, unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)(i * 131 + (unsigned char)purpose * 17u + 7);
}
