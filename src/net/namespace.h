/*
 * Two network namespaces of our own with a tunnel between them, for emulated links.
 *
 * Each has one interface, a TUN device (Linux, Documentation/networking/tuntap.rst) with an address
 * of RFC 2544's range for benchmarks, and its own TCP: what one end sends comes out of the tunnel's
 * file descriptor as IP packets, for whoever carries them to the other. Sockets belong to the
 * namespace that is entered when they are made. Needs CAP_NET_ADMIN and CAP_SYS_ADMIN. Nothing is
 * left behind: namespaces vanish with their last descriptor.
 */
#ifndef TLSMETER_NET_NAMESPACE_H
#define TLSMETER_NET_NAMESPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

struct net_namespaces {
    int home_fd;    /* where the program came from; -1: not open */
    int fds[2];     /* the client's, the server's */
    int tunnels[2]; /* their ends of the link: IP packets, one a read or write */
};

MUST_USE bool net_namespaces_open(struct net_namespaces *namespaces, unsigned mtu_bytes,
                                  struct error *error);
/* End 0 or 1, or (2) home. */
MUST_USE bool net_namespaces_enter(const struct net_namespaces *namespaces, unsigned end,
                                   struct error *error);
/* Goes home first. */
void net_namespaces_close(struct net_namespaces *namespaces);
const char *net_namespaces_address(unsigned end); /* "198.18.0.1" */

#endif
