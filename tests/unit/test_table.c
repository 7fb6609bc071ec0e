#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/attributes.h"
#include "core/table.h"

static const struct table_column columns[] = {
    {.title = "", .flexible = true, .key = true},
    {.title = "16 B", .right = true},
    {.title = "16 KiB", .right = true},
};

static void expect(const struct table *table, struct table_style style, const char *expected)
{
    struct buffer out;
    struct error error;
    buffer_init(&out, 10000);
    assert_true(table_render(table, &style, &out, &error));
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

static void fill(struct table *table)
{
    table_init(table, columns, COUNT_OF(columns));
    table_heading(table, "aes-128-gcm");
    table_row(table);
    table_set(table, 0, "openssl 3.0", NULL, MARK_NONE);
    table_set(table, 1, "70.5", NULL, MARK_BEST);
    table_set(table, 2, "5890", "¹", MARK_WARN);
    table_row(table);
    table_set(table, 0, "mbedtls", NULL, MARK_NONE);
    table_set(table, 1, "9.8", NULL, MARK_NONE);
    table_set(table, 2, "1000", NULL, MARK_BEST);
}

/* Digits stand under digits: marks have a column of their own. Nothing follows the last character.
 */
static void numbers_are_aligned_right_of_their_marks(void **state)
{
    (void)state;
    struct table table;
    fill(&table);
    expect(&table, (struct table_style){.width = 80},
           "             16 B   16 KiB\n"
           "aes-128-gcm\n"
           "openssl 3.0  70.5*    5890¹\n"
           "mbedtls       9.8     1000*\n");
    table_free(&table);
}

static void narrow_tables_close_up_then_cut(void **state)
{
    (void)state;
    struct table table;
    fill(&table);
    /* 11 + 1 + 5 + 1 + 7 columns with one blank between. */
    expect(&table, (struct table_style){.width = 25},
           "            16 B  16 KiB\n"
           "aes-128-gcm\n"
           "openssl 3.0 70.5*   5890¹\n"
           "mbedtls      9.8    1000*\n");
    table_free(&table);

    table_init(&table, columns, COUNT_OF(columns));
    table_row(&table);
    table_set(&table, 0, "a label of twenty-eight chars", NULL, MARK_NONE);
    table_set(&table, 1, "1", NULL, MARK_NONE);
    table_set(&table, 2, "2", NULL, MARK_NONE);
    /* 27 - 1 - 4 - 1 - 6 leaves 15 columns for the label. */
    expect(&table, (struct table_style){.width = 27},
           "                16 B 16 KiB\n"
           "a label of twe…    1      2\n");
    table_free(&table);
}

static void what_does_not_fit_goes_on_below(void **state)
{
    (void)state;
    struct table table;
    fill(&table);
    /* 11 + 2 + 5 columns, then 11 + 2 + 7. */
    expect(&table, (struct table_style){.width = 22},
           "             16 B\n"
           "aes-128-gcm\n"
           "openssl 3.0  70.5*\n"
           "mbedtls       9.8\n"
           "\n"
           "             16 KiB\n"
           "aes-128-gcm\n"
           "openssl 3.0    5890¹\n"
           "mbedtls        1000*\n");
    table_free(&table);
}

static void spans_are_wrapped_below_themselves(void **state)
{
    (void)state;
    struct table table;
    table_init(&table, columns, COUNT_OF(columns));
    table_row(&table);
    table_set(&table, 0, "wolfssl", NULL, MARK_NONE);
    table_span(&table, 1, "unavailable: not in this build", MARK_DIM);
    table_row(&table);
    table_set(&table, 0, "openssl", NULL, MARK_NONE);
    table_set(&table, 1, "1", NULL, MARK_NONE);
    expect(&table, (struct table_style){.width = 30},
           "         16 B  16 KiB\n"
           "wolfssl  unavailable: not in\n"
           "         this build\n"
           "openssl     1\n");
    table_free(&table);
}

static void colour_adds_escapes_only(void **state)
{
    (void)state;
    struct table table;
    table_init(&table, columns, 2);
    table_row(&table);
    table_set(&table, 0, "x", NULL, MARK_DIM);
    table_set(&table, 1, "70.5", NULL, MARK_BEST);
    expect(&table, (struct table_style){.width = 80, .colour = true},
           "   16 B\n"
           "\033[2mx\033[0m  \033[1m70.5\033[0m*\n");
    table_free(&table);
}

/* RFC 4180 section 2: rules 1, 5, 6 and 7. */
static void csv_quotes_as_rfc_4180(void **state)
{
    (void)state;
    static const struct table_column csv_columns[] = {{.title = "a,b"}, {.title = "c"}};
    struct table table;
    table_init(&table, csv_columns, COUNT_OF(csv_columns));
    table_heading(&table, "left out");
    table_row(&table);
    table_set(&table, 0, "say \"hello\"", "¹", MARK_BEST);
    table_set(&table, 1, "plain", NULL, MARK_NONE);
    table_row(&table);
    table_set(&table, 1, "1,5", NULL, MARK_NONE);
    expect(&table, (struct table_style){.format = TABLE_CSV},
           "\"a,b\",c\r\n\"say \"\"hello\"\"\",plain\r\n,\"1,5\"\r\n");
    table_free(&table);
}

static void markdown_escapes_what_it_would_read(void **state)
{
    (void)state;
    struct table table;
    fill(&table);
    table_row(&table);
    table_set(&table, 0, "a|b*c_d", NULL, MARK_NONE);
    expect(&table, (struct table_style){.format = TABLE_MARKDOWN},
           "| | 16 B | 16 KiB |\n"
           "|:---|---:|---:|\n"
           "| **aes-128-gcm** | | |\n"
           "| openssl 3.0 | **70.5** | 5890¹ |\n"
           "| mbedtls | 9.8 | **1000** |\n"
           "| a\\|b\\*c\\_d | | |\n");
    table_free(&table);
}

static void foreign_bytes_cannot_steer_the_terminal(void **state)
{
    (void)state;
    struct table table;
    table_init(&table, columns, 1);
    table_row(&table);
    table_set(&table, 0, "\033]0;x\007 \xFF", NULL, MARK_NONE);
    expect(&table, (struct table_style){.width = 80}, "?]0;x? ?\n");
    table_free(&table);
}

static void a_full_buffer_is_an_error(void **state)
{
    (void)state;
    struct table table;
    fill(&table);
    struct buffer out;
    struct error error;
    buffer_init(&out, 20);
    struct table_style style = {.width = 80};
    assert_false(table_render(&table, &style, &out, &error));
    assert_int_equal(error.code, ERROR_MEMORY);
    buffer_free(&out);
    table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_aligned_right_of_their_marks),
        cmocka_unit_test(narrow_tables_close_up_then_cut),
        cmocka_unit_test(what_does_not_fit_goes_on_below),
        cmocka_unit_test(spans_are_wrapped_below_themselves),
        cmocka_unit_test(colour_adds_escapes_only),
        cmocka_unit_test(csv_quotes_as_rfc_4180),
        cmocka_unit_test(markdown_escapes_what_it_would_read),
        cmocka_unit_test(foreign_bytes_cannot_steer_the_terminal),
        cmocka_unit_test(a_full_buffer_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
