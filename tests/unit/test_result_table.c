/* Expected figures are computed by hand: bytes/s = size * threads * 1e9 / wall_ns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "report/result_table.h"

/* What a test says of a cell; zero and NULL leave it out. */
struct given {
    const char *algorithm, *operation, *mode, *library, *version, *run, *flag;
    const char *features; /* cpu_features */
    int64_t size, threads;
    double wall_ns, half; /* half of the interval over the median */
    double p99;
    uint64_t ops_per_sample;
    const char *failure;
    enum error_code code;
};

static void add(struct result_table *table, const struct given *given)
{
    struct cell cell;
    struct error error;
    cell_init(&cell);
    cell_copy_text(&cell, &cell.instrument, "crypto");
    cell_copy_text(&cell, &cell.run, given->run == NULL ? "r" : given->run);
    cell_set_text(&cell, &cell.subject, "algorithm", given->algorithm);
    cell_set_text(&cell, &cell.subject, "operation", given->operation);
    cell_set_text(&cell, &cell.subject, "mode", given->mode);
    if (given->size > 0)
        cell_set_integer(&cell, &cell.subject, "size_bytes", given->size);
    cell_set_integer(&cell, &cell.subject, "threads", given->threads == 0 ? 1 : given->threads);
    cell_set_text(&cell, &cell.implementation, "library", given->library);
    cell_set_text(&cell, &cell.implementation, "version", given->version);
    cell_set_text(&cell, &cell.implementation, "cpu_features", given->features);
    if (given->wall_ns > 0) {
        struct metric *metric = cell_metric(&cell, "wall_ns");
        metric->median = given->wall_ns;
        metric->ops_per_sample = given->ops_per_sample;
        if (given->half > 0) {
            metric->ci95_low = given->wall_ns * (1 - given->half);
            metric->ci95_high = given->wall_ns * (1 + given->half);
        }
        if (given->p99 > 0)
            metric->p99 = given->p99;
    }
    if (given->flag != NULL)
        cell_flag(&cell, given->flag);
    if (given->failure != NULL) {
        error_set(&error, given->code, "%s", given->failure);
        cell_fail(&cell, &error);
    }
    assert_false(cell.failed);
    assert_true(result_table_add(table, &cell, &error));
    cell_free(&cell);
}

#define ADD(table, ...) add(table, &(const struct given){__VA_ARGS__})
#define GCM             .algorithm = "aes-128-gcm", .operation = "encrypt", .mode = "record"
#define OPENSSL         .library = "openssl", .version = "3.0.22"
#define MBEDTLS         .library = "mbedtls", .version = "2.28.3"

/* Renders, quiet, and compares; frees the table. */
static void expect(struct result_table *table, struct table_style style, const char *expected)
{
    struct buffer out;
    struct error error;
    buffer_init(&out, 100000);
    assert_true(result_table_render(table, &style, true, &out, &error));
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
    result_table_free(table);
}

static const struct table_style text80 = {.width = 80};

#define RECORD_TITLE "MB/s, record mode: as TLS, one key, a new nonce and a tag for each message\n"

static void sizes_are_columns_and_the_best_is_marked(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    ADD(table, GCM, OPENSSL, .size = 1024, .wall_ns = 512, .half = 0.01);
    ADD(table, GCM, MBEDTLS, .size = 16, .wall_ns = 320, .half = 0.002);
    ADD(table, GCM, MBEDTLS, .size = 1024, .wall_ns = 2048, .half = 0.0123);
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 160, .half = 0.0025);
    assert_int_equal(result_table_cells(table), 4);
    expect(table, text80,
           RECORD_TITLE "                  16 B   1 KiB       ±\n"
                        "aes-128-gcm encrypt\n"
                        "  mbedtls 2.28.3  50.0     500   1.2 %\n"
                        "  openssl 3.0.22   100*   2000*  1.0 %\n"
                        "\n");
}

/* 160 ns within 1 % and 161 ns within 1 % cannot be told apart; 200 ns can. */
static void what_cannot_be_told_from_the_best_is_marked_too(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 160, .half = 0.01);
    ADD(table, GCM, MBEDTLS, .size = 16, .wall_ns = 161, .half = 0.01);
    ADD(table, GCM, .library = "wolfssl", .version = "5.5.4", .size = 16, .wall_ns = 200,
        .half = 0.01);
    ADD(table, GCM, .library = "null", .size = 16, .wall_ns = 1, .half = 0.01);
    expect(table, text80,
           RECORD_TITLE "                   16 B       ±\n"
                        "aes-128-gcm encrypt\n"
                        "  mbedtls 2.28.3   99.4*  1.0 %\n"
                        "  openssl 3.0.22    100*  1.0 %\n"
                        "  wolfssl 5.5.4    80.0   1.0 %\n"
                        "  null            16000   1.0 %\n"
                        "\n");
}

