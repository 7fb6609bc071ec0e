/* URLs of http and https (RFC 3986, RFC 9110 section 4.2). */
#ifndef TLSMETER_HTTP_URL_H
#define TLSMETER_HTTP_URL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "http/parse.h"
#include "net/socket.h"

struct http_url {
    bool tls;
    char host[NET_HOST_BYTES];
    uint16_t port;
    char target[HTTP_TARGET_BYTES];         /* path and query: "/", "/a?b"; a fragment is dropped */
    char authority[NET_HOST_BYTES + 8 + 2]; /* of the Host header: "a", "a:8080", "[::1]:80" */
};

/* False with ERROR_USAGE. User names and passwords are refused. */
MUST_USE bool http_url_parse(const char *text, struct http_url *url, struct error *error);

#endif
