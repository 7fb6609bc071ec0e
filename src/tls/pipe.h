/*
 * Two endpoints' transport in memory: a pair of one-way queues, as a stream or as datagrams.
 *
 * A pipe holds what one side sent until the other takes it, at most PIPE_BYTES each way; when full,
 * send takes less (stream) or nothing (datagrams). It counts bytes and, on request, drops a
 * datagram. The caller owns the pipe; it holds no memory outside its struct.
 */
#ifndef TLSMETER_TLS_PIPE_H
#define TLSMETER_TLS_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tls/endpoint.h"

enum { PIPE_BYTES = 256 * 1024, PIPE_DATAGRAMS = 128 };

struct pipe_queue {
    unsigned char bytes[PIPE_BYTES]; /* packed from `taken` to `filled` */
    size_t taken, filled;
    size_t lengths[PIPE_DATAGRAMS]; /* of queued datagrams, the oldest first */
    size_t datagrams;
    bool closed;              /* the sender ended the transport */
    uint64_t total_bytes;     /* ever sent, dropped ones included */
    uint64_t total_datagrams; /* writes in a stream */
    size_t largest_bytes;     /* of one datagram or write */
};

struct pipe {
    bool datagram;
    struct pipe_queue queues[2]; /* by sender: enum tls_role */
    /* Says whether to drop datagram `number` (from 0) of a sender; NULL: keep all. */
    bool (*drop)(void *context, enum tls_role sender, uint64_t number);
    void *drop_context;
    /* Sees what each side sends, dropped datagrams included; NULL: nobody looks. */
    void (*tap)(void *context, enum tls_role sender, const void *bytes, size_t length);
    void *tap_context;
    struct pipe_end {
        struct pipe *pipe;
        enum tls_role role;
    } ends[2];
};

void pipe_init(struct pipe *pipe, bool datagram);
/* The callbacks of one side. Valid as long as the pipe stays where it is. */
struct tls_io pipe_io(struct pipe *pipe, enum tls_role role);
/* Ends what `role` sends, as a closed socket does. */
void pipe_close(struct pipe *pipe, enum tls_role role);
/* Bytes on the way to `role`. */
size_t pipe_pending(const struct pipe *pipe, enum tls_role role);

#endif
