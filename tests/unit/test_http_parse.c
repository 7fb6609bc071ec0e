/* HTTP/1.1 messages in one piece, byte by byte, and those that must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "core/buffer.h"
#include "http/parse.h"

static const struct http_limits limits = {.header_bytes = 4096, .headers = 8};

/* What a parser tells, as text: "[GET /x 3]abc;" */
static void tell(struct http_parser *parser, enum http_event event, bool is_response,
                 struct buffer *out)
{
    const struct http_message *message = http_message(parser);
    if (event == HTTP_HEADERS && is_response)
        buffer_printf(out, "[%u", message->status);
    else if (event == HTTP_HEADERS)
        buffer_printf(out, "[%s %s", message->method, message->target);
    if (event == HTTP_HEADERS && message->has_length)
        buffer_printf(out, " %d", (int)message->length);
    if (event == HTTP_HEADERS)
        buffer_printf(out, "%s%s%s%s]", message->chunked ? " chunked" : "",
                      message->keep_alive ? "" : " close", message->location[0] ? " to " : "",
                      message->location);
    if (event == HTTP_BODY)
        buffer_append(out, http_body(parser).bytes, http_body(parser).length);
    if (event == HTTP_COMPLETE)
        buffer_append_char(out, ';');
    if (event == HTTP_BROKEN)
        buffer_printf(out, "!%u", http_refusal(parser));
}

/* Feeds in pieces of `step` bytes, then the end of the connection. */
static void read_all(enum http_kind kind, const char *text, size_t step, bool head,
                     struct buffer *out)
{
    struct error error;
    size_t length = strlen(text);
    enum http_event event = HTTP_MORE;
    struct http_parser *parser = http_parser_new(kind, &limits, &error);
    assert_non_null(parser);
    if (head)
        http_parser_expect_no_body(parser);
    for (size_t at = 0; at < length && event != HTTP_BROKEN;) {
        size_t end = at + step < length ? at + step : length;
        size_t taken;
        event = http_parse(parser, text + at, end - at, &taken, &error);
        assert_true(taken <= end - at);
        assert_true(event != HTTP_MORE || taken == end - at);
        tell(parser, event, kind == HTTP_OF_SERVER, out);
        at += taken;
    }
    /* What was held back while the last byte was taken. */
    for (size_t taken; event != HTTP_MORE && event != HTTP_BROKEN;) {
        event = http_parse(parser, text, 0, &taken, &error);
        tell(parser, event, kind == HTTP_OF_SERVER, out);
    }
    if (event != HTTP_BROKEN)
        tell(parser, http_parse_end(parser, &error), kind == HTTP_OF_SERVER, out);
    http_parser_free(parser);
}

