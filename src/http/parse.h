/*
 * HTTP/1.1 messages (RFC 9112) out of bytes: requests on a server, responses on a client.
 *
 * Pulled: http_parse goes on until there is something to tell and says how many bytes it took, so
 * that its caller decides when the next message begins (pipelining) and when to take more body
 * (back-pressure). Nothing is copied but the start line and the headers that somebody asks for;
 * bodies are told as they lie in the caller's bytes, chunked ones without their framing.
 *
 * llhttp does the work, without its lenient modes: a message with both Content-Length and chunked
 * coding, and whatever else a proxy could read in two ways, is refused. Requests to switch
 * protocols are read as ordinary ones.
 */
#ifndef TLSMETER_HTTP_PARSE_H
#define TLSMETER_HTTP_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum http_kind { HTTP_OF_CLIENT, HTTP_OF_SERVER }; /* who sends: requests, responses */

enum http_event {
    HTTP_MORE,     /* all bytes are taken and there is nothing to tell */
    HTTP_HEADERS,  /* start line and headers are in http_message */
    HTTP_BODY,     /* a piece of the body: http_body */
    HTTP_COMPLETE, /* the message is over; the next call begins another */
    HTTP_BROKEN, /* the error says why; http_refusal what a server answers; nothing more can be read
                  */
};

enum { HTTP_TARGET_BYTES = 1024, HTTP_METHOD_BYTES = 16 };

/* Valid from HTTP_HEADERS to the next message. */
struct http_message {
    char method[HTTP_METHOD_BYTES]; /* requests: "GET" */
    char target[HTTP_TARGET_BYTES]; /* requests: as sent, "/bytes/100?x" */
    unsigned status;                /* responses: 100 to 999 */
    bool has_length;                /* Content-Length was given */
    uint64_t length;                /* its value */
    bool chunked;
    bool keep_alive; /* after this message the connection may go on */
    bool expects_continue;
    char location[HTTP_TARGET_BYTES]; /* responses; "" when there was none */
    uint64_t header_bytes;            /* start line, names and values, without separators */
    uint64_t body_bytes;              /* so far, without chunk framing */
};

/* What a message may have. */
struct http_limits {
    size_t header_bytes; /* names and values, trailers included */
    unsigned headers;
};

struct http_piece {
    const unsigned char *bytes; /* in what http_parse was given */
    size_t length;
};

struct http_parser;

const char *http_unavailable(void); /* NULL when HTTP can be parsed, else why not */
MUST_USE struct http_parser *http_parser_new(enum http_kind kind, const struct http_limits *limits,
                                             struct error *error);
void http_parser_free(struct http_parser *parser); /* NULL is allowed */
/* For a new connection. */
void http_parser_reset(struct http_parser *parser);
/* Responses: the next one answers HEAD, so that it has no body whatever its headers say. */
void http_parser_expect_no_body(struct http_parser *parser);

enum http_event http_parse(struct http_parser *parser, const void *bytes, size_t length,
                           size_t *taken, struct error *error);
/* The peer closed. HTTP_COMPLETE: a body that ends with the connection is whole. HTTP_MORE: it
 * closed between messages. HTTP_BROKEN: within one. */
enum http_event http_parse_end(struct http_parser *parser, struct error *error);

const struct http_message *http_message(const struct http_parser *parser);
struct http_piece http_body(const struct http_parser *parser);
/* 400, 414 or 431 after HTTP_BROKEN. */
unsigned http_refusal(const struct http_parser *parser);

#endif
