/* Records: what is written reads back the same, files end whole or say so, and bad files are named.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "core/random.h"
#include "record/flag.h"
#include "record/json.h"
#include "record/reader.h"
#include "record/resume.h"
#include "record/writer.h"

static char folder[] = "/tmp/tlsmeter-record-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int remove_folder(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        (void)execlp("rm", "rm", "-rf", folder, (char *)NULL);
        _exit(1);
    }
    return child < 0;
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static char *get_file(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return text;
}

/* Random text of printable and awkward characters. */
static void random_text(struct random_source *random, char text[40])
{
    static const char *const pieces[] = {"a",  "Z", "0",  "-",    " ", "\"", "\\", "\n",
                                         "\t", "é", "中", "\x7f", "{", "}",  "[",  "samples"};
    size_t count = random_below(random, 5);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *piece = pieces[random_below(random, COUNT_OF(pieces))];
        size_t length = strlen(text);
        (void)snprintf(text + length, 40 - length, "%s", piece);
    }
}

static double random_number(struct random_source *random)
{
    double values[] = {0, 1, -1, 0.1, 1e-9, 1e300, 12345.678, random_unit(random) * 1e6};
    return values[random_below(random, COUNT_OF(values))];
}

static void random_set(struct random_source *random, struct cell *cell, struct attributes *set)
{
    char name[24];
    char text[40];
    size_t count = random_below(random, 6);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "name_%d", (int)random_below(random, 10));
        random_text(random, text);
        switch (random_below(random, 4)) {
        case 0:
            cell_set_text(cell, set, name, text);
            break;
        case 1:
            cell_set_integer(cell, set, name, (int64_t)random_u64(random));
            break;
        case 2:
            cell_set_real(cell, set, name, random_number(random) + 0.25);
            break;
        default:
            cell_set_boolean(cell, set, name, random_below(random, 2) == 0);
            break;
        }
    }
}

static void random_cell(struct random_source *random, struct cell *cell)
{
    char text[40];
    double samples[5];
    cell_clear(cell);
    cell_copy_text(cell, &cell->run, "0193a1b2");
    cell_copy_text(cell, &cell->instrument, "crypto");
    cell->status = (enum cell_status)random_below(random, 5);
    if (random_below(random, 3) == 0)
        cell_copy_text(cell, &cell->side, "client");
    random_set(random, cell, &cell->subject);
    random_set(random, cell, &cell->implementation);
    random_set(random, cell, &cell->checks);
    random_set(random, cell, &cell->source);
    for (size_t i = random_below(random, 3); i > 0; i--) {
        (void)snprintf(text, sizeof text, "metric_%d_ns", (int)i);
        struct metric *metric = cell_metric(cell, text);
        metric->n = random_below(random, 100);
        metric->median = random_number(random);
        metric->max = random_number(random);
        if (random_below(random, 2) == 0)
            metric->ci95_low = metric->ci95_high = metric->median;
        for (size_t j = 0; j < COUNT_OF(samples); j++)
            samples[j] = random_number(random);
        cell_metric_samples(cell, metric, samples, random_below(random, COUNT_OF(samples) + 1));
    }
    for (size_t i = random_below(random, 3); i > 0; i--) {
        random_text(random, text);
        cell_flag(cell, text);
    }
}

static bool copy_cell(void *context, const struct cell *cell, struct error *error)
{
    return record_write_cell(context, cell, error);
}

/* write, read, write: the same bytes. */
static void test_round_trip(void **state)
{
    (void)state;
    struct random_source random;
    struct record_writer writer;
    struct record_writer second;
    struct record_read_result result;
    struct error error;
    struct cell cell;
    random_seed(&random, 42);
    cell_init(&cell);
    assert_true(record_writer_open(&writer, "first.jsonl", &error));
    for (int i = 0; i < 300; i++) {
        random_cell(&random, &cell);
        assert_false(cell.failed);
        assert_true(record_write_cell(&writer, &cell, &error));
    }
    cell_free(&cell);
    assert_true(record_writer_close(&writer, &error));
    assert_true(record_writer_open(&second, "second.jsonl", &error));
    struct record_handlers handlers = {.context = &second, .cell = copy_cell, .want_samples = true};
    if (!record_read_file("first.jsonl", &handlers, &result, &error))
        fail_msg("%s", error.text);
    assert_true(record_writer_close(&second, &error));
    assert_int_equal(result.cells, 300);
    char *first = strdup(get_file("first.jsonl"));
    assert_string_equal(first, get_file("second.jsonl"));
    free(first);
}

