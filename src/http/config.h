/*
 * One configuration of the HTTP instrument: how a request travels.
 *
 * Plain data; what it points to outlives it.
 */
#ifndef TLSMETER_HTTP_CONFIG_H
#define TLSMETER_HTTP_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "handshake/config.h"
#include "http/url.h"

struct http_config {
    const struct handshake_config *tls; /* NULL: plain HTTP */
    bool kept;              /* on a connection that is already there; else on new ones */
    unsigned requests;      /* on each new connection; 1 when kept */
    uint64_t payload_bytes; /* of the answer, or when `upload` of the request */
    bool upload;
    const struct http_url *url; /* a server that is not ours; NULL: our own */
};

enum { HTTP_LABEL_BYTES = 200 };

/* The cell's instrument, side, subject and implementation. */
void http_subject(const struct http_config *config, enum tls_role side, struct cell *cell);
void http_label(const struct http_config *config, char text[HTTP_LABEL_BYTES]);

#endif
