/* Tables of handshakes: expected figures are computed by hand from what the cells say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "report/result_table.h"

/* What a test says of a cell; zero and NULL leave it out. */
struct given {
    const char *library, *peer_library, *side, *key, *auth, *flag, *failure;
    double cpu_ns, half; /* half of the interval over the median */
    double bytes_sent, bytes_received;
};

static void put(struct cell *cell, const char *name, double value)
{
    if (value > 0)
        cell_metric(cell, name)->median = value;
}

static void add(struct result_table *table, const struct given *given)
{
    struct cell cell;
    struct error error;
    cell_init(&cell);
    cell_copy_text(&cell, &cell.instrument, "handshake");
    cell_copy_text(&cell, &cell.run, "r");
    cell_copy_text(&cell, &cell.side, given->side);
    cell_set_text(&cell, &cell.subject, "protocol", "tls1.2");
    cell_set_text(&cell, &cell.subject, "suite", "SUITE");
    cell_set_text(&cell, &cell.subject, "group", "secp256r1");
    cell_set_text(&cell, &cell.subject, "key", given->key == NULL ? "ecdsa-p256" : given->key);
    cell_set_text(&cell, &cell.subject, "auth", given->auth == NULL ? "server" : given->auth);
    cell_set_text(&cell, &cell.subject, "resumption", "none");
    cell_set_integer(&cell, &cell.subject, "chain_length", 1);
    cell_set_text(&cell, &cell.subject, "over", "memory");
    cell_set_text(&cell, &cell.subject, "peer_library", given->peer_library);
    cell_set_text(&cell, &cell.implementation, "library", given->library);
    cell_set_text(&cell, &cell.implementation, "version", "1");
    put(&cell, "cpu_ns", given->cpu_ns);
    if (given->half > 0) {
        struct metric *metric = cell_metric(&cell, "cpu_ns");
        metric->ci95_low = given->cpu_ns * (1 - given->half);
        metric->ci95_high = given->cpu_ns * (1 + given->half);
    }
    put(&cell, "bytes_sent", given->bytes_sent);
    put(&cell, "bytes_received", given->bytes_received);
    if (given->flag != NULL)
        cell_flag(&cell, given->flag);
    if (given->failure != NULL) {
        error_set(&error, ERROR_PEER, "%s", given->failure);
        cell_fail(&cell, &error);
    }
    assert_false(cell.failed);
    assert_true(result_table_add(table, &cell, &error));
    cell_free(&cell);
}

static void expect(struct result_table *table, enum table_format format, const char *expected)
{
    struct table_style style = {.format = format, .width = 100};
    struct buffer out;
    struct error error;
    buffer_init(&out, 1 << 16);
    assert_true(result_table_render(table, &style, true, &out, &error));
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

/* Both sides in one line, bytes as the client sees them, handshakes per core of the server: 1e9 /
 * 250,000 ns = 4000 per second. The faster client is marked; the servers' intervals, 247.5 to
 * 252.5 and 244.8 to 265.2 us, overlap: both are. */
static void sides_stand_in_a_line(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    add(table, &(struct given){.library = "two",
                               .side = "server",
                               .cpu_ns = 250000,
                               .half = 0.01,
                               .bytes_sent = 700,
                               .bytes_received = 300});
    add(table, &(struct given){.library = "one",
                               .side = "client",
                               .cpu_ns = 500000,
                               .half = 0.005,
                               .bytes_sent = 310,
                               .bytes_received = 710});
    add(table, &(struct given){.library = "one", .side = "server", .cpu_ns = 255000, .half = 0.04});
    add(table, &(struct given){.library = "two",
                               .side = "client",
                               .cpu_ns = 600000,
                               .half = 0.02,
                               .bytes_sent = 300,
                               .bytes_received = 700});
    expect(table, TABLE_TEXT,
           "Handshakes over memory, CPU time of each side; nothing is waited for\n"
           "         client   server   bytes out/in    ±  per core\n"
           "tls1.2, SUITE, secp256r1, ecdsa-p256\n"
           "  one 1  500 µs*  255 µs*       310/710  4 %  3.92 k/s\n"
           "  two 1  600 µs   250 µs*       300/700  2 %  4.00 k/s\n"
           "\n");
    result_table_free(table);
}

static void other_libraries_failures_and_flags_are_told(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    add(table, &(struct given){.library = "one",
                               .peer_library = "two",
                               .side = "client",
                               .cpu_ns = 500000,
                               .flag = "noisy"});
    add(table, &(struct given){
                   .library = "two", .peer_library = "one", .side = "server", .cpu_ns = 250000});
    add(table, &(struct given){.library = "one",
                               .side = "client",
                               .auth = "mutual",
                               .failure = "the session was not resumed"});
    add(table, &(struct given){.library = "one",
                               .side = "server",
                               .auth = "mutual",
                               .failure = "the session was not resumed"});
    expect(table, TABLE_TEXT,
           "Handshakes over memory, CPU time of each side; nothing is waited for\n"
           "                 client  server  per core\n"
           "tls1.2, SUITE, secp256r1, ecdsa-p256\n"
           "  one 1 to two¹  500 µs  250 µs  4.00 k/s\n"
           "tls1.2, SUITE, secp256r1, ecdsa-p256, mutual\n"
           "  one 1          failed: the session was not resumed\n"
           "\n"
           "¹ noisy\n");
    result_table_free(table);
}

static void csv_has_a_line_per_side(void **state)
{
    (void)state;
    struct result_table *table = result_table_new();
    add(table, &(struct given){.library = "one",
                               .side = "client",
                               .cpu_ns = 500000,
                               .bytes_sent = 310,
                               .bytes_received = 710});
    expect(table, TABLE_CSV,
           "instrument,side,over,configuration,libraries,status,wall_ns,cpu_ns,cpu_ci95_low_ns,"
           "cpu_ci95_high_ns,compute_ns,connect_ns,wait_ns,p99_ns,handshakes_per_s,bytes_sent,"
           "bytes_received,flights,round_trips,heap_peak_bytes,heap_idle_bytes,heap_allocations,"
           "stack_peak_bytes,traced_ns,untraced_ns,unattributed_ns,failed,flags,reason\r\n"
           "handshake,client,memory,\"tls1.2, SUITE, secp256r1, ecdsa-p256\",one 1,ok,,500000,,,,,,"
           ",,310,710,,,,,,,,,,,,\r\n");
    result_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_stand_in_a_line),
        cmocka_unit_test(other_libraries_failures_and_flags_are_told),
        cmocka_unit_test(csv_has_a_line_per_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
