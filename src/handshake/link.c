#include "handshake/link.h"

#include <errno.h>
#include <sys/socket.h>

void link_init(struct link *link, int fd, enum tls_role role)
{
    *link = (struct link){.fd = fd, .role = role};
}

static bool is_later(int number)
{
    return number == EAGAIN || number == EWOULDBLOCK || number == EINTR || number == ENOBUFS;
}

static size_t link_send(void *context, const void *bytes, size_t length)
{
    struct link *link = context;
    ssize_t sent = link->error_number != 0 ? -1 : send(link->fd, bytes, length, MSG_NOSIGNAL);
    if (sent < 0) {
        if (link->error_number == 0 && !is_later(errno))
            link->error_number = errno;
        return 0;
    }
    link->sent_bytes += (uint64_t)sent;
    if (link->tap != NULL)
        link->tap(link->tap_context, link->role, bytes, (size_t)sent);
    return (size_t)sent;
}

static size_t link_receive(void *context, void *bytes, size_t capacity, bool *closed)
{
    struct link *link = context;
    ssize_t got = link->error_number != 0 ? -1 : recv(link->fd, bytes, capacity, 0);
    if (got > 0) {
        link->received_bytes += (uint64_t)got;
        if (link->tap != NULL)
            link->tap(link->tap_context, link->role == TLS_CLIENT ? TLS_SERVER : TLS_CLIENT, bytes,
                      (size_t)got);
        return (size_t)got;
    }
    if (got < 0 && link->error_number == 0 && !is_later(errno))
        link->error_number = errno;
    if (got == 0 || link->error_number != 0)
        link->closed = *closed = true;
    return 0;
}

struct tls_io link_io(struct link *link)
{
    return (struct tls_io){link, link_send, link_receive};
}

bool link_failed(const struct link *link, struct error *error)
{
    if (link->error_number == 0)
        return false;
    (void)error_set_errno(error, link->error_number, "the connection");
    return true;
}
