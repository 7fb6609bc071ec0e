/* What the wolfSSL files of this room share. Nothing here leaves them. */
#ifndef TLSMETER_TLS_WOLFSSL_INTERNAL_H
#define TLSMETER_TLS_WOLFSSL_INTERNAL_H

/* clang-format off: options.h tells the other headers how the library was built */
#include <wolfssl/options.h>
#include <wolfssl/ssl.h>
/* clang-format on */

#include "tls/endpoint.h"

enum { TLS_WOLFSSL_NAME_BYTES = 256, TLS_WOLFSSL_PSK_BYTES = 64 };

struct tls_context {
    WOLFSSL_CTX *ctx;
    WOLFSSL_SESSION *session;     /* client: offered by the next endpoint; NULL: none kept */
    struct tls_settings settings; /* scalars only: its pointers are dead but for clock and random */
    int group;                    /* wolfSSL's number; 0: the library's default */
    char server_name[TLS_WOLFSSL_NAME_BYTES]; /* "" when none */
    char psk_identity[TLS_WOLFSSL_NAME_BYTES];
    unsigned char psk[TLS_WOLFSSL_PSK_BYTES];
    size_t psk_length;
    char alpn[64];
};

struct tls_endpoint {
    WOLFSSL *ssl;
    struct tls_context *context;
    struct tls_io io;
    unsigned char cookie[TLS_COOKIE_BYTES];
    bool transport_closed;
    bool finished; /* the handshake is complete: no timer runs */
    uint64_t datagrams_sent;
    uint64_t deadline_ns; /* UINT64_MAX: no timer runs */
    char group[64];       /* filled by negotiated() */
    char suite[96];
};

/* wolfssl_trace.c: NULL when the library's operations can be traced, else why not. */
const char *tls_wolfssl_trace_unavailable(void);

/* wolfssl_names.c */
/* wolfSSL's own name of an IANA suite, NULL when this build lacks it. */
const char *tls_wolfssl_suite(const char *iana, char name[TLS_WOLFSSL_NAME_BYTES]);
/* 0 when this build lacks it. */
int tls_wolfssl_group(const char *iana);
/* Bytes of the field's elements; 0 for an unknown group. */
unsigned short tls_wolfssl_group_bytes(const char *iana);
MUST_USE bool tls_wolfssl_configure_suites(WOLFSSL_CTX *ctx, const struct tls_settings *settings,
                                           struct error *error);
void tls_wolfssl_negotiated(const struct tls_endpoint *endpoint, struct tls_negotiated *negotiated);
/* Names a negative code of wolfSSL; returns false. */
bool tls_wolfssl_failed(struct error *error, int code, const char *what);

/* wolfssl_inject.c: between enter and leave the calling thread's endpoint gets the context's clock
 * and random source. */
void tls_wolfssl_enter(const struct tls_context *context);
void tls_wolfssl_leave(void);
MUST_USE bool tls_wolfssl_inject_random(WOLFSSL_CTX *ctx, struct error *error);

/* wolfssl_endpoint.c */
int tls_wolfssl_send(WOLFSSL *ssl, char *bytes, int length, void *context);
int tls_wolfssl_receive(WOLFSSL *ssl, char *bytes, int capacity, void *context);
struct tls_endpoint *tls_wolfssl_open(struct tls_context *context, const struct tls_io *io,
                                      struct error *error);
enum tls_progress tls_wolfssl_handshake(struct tls_endpoint *endpoint, struct error *error);
enum tls_progress tls_wolfssl_read(struct tls_endpoint *endpoint, void *bytes, size_t capacity,
                                   size_t *length, struct error *error);
enum tls_progress tls_wolfssl_write(struct tls_endpoint *endpoint, const void *bytes, size_t size,
                                    size_t *length, struct error *error);
enum tls_progress tls_wolfssl_shutdown(struct tls_endpoint *endpoint, struct error *error);
uint64_t tls_wolfssl_deadline_ns(const struct tls_endpoint *endpoint);
enum tls_progress tls_wolfssl_on_deadline(struct tls_endpoint *endpoint, struct error *error);
bool tls_wolfssl_keep_session(struct tls_endpoint *endpoint);
void tls_wolfssl_close(struct tls_endpoint *endpoint);

#endif