/* Flagged, the fastest is no best; and then nothing else is either. */
static void flagged_cells_are_shown_and_never_ranked(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 160, .flag = "noisy");
    ADD(table, GCM, MBEDTLS, .size = 16, .wall_ns = 320);
    ADD(table, GCM, .library = "wolfssl", .version = "5.5.4", .size = 16, .wall_ns = 400);
    ADD(table, GCM, .library = "wolfssl", .version = "5.5.4", .size = 64, .wall_ns = 640);
    ADD(table, GCM, OPENSSL, .size = 64, .wall_ns = 640000, .flag = "throttled");
    ADD(table, GCM, MBEDTLS, .size = 64, .wall_ns = 1280);
    expect(table, text80,
           RECORD_TITLE "                  16 B   64 B\n"
                        "aes-128-gcm encrypt\n"
                        "  mbedtls 2.28.3  50.0   50.0\n"
                        "  openssl 3.0.22   100¹  0.10²\n"
                        "  wolfssl 5.5.4   40.0    100*\n"
                        "\n"
                        "¹ noisy\n"
                        "² throttled\n");
}

static void reasons_stand_where_figures_would(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 160);
    ADD(table, GCM, OPENSSL, .size = 64, .failure = "the result was wrong",
        .code = ERROR_KNOWN_ANSWER);
    ADD(table, GCM, .library = "wolfssl", .version = "5.5.4", .size = 16,
        .failure = "not in this build", .code = ERROR_UNAVAILABLE);
    ADD(table, GCM, .library = "wolfssl", .version = "5.5.4", .size = 64,
        .failure = "not in this build", .code = ERROR_UNAVAILABLE);
    expect(table, text80,
           RECORD_TITLE "                  16 B    64 B\n"
                        "aes-128-gcm encrypt\n"
                        "  openssl 3.0.22   100  failed¹\n"
                        "  wolfssl 5.5.4   unavailable: not in this build\n"
                        "\n"
                        "¹ failed: the result was wrong\n");
}

/* 25 µs: 40,000 per second; two threads: 80,000. The p99 of batch means is no latency. */
static void operations_have_rate_and_time(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    ADD(table, .algorithm = "ecdsa-p256", .operation = "verify", OPENSSL, .wall_ns = 100000,
        .half = 0.005, .p99 = 123000, .ops_per_sample = 1);
    ADD(table, .algorithm = "ecdsa-p256", .operation = "sign", OPENSSL, .wall_ns = 25000,
        .half = 0.005, .p99 = 26000, .ops_per_sample = 10);
    ADD(table, .algorithm = "ecdsa-p256", .operation = "sign", OPENSSL, .wall_ns = 25000,
        .half = 0.005, .threads = 2);
    expect(table, text80,
           "Operations per second; openssl 3.0.22\n"
           "                            operations  time each  99 % within       ±\n"
           "ecdsa-p256 sign               40.0 k/s    25.0 µs               0.50 %\n"
           "ecdsa-p256 sign, 2 threads    80.0 k/s    25.0 µs               0.50 %\n"
           "ecdsa-p256 verify             10.0 k/s     100 µs       123 µs  0.50 %\n"
           "\n");
}

static void what_differs_is_named(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 160, .features = "aes,pclmul");
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 1600, .features = "none");
    ADD(table, GCM, MBEDTLS, .size = 16, .wall_ns = 160, .features = "aes");
    expect(table, text80,
           RECORD_TITLE "                                   16 B\n"
                        "aes-128-gcm encrypt\n"
                        "  mbedtls 2.28.3                    100*\n"
                        "  openssl 3.0.22                    100*\n"
                        "  openssl 3.0.22, no CPU features  10.0\n"
                        "\n");
}

