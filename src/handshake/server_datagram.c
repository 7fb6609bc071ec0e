#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "handshake/server_internal.h"

/* RFC 6347 section 4.1: content type, version, epoch, sequence number, length; then the type of the
 * handshake message. */
enum { RECORD_HEADER_BYTES = 13, TYPE_HANDSHAKE = 22, CLIENT_HELLO = 1, VERSION_MAJOR = 0xfe };
enum { DATAGRAMS_AT_ONCE = 64 };

static size_t datagram_send(void *context, const void *bytes, size_t length)
{
    struct server_connection *connection = context;
    ssize_t sent =
        sendto(connection->link.fd, bytes, length, MSG_NOSIGNAL,
               (const struct sockaddr *)&connection->peer.storage, connection->peer.length);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return 0;
    connection->link.sent_bytes += length;
    return length; /* what the network refuses is lost, as datagrams are */
}

static size_t datagram_receive(void *context, void *bytes, size_t capacity, bool *closed)
{
    struct server_connection *connection = context;
    (void)closed;
    if (connection->datagram == NULL)
        return 0;
    size_t given = connection->datagram_length < capacity ? connection->datagram_length : capacity;
    memcpy(bytes, connection->datagram, given);
    connection->datagram = NULL;
    connection->link.received_bytes += given;
    return given;
}

struct tls_io server_datagram_io(struct server_connection *connection)
{
    return (struct tls_io){connection, datagram_send, datagram_receive};
}

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ (32 bits). */
static size_t slot_of(const struct net_address *peer)
{
    uint32_t hash = 2166136261u;
    const unsigned char *bytes = (const unsigned char *)&peer->storage;
    for (size_t i = 0; i < peer->length; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash % SERVER_PEER_SLOTS;
}

static struct server_connection *find(struct server_service *service,
                                      const struct net_address *peer)
{
    struct server_connection *connection = service->server->peers[slot_of(peer)];
    while (connection != NULL &&
           (connection->service != service || connection->peer.length != peer->length ||
            memcmp(&connection->peer.storage, &peer->storage, peer->length) != 0))
        connection = connection->same_slot;
    return connection;
}

void server_datagram_forget(struct server_connection *connection)
{
    struct server_connection **place =
        &connection->service->server->peers[slot_of(&connection->peer)];
    while (*place != connection)
        place = &(*place)->same_slot;
    *place = connection->same_slot;
}

static bool is_client_hello(const unsigned char *bytes, size_t length)
{
    return length > RECORD_HEADER_BYTES && bytes[0] == TYPE_HANDSHAKE &&
           bytes[1] == VERSION_MAJOR && bytes[3] == 0 && bytes[4] == 0 &&
           bytes[RECORD_HEADER_BYTES] == CLIENT_HELLO;
}

static struct server_connection *welcome(struct server_service *service,
                                         const struct net_address *peer)
{
    struct server *server = service->server;
    if (server->stats.open >= server->settings.most_connections)
        return NULL;
    struct server_connection *connection = server_connection_new(service, service->watch.fd);
    if (connection == NULL)
        return NULL;
    struct server_connection **slot = &server->peers[slot_of(peer)];
    connection->peer = *peer;
    connection->same_slot = *slot;
    *slot = connection;
    return connection;
}

static void take(struct server_service *service, const struct net_address *peer,
                 const unsigned char *bytes, size_t length)
{
    struct server_connection *connection = find(service, peer);
    bool hello = is_client_hello(bytes, length);
    /* A peer that lost its state starts anew (RFC 6347 section 4.2.8). */
    if (connection != NULL && connection->established && hello) {
        server_connection_free(connection);
        connection = NULL;
    }
    if (connection == NULL && hello)
        connection = welcome(service, peer);
    if (connection == NULL) {
        service->server->stats.dropped_datagrams++;
        return;
    }
    connection->datagram = bytes;
    connection->datagram_length = length;
    if (server_connection_step(connection))
        connection->datagram = NULL; /* what the endpoint did not take is gone */
}

void server_datagram_ready(void *context, unsigned events)
{
    static unsigned char bytes[DATAGRAM_BYTES]; /* one thread serves */
    struct server_service *service = context;
    (void)events;
    for (int i = 0; i < DATAGRAMS_AT_ONCE; i++) {
        struct net_address peer = {.length = sizeof peer.storage};
        ssize_t length = recvfrom(service->watch.fd, bytes, sizeof bytes, 0,
                                  (struct sockaddr *)&peer.storage, &peer.length);
        if (length < 0)
            return; /* nothing more, or an error of an earlier peer */
        take(service, &peer, bytes, (size_t)length);
    }
}
