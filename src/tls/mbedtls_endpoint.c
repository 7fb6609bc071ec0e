#include <mbedtls/error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tls/mbedtls_internal.h"
#include "tls/virtual_time.h"

enum { DEFAULT_MTU_BYTES = 1400, NS_PER_MS = 1000000 };

static int io_send(void *context, const unsigned char *bytes, size_t length)
{
    struct tls_endpoint *endpoint = context;
    size_t taken = endpoint->io.send(endpoint->io.context, bytes, length);
    return taken > 0 ? (int)taken : MBEDTLS_ERR_SSL_WANT_WRITE;
}

static int io_receive(void *context, unsigned char *bytes, size_t capacity)
{
    struct tls_endpoint *endpoint = context;
    size_t given =
        endpoint->io.receive(endpoint->io.context, bytes, capacity, &endpoint->transport_closed);
    if (given > 0)
        return (int)given;
    return endpoint->transport_closed ? 0 : MBEDTLS_ERR_SSL_WANT_READ;
}

static void set_timer(void *context, uint32_t middle_ms, uint32_t end_ms)
{
    struct tls_endpoint *endpoint = context;
    uint64_t now_ns = clock_wall_ns(endpoint->context->settings.clock);
    endpoint->timer_start_ns = now_ns;
    endpoint->timer_middle_ns = now_ns + (uint64_t)middle_ms * NS_PER_MS;
    endpoint->timer_end_ns = end_ms == 0 ? 0 : now_ns + (uint64_t)end_ms * NS_PER_MS;
}

/* As mbedtls_ssl_get_timer_t is specified: -1 cancelled, 0 running, 1 middle passed, 2 end passed.
 */
static int get_timer(void *context)
{
    const struct tls_endpoint *endpoint = context;
    if (endpoint->timer_end_ns == 0)
        return -1;
    uint64_t now_ns = clock_wall_ns(endpoint->context->settings.clock);
    if (now_ns >= endpoint->timer_end_ns)
        return 2;
    return now_ns >= endpoint->timer_middle_ns ? 1 : 0;
}

static int set_transport_id(struct tls_endpoint *endpoint)
{
    return mbedtls_ssl_set_client_transport_id(&endpoint->ssl, endpoint->cookie,
                                               sizeof endpoint->cookie);
}

static int prepare(struct tls_endpoint *endpoint)
{
    const struct tls_settings *settings = &endpoint->context->settings;
    int code = mbedtls_ssl_setup(&endpoint->ssl, &endpoint->context->config);
    if (code != 0)
        return code;
    mbedtls_ssl_set_bio(&endpoint->ssl, endpoint, io_send, io_receive, NULL);
    if (tls_protocol_is_datagram(settings->protocol)) {
        mbedtls_ssl_set_timer_cb(&endpoint->ssl, endpoint, set_timer, get_timer);
        mbedtls_ssl_set_mtu(&endpoint->ssl,
                            settings->mtu_bytes == 0 ? DEFAULT_MTU_BYTES : settings->mtu_bytes);
    }
    if (settings->role == TLS_SERVER)
        return settings->hello_verify ? set_transport_id(endpoint) : 0;
    const char *name = endpoint->context->server_name;
    code = mbedtls_ssl_set_hostname(&endpoint->ssl, name[0] == '\0' ? NULL : name);
    if (code == 0 && endpoint->context->has_session)
        code = mbedtls_ssl_set_session(&endpoint->ssl, &endpoint->context->session);
    return code;
}

struct tls_endpoint *tls_mbedtls_open(struct tls_context *context, const struct tls_io *io,
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
    mbedtls_ssl_init(&endpoint->ssl);
    mbedtls_ssl_session_init(&endpoint->ticket);
    virtual_time_enter(context->settings.clock);
    int code = prepare(endpoint);
    virtual_time_leave();
    if (code == 0)
        return endpoint;
    (void)tls_mbedtls_failed(error, code, "a connection could not be prepared");
    tls_mbedtls_close(endpoint);
    return NULL;
}

static void name_alert(const struct tls_endpoint *endpoint, struct error *error)
{
    int alert = endpoint->ssl.in_msg == NULL ? 0 : endpoint->ssl.in_msg[1];
    (void)tls_alert_received(error, alert);
}

static enum tls_certificate_fault fault_of(uint32_t flags)
{
    if ((flags & MBEDTLS_X509_BADCERT_EXPIRED) != 0)
        return TLS_CERTIFICATE_EXPIRED;
    if ((flags & MBEDTLS_X509_BADCERT_FUTURE) != 0)
        return TLS_CERTIFICATE_NOT_YET_VALID;
    if ((flags & MBEDTLS_X509_BADCERT_NOT_TRUSTED) != 0)
        return TLS_CERTIFICATE_UNTRUSTED;
    if ((flags & MBEDTLS_X509_BADCERT_CN_MISMATCH) != 0)
        return TLS_CERTIFICATE_OTHER_NAME;
    return TLS_CERTIFICATE_OTHER_FAULT;
}

static void name_refused_certificate(const struct tls_endpoint *endpoint, int code,
                                     struct error *error)
{
    char text[256];
    uint32_t flags = mbedtls_ssl_get_verify_result(&endpoint->ssl);
    if (mbedtls_x509_crt_verify_info(text, sizeof text, "", flags) < 0)
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0'; /* one reason a line: the first */
    (void)tls_certificate_refused(error, fault_of(flags), ORIGIN_MBEDTLS, code, text);
}

