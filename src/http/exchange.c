#include "http/exchange.h"

#include <inttypes.h>
#include <string.h>

#include "core/clock.h"
#include "http/content.h"

static uint64_t now_ns(void)
{
    return clock_wall_ns(clock_real());
}

void http_exchange_init(struct http_exchange *exchange, struct http_parser *parser)
{
    http_parser_reset(parser);
    exchange->parser = parser;
    exchange->input_at = exchange->input_end = 0;
    exchange->may_tell = false;
}

void http_exchange_begin(struct http_exchange *exchange, const struct http_request *request)
{
    exchange->request = request;
    exchange->head_sent = request->is_sent ? request->head_length : 0;
    exchange->upload_sent = 0;
    exchange->interim = false;
    exchange->start_ns = now_ns();
    exchange->sent_ns = request->is_sent ? exchange->start_ns : 0;
    exchange->first_byte_ns = exchange->end_ns = 0;
    exchange->status = 0;
    exchange->body_bytes = exchange->received_bytes = 0;
    exchange->sent_bytes = request->head_length + request->upload_bytes;
    exchange->keep_alive = false;
    exchange->location[0] = '\0';
    if (request->is_head)
        http_parser_expect_no_body(exchange->parser);
}

/* ---- sending ---- */

/* A small body goes with its headers: one record, one packet. */
static enum tls_progress send_together(struct http_exchange *exchange,
                                       const struct channel *channel, struct error *error)
{
    const struct http_request *request = exchange->request;
    unsigned char bytes[EXCHANGE_INPUT_BYTES];
    size_t head = request->head_length - exchange->head_sent;
    uint64_t body = request->upload_bytes - exchange->upload_sent;
    size_t length = 0;
    head = head < sizeof bytes ? head : sizeof bytes;
    memcpy(bytes, request->head + exchange->head_sent, head);
    size_t room = sizeof bytes - head;
    size_t part = body < room ? (size_t)body : room;
    memcpy(bytes + head, http_content(exchange->upload_sent), part);
    enum tls_progress progress = channel_write(channel, bytes, head + part, &length, error);
    size_t of_head = length < head ? length : head;
    exchange->head_sent += of_head;
    exchange->upload_sent += length - of_head;
    return progress;
}

static enum tls_progress send_request(struct http_exchange *exchange, const struct channel *channel,
                                      struct error *error)
{
    const struct http_request *request = exchange->request;
    while (exchange->head_sent < request->head_length ||
           exchange->upload_sent < request->upload_bytes) {
        enum tls_progress progress = send_together(exchange, channel, error);
        if (progress != TLS_DONE)
            return progress;
    }
    if (!link_flush(channel->link) && !link_failed(channel->link, error))
        return TLS_WANT_WRITE;
    exchange->sent_ns = now_ns();
    return TLS_DONE;
}

/* ---- receiving ---- */

static enum tls_progress refuse_content(struct http_exchange *exchange, struct error *error)
{
    (void)error_set(error, ERROR_PEER,
                    "the body is not what was asked for: it differs within the %zu bytes from "
                    "offset %" PRIu64 " on",
                    http_body(exchange->parser).length, exchange->body_bytes);
    return TLS_FAILED;
}

static enum tls_progress take_body(struct http_exchange *exchange, struct error *error)
{
    struct http_piece piece = http_body(exchange->parser);
    if (exchange->request->checks_content && exchange->status == 200 &&
        !http_content_is(exchange->body_bytes, piece.bytes, piece.length))
        return refuse_content(exchange, error);
    exchange->body_bytes += piece.length;
    return TLS_WANT_READ;
}

static void take_headers(struct http_exchange *exchange)
{
    const struct http_message *message = http_message(exchange->parser);
    exchange->interim = message->status < 200;
    exchange->status = message->status;
    exchange->keep_alive = message->keep_alive;
    memcpy(exchange->location, message->location, sizeof exchange->location);
}

static enum tls_progress complete(struct http_exchange *exchange, struct error *error)
{
    const struct http_request *request = exchange->request;
    if (exchange->interim)
        return TLS_WANT_READ;
    exchange->end_ns = now_ns();
    if (request->checks_content && exchange->status == 200 && !request->is_head &&
        exchange->body_bytes != request->content_bytes) {
        (void)error_set(error, ERROR_PEER, "the body has %" PRIu64 " bytes, not %" PRIu64,
                        exchange->body_bytes, request->content_bytes);
        return TLS_FAILED;
    }
    return TLS_DONE;
}

static enum tls_progress take_event(struct http_exchange *exchange, enum http_event event,
                                    struct error *error)
{
    switch (event) {
    case HTTP_HEADERS:
        take_headers(exchange);
        return TLS_WANT_READ;
    case HTTP_BODY:
        return take_body(exchange, error);
    case HTTP_COMPLETE:
        return complete(exchange, error);
    case HTTP_BROKEN:
        return TLS_FAILED;
    case HTTP_MORE:
        break;
    }
    return TLS_WANT_READ;
}

/* The peer closed. */
static enum tls_progress take_end(struct http_exchange *exchange, struct error *error)
{
    enum http_event event = http_parse_end(exchange->parser, error);
    exchange->keep_alive = false;
    if (event == HTTP_MORE) {
        (void)error_set(error, ERROR_PEER, "the server closed the connection without an answer");
        return TLS_FAILED;
    }
    return take_event(exchange, event, error);
}

static enum tls_progress receive(struct http_exchange *exchange, const struct channel *channel,
                                 struct error *error)
{
    for (;;) {
        while (exchange->input_at < exchange->input_end || exchange->may_tell) {
            size_t taken = 0;
            enum http_event event =
                http_parse(exchange->parser, exchange->input + exchange->input_at,
                           exchange->input_end - exchange->input_at, &taken, error);
            exchange->input_at += taken;
            exchange->may_tell = event != HTTP_MORE && event != HTTP_BROKEN;
            enum tls_progress progress = take_event(exchange, event, error);
            if (progress != TLS_WANT_READ)
                return progress;
        }
        exchange->input_at = exchange->input_end = 0;
        enum tls_progress progress = channel_read(channel, exchange->input, sizeof exchange->input,
                                                  &exchange->input_end, error);
        if (progress == TLS_CLOSED)
            return take_end(exchange, error);
        if (progress != TLS_DONE)
            return progress;
        exchange->received_bytes += exchange->input_end;
        if (exchange->first_byte_ns == 0)
            exchange->first_byte_ns = now_ns();
    }
}

enum tls_progress http_exchange_step(struct http_exchange *exchange, const struct channel *channel,
                                     struct error *error)
{
    if (exchange->sent_ns == 0) {
        enum tls_progress progress = send_request(exchange, channel, error);
        /* An answer takes its time: asking for it at once would be a system call for nothing. */
        return progress == TLS_DONE ? TLS_WANT_READ : progress;
    }
    return receive(exchange, channel, error);
}
