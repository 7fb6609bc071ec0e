/* Tables of HTTP cells: figures, differences, lines and advice computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "record/sampled.h"
#include "report/result_table.h"

struct given {
    const char *library; /* NULL: plain HTTP */
    const char *resumption;
    bool kept, server;
    int64_t payload_bytes;
    double wall_ns, half_ns, cpu_ns;
    const char *failure;
};

static void add(struct result_table *table, const struct given *given)
{
    struct cell cell;
    struct error error;
    cell_init(&cell);
    cell_copy_text(&cell, &cell.run, "run");
    cell_copy_text(&cell, &cell.instrument, "http");
    cell_copy_text(&cell, &cell.side, given->server ? "server" : "client");
    cell_set_text(&cell, &cell.subject, "over", "loopback");
    cell_set_text(&cell, &cell.subject, "connection", given->kept ? "kept" : "new");
    if (!given->kept)
        cell_set_integer(&cell, &cell.subject, "requests", 1);
    cell_set_text(&cell, &cell.subject, "direction", "download");
    cell_set_integer(&cell, &cell.subject, "payload_bytes", given->payload_bytes);
    cell_set_text(&cell, &cell.subject, "scheme", given->library == NULL ? "http" : "https");
    cell_set_text(&cell, &cell.implementation, "library",
                  given->library == NULL ? "none" : given->library);
    if (given->library != NULL) {
        cell_set_text(&cell, &cell.subject, "protocol", "tls1.3");
        cell_set_text(&cell, &cell.subject, "key", "k");
        cell_set_text(&cell, &cell.subject, "resumption",
                      given->resumption == NULL ? "none" : given->resumption);
    }
    if (given->wall_ns > 0) {
        cell_value(&cell, "wall_ns", given->wall_ns);
        struct metric *metric = cell_metric(&cell, "wall_ns");
        metric->ci95_low = given->wall_ns - given->half_ns;
        metric->ci95_high = given->wall_ns + given->half_ns;
    }
    if (given->cpu_ns > 0)
        cell_value(&cell, "cpu_ns", given->cpu_ns);
    if (given->failure != NULL) {
        error_set(&error, ERROR_PEER, "%s", given->failure);
        cell_fail(&cell, &error);
    }
    assert_false(cell.failed);
    assert_true(result_table_add(table, &cell, &error));
    cell_free(&cell);
}

static void expect(struct result_table *table, const char *expected)
{
    struct table_style style = {.format = TABLE_TEXT, .width = 110};
    struct buffer out;
    struct error error;
    buffer_init(&out, 1 << 16);
    assert_true(result_table_render(table, &style, true, &out, &error));
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

/* 400 / 100 = 4; 400 - 100 = 300 us; the half widths 3 and 4 us make 5; 4 of 400 are 1 %. Opening
 * costs 400 - 50 = 350 us, 7 kept requests; 350 / 50 / 0.1 = 70. */
static void https_stands_against_http(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    add(table,
        &(struct given){.library = "a", .wall_ns = 400000, .half_ns = 4000, .cpu_ns = 90000});
    add(table, &(struct given){.library = "a", .server = true, .cpu_ns = 80000});
    add(table, &(struct given){.wall_ns = 100000, .half_ns = 3000, .cpu_ns = 20000});
    add(table, &(struct given){.library = "b", .failure = "the server said no"});
    add(table, &(struct given){.library = "a", .kept = true, .wall_ns = 50000, .half_ns = 500});
    expect(table,
           "HTTP response times, per request\n"
           "                     response    ±  / HTTP          TLS adds  client CPU  server CPU\n"
           "a new connection for each request, 0 B down\n"
           "  http                 100 µs  3 %                               20.0 µs           -\n"
           "  https tls1.3 a, k    400 µs  1 %    4.00  +300 µs ±5.00 µs     90.0 µs     80.0 µs\n"
           "  https tls1.3 b, k  failed: the server said no\n"
           "a request on a kept connection, 0 B down\n"
           "  https tls1.3 a, k   50.0 µs  1 %                                     -           -\n"
           "\n"
           "https tls1.3 a, k, 0 B: opening the connection costs as much as 7.0 requests on a kept "
           "one; from 70 requests\n"
           "  on each connection it is a tenth or less of their time.\n"
           "\n");
    result_table_free(table);
}

/* 50 us and 1 ns a byte against 10 us and 0.5 ns: TLS adds 40 us, and 512 ns per KiB. */
static void lines_and_what_tls_costs(void **state)
{
    (void)state;
    static const int64_t payloads[] = {0, 1000, 100000};
    struct result_table *table = result_table_new();
    struct table_style style = {.format = TABLE_TEXT, .width = 0};
    struct buffer out;
    struct error error;
    for (size_t i = 0; i < COUNT_OF(payloads); i++) {
        double bytes = (double)payloads[i];
        add(table, &(struct given){
                       .kept = true, .payload_bytes = payloads[i], .wall_ns = 10000 + bytes / 2});
        add(table, &(struct given){.library = "a",
                                   .kept = true,
                                   .payload_bytes = payloads[i],
                                   .wall_ns = 50000 + bytes});
    }
    buffer_init(&out, 1 << 16);
    assert_true(result_table_render(table, &style, true, &out, &error));
    const char *line = strstr(buffer_text(&out), "a kept connection, down\n");
    line = line == NULL ? "" : line;
    static const char *const parts[] = {"  http ", "10.0 µs",  "512 ns", "  https ",
                                        "50.0 µs", "+40.0 µs", "+512 ns"};
    for (size_t i = 0; i < COUNT_OF(parts); i++) { /* each behind the one before */
        const char *found = strstr(line, parts[i]);
        if (found == NULL)
            fail_msg("no %s", parts[i]);
        line = found == NULL ? "" : found;
    }
    buffer_free(&out);
    result_table_free(table);
}

/* 400 us full, 300 resumed: a quarter. The intervals, 8 and 6 us wide, are smaller. */
static void resuming_is_advised_where_it_saves(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    struct table_style style = {.format = TABLE_TEXT, .width = 0};
    struct buffer out;
    struct error error;
    add(table, &(struct given){.library = "a", .wall_ns = 400000, .half_ns = 4000});
    add(table, &(struct given){
                   .library = "a", .resumption = "ticket", .wall_ns = 300000, .half_ns = 3000});
    add(table, &(struct given){.library = "b", .wall_ns = 400000, .half_ns = 9000});
    add(table, &(struct given){
                   .library = "b", .resumption = "ticket", .wall_ns = 395000, .half_ns = 9000});
    buffer_init(&out, 1 << 16);
    assert_true(result_table_render(table, &style, true, &out, &error));
    assert_non_null(strstr(buffer_text(&out), "https tls1.3 a, k: resuming saves 100 µs of a new "
                                              "connection's first request, 25 %.\n"));
    assert_null(strstr(buffer_text(&out), "tls1.3 b, k: resuming"));
    buffer_free(&out);
    result_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(https_stands_against_http),
        cmocka_unit_test(lines_and_what_tls_costs),
        cmocka_unit_test(resuming_is_advised_where_it_saves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