static void number_is(double value, const char *expected)
{
    struct buffer out;
    buffer_init(&out, 100);
    json_number(&out, value);
    assert_string_equal(buffer_text(&out), expected);
    assert_true(strtod(buffer_text(&out), NULL) == value);
    buffer_free(&out);
}

static void string_is(const char *text, const char *expected)
{
    struct buffer out;
    buffer_init(&out, 100);
    json_string(&out, text);
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

static void test_json_values(void **state)
{
    (void)state;
    number_is(0.1, "0.1");
    number_is(1e300, "1e+300");
    number_is(3, "3");
    number_is(1.0 / 3, "0.3333333333333333");
    number_is(5e-324, "4.94065645841247e-324");
    string_is("a\"b\\c\n", "\"a\\\"b\\\\c\\u000a\"");
    string_is("caf\xc3\xa9", "\"caf\xc3\xa9\"");
    /* No UTF-8: a lone byte, an overlong slash, a surrogate, a cut sequence (Unicode, table 3-7).
     */
    string_is("\xff", "\"\xef\xbf\xbd\"");
    string_is("\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    string_is("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    string_is("\xe4\xb8", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void test_the_file_is_the_owners(void **state)
{
    (void)state;
    struct record_writer writer;
    struct error error;
    struct stat info;
    assert_true(record_writer_open(&writer, "mode.jsonl", &error));
    assert_true(record_writer_close(&writer, &error));
    assert_true(record_writer_close(&writer, &error)); /* twice does no harm */
    assert_int_equal(stat("mode.jsonl", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

static void test_errors_of_writing_are_told(void **state)
{
    (void)state;
    struct record_writer writer;
    struct error error;
    assert_false(record_writer_open(&writer, "no/such/folder.jsonl", &error));
    assert_int_equal(error.code, ERROR_OUTPUT);
    assert_int_equal(error.origin_code, ENOENT);
    assert_non_null(strstr(error.text, "no/such/folder.jsonl"));
    assert_true(record_writer_open(&writer, "/dev/full", &error));
    assert_false(record_write_note(&writer, "run", NULL, "text", NULL, &error));
    assert_int_equal(error.origin_code, ENOSPC);
    assert_non_null(strstr(error.text, "/dev/full"));
    assert_true(record_writer_close(&writer, &error));
}

static void test_a_failed_cell_is_not_written(void **state)
{
    (void)state;
    struct record_writer writer;
    struct error error;
    struct cell cell;
    cell_init(&cell);
    cell.failed = true; /* as when memory ran out while it was filled */
    assert_true(record_writer_open(&writer, "failed.jsonl", &error));
    assert_false(record_write_cell(&writer, &cell, &error));
    assert_int_equal(error.code, ERROR_MEMORY);
    assert_true(record_writer_close(&writer, &error));
    assert_string_equal(get_file("failed.jsonl"), "");
}

static bool read_text(const char *text, struct record_read_result *result, struct error *error)
{
    struct record_handlers handlers = {.context = NULL};
    put_file("text.jsonl", text);
    return record_read_file("text.jsonl", &handlers, result, error);
}

static void test_torn_lines_are_skipped(void **state)
{
    (void)state;
    struct record_read_result result;
    struct record_writer writer;
    struct error error;
    static const char torn[] = "{\"record\":\"cell\"}\n{\"record\":\"ce";
    assert_true(read_text(torn, &result, &error));
    assert_int_equal(result.cells, 1);
    assert_int_equal(result.torn, 1);
    /* Appending leaves the torn line alone, and what follows is read. */
    assert_true(record_writer_open(&writer, "text.jsonl", &error));
    assert_true(record_write_note(&writer, "run", NULL, "text", NULL, &error));
    assert_true(record_writer_close(&writer, &error));
    assert_non_null(strstr(get_file("text.jsonl"), "\"ce\n{\"record\":\"note\""));
    assert_true(read_text(get_file("text.jsonl"), &result, &error));
    assert_int_equal(result.torn, 1);
    assert_int_equal(result.cells, 1);
    assert_int_equal(result.notes, 1);
}

static void test_bad_lines_are_named(void **state)
{
    (void)state;
    struct record_read_result result;
    struct error error;
    assert_false(read_text("{\"record\":\"cell\"}\nnonsense\n{}\n", &result, &error));
    assert_non_null(strstr(error.text, "text.jsonl:2"));
    assert_false(read_text("{\"no\":\"record\"}\n", &result, &error));
    assert_non_null(strstr(error.text, "text.jsonl:1"));
    assert_false(read_text("[1,2]\n", &result, &error));
    /* Unknown kinds and fields, empty lines and CRLF do no harm. */
    assert_true(read_text("{\"record\":\"later\",\"x\":[{}]}\r\n\n{\"record\":\"cell\",\"y\":1}\n",
                          &result, &error));
    assert_int_equal(result.other, 1);
    assert_int_equal(result.cells, 1);
}

static double seen_median;
static size_t seen_samples;

static bool see(void *context, const struct cell *cell, struct error *error)
{
    (void)context;
    (void)error;
    const struct metric *metric = cell_find_metric(cell, "wall_ns");
    seen_median = metric->median;
    seen_samples = metric->sample_count;
    return true;
}

/* Passing samples over must not change anything else, even where a text looks like them. */
static void test_samples_can_be_passed_over(void **state)
{
    (void)state;
    static const char text[] =
        "{\"record\":\"cell\",\"subject\":{\"a\":\"\\\"samples\\\":[1,2]\"},\"metrics\":{\"wall_"
        "ns\":"
        "{\"n\":2,\"samples\":[1,2.5e3],\"median\":7},\"x\":{\"samples\":[\"odd\"]}}}\n";
    struct record_read_result result;
    struct error error;
    put_file("samples.jsonl", text);
    for (int want = 0; want < 2; want++) {
        struct record_handlers handlers = {.cell = see, .want_samples = want != 0};
        if (!record_read_file("samples.jsonl", &handlers, &result, &error))
            fail_msg("%s", error.text);
        assert_true(seen_median == 7);
        assert_int_equal(seen_samples, want ? 2 : 0);
    }
}

static void fill(struct cell *cell, int64_t size, const char *version)
{
    cell_clear(cell);
    cell_copy_text(cell, &cell->instrument, "crypto");
    cell_set_text(cell, &cell->subject, "algorithm", "sha256");
    cell_set_integer(cell, &cell->subject, "size_bytes", size);
    cell_set_text(cell, &cell->implementation, "library", "openssl");
    cell_set_text(cell, &cell->implementation, "version", version);
}

static void test_keys(void **state)
{
    (void)state;
    struct cell a;
    struct cell b;
    struct buffer key_a;
    struct buffer key_b;
    cell_init(&a);
    cell_init(&b);
    buffer_init(&key_a, 1000);
    buffer_init(&key_b, 1000);
    fill(&a, 16, "3.0");
    cell_copy_text(&b, &b.instrument, "crypto"); /* another order, another version: the same key */
    cell_set_text(&b, &b.implementation, "version", "3.5");
    cell_set_text(&b, &b.implementation, "library", "openssl");
    cell_set_integer(&b, &b.subject, "size_bytes", 16);
    cell_set_text(&b, &b.subject, "algorithm", "sha256");
    cell_key(&a, &key_a);
    cell_key(&b, &key_b);
    assert_string_equal(buffer_text(&key_a), buffer_text(&key_b));
    cell_set_text(&b, &b.implementation, "cpu_features", "aes");
    buffer_clear(&key_b);
    cell_key(&b, &key_b);
    assert_string_not_equal(buffer_text(&key_a), buffer_text(&key_b));
    buffer_free(&key_a);
    buffer_free(&key_b);
    cell_free(&a);
    cell_free(&b);
}

static void test_resume(void **state)
{
    (void)state;
    struct record_writer writer;
    struct resume resume;
    struct error error = {.code = ERROR_NONE};
    struct cell cell;
    cell_init(&cell);
    put_file("resume.jsonl", "{\"record\":\"run\",\"machine\":{\"identity\":\"board A\"}}\n");
    assert_true(record_writer_open(&writer, "resume.jsonl", &error));
    for (int64_t size = 0; size < 3000; size++) { /* enough to grow the table */
        fill(&cell, size, "3.0");
        if (size == 7)
            cell_copy_text(&cell, &cell.ended, "interrupted");
        assert_true(record_write_cell(&writer, &cell, &error));
    }
    assert_true(record_writer_close(&writer, &error));
    assert_true(resume_read(&resume, "resume.jsonl", &error));
    fill(&cell, 2999, "3.0");
    assert_true(resume_holds(&resume, &cell, &error));
    fill(&cell, 3000, "3.0");
    assert_false(resume_holds(&resume, &cell, &error));
    fill(&cell, 7, "3.0"); /* was interrupted: to be measured again */
    assert_false(resume_holds(&resume, &cell, &error));
    assert_int_equal(error.code, ERROR_NONE);
    fill(&cell, 5, "3.5");
    assert_false(resume_holds(&resume, &cell, &error));
    assert_int_equal(error.code, ERROR_USAGE);
    assert_true(resume_check_machine(&resume, "board A", "resume.jsonl", &error));
    assert_false(resume_check_machine(&resume, "board B", "resume.jsonl", &error));
    resume_free(&resume);
    cell_free(&cell);
}

static void test_flags_are_complete(void **state)
{
    (void)state;
    size_t count;
    const struct flag *list = flag_list(&count);
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(list[i].meaning) > 10 && strlen(list[i].advice) > 10);
        assert_ptr_equal(flag_find(list[i].name), &list[i]); /* no name twice */
    }
    assert_null(flag_find("no-such-flag"));
}

static void test_run_lines(void **state)
{
    (void)state;
    static const char *const arguments[] = {"tlsmeter", "crypto", "--algorithm", "aes*'x y"};
    struct record_writer writer;
    struct run run;
    struct error error;
    run_init(&run, 4, arguments);
    run_set_text(&run, "cpu.model", "a");
    run_set_text(&run, "kernel", "b");
    run_set_integer(&run, "cpu.cache.l1_bytes", 3);
    assert_string_equal(run.command_line, "tlsmeter crypto --algorithm 'aes*'\\''x y'");
    assert_int_equal(strlen(run.id), 36);
    assert_int_equal(run.id[14], '7'); /* the version, RFC 9562 section 5.7 */
    assert_true(record_writer_open(&writer, "run.jsonl", &error));
    assert_true(record_write_run(&writer, &run, &error));
    assert_true(record_writer_close(&writer, &error));
    assert_non_null(strstr(get_file("run.jsonl"),
                           "\"machine\":{\"cpu\":{\"model\":\"a\",\"cache\":{\"l1_bytes\":3}},"
                           "\"kernel\":\"b\"}}"));
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_json_values),
        cmocka_unit_test(test_the_file_is_the_owners),
        cmocka_unit_test(test_errors_of_writing_are_told),
        cmocka_unit_test(test_a_failed_cell_is_not_written),
        cmocka_unit_test(test_torn_lines_are_skipped),
        cmocka_unit_test(test_bad_lines_are_named),
        cmocka_unit_test(test_samples_can_be_passed_over),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_flags_are_complete),
        cmocka_unit_test(test_run_lines),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
