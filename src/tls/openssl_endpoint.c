#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <sys/time.h>

#include "tls/openssl_internal.h"

enum { DEFAULT_TIMER_MS = 1000, DEFAULT_TIMER_MAXIMUM_MS = 60000 };

/* RFC 6347 section 4.2.4.1: start at the initial value, double to the maximum. */
static unsigned next_timer_us(SSL *ssl, unsigned timer_us)
{
    const struct tls_endpoint *endpoint = SSL_get_app_data(ssl);
    const struct tls_settings *settings = &endpoint->context->settings;
    uint32_t initial_ms =
        settings->timer_initial_ms == 0 ? DEFAULT_TIMER_MS : settings->timer_initial_ms;
    uint32_t maximum_ms =
        settings->timer_maximum_ms == 0 ? DEFAULT_TIMER_MAXIMUM_MS : settings->timer_maximum_ms;
    uint64_t next_us = timer_us == 0 ? initial_ms * UINT64_C(1000) : timer_us * UINT64_C(2);
    uint64_t maximum_us = maximum_ms * UINT64_C(1000);
    return (unsigned)(next_us < maximum_us ? next_us : maximum_us);
}

static bool set_server_name(struct tls_endpoint *endpoint)
{
    const char *name = endpoint->context->server_name;
    unsigned char address[16];
    if (name[0] == '\0')
        return true;
    if (inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(endpoint->ssl), name) == 1;
    /* NOLINTNEXTLINE(clang-diagnostic-cast-qual): the library's macro casts, and copies the name */
    return SSL_set_tlsext_host_name(endpoint->ssl, name) == 1 &&
           SSL_set1_host(endpoint->ssl, name) == 1;
}

static bool prepare(struct tls_endpoint *endpoint)
{
    const struct tls_settings *settings = &endpoint->context->settings;
    BIO *bio = tls_openssl_bio(endpoint);
    if (bio == NULL)
        return false;
    SSL_set_bio(endpoint->ssl, bio, bio); /* owns it from here */
    SSL_set_app_data(endpoint->ssl, endpoint);
    if (tls_protocol_is_datagram(settings->protocol))
        DTLS_set_timer_cb(endpoint->ssl, next_timer_us);
    if (settings->role == TLS_SERVER) {
        SSL_set_accept_state(endpoint->ssl);
        return true;
    }
    SSL_set_connect_state(endpoint->ssl);
    if (endpoint->context->session != NULL &&
        SSL_set_session(endpoint->ssl, endpoint->context->session) != 1)
        return false;
    return set_server_name(endpoint);
}

struct tls_endpoint *tls_openssl_open(struct tls_context *context, const struct tls_io *io,
                                      struct error *error)
{
    struct tls_endpoint *endpoint = calloc(1, sizeof *endpoint);
    if (endpoint == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for a connection");
        return NULL;
    }
    endpoint->context = context;
    endpoint->io = *io;
    tls_make_cookie(&context->settings, endpoint->cookie);
    tls_openssl_enter(context);
    endpoint->ssl = SSL_new(context->ssl_ctx);
    if (endpoint->ssl == NULL || !prepare(endpoint)) {
        (void)tls_openssl_failed(error, "a connection could not be prepared");
        tls_openssl_close(endpoint);
        endpoint = NULL;
    }
    tls_openssl_leave();
    return endpoint;
}

enum tls_progress tls_openssl_progress(struct tls_endpoint *endpoint, int result,
                                       struct error *error)
{
    switch (SSL_get_error(endpoint->ssl, result)) {
    case SSL_ERROR_NONE:
        return TLS_DONE;
    case SSL_ERROR_WANT_READ:
        return TLS_WANT_READ;
    case SSL_ERROR_WANT_WRITE:
        return TLS_WANT_WRITE;
    case SSL_ERROR_ZERO_RETURN:
        return TLS_CLOSED;
    default:
        break;
    }
    unsigned long code = ERR_peek_error();
    bool cut = endpoint->transport_closed &&
               (code == 0 || ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING);
    if (cut) {
        ERR_clear_error();
        (void)tls_peer_closed(error, ORIGIN_OPENSSL, (int64_t)code);
    } else {
        (void)tls_openssl_endpoint_failed(endpoint, error);
    }
    return TLS_FAILED;
}