/* The same cell twice on one machine: both are kept. On two machines: they are numbered. */
static void repeats_and_machines_are_kept_apart(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 160);
    ADD(table, GCM, OPENSSL, .size = 64, .wall_ns = 640);
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 320);
    expect(table, text80,
           "MB/s, record mode: as TLS, one key, a new nonce and a tag for each message;\n"
           "openssl 3.0.22\n"
           "                     16 B   64 B\n"
           "aes-128-gcm encrypt   100*   100\n"
           "aes-128-gcm encrypt  50.0\n"
           "\n");

    table = result_table_new();
    struct error error;
    struct run board = {.id = "a", .tool_version = "0.1.0"};
    struct run again = {.id = "b", .tool_version = "0.1.0"};
    struct run other = {.id = "c", .tool_version = "0.2.0"};
    assert_true(result_table_add_run(table, &board, &error));
    assert_true(result_table_add_run(table, &again, &error));
    assert_true(result_table_add_run(table, &other, &error));
    ADD(table, GCM, OPENSSL, .run = "a", .size = 16, .wall_ns = 160);
    ADD(table, GCM, OPENSSL, .run = "b", .size = 64, .wall_ns = 640);
    ADD(table, GCM, OPENSSL, .run = "c", .size = 64, .wall_ns = 6400);
    expect(table, text80,
           RECORD_TITLE "                      16 B  64 B\n"
                        "aes-128-gcm encrypt\n"
                        "  openssl 3.0.22 [1]   100   100*\n"
                        "  openssl 3.0.22 [2]        10.0\n"
                        "\n");
}

/* An imported log has rates and no intervals, and names the tool instead of a library. */
static void imported_rates_are_shown_as_believed(void **state)
{
    (void)state;
    struct cell cell;
    struct error error;
    struct result_table *table = result_table_new();
    cell_init(&cell);
    cell_copy_text(&cell, &cell.instrument, "import");
    cell_set_text(&cell, &cell.subject, "algorithm", "aes-128-cbc");
    cell_set_text(&cell, &cell.subject, "operation", "encrypt");
    cell_set_integer(&cell, &cell.subject, "size_bytes", 16);
    cell_set_text(&cell, &cell.source, "tool", "openssl speed");
    cell_set_text(&cell, &cell.source, "version", "OpenSSL 0.9.8e 23 Feb 2007");
    cell.status = CELL_SALVAGED;
    cell_flag(&cell, "cpu-time");
    cell_metric(&cell, "bytes_per_s")->median = 591434.7;
    assert_true(result_table_add(table, &cell, &error));
    cell_free(&cell);
    expect(table, text80,
           "kB/s, imported; openssl speed 0.9.8e\n"
           "                     16 B\n"
           "aes-128-cbc encrypt   591¹\n"
           "\n"
           "¹ cpu-time\n");
}

static void csv_has_a_line_per_cell(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 160, .half = 0.5, .features = "aes,pclmul",
        .flag = "noisy");
    ADD(table, .algorithm = "rsa-2048", .operation = "sign", OPENSSL,
        .failure = "say \"no\", then stop", .code = ERROR_UNAVAILABLE);
    expect(table, (struct table_style){.format = TABLE_CSV},
           "instrument,algorithm,operation,mode,detail,size_bytes,threads,library,version,variant,"
           "status,metric,value,ci95_low,ci95_high,p99,bytes_per_s,operations_per_s,flags,reason,"
           "machine\r\n"
           "crypto,aes-128-gcm,encrypt,record,,16,1,openssl,3.0.22,\"cpu_features=aes,pclmul\",ok,"
           "wall_ns,160,80,240,,100000000,6250000,noisy,,\r\n"
           "crypto,rsa-2048,sign,,,,1,openssl,3.0.22,,unavailable,,,,,,,,,"
           "\"say \"\"no\"\", then stop\",\r\n");
}

static void markdown_is_bold_where_best(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    ADD(table, GCM, OPENSSL, .size = 16, .wall_ns = 160);
    ADD(table, GCM, MBEDTLS, .size = 16, .wall_ns = 320);
    expect(table, (struct table_style){.format = TABLE_MARKDOWN},
           RECORD_TITLE "\n"
                        "| | 16 B |\n"
                        "|:---|---:|\n"
                        "| **aes-128-gcm encrypt** | |\n"
                        "| mbedtls 2.28.3 | 50.0 |\n"
                        "| openssl 3.0.22 | **100** |\n"
                        "\n");
}

static void nothing_is_nothing(void **state)
{
    (void)state;
    expect(result_table_new(), text80, "");
    result_table_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_columns_and_the_best_is_marked),
        cmocka_unit_test(what_cannot_be_told_from_the_best_is_marked_too),
        cmocka_unit_test(flagged_cells_are_shown_and_never_ranked),
        cmocka_unit_test(reasons_stand_where_figures_would),
        cmocka_unit_test(operations_have_rate_and_time),
        cmocka_unit_test(what_differs_is_named),
        cmocka_unit_test(repeats_and_machines_are_kept_apart),
        cmocka_unit_test(imported_rates_are_shown_as_believed),
        cmocka_unit_test(csv_has_a_line_per_cell),
        cmocka_unit_test(markdown_is_bold_where_best),
        cmocka_unit_test(nothing_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
