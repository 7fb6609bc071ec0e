#include "handshake/link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

void link_init(struct link *link, int fd, bool datagram, enum tls_role role)
{
    link->fd = fd;
    link->datagram = datagram;
    link->read_at = link->read_end = link->written = 0;
    link->sent_bytes = link->received_bytes = 0;
    link->buffers = NULL;
    link->error_number = 0;
    link->closed = false;
    link->tap = NULL;
    link->tap_context = NULL;
    link->role = role;
}

void link_free(struct link *link)
{
    free(link->buffers);
    link->buffers = NULL;
}

/* A connection that says nothing needs none. */
static bool has_buffers(struct link *link)
{
    if (link->buffers == NULL)
        link->buffers = malloc(sizeof *link->buffers);
    if (link->buffers == NULL)
        link->error_number = ENOMEM;
    return link->buffers != NULL;
}

static bool is_later(int number)
{
    return number == EAGAIN || number == EWOULDBLOCK || number == EINTR || number == ENOBUFS;
}

static void look(struct link *link, enum tls_role sender, const void *bytes, size_t length)
{
    if (link->tap != NULL && length > 0)
        link->tap(link->tap_context, sender, bytes, length);
}

static size_t send_now(struct link *link, const void *bytes, size_t length)
{
    ssize_t sent = link->error_number != 0 ? -1 : send(link->fd, bytes, length, MSG_NOSIGNAL);
    if (sent >= 0)
        return (size_t)sent;
    if (link->error_number == 0 && !is_later(errno))
        link->error_number = errno;
    return 0;
}

bool link_flush(struct link *link)
{
    unsigned char *output = link->written == 0 ? NULL : link->buffers->output;
    size_t sent = link->written == 0 ? 0 : send_now(link, output, link->written);
    if (sent > 0) {
        memmove(output, output + sent, link->written - sent);
        link->written -= sent;
    }
    return link->written == 0;
}

static size_t link_send(void *context, const void *bytes, size_t length)
{
    struct link *link = context;
    size_t taken = 0;
    if (link->datagram) {
        taken = send_now(link, bytes, length);
    } else if (has_buffers(link)) {
        if (length > LINK_BYTES - link->written)
            (void)link_flush(link);
        size_t room = LINK_BYTES - link->written;
        taken = length < room ? length : room;
        memcpy(link->buffers->output + link->written, bytes, taken);
        link->written += taken;
    }
    link->sent_bytes += taken;
    look(link, link->role, bytes, taken);
    return taken;
}

static size_t receive_now(struct link *link, void *bytes, size_t capacity)
{
    ssize_t got = link->error_number != 0 ? -1 : recv(link->fd, bytes, capacity, 0);
    if (got < 0 && link->error_number == 0 && !is_later(errno))
        link->error_number = errno;
    if (got == 0 || link->error_number != 0)
        link->closed = true;
    if (got <= 0)
        return 0;
    link->received_bytes += (uint64_t)got;
    look(link, link->role == TLS_CLIENT ? TLS_SERVER : TLS_CLIENT, bytes, (size_t)got);
    return (size_t)got;
}

static size_t link_receive(void *context, void *bytes, size_t capacity, bool *closed)
{
    struct link *link = context;
    size_t given = 0;
    if (link->datagram) {
        given = receive_now(link, bytes, capacity);
    } else if (has_buffers(link)) {
        if (link->read_at == link->read_end) {
            link->read_at = 0;
            link->read_end = receive_now(link, link->buffers->input, LINK_BYTES);
        }
        given = link->read_end - link->read_at;
        given = given < capacity ? given : capacity;
        memcpy(bytes, link->buffers->input + link->read_at, given);
        link->read_at += given;
    }
    if (given == 0 && link->closed)
        *closed = true;
    return given;
}

size_t link_read(struct link *link, void *bytes, size_t capacity)
{
    return receive_now(link, bytes, capacity);
}

size_t link_write(struct link *link, const void *bytes, size_t length)
{
    if (!link_flush(link))
        return 0;
    size_t sent = send_now(link, bytes, length);
    link->sent_bytes += sent;
    look(link, link->role, bytes, sent);
    return sent;
}

struct tls_io link_io(struct link *link)
{
    return (struct tls_io){link, link_send, link_receive};
}

bool link_failed(const struct link *link, struct error *error)
{
    if (link->error_number == 0)
        return false;
    (void)error_set_errno(error, link->error_number,
                          link->error_number == EPIPE        ? "the peer closed the connection"
                          : link->error_number == ECONNRESET ? "the peer reset the connection"
                                                             : "the connection");
    return true;
}
