#include <ctype.h>
#include <inttypes.h>
#include <llhttp.h>
#include <stdlib.h>
#include <string.h>

#include "http/parse.h"

enum { NAME_BYTES = 32, VALUE_BYTES = HTTP_TARGET_BYTES };

struct http_parser {
    llhttp_t llhttp;
    struct http_limits limits;
    struct http_message message;
    struct http_piece body;
    enum http_event told; /* by the callback that paused */
    unsigned headers, refusal;
    bool within; /* a message has begun and is not complete */
    bool expects_no_body;
    size_t target_length;
    /* The header under way. A name that is too long is none that is asked for. */
    char name[NAME_BYTES];
    size_t name_length;
    char value[VALUE_BYTES];
    size_t value_length;
};

static struct http_parser *parser_of(llhttp_t *llhttp)
{
    return llhttp->data;
}

static int refuse(struct http_parser *parser, unsigned status, const char *why)
{
    parser->refusal = status;
    llhttp_set_error_reason(&parser->llhttp, why);
    return HPE_USER;
}

static int pause_with(struct http_parser *parser, enum http_event event)
{
    parser->told = event;
    return HPE_PAUSED;
}

static bool is_header(const struct http_parser *parser, const char *lower_case)
{
    size_t length = strlen(lower_case);
    return parser->name_length == length && memcmp(parser->name, lower_case, length) == 0;
}

/* ---- callbacks ---- */

static int on_message_begin(llhttp_t *llhttp)
{
    struct http_parser *parser = parser_of(llhttp);
    memset(&parser->message, 0, sizeof parser->message);
    parser->headers = 0;
    parser->target_length = parser->name_length = parser->value_length = 0;
    parser->within = true;
    return 0;
}

static int on_url(llhttp_t *llhttp, const char *bytes, size_t length)
{
    struct http_parser *parser = parser_of(llhttp);
    if (length >= HTTP_TARGET_BYTES - parser->target_length)
        return refuse(parser, 414, "the request's target is too long");
    memcpy(parser->message.target + parser->target_length, bytes, length);
    parser->target_length += length;
    parser->message.header_bytes += length;
    return 0;
}

static int count_header_bytes(struct http_parser *parser, size_t length)
{
    parser->message.header_bytes += length;
    if (parser->message.header_bytes > parser->limits.header_bytes)
        return refuse(parser, 431, "the headers are too large");
    return 0;
}

static int on_header_field(llhttp_t *llhttp, const char *bytes, size_t length)
{
    struct http_parser *parser = parser_of(llhttp);
    for (size_t i = 0; i < length; i++, parser->name_length++)
        if (parser->name_length < NAME_BYTES)
            parser->name[parser->name_length] = (char)tolower((unsigned char)bytes[i]);
    return count_header_bytes(parser, length);
}

static int on_header_value(llhttp_t *llhttp, const char *bytes, size_t length)
{
    struct http_parser *parser = parser_of(llhttp);
    size_t room = VALUE_BYTES - parser->value_length;
    if (length <= room)
        memcpy(parser->value + parser->value_length, bytes, length);
    parser->value_length = length <= room ? parser->value_length + length : VALUE_BYTES;
    return count_header_bytes(parser, length);
}

static int on_header_value_complete(llhttp_t *llhttp)
{
    struct http_parser *parser = parser_of(llhttp);
    size_t length = parser->value_length;
    if (++parser->headers > parser->limits.headers)
        return refuse(parser, 431, "there are too many headers");
    if (length < VALUE_BYTES)
        parser->value[length] = '\0';
    if (is_header(parser, "location") && length < VALUE_BYTES)
        memcpy(parser->message.location, parser->value, length + 1);
    if (is_header(parser, "expect") && length == strlen("100-continue"))
        parser->message.expects_continue = strncasecmp(parser->value, "100-continue", length) == 0;
    parser->name_length = parser->value_length = 0;
    return 0;
}

static int on_headers_complete(llhttp_t *llhttp)
{
    struct http_parser *parser = parser_of(llhttp);
    struct http_message *message = &parser->message;
    if (llhttp->type == HTTP_REQUEST) {
        const char *name = llhttp_method_name((llhttp_method_t)llhttp->method);
        memcpy(message->method, name, strlen(name) < HTTP_METHOD_BYTES ? strlen(name) + 1 : 0);
        llhttp->upgrade = 0;
    }
    message->status = llhttp->status_code;
    message->chunked = (llhttp->flags & F_CHUNKED) != 0;
    message->has_length = (llhttp->flags & F_CONTENT_LENGTH) != 0;
    message->length = message->has_length ? llhttp->content_length : 0;
    message->keep_alive = llhttp_should_keep_alive(llhttp) != 0;
    if (parser->expects_no_body) {
        llhttp->flags |= F_SKIPBODY;
        /* Its length is known without reading to the connection's end. */
        message->keep_alive = llhttp_should_keep_alive(llhttp) != 0;
    }
    return pause_with(parser, HTTP_HEADERS);
}

