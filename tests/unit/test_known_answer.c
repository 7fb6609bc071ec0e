/* The tables of published answers are well formed and complete; a difference is seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "crypto/known_answer.h"

static void is_hex(const char *text, const char *source)
{
    if (text == NULL)
        return;
    size_t length = strlen(text);
    if (length % 2 != 0 || strspn(text, "0123456789abcdefABCDEF") != length)
        fail_msg("not hexadecimal: %s", source);
    if (length / 2 > KNOWN_ANSWER_BYTES)
        fail_msg("too long: %s", source);
}

static void check_row(const struct crypto_algorithm *algorithm, const struct known_answer *row)
{
    assert_true(strlen(row->source) > 8);
    is_hex(row->key, row->source);
    is_hex(row->nonce, row->source);
    is_hex(row->aad, row->source);
    is_hex(row->input, row->source);
    is_hex(row->output, row->source);
    assert_non_null(row->output);
    if (algorithm->kind != CRYPTO_CIPHER && algorithm->kind != CRYPTO_AEAD)
        return;
    if (strlen(row->output) != strlen(row->input) + 2 * row->tag_bytes)
        fail_msg("output and input do not fit: %s", row->source);
}

static void rows_are_well_formed(void **state)
{
    (void)state;
    size_t count;
    const struct crypto_algorithm *all = crypto_algorithms(&count);
    for (size_t i = 0; i < count; i++)
        for (const struct known_answer *row = known_answer_find(all[i].name); row != NULL;
             row = known_answer_next(all[i].name, row))
            check_row(&all[i], row);
}

/* Nothing is published for random bytes and for our own certificates; for the groups of RFC 7919 no
 * vector is at hand. All others have one. */
static void only_these_have_none(void **state)
{
    (void)state;
    size_t count;
    const struct crypto_algorithm *all = crypto_algorithms(&count);
    for (size_t i = 0; i < count; i++) {
        bool excused = all[i].kind == CRYPTO_RANDOM || all[i].kind == CRYPTO_X509 ||
                       strncmp(all[i].name, "ffdhe", 5) == 0;
        if ((known_answer_find(all[i].name) == NULL) != excused)
            fail_msg("%s", all[i].name);
    }
    assert_null(known_answer_find("rot13"));
}

static void rows_end(void **state)
{
    (void)state;
    size_t rows = 0;
    for (const struct known_answer *row = known_answer_find("sha256"); row != NULL;
         row = known_answer_next("sha256", row))
        rows++;
    assert_true(rows >= 3);
}

static void decoding(void **state)
{
    (void)state;
    static const struct known_answer row = {
        .algorithm = "x", .source = "made up", .key = "00ffA0", .output = "01"};
    struct known_values values;
    known_answer_decode(&row, &values);
    assert_int_equal(values.key.length, 3);
    assert_memory_equal(values.key.bytes, "\x00\xff\xa0", 3);
    assert_int_equal(values.nonce.length, 0);
    assert_int_equal(values.output.bytes[0], 1);
}

static void a_difference_is_named(void **state)
{
    (void)state;
    const struct known_answer *row = known_answer_find("sha256");
    struct known_values values;
    known_answer_decode(row, &values);
    struct error error = {0};
    unsigned char got[32];
    memcpy(got, values.output.bytes, sizeof got);
    assert_true(known_answer_compare(row, got, sizeof got, values.output.bytes, 32, &error));
    assert_false(known_answer_compare(row, got, 31, values.output.bytes, 32, &error));
    got[31] ^= 1;
    assert_false(known_answer_compare(row, got, sizeof got, values.output.bytes, 32, &error));
    assert_int_equal(error.code, ERROR_KNOWN_ANSWER);
    assert_non_null(strstr(error.text, "sha256"));
    assert_non_null(strstr(error.text, row->source));
}

/* (i * 131 + 'k' * 17 + 7) mod 256 by hand: 'k' is 107, so 1826 mod 256 = 34, then 165, 40. */
static void the_common_input(void **state)
{
    (void)state;
    unsigned char bytes[3];
    known_fill('k', bytes, sizeof bytes);
    assert_int_equal(bytes[0], 34);
    assert_int_equal(bytes[1], 165);
    assert_int_equal(bytes[2], 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_well_formed),
        cmocka_unit_test(only_these_have_none),
        cmocka_unit_test(rows_end),
        cmocka_unit_test(decoding),
        cmocka_unit_test(a_difference_is_named),
        cmocka_unit_test(the_common_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
