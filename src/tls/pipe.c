#include "tls/pipe.h"

#include <string.h>

void pipe_init(struct pipe *pipe, bool datagram)
{
    pipe->datagram = datagram;
    pipe->drop = NULL;
    pipe->drop_context = NULL;
    pipe->tap = NULL;
    pipe->tap_context = NULL;
    for (int i = 0; i < 2; i++) {
        struct pipe_queue *queue = &pipe->queues[i];
        queue->taken = queue->filled = queue->datagrams = 0;
        queue->closed = false;
        queue->total_bytes = queue->total_datagrams = queue->largest_bytes = 0;
        pipe->ends[i].pipe = pipe;
        pipe->ends[i].role = (enum tls_role)i;
    }
}

static enum tls_role other(enum tls_role role)
{
    return role == TLS_CLIENT ? TLS_SERVER : TLS_CLIENT;
}

static void pack(struct pipe_queue *queue)
{
    memmove(queue->bytes, queue->bytes + queue->taken, queue->filled - queue->taken);
    queue->filled -= queue->taken;
    queue->taken = 0;
}

static size_t pipe_send(void *context, const void *bytes, size_t length)
{
    struct pipe_end *end = context;
    struct pipe *pipe = end->pipe;
    struct pipe_queue *queue = &pipe->queues[end->role];
    if (length > PIPE_BYTES - queue->filled)
        pack(queue);
    size_t room = PIPE_BYTES - queue->filled;
    if (pipe->datagram && (length > room || queue->datagrams == PIPE_DATAGRAMS))
        return 0;
    size_t taken = length < room ? length : room;
    uint64_t number = queue->total_datagrams++;
    queue->total_bytes += taken;
    if (taken > queue->largest_bytes)
        queue->largest_bytes = taken;
    if (pipe->tap != NULL)
        pipe->tap(pipe->tap_context, end->role, bytes, taken);
    if (pipe->drop != NULL && pipe->drop(pipe->drop_context, end->role, number))
        return taken;
    memcpy(queue->bytes + queue->filled, bytes, taken);
    queue->filled += taken;
    if (pipe->datagram)
        queue->lengths[queue->datagrams++] = taken;
    return taken;
}

static size_t take_datagram(struct pipe_queue *queue, void *bytes, size_t capacity)
{
    if (queue->datagrams == 0)
        return 0;
    size_t length = queue->lengths[0];
    size_t given = length < capacity ? length : capacity; /* the rest is lost, as in recv(2) */
    memcpy(bytes, queue->bytes + queue->taken, given);
    queue->taken += length;
    queue->datagrams--;
    memmove(queue->lengths, queue->lengths + 1, queue->datagrams * sizeof queue->lengths[0]);
    return given;
}

static size_t pipe_receive(void *context, void *bytes, size_t capacity, bool *closed)
{
    struct pipe_end *end = context;
    struct pipe_queue *queue = &end->pipe->queues[other(end->role)];
    if (queue->taken == queue->filled) {
        queue->taken = queue->filled = 0;
        *closed = queue->closed;
        return 0;
    }
    if (end->pipe->datagram)
        return take_datagram(queue, bytes, capacity);
    size_t held = queue->filled - queue->taken;
    size_t given = held < capacity ? held : capacity;
    memcpy(bytes, queue->bytes + queue->taken, given);
    queue->taken += given;
    return given;
}

struct tls_io pipe_io(struct pipe *pipe, enum tls_role role)
{
    return (struct tls_io){&pipe->ends[role], pipe_send, pipe_receive};
}

void pipe_close(struct pipe *pipe, enum tls_role role)
{
    pipe->queues[role].closed = true;
}

size_t pipe_pending(const struct pipe *pipe, enum tls_role role)
{
    const struct pipe_queue *queue = &pipe->queues[other(role)];
    return queue->filled - queue->taken;
}
