/* What the OpenSSL files of this room share. Nothing here leaves them. */
#ifndef TLSMETER_TLS_OPENSSL_INTERNAL_H
#define TLSMETER_TLS_OPENSSL_INTERNAL_H

#include <openssl/ssl.h>

#include "tls/endpoint.h"

enum {
    TLS_OPENSSL_NAME_BYTES = 256,
    TLS_OPENSSL_PSK_BYTES = 64,
    TLS_OPENSSL_EARLY_BYTES = 16384, /* most early data: a record */
};

struct tls_context {
    OSSL_LIB_CTX *library; /* NULL: OpenSSL's default one */
    SSL_CTX *ssl_ctx;
    SSL_SESSION *session;         /* client: offered by the next endpoint; NULL: none kept */
    struct tls_settings settings; /* scalars only: its pointers are dead but for clock and random */
    char server_name[TLS_OPENSSL_NAME_BYTES]; /* "" when none */
    char psk_identity[TLS_OPENSSL_NAME_BYTES];
    unsigned char psk[TLS_OPENSSL_PSK_BYTES];
    size_t psk_length;
    unsigned char alpn[64];    /* one name after its length */
    unsigned char *early_data; /* client; owned */
    size_t early_length;       /* server: the most it takes; 0: none */
};

struct tls_endpoint {
    SSL *ssl;
    struct tls_context *context;
    struct tls_io io;
    unsigned char cookie[TLS_COOKIE_BYTES];
    bool transport_closed;
    bool early_over;      /* all early data was sent, or has come */
    size_t early_sent;    /* client */
    unsigned char *early; /* server: the piece that has come and is not read yet; owned */
    size_t early_length, early_read;
    char group[64]; /* filled by negotiated() */
    char signature[64];
    char alpn[64];
};

/* openssl_bio.c: a BIO over the endpoint's callbacks that keeps datagram borders. */
BIO *tls_openssl_bio(struct tls_endpoint *endpoint);

/* openssl_inject.c: OpenSSL asks the process for time and randomness. Between enter and leave the
 * calling thread gets the context's; outside, the real ones. */
void tls_openssl_enter(const struct tls_context *context);
void tls_openssl_leave(void);
MUST_USE bool tls_openssl_inject_random(struct error *error);

/* openssl_names.c */
bool tls_openssl_knows_suite(const char *iana);
bool tls_openssl_knows_group(const char *iana, enum tls_protocol protocol);
/* Configures suites and groups; false with an error that names the one refused. */
MUST_USE bool tls_openssl_configure_suites(SSL_CTX *ssl_ctx, const struct tls_settings *settings,
                                           struct error *error);
MUST_USE bool tls_openssl_configure_groups(SSL_CTX *ssl_ctx, const struct tls_settings *settings,
                                           OSSL_LIB_CTX *library, struct error *error);
void tls_openssl_negotiated(const struct tls_endpoint *endpoint, struct tls_negotiated *negotiated);
/* Takes the error queue's first entry, empties the queue, returns false. */
bool tls_openssl_failed(struct error *error, const char *what);
/* The same for an endpoint: names alerts and refused certificates. */
bool tls_openssl_endpoint_failed(const struct tls_endpoint *endpoint, struct error *error);

/* openssl_early.c: the part of a handshake that early data changes. DONE: go on with it. */
enum tls_progress tls_openssl_early(struct tls_endpoint *endpoint, struct error *error);
/* While early data is served before the handshake is done. */
enum tls_progress tls_openssl_early_read(struct tls_endpoint *endpoint, void *bytes,
                                         size_t capacity, size_t *length);
bool tls_openssl_is_early(const struct tls_endpoint *endpoint);

/* openssl_endpoint.c */
/* Turns OpenSSL's answer to the last call into ours. */
enum tls_progress tls_openssl_progress(struct tls_endpoint *endpoint, int result,
                                       struct error *error);
struct tls_endpoint *tls_openssl_open(struct tls_context *context, const struct tls_io *io,
                                      struct error *error);
enum tls_progress tls_openssl_handshake(struct tls_endpoint *endpoint, struct error *error);
enum tls_progress tls_openssl_read(struct tls_endpoint *endpoint, void *bytes, size_t capacity,
                                   size_t *length, struct error *error);
enum tls_progress tls_openssl_write(struct tls_endpoint *endpoint, const void *bytes, size_t size,
                                    size_t *length, struct error *error);
enum tls_progress tls_openssl_shutdown(struct tls_endpoint *endpoint, struct error *error);
uint64_t tls_openssl_deadline_ns(const struct tls_endpoint *endpoint);
enum tls_progress tls_openssl_on_deadline(struct tls_endpoint *endpoint, struct error *error);
bool tls_openssl_keep_session(struct tls_endpoint *endpoint);
void tls_openssl_close(struct tls_endpoint *endpoint);

#endif
