/*
 * Sockets: addresses from text, connecting and listening, non-blocking throughout.
 *
 * Errors say what, where and why in the user's words and keep the errno. Descriptors close on exec.
 */
#ifndef TLSMETER_NET_SOCKET_H
#define TLSMETER_NET_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/error.h"

struct net_address {
    struct sockaddr_storage storage;
    socklen_t length;
};

enum { NET_HOST_BYTES = 256, NET_TEXT_BYTES = 64 };

/* Splits "host", "host:port", "[::1]:port". `port` keeps its value when the text has none. */
MUST_USE bool net_split(const char *text, char host[NET_HOST_BYTES], uint16_t *port,
                        struct error *error);
/* The first address of a name or numeric address. */
MUST_USE bool net_resolve(const char *host, uint16_t port, bool datagram,
                          struct net_address *address, struct error *error);
/* "127.0.0.1:443", "[::1]:443" */
void net_format(const struct net_address *address, char text[NET_TEXT_BYTES]);
uint16_t net_port(const struct net_address *address);

/* A socket that is connecting (a stream: writable once it is settled; see net_connected) or, for
 * datagrams, connected. -1 with an error. */
MUST_USE int net_connect(const struct net_address *address, bool datagram, struct error *error);
/* Whether a connecting socket that became writable is connected. */
MUST_USE bool net_connected(int fd, const struct net_address *address, struct error *error);
/* Waits until a descriptor can be read (or written) or the real clock's wall time is deadline_ns: 1
 * it can, 0 the time is up, -1 with an error. */
MUST_USE int net_wait(int fd, bool for_writing, uint64_t deadline_ns, struct error *error);
/* Listens on `host` (NULL: every address) and port (0: any free one). -1 with an error. */
MUST_USE int net_listen(const char *host, uint16_t port, bool datagram, struct error *error);
/* Of the socket itself. */
MUST_USE bool net_local(int fd, struct net_address *address, struct error *error);
/* Raises the limit of open files to at least `files` where it may; returns what it is. */
uint64_t net_allow_files(uint64_t files);

#endif
