/* One connection of the HTTP server, between its files. */
#ifndef TLSMETER_HTTP_SESSION_H
#define TLSMETER_HTTP_SESSION_H

#include "http/content.h"
#include "http/parse.h"
#include "http/server.h"

enum http_body_source {
    BODY_NONE,
    BODY_CONTENT, /* what is left of http_content */
    BODY_ECHO,    /* the request's, piece by piece */
};

struct http_session {
    struct server_connection *connection;
    struct http_parser *parser;
    unsigned char input[HTTP_CONTENT_PIECE];
    size_t input_at, input_end;
    bool may_tell; /* the parser may have something to tell without further bytes */
    unsigned char output[HTTP_CONTENT_PIECE]; /* headers, and what fits behind them */
    size_t output_at, output_end;
    enum http_body_source source;
    uint64_t content_at, content_end;
    struct http_piece echo; /* under way, in `input` */
    bool echo_chunked;      /* the answer's coding */
    bool answered;     /* the request under way has its answer, or none of its own is to come */
    bool under_way;    /* bytes of a request have come, not all */
    bool in_body;      /* its headers are complete */
    bool ending;       /* the connection ends behind this answer */
    bool over;         /* ... which is complete, or as good as: nothing more is read */
    bool said_goodbye; /* what still comes is thrown away */
    uint64_t due_ns;   /* a delayed answer; 0: none */
    uint64_t received_bytes;
};

/* respond.c: the answer to the request whose headers, or whose end, were just read. */
void http_respond_headers(struct http_session *session);
void http_respond_complete(struct http_session *session);
void http_respond_due(struct http_session *session); /* the delay is over */
/* An answer with a line of text; `status` 400 and above ends the connection. */
void http_respond_text(struct http_session *session, unsigned status, const char *text);
void http_respond_echo(struct http_session *session, struct http_piece piece);

#endif
