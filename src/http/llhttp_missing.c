/* Stands in for llhttp.c where llhttp is not installed. */
#include "http/parse.h"

const char *http_unavailable(void)
{
    return "tlsmeter was built without llhttp (Debian: libllhttp-dev, or node-llhttp)";
}

struct http_parser *http_parser_new(enum http_kind kind, const struct http_limits *limits,
                                    struct error *error)
{
    (void)kind;
    (void)limits;
    (void)error_set(error, ERROR_UNAVAILABLE, "%s", http_unavailable());
    return NULL;
}

void http_parser_free(struct http_parser *parser)
{
    (void)parser;
}

void http_parser_reset(struct http_parser *parser)
{
    (void)parser;
}

void http_parser_expect_no_body(struct http_parser *parser)
{
    (void)parser;
}

enum http_event http_parse(struct http_parser *parser, const void *bytes, size_t length,
                           size_t *taken, struct error *error)
{
    (void)parser;
    (void)bytes;
    (void)length;
    *taken = 0;
    (void)error_set(error, ERROR_UNAVAILABLE, "%s", http_unavailable());
    return HTTP_BROKEN;
}

enum http_event http_parse_end(struct http_parser *parser, struct error *error)
{
    (void)parser;
    (void)error_set(error, ERROR_UNAVAILABLE, "%s", http_unavailable());
    return HTTP_BROKEN;
}

const struct http_message *http_message(const struct http_parser *parser)
{
    (void)parser;
    static const struct http_message none;
    return &none;
}

struct http_piece http_body(const struct http_parser *parser)
{
    (void)parser;
    return (struct http_piece){NULL, 0};
}

unsigned http_refusal(const struct http_parser *parser)
{
    (void)parser;
    return 0;
}
