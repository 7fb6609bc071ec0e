#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handshake/link.h"

/* A link and its peer's end. */
struct ends {
    struct link link;
    int peer;
};

static void open_ends(struct ends *ends, bool datagram)
{
    int fds[2];
    assert_int_equal(
        socketpair(AF_UNIX, (datagram ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK, 0, fds), 0);
    link_init(&ends->link, fds[0], datagram, TLS_CLIENT);
    ends->peer = fds[1];
}

static void close_ends(struct ends *ends)
{
    link_free(&ends->link);
    (void)close(ends->link.fd);
    if (ends->peer >= 0)
        (void)close(ends->peer);
}

static void peer_says(struct ends *ends, const char *text)
{
    assert_int_equal(write(ends->peer, text, strlen(text)), strlen(text));
}

static void peer_closes(struct ends *ends)
{
    (void)close(ends->peer);
    ends->peer = -1;
}

static size_t receive(struct ends *ends, char *bytes, size_t capacity, bool *closed)
{
    struct tls_io io = link_io(&ends->link);
    return io.receive(io.context, bytes, capacity, closed);
}

/* Sends into a connection that the peer has closed. */
static void break_off(struct ends *ends)
{
    struct tls_io io = link_io(&ends->link);
    peer_closes(ends);
    assert_int_equal(io.send(io.context, "flight", 6), 6);
    assert_false(link_flush(&ends->link));
    assert_int_equal(ends->link.error_number, EPIPE);
}

static void test_what_came_before_the_end_can_be_read(void **state)
{
    (void)state;
    struct ends ends;
    char bytes[16];
    bool closed = false;
    open_ends(&ends, false);
    peer_says(&ends, "alert");
    break_off(&ends);
    assert_int_equal(receive(&ends, bytes, sizeof bytes, &closed), 5);
    assert_memory_equal(bytes, "alert", 5);
    assert_false(closed);
    assert_int_equal(receive(&ends, bytes, sizeof bytes, &closed), 0);
    assert_true(closed);
    close_ends(&ends);
}

static void test_the_library_says_more_than_the_kernel(void **state)
{
    (void)state;
    struct ends ends;
    struct error error;
    open_ends(&ends, false);
    break_off(&ends);

    (void)tls_no_record(&error, ORIGIN_WOLFSSL, -326, "record layer version error");
    assert_false(link_explain(&ends.link, TLS_FAILED, &error));
    assert_int_equal(error.origin, ORIGIN_WOLFSSL);
    assert_int_equal(error.origin_code, -326);

    (void)tls_alert_received(&error, 40);
    assert_false(link_explain(&ends.link, TLS_FAILED, &error));
    assert_int_equal(error.origin, ORIGIN_PEER);
    close_ends(&ends);
}

static void test_the_kernel_says_more_than_that_it_ended(void **state)
{
    (void)state;
    struct ends ends;
    struct error error;
    open_ends(&ends, false);
    break_off(&ends);

    (void)tls_peer_closed(&error, ORIGIN_MBEDTLS, -29312);
    assert_int_equal(error.origin_code, -29312);
    assert_true(link_explain(&ends.link, TLS_FAILED, &error));
    assert_int_equal(error.origin, ORIGIN_KERNEL);
    assert_int_equal(error.origin_code, EPIPE);

    error = (struct error){.code = ERROR_NONE};
    assert_true(link_explain(&ends.link, TLS_WANT_READ, &error));
    assert_int_equal(error.origin_code, EPIPE);
    close_ends(&ends);
}

static void test_without_an_error_of_the_kernel_nothing_changes(void **state)
{
    (void)state;
    struct ends ends;
    struct error error;
    open_ends(&ends, false);
    (void)tls_peer_closed(&error, ORIGIN_OPENSSL, 0);
    assert_false(link_explain(&ends.link, TLS_FAILED, &error));
    assert_int_equal(error.origin, ORIGIN_TLSMETER);
    assert_true(tls_is_closed(&error));
    close_ends(&ends);
}

static void test_an_empty_datagram_ends_nothing(void **state)
{
    (void)state;
    struct ends ends;
    char bytes[16];
    bool closed = false;
    open_ends(&ends, true);
    assert_int_equal(send(ends.peer, "", 0, 0), 0);
    peer_says(&ends, "flight");
    assert_int_equal(receive(&ends, bytes, sizeof bytes, &closed), 6);
    assert_int_equal(send(ends.peer, "", 0, 0), 0);
    assert_int_equal(receive(&ends, bytes, sizeof bytes, &closed), 0);
    assert_false(closed);
    close_ends(&ends);
}

/* The beginnings: RFC 8446 section 5.1 (22, version 3.x), RFC 9112 section 4 (a status line). */
static void test_strangers(void **state)
{
    (void)state;
    static const struct {
        const char *said, *expected;
    } rows[] = {{"\x16\x03\x03", "broken"},
                {"\x15", "broken"},
                {"HTTP/1.1 400 Bad Request\r\n",
                 "the peer does not speak TLS, its answer begins \"HTTP/1.1 400 Bad\": broken"},
                {"220 mx\r\n", "the peer does not speak TLS, its answer begins \"220 mx\": broken"},
                {"\x03\x01\xff", "the peer does not speak TLS, its answer begins 03 01 ff: broken"},
                {"\x16\x02", "the peer does not speak TLS, its answer begins 16 02: broken"},
                {"", "broken"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ends ends;
        struct error error;
        char bytes[64];
        bool closed = false;
        open_ends(&ends, false);
        peer_says(&ends, rows[i].said);
        (void)receive(&ends, bytes, sizeof bytes, &closed);
        (void)error_set(&error, ERROR_PEER, "broken");
        link_name_stranger(&ends.link, &error);
        assert_string_equal(error.text, rows[i].expected);
        close_ends(&ends);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_came_before_the_end_can_be_read),
        cmocka_unit_test(test_the_library_says_more_than_the_kernel),
        cmocka_unit_test(test_the_kernel_says_more_than_that_it_ended),
        cmocka_unit_test(test_without_an_error_of_the_kernel_nothing_changes),
        cmocka_unit_test(test_an_empty_datagram_ends_nothing),
        cmocka_unit_test(test_strangers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
