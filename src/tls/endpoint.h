/*
 * The contract between tlsmeter and a TLS library: one side of one connection.
 *
 * An endpoint is driven by its caller. It has no socket, no thread, no timer and no clock of its
 * own: bytes leave and enter through the two callbacks of struct tls_io, DTLS asks for a deadline
 * and is told when it came, and "now" and randomness are injected. The same endpoint therefore runs
 * over a pipe in memory, over a socket, and over a simulated network in virtual time, as a stream
 * or as datagrams.
 *
 * Life: a context (struct tls_context) is made once per configuration and side; it holds keys,
 * certificates and session caches and is what a real server keeps between connections. An endpoint
 * is made per connection from it. Contexts outlive their endpoints. Nothing here is thread-safe: a
 * context and its endpoints belong to one thread.
 *
 * A library is one const symbol (tls_openssl, tls_mbedtls, tls_wolfssl) listed in tls/libraries.c.
 */
#ifndef TLSMETER_TLS_ENDPOINT_H
#define TLSMETER_TLS_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/random.h"

enum tls_protocol { TLS_1_2, TLS_1_3, DTLS_1_2, DTLS_1_3 };
enum tls_role { TLS_CLIENT, TLS_SERVER };
enum tls_key_exchange { TLS_KX_ECDHE, TLS_KX_DHE, TLS_KX_RSA, TLS_KX_PSK, TLS_KX_ECDHE_PSK };
enum tls_resumption { TLS_RESUME_NONE, TLS_RESUME_TICKET, TLS_RESUME_SESSION_ID, TLS_RESUME_PSK };
enum tls_progress {
    TLS_DONE,       /* the step is complete */
    TLS_WANT_READ,  /* come back when bytes can be received (or, DTLS, when the deadline came) */
    TLS_WANT_WRITE, /* the send callback took nothing: come back when it can */
    TLS_CLOSED,     /* the peer closed in an orderly way */
    TLS_FAILED,     /* the error says why; the endpoint can only be freed */
    TLS_EARLY,      /* server's handshake: early data has come; see tls_settings.early_data */
};

/* A DER or PEM file's bytes, borrowed. */
struct tls_bytes {
    const unsigned char *data;
    size_t length;
};

/* Who an endpoint is. PEM, NUL-terminated (Mbed TLS counts the NUL in `length`). */
struct tls_credentials {
    struct tls_bytes chain; /* leaf first, then intermediates, without the root; empty: none */
    struct tls_bytes key;   /* unencrypted PEM, PKCS#8 or RFC 5915; empty: none */
};

struct tls_settings {
    enum tls_role role;
    enum tls_protocol protocol;
    const char *suite; /* IANA name; NULL: the library's default order */
    const char *group; /* IANA name in lower case; NULL: the library's default */
    enum tls_key_exchange key_exchange;
    struct tls_credentials credentials;
    const char *key; /* the kind of certificate keys that will be met, "ecdsa-p256"; NULL: any */
    struct tls_bytes ca; /* PEM of trusted roots; empty: system roots for clients */
    bool verify_peer;    /* client: check the server; server: demand a client certificate */
    const char
        *server_name; /* client: SNI and the name that must match; NULL: no check of the name */
    enum tls_resumption resumption;
    struct tls_bytes psk; /* external pre-shared key; empty: none */
    const char *psk_identity;
    uint16_t max_fragment_length; /* 0, 512, 1024, 2048 or 4096 (RFC 6066 section 4) */
    uint16_t mtu_bytes;           /* DTLS: largest datagram; 0: 1400 */
    uint32_t timer_initial_ms;    /* DTLS retransmission; 0: 1000 (RFC 6347 section 4.2.4.1) */
    uint32_t timer_maximum_ms;    /* 0: 60000 */
    bool hello_verify;   /* DTLS server: answer the first ClientHello with a cookie request */
    bool raw_public_key; /* RFC 7250, where the library has it */
    const char *alpn;    /* one protocol name or NULL */
    /* Early data, "0-RTT" (RFC 8446 section 2.3), in TLS 1.3 resumed by ticket: what a client that
     * resumes sends beside its ClientHello; of a server's, only the length counts: the most it
     * takes. The server's handshake then gives TLS_EARLY, once for each piece: it is read with
     * read(), may be answered with write(), and the handshake goes on with the next call. A server
     * of ours takes a ticket more than once: whoever recorded early data can have it accepted again
     * (section 8). */
    struct tls_bytes early_data;
    bool trace;                   /* make the context so that tls/trace.h sees its operations */
    const struct clock *clock;    /* borrowed; wall time for DTLS timers */
    struct random_source *random; /* NULL: the library's own; else every random byte comes from
                                     here, so that bytes repeat: never for real traffic */
};

/* How bytes leave and enter. */
struct tls_io {
    void *context;
    /* Takes up to `length` bytes; returns how many it took, 0 for "not now". A datagram is taken
     * whole or not at all. */
    size_t (*send)(void *context, const void *bytes, size_t length);
    /* Gives up to `capacity` bytes; 0 for "nothing there". One call gives at most one datagram.
     * Sets *closed when the other side has ended the transport. */
    size_t (*receive)(void *context, void *bytes, size_t capacity, bool *closed);
};

