/* What the Mbed TLS files of this room share. Nothing here leaves them. */
#ifndef TLSMETER_TLS_MBEDTLS_INTERNAL_H
#define TLSMETER_TLS_MBEDTLS_INTERNAL_H

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/dhm.h>
#include <mbedtls/entropy.h>
#include <mbedtls/ssl.h>
#include <mbedtls/ssl_cache.h>
#include <mbedtls/ssl_cookie.h>
#include <mbedtls/ssl_ticket.h>
#include <mbedtls/version.h>
#include <mbedtls/x509_crt.h>

#include "tls/endpoint.h"

enum { TLS_MBEDTLS_NAME_BYTES = 256, TLS_MBEDTLS_SUITES = 256, TLS_MBEDTLS_GROUPS = 12 };

struct tls_context {
    struct tls_settings settings; /* scalars only: its pointers are dead but for clock and random */
    mbedtls_ssl_config config;
    mbedtls_entropy_context entropy;
    mbedtls_ctr_drbg_context drbg;
    mbedtls_x509_crt chain, roots;
    mbedtls_pk_context key;
    mbedtls_ssl_cache_context cache;
    mbedtls_ssl_ticket_context tickets;
    mbedtls_ssl_cookie_ctx cookies;
    mbedtls_ssl_session session;
    bool has_session;
    int suites[TLS_MBEDTLS_SUITES];                  /* ends with 0 */
    mbedtls_ecp_group_id groups[TLS_MBEDTLS_GROUPS]; /* ends with MBEDTLS_ECP_DP_NONE */
    uint16_t group_numbers[TLS_MBEDTLS_GROUPS];      /* the same by their IANA numbers, for 3.x */
    char server_name[TLS_MBEDTLS_NAME_BYTES];        /* "" when none */
    char alpn[64];
    const char *alpn_list[2];
};

struct tls_endpoint {
    mbedtls_ssl_context ssl;
    struct tls_context *context;
    struct tls_io io;
    unsigned char cookie[TLS_COOKIE_BYTES];
    bool transport_closed;
    bool saw_certificate_step;                              /* only a full handshake passes it */
    uint64_t timer_start_ns, timer_middle_ns, timer_end_ns; /* end 0: no timer runs */
    mbedtls_ecp_group_id group;                             /* MBEDTLS_ECP_DP_NONE: not seen */
    char suite[96];
    mbedtls_ssl_session ticket; /* TLS 1.3: what the last ticket stands for */
    bool has_ticket;
};

/* mbedtls_v2.c and mbedtls_v3.c: what differs between the two major versions. */
MUST_USE bool tls_mbedtls_start(struct error *error);
bool tls_mbedtls_has_tls_1_3(void);
void tls_mbedtls_set_version(mbedtls_ssl_config *config, enum tls_protocol protocol);
/* Makes the context's groups the configuration's. */
void tls_mbedtls_set_groups(struct tls_context *context);
int tls_mbedtls_parse_key(struct tls_context *context, const struct tls_bytes *pem);
/* TLS 1.3 clients: lets tickets be seen. */
void tls_mbedtls_want_tickets(mbedtls_ssl_config *config);
/* True when the library's answer says that a ticket arrived, which is then kept in the endpoint;
 * the call that gave the answer goes on when it is made again. */
bool tls_mbedtls_took_ticket(struct tls_endpoint *endpoint, int code);
/* The group of the key exchange under way, where the version lets it be seen. */
mbedtls_ecp_group_id tls_mbedtls_group(const mbedtls_ssl_context *ssl);

/* mbedtls_names.c */
MUST_USE bool tls_mbedtls_configure_suites(struct tls_context *context,
                                           const struct tls_settings *settings,
                                           struct error *error);
MUST_USE bool tls_mbedtls_configure_groups(struct tls_context *context,
                                           const struct tls_settings *settings,
                                           struct error *error);
bool tls_mbedtls_knows_suite(const char *iana);
bool tls_mbedtls_knows_group(const char *iana);
void tls_mbedtls_negotiated(const struct tls_endpoint *endpoint, struct tls_negotiated *negotiated);
/* Names a negative code of Mbed TLS; returns false. */
bool tls_mbedtls_failed(struct error *error, int code, const char *what);

/* mbedtls.c: the random source of a context. */
int tls_mbedtls_random(void *context, unsigned char *bytes, size_t length);

/* mbedtls_trace.c: NULL when the library's operations can be traced, else why not. */
const char *tls_mbedtls_trace_unavailable(void);

/* mbedtls_endpoint.c */
struct tls_endpoint *tls_mbedtls_open(struct tls_context *context, const struct tls_io *io,
                                      struct error *error);
enum tls_progress tls_mbedtls_handshake(struct tls_endpoint *endpoint, struct error *error);
enum tls_progress tls_mbedtls_read(struct tls_endpoint *endpoint, void *bytes, size_t capacity,
                                   size_t *length, struct error *error);
enum tls_progress tls_mbedtls_write(struct tls_endpoint *endpoint, const void *bytes, size_t size,
                                    size_t *length, struct error *error);
enum tls_progress tls_mbedtls_shutdown(struct tls_endpoint *endpoint, struct error *error);
uint64_t tls_mbedtls_deadline_ns(const struct tls_endpoint *endpoint);
enum tls_progress tls_mbedtls_on_deadline(struct tls_endpoint *endpoint, struct error *error);
bool tls_mbedtls_keep_session(struct tls_endpoint *endpoint);
void tls_mbedtls_close(struct tls_endpoint *endpoint);

#endif
