#include "handshake/channel.h"

#include <sys/socket.h>

enum tls_progress channel_read(const struct channel *channel, void *bytes, size_t capacity,
                               size_t *length, struct error *error)
{
    if (channel->library != NULL)
        return channel->library->read(channel->endpoint, bytes, capacity, length, error);
    *length = link_read(channel->link, bytes, capacity);
    if (*length > 0)
        return TLS_DONE;
    if (link_failed(channel->link, error))
        return TLS_FAILED;
    return channel->link->closed ? TLS_CLOSED : TLS_WANT_READ;
}

enum tls_progress channel_write(const struct channel *channel, const void *bytes, size_t size,
                                size_t *length, struct error *error)
{
    if (channel->library != NULL)
        return channel->library->write(channel->endpoint, bytes, size, length, error);
    *length = link_write(channel->link, bytes, size);
    if (*length > 0 || size == 0)
        return TLS_DONE;
    return link_failed(channel->link, error) ? TLS_FAILED : TLS_WANT_WRITE;
}

bool channel_shutdown(const struct channel *channel)
{
    struct error ignored;
    if (!link_flush(channel->link) && channel->link->error_number == 0)
        return false;
    if (channel->library != NULL)
        (void)channel->library->shutdown(channel->endpoint, &ignored);
    (void)link_flush(channel->link); /* an alert fits into an empty socket */
    (void)shutdown(channel->link->fd, SHUT_WR);
    return true;
}
