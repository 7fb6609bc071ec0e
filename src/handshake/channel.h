/*
 * Bytes between two applications: through a TLS connection, or through plain TCP.
 *
 * The same calls for both, so that what is compared is TLS and nothing else. Borrows everything.
 */
#ifndef TLSMETER_HANDSHAKE_CHANNEL_H
#define TLSMETER_HANDSHAKE_CHANNEL_H

#include "handshake/link.h"
#include "tls/endpoint.h"

struct channel {
    const struct tls_library *library; /* NULL: plain TCP */
    struct tls_endpoint *endpoint;
    struct link *link;
};

/* As the endpoint's read, write and shutdown (tls/endpoint.h). What was written may wait in the
 * link (link_flush). */
enum tls_progress channel_read(const struct channel *channel, void *bytes, size_t capacity,
                               size_t *length, struct error *error);
enum tls_progress channel_write(const struct channel *channel, const void *bytes, size_t size,
                                size_t *length, struct error *error);
/* Says goodbye when all is sent: close_notify, then the end of the stream. False: some must wait
 * until the descriptor is writable; to be called again then. */
bool channel_shutdown(const struct channel *channel);

#endif
