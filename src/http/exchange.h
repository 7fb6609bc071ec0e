/*
 * One request and its answer on a connection, as the client sees them.
 *
 * Driven: http_exchange_step does what can be done without waiting. The times of the layers are
 * taken as they pass; a body that should be http_content is compared byte by byte, and an answer
 * that is short, long or broken is a failure. Several exchanges follow one another on a kept
 * connection.
 */
#ifndef TLSMETER_HTTP_EXCHANGE_H
#define TLSMETER_HTTP_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "handshake/channel.h"
#include "http/parse.h"

struct http_request {
    const char *head; /* start line, headers and the empty line */
    size_t head_length;
    uint64_t upload_bytes; /* of http_content behind them */
    bool is_head;          /* the method is HEAD */
    bool is_sent;          /* with the handshake, as early data: only the answer is to come */
    bool checks_content;   /* the answer's body must be content_bytes of http_content */
    uint64_t content_bytes;
};

enum { EXCHANGE_INPUT_BYTES = 16384 };

struct http_exchange {
    struct http_parser *parser; /* borrowed */
    const struct http_request *request;
    size_t head_sent;
    uint64_t upload_sent;
    unsigned char input[EXCHANGE_INPUT_BYTES];
    size_t input_at, input_end;
    bool may_tell; /* the parser may have something to tell without further bytes */
    bool interim;  /* the answer under way is a 1xx */
    /* Of the real clock; 0: not yet. sent_ns: the last byte of the request was handed over;
     * first_byte_ns: the first of the answer was read; end_ns: the last. */
    uint64_t start_ns, sent_ns, first_byte_ns, end_ns;
    /* The answer. */
    unsigned status;
    uint64_t body_bytes;
    uint64_t sent_bytes, received_bytes; /* of both messages, before TLS */
    bool keep_alive;
    char location[HTTP_TARGET_BYTES];
};

/* For a new connection. */
void http_exchange_init(struct http_exchange *exchange, struct http_parser *parser);
void http_exchange_begin(struct http_exchange *exchange, const struct http_request *request);
/* TLS_DONE: the answer is complete. TLS_WANT_READ, TLS_WANT_WRITE: what to wait for. TLS_FAILED. */
enum tls_progress http_exchange_step(struct http_exchange *exchange, const struct channel *channel,
                                     struct error *error);

#endif
