/* Records and messages on the wire, from hand-made bytes and from real handshakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "handshake/wire.h"
#include "tls/pipe.h"
#include "tls/pki.h"

static struct wire wire;

static void test_one_record(void **state)
{
    (void)state;
    /* A handshake record of 8 bytes: server_hello_done and an empty hello_request (RFC 5246 7.4).
     */
    static const unsigned char bytes[] = {22, 3, 3, 0, 8, 14, 0, 0, 0, 0, 0, 0, 0};
    wire_init(&wire, false);
    wire_feed(&wire, TLS_SERVER, bytes, sizeof bytes);
    assert_int_equal(wire.record_count, 1);
    assert_string_equal(wire.records[0].name, "server_hello_done, hello_request");
    assert_int_equal(wire.records[0].length_bytes, 13);
    assert_int_equal(wire.flights, 1);
    assert_int_equal(wire.unknown_bytes, 0);
}

static void test_byte_by_byte_is_the_same(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {22, 3, 3, 0, 4,  14, 0, 0, 0, 20, 3,
                                          3,  0, 1, 1, 22, 3,  3, 0, 2, 9,  9};
    wire_init(&wire, false);
    for (size_t i = 0; i < sizeof bytes; i++)
        wire_feed(&wire, TLS_SERVER, &bytes[i], 1);
    assert_int_equal(wire.record_count, 3);
    assert_string_equal(wire.records[0].name, "server_hello_done");
    assert_string_equal(wire.records[1].name, "change_cipher_spec");
    assert_string_equal(wire.records[2].name, "handshake");
    assert_true(wire.records[2].encrypted);
    assert_false(wire.records[0].encrypted);
}

static void test_any_bytes_are_safe(void **state)
{
    (void)state;
    struct random_source random;
    random_seed(&random, 1);
    for (int datagram = 0; datagram < 2; datagram++)
        for (int i = 0; i < 2000; i++) {
            unsigned char bytes[300];
            size_t length = random_below(&random, sizeof bytes);
            random_fill(&random, bytes, length);
            if (length > 3 && i % 2 == 0) {
                bytes[0] = (unsigned char)(20 + random_below(&random, 4));
                bytes[1] = datagram ? 0xfe : 3;
            }
            if (i % 50 == 0)
                wire_init(&wire, datagram);
            wire_feed(&wire, (enum tls_role)random_below(&random, 2), bytes, length);
            assert_in_range(wire.record_count, 0, WIRE_RECORDS);
        }
}

struct expectation {
    enum tls_protocol protocol;
    unsigned flights;
    const char *first, *second; /* first records of the client and the server */
};

static void drive(struct tls_endpoint *endpoints[2], struct error *error)
{
    enum tls_progress progress[2] = {TLS_WANT_READ, TLS_WANT_READ};
    for (int turn = 0; turn < 40 && (progress[0] != TLS_DONE || progress[1] != TLS_DONE); turn++)
        for (int role = 0; role < 2; role++)
            if (progress[role] != TLS_DONE) {
                progress[role] = tls_library_find("openssl")->handshake(endpoints[role], error);
                if (progress[role] == TLS_FAILED)
                    fail_msg("%s", error->text);
            }
}

/* Full handshakes: RFC 5246 figure 1 (four flights), RFC 8446 figure 1 (three), RFC 6347 figure 1
 * (six with the cookie). */
static void test_real_handshakes(void **state)
{
    (void)state;
    static const struct expectation expectations[] = {
        {TLS_1_2, 4, "client_hello", "server_hello"},
        {TLS_1_3, 3, "client_hello", "server_hello"},
        {DTLS_1_2, 6, "client_hello", "hello_verify_request"},
    };
    const struct tls_library *library = tls_library_find("openssl");
    if (library->unavailable() != NULL)
        skip();
    struct error error;
    struct pki_set pki;
    assert_true(pki_make(&(struct pki_request){"ecdsa-p256", 1}, PKI_SOUND, "", &pki, &error));
    struct pipe *pipe = malloc(sizeof *pipe);
    assert_non_null(pipe);
    for (size_t i = 0; i < COUNT_OF(expectations); i++) {
        bool datagram = tls_protocol_is_datagram(expectations[i].protocol);
        struct tls_context *contexts[2];
        struct tls_endpoint *endpoints[2];
        pipe_init(pipe, datagram);
        wire_init(&wire, datagram);
        pipe->tap = wire_feed;
        pipe->tap_context = &wire;
        for (int role = 0; role < 2; role++) {
            struct tls_settings settings = {.role = (enum tls_role)role,
                                            .protocol = expectations[i].protocol,
                                            .hello_verify = true,
                                            .ca = pki.root,
                                            .verify_peer = role == TLS_CLIENT};
            if (role == TLS_SERVER)
                settings.credentials = pki.server;
            struct tls_io io = pipe_io(pipe, (enum tls_role)role);
            contexts[role] = library->context_open(&settings, &error);
            assert_non_null(contexts[role]);
            endpoints[role] = library->open(contexts[role], &io, &error);
            assert_non_null(endpoints[role]);
        }
        drive(endpoints, &error);
        assert_int_equal(wire.flights, expectations[i].flights);
        assert_int_equal(wire.unknown_bytes, 0);
        assert_int_equal(
            strncmp(wire.records[0].name, expectations[i].first, strlen(expectations[i].first)), 0);
        assert_int_equal(
            strncmp(wire.records[1].name, expectations[i].second, strlen(expectations[i].second)),
            0);
        for (int role = 0; role < 2; role++) {
            uint64_t sum = 0;
            for (size_t j = 0; j < wire.record_count; j++)
                sum += (int)wire.records[j].sender == role ? wire.records[j].length_bytes : 0;
            assert_int_equal(sum, wire.directions[role].bytes);
            assert_int_equal(sum, pipe->queues[role].total_bytes);
            library->close(endpoints[role]);
            library->context_close(contexts[role]);
        }
        for (size_t j = 0; j < wire.record_count; j++)
            print_message("%d %u %s%s %u\n", (int)wire.records[j].sender, wire.records[j].flight,
                          wire.records[j].name, wire.records[j].encrypted ? " (encrypted)" : "",
                          wire.records[j].length_bytes);
    }
    free(pipe);
    pki_free(&pki);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_record),
        cmocka_unit_test(test_byte_by_byte_is_the_same),
        cmocka_unit_test(test_any_bytes_are_safe),
        cmocka_unit_test(test_real_handshakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
