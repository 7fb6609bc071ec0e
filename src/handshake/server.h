/*
 * The TLS, DTLS and TCP server that is measured against: epoll, many connections, limits.
 *
 * It shakes hands (a plain port does not), then leaves the connection to an application: its own
 * discards what the client sends, answers the question SERVER_QUESTION with its figures as one line
 * of JSON, and closes when the client does. Connections that do not get on are ended: handshakes
 * after handshake_time_out_ns, idle ones after idle_time_out_ns or when the application says. Above
 * most_connections it stops accepting until there is room (TCP keeps them waiting; datagrams of new
 * peers are dropped). A connection has no TLS state before its first byte, and garbage makes none.
 * No client can end the server or make it grow beyond most_connections.
 *
 * One thread. What is passed in is borrowed until server_close.
 */
#ifndef TLSMETER_HANDSHAKE_SERVER_H
#define TLSMETER_HANDSHAKE_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buffer.h"
#include "core/error.h"
#include "handshake/channel.h"
#include "handshake/config.h"
#include "handshake/failure.h"
#include "net/loop.h"

#define SERVER_QUESTION "tlsmeter?\n"

struct server_settings {
    size_t most_connections;                          /* 4096 when 0 */
    uint64_t handshake_time_out_ns, idle_time_out_ns; /* 10 s and 60 s when 0 */
    const volatile int *stop;                         /* non-zero: server_run returns */
};

struct server_stats {
    uint64_t accepted, handshakes, resumed;
    uint64_t requests;     /* counted by applications */
    uint64_t compute_ns;   /* wall time inside the TLS library */
    uint64_t cpu_ns;       /* of the thread since server_open; filled by server_stats */
    uint64_t kept_waiting; /* times that accepting stopped at the limit */
    uint64_t dropped_datagrams;
    size_t open, most_open;
    struct failures failures;
};

struct server_connection;

/* What is spoken on a connection that is established. */
struct server_application {
    size_t state_bytes; /* of a connection, zeroed before `begin` */
    MUST_USE bool (*begin)(void *state, struct server_connection *connection, struct error *error);
    /* Goes on as far as it can. TLS_WANT_READ and TLS_WANT_WRITE: come back then, or when woken;
     * TLS_CLOSED: it is over; TLS_FAILED: the error says why. */
    enum tls_progress (*step)(void *state, struct server_connection *connection,
                              struct error *error);
    void (*end)(void *state); /* after a `begin` that succeeded */
};

extern const struct server_application server_question;

/* For applications. */
const struct channel *server_channel(const struct server_connection *connection);
struct server *server_of(const struct server_connection *connection);
void *server_application_context(const struct server_connection *connection);
/* When patience with the client ends, of the real clock. */
void server_set_limit(struct server_connection *connection, uint64_t at_ns);
/* Steps at that time even when nothing comes; UINT64_MAX: no more. */
void server_set_wake(struct server_connection *connection, uint64_t at_ns);

/* One port. */
struct server_service {
    struct server *server;
    const struct handshake_config *config; /* NULL: plain TCP */
    struct tls_context *context;
    const struct server_application *application;
    void *application_context;
    struct loop_watch watch;
    bool datagram;
};

enum { SERVER_SERVICES = 16, SERVER_PEER_SLOTS = 4096 };

struct server {
    struct server_settings settings;
    struct loop loop;
    struct loop_timer accept_timer; /* accepting goes on after descriptors ran out */
    struct server_service services[SERVER_SERVICES];
    size_t service_count;
    struct server_connection *connections;              /* a list of all */
    struct server_connection *peers[SERVER_PEER_SLOTS]; /* datagrams: by hash of the address */
    bool accepting;
    uint64_t start_cpu_ns;
    struct server_stats stats;
};

MUST_USE bool server_open(struct server *server, const struct server_settings *settings,
                          struct error *error);
/* What a port serves. Borrowed until server_close; `pki` for the call only. */
struct server_port {
    const struct handshake_config *config; /* NULL: plain TCP */
    const struct pki_set *pki;
    const struct server_application *application; /* NULL: server_question */
    void *application_context;
};
/* Serves `fd`, a listening or bound socket that the server owns from here on, also on failure. */
MUST_USE bool server_add(struct server *server, int fd, const struct server_port *port,
                         struct error *error);
/* Serves until the stop flag is set. */
MUST_USE bool server_run(struct server *server, struct error *error);
void server_close(struct server *server);
/* The figures now. */
void server_figures(const struct server *server, struct server_stats *stats);
/* As one line of JSON without a newline. */
void server_describe(const struct server_stats *stats, struct buffer *out);

#endif
