/* URLs, the content of bodies, and exchanges over a socket pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "http/content.h"
#include "http/exchange.h"
#include "http/url.h"

static void urls_are_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *host, *target, *authority;
        uint16_t port;
        bool tls;
    } cases[] = {
        {"http://a", "a", "/", "a", 80, false},
        {"HTTPS://a.b/c?d#e", "a.b", "/c?d", "a.b", 443, true},
        {"https://a:8443/x", "a", "/x", "a:8443", 8443, true},
        {"https://a:443/", "a", "/", "a", 443, true},
        {"http://[::1]:8080?q", "::1", "/?q", "[::1]:8080", 8080, false},
        {"http://[::1]/", "::1", "/", "[::1]", 80, false},
    };
    static const char *const wrong[] = {
        "",           "a",           "ftp://a",     "http://",     "http:///x",
        "http://a b", "http://a/\n", "http://u@a/", "http://a:b/", "https://a:0x1"};
    struct http_url url;
    struct error error;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(http_url_parse(cases[i].text, &url, &error));
        assert_string_equal(url.host, cases[i].host);
        assert_string_equal(url.target, cases[i].target);
        assert_string_equal(url.authority, cases[i].authority);
        assert_int_equal(url.port, cases[i].port);
        assert_int_equal(url.tls, cases[i].tls);
    }
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        if (http_url_parse(wrong[i], &url, &error))
            fail_msg("'%s' was taken", wrong[i]);
}

/* By hand: 0 -> 0; 1 * 167 >> 3 = 20; 100 * 167 >> 3 = 2087, mod 256 = 39; 65521 is 0 again. */
static void content_follows_from_its_offset(void **state)
{
    (void)state;
    assert_int_equal(http_content(0)[0], 0);
    assert_int_equal(http_content(1)[0], 20);
    assert_int_equal(http_content(100)[0], 39);
    assert_int_equal(http_content(65521)[1], 20);
    assert_int_equal(http_content(65520)[2], 20);
    assert_true(http_content_is(65500, http_content(65500), HTTP_CONTENT_PIECE));
    assert_false(http_content_is(65500, http_content(65501), 100));
    assert_false(http_content_is(0, http_content(16), 100));
}

struct scene {
    int fds[2];
    struct link link;
    struct channel channel;
    struct http_parser *parser;
    struct http_exchange exchange;
    struct http_request request;
    struct error error;
};

static void open_scene(struct scene *scene)
{
    static const struct http_limits limits = {.header_bytes = 4096, .headers = 20};
    memset(scene, 0, sizeof *scene);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, scene->fds), 0);
    link_init(&scene->link, scene->fds[0], false, TLS_CLIENT);
    scene->channel = (struct channel){NULL, NULL, &scene->link};
    scene->parser = http_parser_new(HTTP_OF_SERVER, &limits, &scene->error);
    assert_non_null(scene->parser);
    http_exchange_init(&scene->exchange, scene->parser);
    scene->request = (struct http_request){.head = "GET / HTTP/1.1\r\n\r\n", .head_length = 18};
    http_exchange_begin(&scene->exchange, &scene->request);
}

static void close_scene(struct scene *scene)
{
    http_parser_free(scene->parser);
    link_free(&scene->link);
    (void)close(scene->fds[0]);
    if (scene->fds[1] >= 0)
        (void)close(scene->fds[1]);
}

static void answer(struct scene *scene, const void *bytes, size_t length)
{
    assert_int_equal(write(scene->fds[1], bytes, length), length);
}

static enum tls_progress step(struct scene *scene)
{
    return http_exchange_step(&scene->exchange, &scene->channel, &scene->error);
}

static void an_answer_in_pieces_is_one_exchange(void **state)
{
    (void)state;
    struct scene scene;
    char sent[64];
    open_scene(&scene);
    assert_int_equal(step(&scene), TLS_WANT_READ);
    assert_int_equal(read(scene.fds[1], sent, sizeof sent), 18);
    answer(&scene, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-", 50);
    assert_int_equal(step(&scene), TLS_WANT_READ);
    assert_int_equal(scene.exchange.end_ns, 0);
    answer(&scene, "Length: 3\r\n\r\nab", 15);
    assert_int_equal(step(&scene), TLS_WANT_READ);
    answer(&scene, "c", 1);
    assert_int_equal(step(&scene), TLS_DONE);
    assert_int_equal(scene.exchange.status, 200);
    assert_int_equal(scene.exchange.body_bytes, 3);
    assert_true(scene.exchange.keep_alive);
    assert_true(scene.exchange.start_ns <= scene.exchange.sent_ns &&
                scene.exchange.sent_ns <= scene.exchange.first_byte_ns &&
                scene.exchange.first_byte_ns <= scene.exchange.end_ns);
    close_scene(&scene);
}

static void a_wrong_body_is_a_failure(void **state)
{
    (void)state;
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";
    static const struct {
        size_t offset, length, content_bytes;
        enum tls_progress progress;
        const char *text;
    } cases[] = {{0, 4, 4, TLS_DONE, ""},
                 {1, 4, 4, TLS_FAILED, "differs within the 4 bytes from offset 0"},
                 {0, 4, 5, TLS_FAILED, "the body has 4 bytes, not 5"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct scene scene;
        open_scene(&scene);
        scene.request.checks_content = true;
        scene.request.content_bytes = cases[i].content_bytes;
        assert_int_equal(step(&scene), TLS_WANT_READ);
        answer(&scene, head, strlen(head));
        answer(&scene, http_content(cases[i].offset), cases[i].length);
        assert_int_equal(step(&scene), cases[i].progress);
        if (cases[i].progress == TLS_FAILED)
            assert_non_null(strstr(scene.error.text, cases[i].text));
        close_scene(&scene);
    }
}

static void an_early_end_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *text;
    } cases[] = {{"", "closed the connection without an answer"},
                 {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "cut: 3 of 9 bytes"},
                 {"HTTP/1.1 200", "ended within a message"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct scene scene;
        open_scene(&scene);
        assert_int_equal(step(&scene), TLS_WANT_READ);
        answer(&scene, cases[i].answer, strlen(cases[i].answer));
        char sent[64];
        assert_int_equal(read(scene.fds[1], sent, sizeof sent), 18); /* or closing resets */
        (void)close(scene.fds[1]);
        scene.fds[1] = -1;
        assert_int_equal(step(&scene), TLS_FAILED);
        assert_non_null(strstr(scene.error.text, cases[i].text));
        close_scene(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_are_parsed),
        cmocka_unit_test(content_follows_from_its_offset),
        cmocka_unit_test(an_answer_in_pieces_is_one_exchange),
        cmocka_unit_test(a_wrong_body_is_a_failure),
        cmocka_unit_test(an_early_end_is_named),
    };
    if (http_unavailable() != NULL) {
        print_message("skipped: %s\n", http_unavailable());
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