/* What both sides agreed on, as this side reports it. Text is borrowed from the endpoint or static.
 */
struct tls_negotiated {
    enum tls_protocol protocol;
    const char *suite;     /* IANA name */
    const char *group;     /* IANA name in lower case; "" when the library cannot tell */
    const char *signature; /* "ecdsa_secp256r1_sha256" (IANA SignatureScheme); "" when unknown */
    const char *alpn;      /* "" when none */
    bool resumed;
    bool early_data; /* was sent and accepted */
    bool peer_verified;
};

struct tls_context;  /* a library's own */
struct tls_endpoint; /* a library's own */

struct tls_library {
    const char *name;
    const char *(*version)(void);
    const char *(*unavailable)(void); /* NULL when usable, else the reason */
    /* NULL when a context of these settings can be made, else the reason. Opens nothing. */
    const char *(*supports)(const struct tls_settings *settings);
    /* NULL when settings.trace makes the operations visible to tls/trace.h, else the reason. */
    const char *(*trace_unavailable)(void);

    MUST_USE struct tls_context *(*context_open)(const struct tls_settings *settings,
                                                 struct error *error);
    void (*context_close)(struct tls_context *context); /* NULL is allowed */

    /* `io` is copied. A client whose context holds a session (see keep_session) offers it. */
    MUST_USE struct tls_endpoint *(*open)(struct tls_context *context, const struct tls_io *io,
                                          struct error *error);
    enum tls_progress (*handshake)(struct tls_endpoint *endpoint, struct error *error);
    /* TLS_DONE with *length > 0 bytes read or written. A write may be short. */
    enum tls_progress (*read)(struct tls_endpoint *endpoint, void *bytes, size_t capacity,
                              size_t *length, struct error *error);
    enum tls_progress (*write)(struct tls_endpoint *endpoint, const void *bytes, size_t size,
                               size_t *length, struct error *error);
    /* Sends close_notify; does not wait for the peer's. */
    enum tls_progress (*shutdown)(struct tls_endpoint *endpoint, struct error *error);
    /* DTLS: when on_deadline must be called, in the clock's wall_ns; UINT64_MAX: no timer runs. */
    uint64_t (*deadline_ns)(const struct tls_endpoint *endpoint);
    enum tls_progress (*on_deadline)(struct tls_endpoint *endpoint, struct error *error);
    void (*negotiated)(const struct tls_endpoint *endpoint, struct tls_negotiated *negotiated);
    /* Client, after the handshake (TLS 1.3: after the ticket was read): keeps this session in the
     * context, replacing the one before. False when there is none to keep. */
    bool (*keep_session)(struct tls_endpoint *endpoint);
    void (*forget_session)(struct tls_context *context);
    void (*close)(struct tls_endpoint *endpoint); /* NULL is allowed; sends nothing */
};

const struct tls_library *const *tls_libraries(size_t *count);
const struct tls_library *tls_library_find(const char *name);

/* A cookie for the HelloVerifyRequest (RFC 6347 section 4.2.1) of one endpoint. An endpoint belongs
 * to one peer address, so that a random one that it keeps will do; DTLS servers only. */
enum { TLS_COOKIE_BYTES = 16 };
void tls_make_cookie(const struct tls_settings *settings, unsigned char cookie[TLS_COOKIE_BYTES]);

/* A step of the handshake; early data is read and thrown away. */
enum tls_progress tls_handshake(const struct tls_library *library, struct tls_endpoint *endpoint,
                                struct error *error);

const char *tls_protocol_name(enum tls_protocol protocol); /* "dtls1.2" */
bool tls_protocol_parse(const char *name, enum tls_protocol *protocol);
bool tls_protocol_is_datagram(enum tls_protocol protocol);
const char *tls_key_exchange_name(enum tls_key_exchange key_exchange);
/* RFC 8446 section 6 and RFC 5246 section 7.2: "handshake_failure"; NULL: not known. */
const char *tls_alert_name(int64_t number);
/* The error of a side that refused its peer's certificate: the fault in words that are the same for
 * every library, then the library's own. Returns false. */
enum tls_certificate_fault {
    TLS_CERTIFICATE_EXPIRED,
    TLS_CERTIFICATE_NOT_YET_VALID,
    TLS_CERTIFICATE_UNTRUSTED,
    TLS_CERTIFICATE_OTHER_NAME,
    TLS_CERTIFICATE_OTHER_FAULT,
};
bool tls_certificate_refused(struct error *error, enum tls_certificate_fault fault,
                             enum error_origin origin, int64_t code, const char *library_text);
/* The error of a side that got a fatal alert, with what it means to that side. Returns false. */
bool tls_alert_received(struct error *error, int number);
/* The error of a side whose peer ended the transport; `code` is the library's own, 0: it has none.
 * Returns false. */
bool tls_peer_closed(struct error *error, enum error_origin origin, int64_t code);
/* True when an error says no more than that the peer ended the transport. */
bool tls_is_closed(const struct error *error);
/* The error of a side that got bytes which are no records of TLS. Returns false. */
bool tls_no_record(struct error *error, enum error_origin origin, int64_t code,
                   const char *library_text);
const char *tls_resumption_name(enum tls_resumption resumption);

#endif
