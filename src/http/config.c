#include "http/config.h"

#include <inttypes.h>
#include <stdio.h>

static void put_journey(const struct http_config *config, struct cell *cell)
{
    struct attributes *subject = &cell->subject;
    cell_set_text(cell, subject, "connection", config->kept ? "kept" : "new");
    if (!config->kept)
        cell_set_integer(cell, subject, "requests", config->requests);
    if (config->url != NULL) {
        cell_set_text(cell, subject, "server", config->url->authority);
        cell_set_text(cell, subject, "target", config->url->target);
        return;
    }
    cell_set_text(cell, subject, "direction", config->upload ? "upload" : "download");
    cell_set_integer(cell, subject, "payload_bytes", (int64_t)config->payload_bytes);
}

void http_subject(const struct http_config *config, enum tls_role side, struct cell *cell)
{
    const char *over = config->url == NULL ? "loopback" : "network";
    if (config->tls != NULL) {
        handshake_subject(config->tls, side, over, cell);
    } else {
        cell_copy_text(cell, &cell->side, side == TLS_CLIENT ? "client" : "server");
        cell_set_text(cell, &cell->subject, "over", over);
        cell_set_text(cell, &cell->implementation, "library", "none");
    }
    cell_copy_text(cell, &cell->instrument, "http");
    cell_set_text(cell, &cell->subject, "scheme", config->tls == NULL ? "http" : "https");
    put_journey(config, cell);
}

void http_label(const struct http_config *config, char text[HTTP_LABEL_BYTES])
{
    char tls[160] = "";
    if (config->tls != NULL)
        handshake_label(config->tls, tls);
    (void)snprintf(text, HTTP_LABEL_BYTES, "%s %s, %" PRIu64 " bytes",
                   config->tls == NULL ? "http" : "https", tls, config->payload_bytes);
}
