#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "core/text.h"
#include "http/session.h"

#define NS_PER_MS UINT64_C(1000000)

static const char *reason_of(unsigned status)
{
    static const struct {
        unsigned status;
        const char *reason;
    } reasons[] = {{200, "OK"},
                   {400, "Bad Request"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {413, "Content Too Large"},
                   {414, "URI Too Long"},
                   {431, "Request Header Fields Too Large"},
                   {501, "Not Implemented"}};
    for (size_t i = 0; i < COUNT_OF(reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Error";
}

PRINTF_LIKE(2, 3)
static void put(struct http_session *session, const char *format, ...)
{
    char *place = (char *)session->output + session->output_end;
    size_t room = sizeof session->output - session->output_end;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(place, room, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < room)
        session->output_end += (size_t)length;
}

static bool is_method(const struct http_session *session, const char *method)
{
    return strcmp(http_message(session->parser)->method, method) == 0;
}

static void put_headers(struct http_session *session, unsigned status, const char *further)
{
    put(session, "HTTP/1.1 %u %s\r\nServer: tlsmeter\r\n%s%s", status, reason_of(status), further,
        session->ending ? "Connection: close\r\n" : "");
}

static void put_text(struct http_session *session, unsigned status, const char *further,
                     const char *text)
{
    put_headers(session, status, further);
    put(session, "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n", strlen(text));
    if (!is_method(session, "HEAD"))
        put(session, "%s", text);
    session->answered = true;
}

void http_respond_text(struct http_session *session, unsigned status, const char *text)
{
    session->ending = session->ending || status >= 400;
    session->over = session->over || status >= 400;
    put_text(session, status, "", text);
}

static void respond_method(struct http_session *session, const char *allow)
{
    char further[64];
    (void)snprintf(further, sizeof further, "Allow: %s\r\n", allow);
    session->ending = session->over = true;
    put_text(session, 405, further, "this target has no such method\n");
}

static void respond_content(struct http_session *session, uint64_t bytes)
{
    put_headers(session, 200, "Content-Type: application/octet-stream\r\n");
    put(session, "Content-Length: %" PRIu64 "\r\n\r\n", bytes);
    session->answered = true;
    if (is_method(session, "HEAD") || bytes == 0)
        return;
    session->source = BODY_CONTENT;
    session->content_at = 0;
    session->content_end = bytes;
    /* What fits goes with the headers: one record, one packet. */
    size_t room = sizeof session->output - session->output_end;
    size_t first = bytes < room ? (size_t)bytes : room;
    memcpy(session->output + session->output_end, http_content(0), first);
    session->output_end += first;
    session->content_at = first;
}

static void respond_echo_headers(struct http_session *session)
{
    const struct http_message *message = http_message(session->parser);
    session->echo_chunked = !message->has_length;
    put_headers(session, 200, "Content-Type: application/octet-stream\r\n");
    if (session->echo_chunked)
        put(session, "Transfer-Encoding: chunked\r\n\r\n");
    else
        put(session, "Content-Length: %" PRIu64 "\r\n\r\n", message->length);
    session->source = BODY_ECHO;
    session->answered = true;
}

void http_respond_echo(struct http_session *session, struct http_piece piece)
{
    if (session->echo_chunked)
        put(session, "%zx\r\n", piece.length);
    session->echo = piece;
}

static void respond_figures(struct http_session *session)
{
    struct server_stats stats;
    struct buffer text;
    buffer_init(&text, 4096);
    server_figures(server_of(session->connection), &stats);
    server_describe(&stats, &text);
    buffer_append_char(&text, '\n');
    put_text(session, 200, "", buffer_text(&text));
    buffer_free(&text);
}

/* ---- targets ---- */

/* The number behind a target's prefix; false when there is another target or no number. */
static bool number_behind(const struct http_session *session, const char *prefix, uint64_t most,
                          uint64_t *number)
{
    const char *target = http_message(session->parser)->target;
    char digits[24];
    size_t length = strlen(prefix);
    struct error ignored;
    if (strncmp(target, prefix, length) != 0)
        return false;
    size_t end = strcspn(target + length, "?");
    if (end == 0 || end >= sizeof digits)
        return false;
    memcpy(digits, target + length, end);
    digits[end] = '\0';
    return text_parse_u64(digits, 0, most, number, &ignored);
}

static bool is_target(const struct http_session *session, const char *path)
{
    const char *target = http_message(session->parser)->target;
    size_t length = strlen(path);
    return strncmp(target, path, length) == 0 && (target[length] == '\0' || target[length] == '?');
}

static bool begins(const struct http_session *session, const char *prefix)
{
    return strncmp(http_message(session->parser)->target, prefix, strlen(prefix)) == 0;
}

static void respond_get(struct http_session *session)
{
    uint64_t number = 0;
    if (number_behind(session, "/bytes/", HTTP_CONTENT_MOST, &number))
        respond_content(session, number);
    else if (number_behind(session, "/delay/", HTTP_MOST_DELAY_MS, &number))
        session->due_ns = clock_wall_ns(clock_real()) + number * NS_PER_MS + 1;
    else if (is_target(session, "/tlsmeter/figures"))
        respond_figures(session);
    else if (begins(session, "/bytes/"))
        http_respond_text(session, 400, "/bytes/N gives N bytes, 0 to 1073741824\n");
    else if (begins(session, "/delay/"))
        http_respond_text(session, 400, "/delay/MS waits for MS milliseconds, 0 to 60000\n");
    else if (is_target(session, "/echo") || is_target(session, "/discard"))
        respond_method(session, "POST, PUT");
    else
        put_text(session, 404, "", "there are /bytes/N, /echo, /discard and /delay/MS\n");
}

void http_respond_due(struct http_session *session)
{
    session->due_ns = 0;
    put_text(session, 200, "", "");
}

void http_respond_headers(struct http_session *session)
{
    const struct http_message *message = http_message(session->parser);
    session->answered = false;
    session->received_bytes = 0;
    session->ending = session->ending || !message->keep_alive;
    if (message->has_length && message->length > HTTP_CONTENT_MOST) {
        http_respond_text(session, 413, "a body has at most 1073741824 bytes\n");
        return;
    }
    bool uploads = is_method(session, "POST") || is_method(session, "PUT");
    if (message->expects_continue && uploads)
        put(session, "HTTP/1.1 100 Continue\r\n\r\n");
    if (uploads && is_target(session, "/echo"))
        respond_echo_headers(session);
}

void http_respond_complete(struct http_session *session)
{
    char text[32];
    bool gets = is_method(session, "GET") || is_method(session, "HEAD");
    bool uploads = is_method(session, "POST") || is_method(session, "PUT");
    if (session->source == BODY_ECHO && session->echo_chunked)
        put(session, "0\r\n\r\n");
    if (session->source == BODY_ECHO)
        session->source = BODY_NONE;
    if (session->answered)
        return;
    if (gets) {
        respond_get(session);
    } else if (!uploads) {
        http_respond_text(session, 501, "the methods here are GET, HEAD, POST and PUT\n");
    } else if (is_target(session, "/discard")) {
        (void)snprintf(text, sizeof text, "%" PRIu64 "\n", session->received_bytes);
        put_text(session, 200, "", text);
    } else if (begins(session, "/bytes/") || begins(session, "/delay/") ||
               is_target(session, "/tlsmeter/figures")) {
        respond_method(session, "GET, HEAD");
    } else {
        put_text(session, 404, "", "there are /bytes/N, /echo, /discard and /delay/MS\n");
    }
}
