/* The HTTP parser's caller: any bytes, cut anywhere, from either side. */
#include <stdint.h>
#include <stdlib.h>

#include "http/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_piece(const struct http_parser *parser, const uint8_t *bytes, size_t length)
{
    struct http_piece piece = http_body(parser);
    if (piece.length == 0 || piece.bytes < bytes || piece.bytes + piece.length > bytes + length)
        abort();
}

/* The first byte says who sends and into which pieces the rest is cut. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct http_limits limits = {.header_bytes = 512, .headers = 16};
    struct error error;
    if (size == 0)
        return 0;
    enum http_kind kind = data[0] % 2 == 0 ? HTTP_OF_CLIENT : HTTP_OF_SERVER;
    size_t step = 1u + data[0] / 2u;
    struct http_parser *parser = http_parser_new(kind, &limits, &error);
    if (parser == NULL)
        return 0;
    enum http_event event = HTTP_MORE;
    for (size_t at = 1; at < size && event != HTTP_BROKEN;) {
        size_t length = size - at < step ? size - at : step, taken;
        event = http_parse(parser, data + at, length, &taken, &error);
        if (taken > length || (event == HTTP_MORE && taken != length))
            abort();
        if (event == HTTP_BODY)
            check_piece(parser, data + at, length);
        if (event == HTTP_BROKEN && http_refusal(parser) < 400)
            abort();
        at += taken;
    }
    if (event != HTTP_BROKEN)
        (void)http_parse_end(parser, &error);
    http_parser_free(parser);
    return 0;
}
