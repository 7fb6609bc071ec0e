/*
 * A descriptor as the transport of an endpoint: non-blocking, counted, and no error lost.
 *
 * The callbacks of struct tls_io cannot tell an error of the kernel; a link keeps its errno, tells
 * the endpoint that the transport is closed, and link_failed says afterwards what happened. The
 * owner keeps the link where it is as long as its io is in use, and closes the descriptor.
 */
#ifndef TLSMETER_HANDSHAKE_LINK_H
#define TLSMETER_HANDSHAKE_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "tls/endpoint.h"

struct link {
    int fd;
    uint64_t sent_bytes, received_bytes; /* payload of TCP or UDP */
    int error_number;                    /* of the kernel's; 0: none */
    bool closed;                         /* the peer ended the stream */
    /* Sees what passes; NULL: nobody looks. `sender` is the role whose bytes they are. */
    void (*tap)(void *context, enum tls_role sender, const void *bytes, size_t length);
    void *tap_context;
    enum tls_role role;
};

void link_init(struct link *link, int fd, enum tls_role role);
struct tls_io link_io(struct link *link);
/* True, with the error filled, when the kernel reported one: "connection reset by peer". */
bool link_failed(const struct link *link, struct error *error);

#endif