static const struct {
    enum http_kind kind;
    bool head;
    const char *text, *expected;
} cases[] = {
    {HTTP_OF_CLIENT, false, "GET /bytes/10?x HTTP/1.1\r\nHost: a\r\n\r\n", "[GET /bytes/10?x];"},
    {HTTP_OF_CLIENT, false, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "[GET / close];"},
    {HTTP_OF_CLIENT, false, "GET / HTTP/1.0\r\n\r\n", "[GET / close];"},
    /* pipelined */
    {HTTP_OF_CLIENT, false,
     "POST /echo HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\n\r\nHEAD /3 "
     "HTTP/1.1\r\n\r\n",
     "[POST /echo 3]abc;[GET /2];[HEAD /3];"},
    {HTTP_OF_CLIENT, false,
     "POST /e HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nT: "
     "v\r\n\r\n",
     "[POST /e chunked]abcdefg;"},
    {HTTP_OF_CLIENT, false,
     "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nGET /2 HTTP/1.1\r\n\r\n",
     "[GET /];[GET /2];"},
    {HTTP_OF_SERVER, false, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "[200 2]hi;"},
    {HTTP_OF_SERVER, false, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
     "[100];[204];"},
    {HTTP_OF_SERVER, false,
     "HTTP/1.1 302 Found\r\nLocation: https://b/x\r\nContent-Length: 0\r\n\r\n",
     "[302 0 to https://b/x];"},
    /* ends with the connection */
    {HTTP_OF_SERVER, false, "HTTP/1.1 200 OK\r\n\r\nabc", "[200 close]abc;"},
    {HTTP_OF_SERVER, true, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 304 N\r\n\r\n",
     "[200 5];[304];"},
    /* cut */
    {HTTP_OF_SERVER, false, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "[200 5]abc!0"},
    {HTTP_OF_SERVER, false, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
     "[200 chunked]abc!0"},
    {HTTP_OF_SERVER, false, "HTTP/1.1 200 OK\r\nConte", "!0"},
    /* refused: smuggling, no HTTP, two lengths */
    {HTTP_OF_CLIENT, false,
     "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "!400"},
    {HTTP_OF_CLIENT, false, "POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
     "!400"},
    {HTTP_OF_CLIENT, false, "\x16\x03\x01\x02\x03 HTTP", "!400"},
    {HTTP_OF_SERVER, false, "\x15\x03\x01\x02\x02\x0a", "!400"},
    {HTTP_OF_CLIENT, false,
     "GET / HTTP/1.1\r\n1: a\r\n2: a\r\n3: a\r\n4: a\r\n5: a\r\n6: a\r\n7: a\r\n8: a\r\n9: "
     "a\r\n\r\n",
     "!431"},
};

static void messages_are_told_however_they_are_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t step = 1; step <= strlen(cases[i].text); step++) {
            struct buffer out;
            buffer_init(&out, 4096);
            read_all(cases[i].kind, cases[i].text, step, cases[i].head, &out);
            assert_string_equal(buffer_text(&out), cases[i].expected);
            buffer_free(&out);
        }
}

static void what_is_too_large_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *start, *end, *expected;
    } shapes[] = {{"GET /", " HTTP/1.1\r\n\r\n", "!414"},
                  {"GET / HTTP/1.1\r\nX: ", "\r\n\r\n", "!431"},
                  {"GET / HTTP/1.1\r\n", ": a\r\n\r\n", "!431"}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct buffer text, out;
        buffer_init(&text, 1 << 16);
        buffer_init(&out, 4096);
        buffer_append_text(&text, shapes[i].start);
        for (int j = 0; j < 5000; j++)
            buffer_append_char(&text, 'a');
        buffer_append_text(&text, shapes[i].end);
        read_all(HTTP_OF_CLIENT, buffer_text(&text), 100, false, &out);
        assert_string_equal(buffer_text(&out), shapes[i].expected);
        buffer_free(&text);
        buffer_free(&out);
    }
}

static void a_parser_serves_the_next_connection(void **state)
{
    (void)state;
    struct error error;
    size_t taken;
    struct http_parser *parser = http_parser_new(HTTP_OF_CLIENT, &limits, &error);
    assert_non_null(parser);
    assert_int_equal(http_parse(parser, "bad\r\n", 5, &taken, &error), HTTP_BROKEN);
    assert_non_null(strstr(error.text, "no HTTP"));
    http_parser_reset(parser);
    assert_int_equal(http_parse(parser, "GET /", 5, &taken, &error), HTTP_MORE);
    http_parser_reset(parser);
    assert_int_equal(
        http_parse(parser, "GET /a HTTP/1.1\r\nExpect: 100-Continue\r\n\r\n", 41, &taken, &error),
        HTTP_HEADERS);
    assert_string_equal(http_message(parser)->target, "/a");
    assert_true(http_message(parser)->expects_continue);
    http_parser_free(parser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_told_however_they_are_cut),
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(a_parser_serves_the_next_connection),
    };
    if (http_unavailable() != NULL) {
        print_message("skipped: %s\n", http_unavailable());
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
