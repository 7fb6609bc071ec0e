/*
 * A descriptor as the transport of an endpoint: non-blocking, counted, and no error lost.
 *
 * Libraries read a record in two pieces and write a flight in several. A stream's link reads all
 * that is there with one system call, and gathers what is written until link_flush: one segment
 * less, one wake-up of the peer less. Datagrams pass one by one.
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

enum { LINK_BYTES = 16384 + 512 }; /* a full record and some */
enum { LINK_FIRST_BYTES = 16 };

struct link_buffers {
    unsigned char input[LINK_BYTES], output[LINK_BYTES];
};

struct link {
    int fd;
    bool datagram;
    size_t read_at, read_end;            /* of the input, what the library has not taken yet */
    size_t written;                      /* in the output, what is not sent yet */
    struct link_buffers *buffers;        /* streams: made when first needed; owned */
    uint64_t sent_bytes, received_bytes; /* payload of TCP or UDP */
    int error_number;                    /* of the kernel's first; 0: none */
    bool closed;                         /* the peer ended the stream */
    /* Sees what passes; NULL: nobody looks. `sender` is the role whose bytes they are. */
    void (*tap)(void *context, enum tls_role sender, const void *bytes, size_t length);
    void *tap_context;
    enum tls_role role;
    unsigned char first[LINK_FIRST_BYTES]; /* streams: what the peer said first */
    size_t first_length;
};

void link_init(struct link *link, int fd, bool datagram, enum tls_role role);
void link_free(struct link *link); /* not the descriptor */
/* Sends what was gathered. False: some of it must wait until the descriptor is writable, or there
 * is an error (link_failed). */
bool link_flush(struct link *link);
struct tls_io link_io(struct link *link);
/* A stream's bytes without the detour through its buffers: what could be read or written now. */
size_t link_read(struct link *link, void *bytes, size_t capacity);
size_t link_write(struct link *link, const void *bytes, size_t length);
/* True, with the error filled, when the kernel reported one: "connection reset by peer". */
bool link_failed(const struct link *link, struct error *error);
/* For a step that ended with `progress`: the same, but for an error in which the library said more
 * than that its transport ended. What a peer said before it closed tells more than that it did. */
bool link_explain(const struct link *link, enum tls_progress progress, struct error *error);
/* Puts it before the error when what the peer said first is no TLS. */
void link_name_stranger(const struct link *link, struct error *error);

#endif
