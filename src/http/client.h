/*
 * A client that waits: connects, exchanges, closes, one connection at a time.
 *
 * For measuring response times without load, and for single fetches.
 */
#ifndef TLSMETER_HTTP_CLIENT_H
#define TLSMETER_HTTP_CLIENT_H

#include "handshake/attempt.h"
#include "http/exchange.h"

struct http_client {
    struct attempt attempt; /* the connection: its times, bytes and channel */
    struct http_exchange exchange;
    struct http_parser *parser; /* owned */
    bool connected;
    uint64_t close_ns; /* how long the last http_client_disconnect took */
};

MUST_USE bool http_client_open(struct http_client *client, struct error *error);
void http_client_close(struct http_client *client);

/* Connects and shakes hands within the setting's time-out. On failure nothing is connected. */
MUST_USE bool http_client_connect(struct http_client *client, const struct attempt_setting *setting,
                                  struct error *error);
/* One exchange, within the time-out. On failure, or where the server ends the connection, it is
 * disconnected. */
MUST_USE bool http_client_fetch(struct http_client *client, const struct http_request *request,
                                struct error *error);
void http_client_disconnect(struct http_client *client);

#endif