static enum tls_progress progress_of(struct tls_endpoint *endpoint, int code, struct error *error)
{
    char text[128];
    switch (code) {
    case 0:
        return TLS_DONE;
    case MBEDTLS_ERR_SSL_WANT_READ:
        return TLS_WANT_READ;
    case MBEDTLS_ERR_SSL_WANT_WRITE:
        return TLS_WANT_WRITE;
    case MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY:
        return TLS_CLOSED;
    case MBEDTLS_ERR_SSL_CONN_EOF:
        (void)tls_peer_closed(error, ORIGIN_MBEDTLS, code);
        break;
    case MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE:
        name_alert(endpoint, error);
        break;
    case MBEDTLS_ERR_X509_CERT_VERIFY_FAILED:
        name_refused_certificate(endpoint, code, error);
        break;
    case MBEDTLS_ERR_SSL_INVALID_RECORD:
        mbedtls_strerror(code, text, sizeof text);
        (void)tls_no_record(error, ORIGIN_MBEDTLS, code, text);
        break;
    default:
        (void)tls_mbedtls_failed(error, code, "TLS failed");
        break;
    }
    return TLS_FAILED;
}

/* As mbedtls_ssl_handshake, but step by step, so as to see which steps are passed. */
static int handshake_steps(struct tls_endpoint *endpoint)
{
    mbedtls_ssl_context *ssl = &endpoint->ssl;
    while (ssl->state != MBEDTLS_SSL_HANDSHAKE_OVER) {
        if (ssl->state == MBEDTLS_SSL_SERVER_CERTIFICATE)
            endpoint->saw_certificate_step = true;
        if (ssl->state == MBEDTLS_SSL_CLIENT_KEY_EXCHANGE)
            endpoint->group = tls_mbedtls_group(ssl);
        int code = mbedtls_ssl_handshake_step(ssl);
        if (code == MBEDTLS_ERR_SSL_HELLO_VERIFY_REQUIRED) {
            code = mbedtls_ssl_session_reset(ssl);
            if (code == 0)
                code = set_transport_id(endpoint);
        }
        if (code != 0)
            return code;
    }
    return 0;
}

enum tls_progress tls_mbedtls_handshake(struct tls_endpoint *endpoint, struct error *error)
{
    virtual_time_enter(endpoint->context->settings.clock);
    enum tls_progress progress = progress_of(endpoint, handshake_steps(endpoint), error);
    virtual_time_leave();
    return progress;
}

enum tls_progress tls_mbedtls_read(struct tls_endpoint *endpoint, void *bytes, size_t capacity,
                                   size_t *length, struct error *error)
{
    virtual_time_enter(endpoint->context->settings.clock);
    int code;
    int state;
    /* 3.x sees in one call that a ticket came, and takes it in the next. */
    do {
        state = endpoint->ssl.state;
        code = mbedtls_ssl_read(&endpoint->ssl, bytes, capacity);
    } while (tls_mbedtls_took_ticket(endpoint, code) ||
             (code == MBEDTLS_ERR_SSL_WANT_READ && endpoint->ssl.state != state));
    virtual_time_leave();
    *length = code > 0 ? (size_t)code : 0;
    if (code > 0)
        return TLS_DONE;
    return progress_of(endpoint, code == 0 ? MBEDTLS_ERR_SSL_CONN_EOF : code, error);
}

enum tls_progress tls_mbedtls_write(struct tls_endpoint *endpoint, const void *bytes, size_t size,
                                    size_t *length, struct error *error)
{
    /* A datagram is written whole: what does not fit into one is left to the next call. */
    if (tls_protocol_is_datagram(endpoint->context->settings.protocol)) {
        int most = mbedtls_ssl_get_max_out_record_payload(&endpoint->ssl);
        if (most > 0 && size > (size_t)most)
            size = (size_t)most;
    }
    virtual_time_enter(endpoint->context->settings.clock);
    int code = mbedtls_ssl_write(&endpoint->ssl, bytes, size);
    virtual_time_leave();
    *length = code > 0 ? (size_t)code : 0;
    return code >= 0 ? TLS_DONE : progress_of(endpoint, code, error);
}

enum tls_progress tls_mbedtls_shutdown(struct tls_endpoint *endpoint, struct error *error)
{
    return progress_of(endpoint, mbedtls_ssl_close_notify(&endpoint->ssl), error);
}

uint64_t tls_mbedtls_deadline_ns(const struct tls_endpoint *endpoint)
{
    return endpoint->timer_end_ns == 0 ? UINT64_MAX : endpoint->timer_end_ns;
}

enum tls_progress tls_mbedtls_on_deadline(struct tls_endpoint *endpoint, struct error *error)
{
    /* The library looks at its timer whenever it is asked for input. */
    return tls_mbedtls_handshake(endpoint, error);
}

bool tls_mbedtls_keep_session(struct tls_endpoint *endpoint)
{
    struct tls_context *context = endpoint->context;
    mbedtls_ssl_session_free(&context->session);
    mbedtls_ssl_session_init(&context->session);
    if (context->settings.protocol != TLS_1_3) {
        context->has_session = mbedtls_ssl_get_session(&endpoint->ssl, &context->session) == 0;
        return context->has_session;
    }
    context->has_session = endpoint->has_ticket;
    context->session = endpoint->ticket; /* handed over, with what it points to */
    mbedtls_ssl_session_init(&endpoint->ticket);
    endpoint->has_ticket = false;
    return context->has_session;
}

void tls_mbedtls_close(struct tls_endpoint *endpoint)
{
    if (endpoint == NULL)
        return;
    mbedtls_ssl_session_free(&endpoint->ticket);
    mbedtls_ssl_free(&endpoint->ssl);
    free(endpoint);
}