static int on_body(llhttp_t *llhttp, const char *bytes, size_t length)
{
    struct http_parser *parser = parser_of(llhttp);
    if (length == 0)
        return 0;
    parser->body = (struct http_piece){(const unsigned char *)bytes, length};
    parser->message.body_bytes += length;
    return pause_with(parser, HTTP_BODY);
}

static int on_message_complete(llhttp_t *llhttp)
{
    struct http_parser *parser = parser_of(llhttp);
    parser->within = false;
    parser->expects_no_body = false;
    return pause_with(parser, HTTP_COMPLETE);
}

static const llhttp_settings_t callbacks = {
    .on_message_begin = on_message_begin,
    .on_url = on_url,
    .on_header_field = on_header_field,
    .on_header_value = on_header_value,
    .on_header_value_complete = on_header_value_complete,
    .on_headers_complete = on_headers_complete,
    .on_body = on_body,
    .on_message_complete = on_message_complete,
};

/* ---- */

const char *http_unavailable(void)
{
    return NULL;
}

struct http_parser *http_parser_new(enum http_kind kind, const struct http_limits *limits,
                                    struct error *error)
{
    struct http_parser *parser = calloc(1, sizeof *parser);
    if (parser == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an HTTP parser");
        return NULL;
    }
    llhttp_init(&parser->llhttp, kind == HTTP_OF_SERVER ? HTTP_RESPONSE : HTTP_REQUEST, &callbacks);
    parser->llhttp.data = parser;
    parser->limits = *limits;
    return parser;
}

void http_parser_free(struct http_parser *parser)
{
    free(parser);
}

void http_parser_reset(struct http_parser *parser)
{
    llhttp_reset(&parser->llhttp);
    parser->within = parser->expects_no_body = false;
    parser->refusal = 0;
    parser->headers = 0;
}

void http_parser_expect_no_body(struct http_parser *parser)
{
    parser->expects_no_body = true;
}

static enum http_event broken(struct http_parser *parser, llhttp_errno_t code, struct error *error)
{
    const char *reason = llhttp_get_error_reason(&parser->llhttp);
    if (parser->refusal == 0) {
        parser->refusal = 400;
        (void)error_set(error, ERROR_PEER, "what came is no HTTP: %s (llhttp %s)",
                        reason == NULL || reason[0] == '\0' ? "it is malformed" : reason,
                        llhttp_errno_name(code));
    } else {
        (void)error_set(error, ERROR_PEER, "%s", reason);
    }
    return HTTP_BROKEN;
}

enum http_event http_parse(struct http_parser *parser, const void *bytes, size_t length,
                           size_t *taken, struct error *error)
{
    const char *start = bytes;
    *taken = 0;
    if (llhttp_get_errno(&parser->llhttp) == HPE_PAUSED)
        llhttp_resume(&parser->llhttp);
    llhttp_errno_t code = llhttp_execute(&parser->llhttp, start, length);
    if (code == HPE_OK) {
        *taken = length;
        return HTTP_MORE;
    }
    if (code != HPE_PAUSED)
        return broken(parser, code, error);
    *taken = (size_t)(llhttp_get_error_pos(&parser->llhttp) - start);
    return parser->told;
}

enum http_event http_parse_end(struct http_parser *parser, struct error *error)
{
    const struct http_message *message = &parser->message;
    if (!parser->within)
        return HTTP_MORE;
    if (llhttp_get_errno(&parser->llhttp) == HPE_PAUSED)
        llhttp_resume(&parser->llhttp);
    llhttp_errno_t code = llhttp_finish(&parser->llhttp);
    if (!parser->within)
        return HTTP_COMPLETE;
    if (message->has_length && message->body_bytes > 0)
        (void)error_set(error, ERROR_PEER,
                        "the body was cut: %" PRIu64 " of %" PRIu64 " bytes came",
                        message->body_bytes, message->length);
    else
        (void)error_set(error, ERROR_PEER, "the connection ended within a message (llhttp %s)",
                        llhttp_errno_name(code));
    return HTTP_BROKEN;
}

const struct http_message *http_message(const struct http_parser *parser)
{
    return &parser->message;
}

struct http_piece http_body(const struct http_parser *parser)
{
    return parser->body;
}

unsigned http_refusal(const struct http_parser *parser)
{
    return parser->refusal;
}