enum tls_progress tls_openssl_handshake(struct tls_endpoint *endpoint, struct error *error)
{
    tls_openssl_enter(endpoint->context);
    ERR_clear_error();
    enum tls_progress progress = tls_openssl_early(endpoint, error);
    if (progress == TLS_DONE)
        progress = tls_openssl_progress(endpoint, SSL_do_handshake(endpoint->ssl), error);
    tls_openssl_leave();
    return progress;
}

enum tls_progress tls_openssl_read(struct tls_endpoint *endpoint, void *bytes, size_t capacity,
                                   size_t *length, struct error *error)
{
    tls_openssl_enter(endpoint->context);
    ERR_clear_error();
    *length = 0;
    enum tls_progress progress = TLS_DONE;
    if (tls_openssl_is_early(endpoint))
        progress = tls_openssl_early_read(endpoint, bytes, capacity, length);
    else
        progress = tls_openssl_progress(endpoint,
                                        SSL_read_ex(endpoint->ssl, bytes, capacity, length), error);
    tls_openssl_leave();
    return progress;
}

enum tls_progress tls_openssl_write(struct tls_endpoint *endpoint, const void *bytes, size_t size,
                                    size_t *length, struct error *error)
{
    tls_openssl_enter(endpoint->context);
    ERR_clear_error();
    *length = 0;
    /* A datagram is written whole: what does not fit into one is left to the next call. */
    if (tls_protocol_is_datagram(endpoint->context->settings.protocol)) {
        size_t most = DTLS_get_data_mtu(endpoint->ssl);
        if (most > 0 && size > most)
            size = most;
    }
    int result = tls_openssl_is_early(endpoint)
                     ? SSL_write_early_data(endpoint->ssl, bytes, size, length)
                     : SSL_write_ex(endpoint->ssl, bytes, size, length);
    enum tls_progress progress = tls_openssl_progress(endpoint, result, error);
    tls_openssl_leave();
    return progress;
}

enum tls_progress tls_openssl_shutdown(struct tls_endpoint *endpoint, struct error *error)
{
    tls_openssl_enter(endpoint->context);
    ERR_clear_error();
    int result = SSL_shutdown(endpoint->ssl);
    enum tls_progress progress =
        result >= 0 ? TLS_DONE : tls_openssl_progress(endpoint, result, error);
    tls_openssl_leave();
    return progress;
}

uint64_t tls_openssl_deadline_ns(const struct tls_endpoint *endpoint)
{
    struct timeval left;
    if (!tls_protocol_is_datagram(endpoint->context->settings.protocol))
        return UINT64_MAX;
    tls_openssl_enter(endpoint->context);
    bool running = DTLSv1_get_timeout(endpoint->ssl, &left) == 1;
    uint64_t now_ns = clock_wall_ns(endpoint->context->settings.clock);
    tls_openssl_leave();
    if (!running)
        return UINT64_MAX;
    return now_ns + (uint64_t)left.tv_sec * 1000000000u + (uint64_t)left.tv_usec * 1000u;
}

enum tls_progress tls_openssl_on_deadline(struct tls_endpoint *endpoint, struct error *error)
{
    tls_openssl_enter(endpoint->context);
    ERR_clear_error();
    enum tls_progress progress = TLS_DONE;
    if (DTLSv1_handle_timeout(endpoint->ssl) < 0)
        progress = tls_openssl_progress(endpoint, -1, error);
    tls_openssl_leave();
    return progress;
}

bool tls_openssl_keep_session(struct tls_endpoint *endpoint)
{
    SSL_SESSION *session = SSL_get1_session(endpoint->ssl);
    if (session == NULL || SSL_SESSION_is_resumable(session) != 1) {
        SSL_SESSION_free(session);
        return false;
    }
    SSL_SESSION_free(endpoint->context->session);
    endpoint->context->session = session;
    return true;
}

void tls_openssl_close(struct tls_endpoint *endpoint)
{
    if (endpoint == NULL)
        return;
    /* Freed without a close_notify, a session would be taken from the cache as broken. */
    if (endpoint->ssl != NULL)
        SSL_set_shutdown(endpoint->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(endpoint->ssl);
    free(endpoint->early);
    free(endpoint);
}
