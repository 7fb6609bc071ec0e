/*
 * A server in a process of its own, on the loopback, for measuring both sides on one machine.
 *
 * The process serves on free ports of 127.0.0.1 until it is stopped or its parent is gone. Its CPU
 * time can be read at any moment, kernel time included.
 */
#ifndef TLSMETER_HANDSHAKE_SERVER_PROCESS_H
#define TLSMETER_HANDSHAKE_SERVER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "core/error.h"
#include "handshake/config.h"
#include "handshake/server.h"
#include "net/socket.h"

struct server_process {
    pid_t pid; /* 0: none */
    clockid_t cpu_clock;
    int report_fd; /* the child's figures come through it when it ends */
    struct net_address addresses[SERVER_SERVICES]; /* of the ports, in their order */
};

/* What the ports point to may be freed when this returns. `host` is the address served on; NULL:
 * 127.0.0.1. `cpu` pins the process; -1: not pinned. */
MUST_USE bool server_process_start(struct server_process *process, const struct server_port *ports,
                                   size_t port_count, const char *host, int cpu,
                                   struct error *error);
/* User and system time since it started. */
uint64_t server_process_cpu_ns(const struct server_process *process);
/* Ends it; false when it gave no figures. `stats` may be NULL. */
bool server_process_stop(struct server_process *process, struct server_stats *stats);

#endif
