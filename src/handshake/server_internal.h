/* What the server's files share. */
#ifndef TLSMETER_HANDSHAKE_SERVER_INTERNAL_H
#define TLSMETER_HANDSHAKE_SERVER_INTERNAL_H

#include "handshake/link.h"
#include "handshake/server.h"
#include "net/socket.h"

enum { DATAGRAM_BYTES = 65536 };

struct server_connection {
    struct server_service *service;
    struct server_connection *previous, *next;
    struct link link; /* streams: the transport; datagrams: counts only */
    struct loop_watch watch;
    struct loop_timer timer;
    struct tls_endpoint *endpoint; /* NULL: nothing has come yet, or plain TCP */
    struct channel channel;
    bool established;
    void *state;                /* the application's; NULL: it has not begun */
    uint64_t limit_ns, wake_ns; /* when patience ends; when the application wants to go on */
    /* Datagrams only. */
    struct net_address peer;
    struct server_connection *same_slot;
    const unsigned char *datagram; /* the one under way; NULL: none */
    size_t datagram_length;
};

/* server_connection.c */
struct server_connection *server_connection_new(struct server_service *service, int fd);
/* Does what can be done. False: the connection is over and has been freed. */
bool server_connection_step(struct server_connection *connection);
void server_connection_free(struct server_connection *connection);
void server_connection_fail(struct server_connection *connection, const struct error *error);

/* server_datagram.c */
void server_datagram_ready(void *service, unsigned events);
struct tls_io server_datagram_io(struct server_connection *connection);
void server_datagram_forget(struct server_connection *connection);

/* server.c: there may be room again. */
void server_room(struct server *server);

#endif
