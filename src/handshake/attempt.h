/*
 * One connection to a server over a socket and its handshake, as its caller's loop drives it.
 *
 * An attempt connects, shakes hands, optionally sends one request and reads the answer to its end,
 * and closes. Nothing blocks: attempt_step does what can be done and says what it waits for. Times
 * are split into connection set-up, the client's own compute (inside the library) and waiting for
 * the peer. What was negotiated is checked against the configuration.
 *
 * In TLS 1.3 a client is done before the server has judged its certificate, so that a refusal comes
 * after the handshake: an attempt that confirms says goodbye and listens until the server closes,
 * too. An alert fails the attempt; any other end, or none within CONFIRM_NS, is no refusal. DTLS
 * has no end to wait for, and is not confirmed.
 *
 * Closing sends close_notify and resets the connection, so that no local port stays in TIME-WAIT;
 * with a request the server closes first.
 */
#ifndef TLSMETER_HANDSHAKE_ATTEMPT_H
#define TLSMETER_HANDSHAKE_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/error.h"
#include "handshake/channel.h"
#include "handshake/config.h"
#include "handshake/link.h"
#include "handshake/wire.h"
#include "net/socket.h"

/* What all attempts of a measurement share. Borrowed. */
struct attempt_setting {
    const struct handshake_config *config; /* NULL: plain TCP, no handshake */
    struct tls_context *context;           /* the client's */
    struct net_address address;
    const char *request;  /* NULL: close after the handshake */
    bool one_line;        /* the answer ends with its first line */
    bool keep_session;    /* wait for a session to resume, and keep it in the context */
    bool confirm;         /* TLS 1.3: wait for the server's verdict on what the client sent last */
    bool expect_full;     /* this one is not to be resumed, whatever the configuration says */
    uint64_t time_out_ns; /* of the whole attempt */
};

enum { ATTEMPT_ANSWER_BYTES = 1024 };

enum attempt_state {
    ATTEMPT_IDLE,
    ATTEMPT_CONNECTING,
    ATTEMPT_HANDSHAKING,
    ATTEMPT_REQUESTING,
    ATTEMPT_READING,
    ATTEMPT_CONFIRMING,
    ATTEMPT_OVER,
};

struct attempt {
    const struct attempt_setting *setting;
    enum attempt_state state;
    struct link link;
    struct tls_endpoint *endpoint; /* NULL: plain, or not yet */
    struct channel channel;        /* once there is a connection */
    /* Up to connected_ns is connection set-up, up to done_ns the handshake; 0: not yet. */
    uint64_t start_ns, connected_ns, done_ns;
    uint64_t compute_ns;
    uint64_t handshake_sent_bytes, handshake_received_bytes;
    uint64_t answer_bytes;
    size_t request_sent;
    char answer[ATTEMPT_ANSWER_BYTES]; /* its beginning */
};

/* Starts: a socket that connects. On failure the attempt is idle. */
MUST_USE bool attempt_start(struct attempt *attempt, const struct attempt_setting *setting,
                            struct error *error);
/* Goes on as far as can be. TLS_DONE: all is done (the caller closes); TLS_WANT_READ or
 * TLS_WANT_WRITE: what to wait for; TLS_FAILED: the error says why. */
enum tls_progress attempt_step(struct attempt *attempt, struct error *error);
/* When attempt_due must be called, wall_ns of the real clock: a DTLS timer or the time-out. */
uint64_t attempt_deadline_ns(const struct attempt *attempt);
enum tls_progress attempt_due(struct attempt *attempt, struct error *error);
void attempt_close(struct attempt *attempt);
/* Starts one and waits for its end; to be closed by the caller unless it failed. `wire` (NULL:
 * nobody) sees the handshake. */
MUST_USE bool attempt_drive(struct attempt *attempt, const struct attempt_setting *setting,
                            struct wire *wire, struct error *error);

#endif
