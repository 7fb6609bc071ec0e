#include "core/attributes.h"
#include "tls/wolfssl_internal.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <wolfssl/error-ssl.h>

#define NS_PER_S UINT64_C(1000000000)
enum { MOST_TICKET_BYTES = 4096 };

int tls_wolfssl_send(WOLFSSL *ssl, char *bytes, int length, void *context)
{
    (void)ssl;
    struct tls_endpoint *endpoint = context;
    size_t taken = endpoint->io.send(endpoint->io.context, bytes, (size_t)length);
    endpoint->datagrams_sent += taken > 0;
    return taken > 0 ? (int)taken : WOLFSSL_CBIO_ERR_WANT_WRITE;
}

int tls_wolfssl_receive(WOLFSSL *ssl, char *bytes, int capacity, void *context)
{
    (void)ssl;
    struct tls_endpoint *endpoint = context;
    size_t given = endpoint->io.receive(endpoint->io.context, bytes, (size_t)capacity,
                                        &endpoint->transport_closed);
    if (given > 0)
        return (int)given;
    return endpoint->transport_closed ? WOLFSSL_CBIO_ERR_CONN_CLOSE : WOLFSSL_CBIO_ERR_WANT_READ;
}

static bool set_server_name(struct tls_endpoint *endpoint)
{
    const char *name = endpoint->context->server_name;
    unsigned char address[16];
    if (name[0] == '\0')
        return true;
    if (wolfSSL_check_domain_name(endpoint->ssl, name) != WOLFSSL_SUCCESS)
        return false;
    bool is_address =
        inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1;
    return is_address || wolfSSL_UseSNI(endpoint->ssl, WOLFSSL_SNI_HOST_NAME, name,
                                        (unsigned short)strlen(name)) == WOLFSSL_SUCCESS;
}

static void prepare_datagrams(struct tls_endpoint *endpoint)
{
    wolfSSL_SetCookieCtx(endpoint->ssl, endpoint);
    const struct tls_settings *settings = &endpoint->context->settings;
    wolfSSL_dtls_set_using_nonblock(endpoint->ssl, 1);
    /* Whole seconds are all that wolfSSL knows; supports() refused others. */
    if (settings->timer_maximum_ms != 0)
        (void)wolfSSL_dtls_set_timeout_max(endpoint->ssl, (int)(settings->timer_maximum_ms / 1000));
    if (settings->timer_initial_ms != 0)
        (void)wolfSSL_dtls_set_timeout_init(endpoint->ssl,
                                            (int)(settings->timer_initial_ms / 1000));
}

static bool prepare(struct tls_endpoint *endpoint)
{
    struct tls_context *context = endpoint->context;
    const struct tls_settings *settings = &context->settings;
    wolfSSL_SetIOReadCtx(endpoint->ssl, endpoint);
    wolfSSL_SetIOWriteCtx(endpoint->ssl, endpoint);
    if (settings->psk.length > 0 || context->psk_length > 0)
        wolfSSL_set_psk_callback_ctx(endpoint->ssl, endpoint);
    if (tls_protocol_is_datagram(settings->protocol))
        prepare_datagrams(endpoint);
    if (context->alpn[0] != '\0' &&
        wolfSSL_UseALPN(endpoint->ssl, context->alpn, (unsigned)strlen(context->alpn),
                        WOLFSSL_ALPN_FAILED_ON_MISMATCH) != WOLFSSL_SUCCESS)
        return false;
    if (settings->role == TLS_SERVER)
        return true;
    if (settings->protocol == TLS_1_3 && context->group != 0 &&
        wolfSSL_UseKeyShare(endpoint->ssl, (unsigned short)context->group) != WOLFSSL_SUCCESS)
        return false;
    if (context->session != NULL &&
        wolfSSL_set_session(endpoint->ssl, context->session) != WOLFSSL_SUCCESS)
        return false;
    return set_server_name(endpoint);
}

struct tls_endpoint *tls_wolfssl_open(struct tls_context *context, const struct tls_io *io,
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
    endpoint->deadline_ns = UINT64_MAX;
    tls_wolfssl_enter(context);
    endpoint->ssl = wolfSSL_new(context->ctx);
    bool ready = endpoint->ssl != NULL && prepare(endpoint);
    tls_wolfssl_leave();
    if (ready)
        return endpoint;
    (void)error_set(error, ERROR_LIBRARY, "wolfSSL: a connection could not be prepared");
    tls_wolfssl_close(endpoint);
    return NULL;
}

static void name_alert(const struct tls_endpoint *endpoint, struct error *error)
{
    WOLFSSL_ALERT_HISTORY history = {{0, 0}, {0, 0}};
    (void)wolfSSL_get_alert_history(endpoint->ssl, &history);
    (void)tls_alert_received(error, history.last_rx.code);
}

/* What it refuses in a certificate, and what it calls damage of another kind. */
static bool is_certificate_refusal(int code, enum tls_certificate_fault *fault)
{
    static const struct {
        int code;
        enum tls_certificate_fault fault;
    } faults[] = {{ASN_AFTER_DATE_E, TLS_CERTIFICATE_EXPIRED},
                  {ASN_BEFORE_DATE_E, TLS_CERTIFICATE_NOT_YET_VALID},
                  {ASN_NO_SIGNER_E, TLS_CERTIFICATE_UNTRUSTED},
                  {ASN_SIG_CONFIRM_E, TLS_CERTIFICATE_UNTRUSTED},
                  {DOMAIN_NAME_MISMATCH, TLS_CERTIFICATE_OTHER_NAME},
                  {IPADDR_MISMATCH, TLS_CERTIFICATE_OTHER_NAME},
                  {VERIFY_CERT_ERROR, TLS_CERTIFICATE_OTHER_FAULT}};
    for (size_t i = 0; i < COUNT_OF(faults); i++)
        if (faults[i].code == code) {
            *fault = faults[i].fault;
            return true;
        }
    return false;
}

static void name_failure(int code, struct error *error)
{
    char text[WOLFSSL_MAX_ERROR_SZ];
    enum tls_certificate_fault fault;
    wolfSSL_ERR_error_string((unsigned long)code, text);
    if (is_certificate_refusal(code, &fault))
        (void)tls_certificate_refused(error, fault, ORIGIN_WOLFSSL, code, text);
    else if (code == VERSION_ERROR || code == UNKNOWN_RECORD_TYPE)
        (void)tls_no_record(error, ORIGIN_WOLFSSL, code, text);
    else
        (void)tls_wolfssl_failed(error, code, "TLS failed");
}

static enum tls_progress progress_of(struct tls_endpoint *endpoint, int result, struct error *error)
{
    int code = wolfSSL_get_error(endpoint->ssl, result);
    switch (code) {
    case WOLFSSL_ERROR_WANT_READ:
        return TLS_WANT_READ;
    case WOLFSSL_ERROR_WANT_WRITE:
        return TLS_WANT_WRITE;
    case WOLFSSL_ERROR_ZERO_RETURN:
        return TLS_CLOSED;
    case SOCKET_PEER_CLOSED_E:
    case SOCKET_ERROR_E:
        (void)tls_peer_closed(error, ORIGIN_WOLFSSL, code);
        break;
    case FATAL_ERROR:
        name_alert(endpoint, error);
        break;
    default:
        name_failure(code, error);
        break;
    }
    return TLS_FAILED;
}

/* wolfSSL leaves the timer to its caller: it runs from the last flight sent until the next comes. A
 * server has nothing to resend before its client has shown the cookie, that is, before its second
 * datagram. */
static void arm_timer(struct tls_endpoint *endpoint)
{
    const struct tls_settings *settings = &endpoint->context->settings;
    uint64_t first_timed = settings->role == TLS_SERVER ? 2 : 1;
    if (!tls_protocol_is_datagram(settings->protocol) || endpoint->finished ||
        endpoint->datagrams_sent < first_timed) {
        endpoint->deadline_ns = UINT64_MAX;
        return;
    }
    int timeout_s = wolfSSL_dtls_get_current_timeout(endpoint->ssl);
    endpoint->deadline_ns = clock_wall_ns(settings->clock) + (uint64_t)timeout_s * NS_PER_S;
}

enum tls_progress tls_wolfssl_handshake(struct tls_endpoint *endpoint, struct error *error)
{
    uint64_t sent_before = endpoint->datagrams_sent;
    tls_wolfssl_enter(endpoint->context);
    int result = endpoint->context->settings.role == TLS_SERVER ? wolfSSL_accept(endpoint->ssl)
                                                                : wolfSSL_connect(endpoint->ssl);
    enum tls_progress progress =
        result == WOLFSSL_SUCCESS ? TLS_DONE : progress_of(endpoint, result, error);
    endpoint->finished = progress == TLS_DONE;
    if (endpoint->finished || endpoint->datagrams_sent != sent_before)
        arm_timer(endpoint);
    tls_wolfssl_leave();
    return progress;
}

enum tls_progress tls_wolfssl_read(struct tls_endpoint *endpoint, void *bytes, size_t capacity,
                                   size_t *length, struct error *error)
{
    tls_wolfssl_enter(endpoint->context);
    int most = capacity > INT32_MAX ? INT32_MAX : (int)capacity;
    int result = wolfSSL_read(endpoint->ssl, bytes, most);
    *length = result > 0 ? (size_t)result : 0;
    enum tls_progress progress = result > 0 ? TLS_DONE : progress_of(endpoint, result, error);
    tls_wolfssl_leave();
    return progress;
}

enum tls_progress tls_wolfssl_write(struct tls_endpoint *endpoint, const void *bytes, size_t size,
                                    size_t *length, struct error *error)
{
    tls_wolfssl_enter(endpoint->context);
    int most = size > INT32_MAX ? INT32_MAX : (int)size;
    if (tls_protocol_is_datagram(endpoint->context->settings.protocol)) {
        /* A datagram is written whole: what does not fit into one is left to the next call. */
        int fits = wolfSSL_GetMaxOutputSize(endpoint->ssl);
        if (fits > 0 && most > fits)
            most = fits;
    }
    int result = wolfSSL_write(endpoint->ssl, bytes, most);
    *length = result > 0 ? (size_t)result : 0;
    enum tls_progress progress = result > 0 ? TLS_DONE : progress_of(endpoint, result, error);
    tls_wolfssl_leave();
    return progress;
}

enum tls_progress tls_wolfssl_shutdown(struct tls_endpoint *endpoint, struct error *error)
{
    tls_wolfssl_enter(endpoint->context);
    int result = wolfSSL_shutdown(endpoint->ssl);
    enum tls_progress progress = TLS_DONE;
    if (result != WOLFSSL_SUCCESS && result != WOLFSSL_SHUTDOWN_NOT_DONE)
        progress = progress_of(endpoint, result, error);
    tls_wolfssl_leave();
    return progress;
}

uint64_t tls_wolfssl_deadline_ns(const struct tls_endpoint *endpoint)
{
    return endpoint->deadline_ns;
}

enum tls_progress tls_wolfssl_on_deadline(struct tls_endpoint *endpoint, struct error *error)
{
    tls_wolfssl_enter(endpoint->context);
    int result = wolfSSL_dtls_got_timeout(endpoint->ssl);
    enum tls_progress progress =
        result == WOLFSSL_SUCCESS ? TLS_DONE : progress_of(endpoint, result, error);
    arm_timer(endpoint);
    tls_wolfssl_leave();
    return progress;
}

bool tls_wolfssl_keep_session(struct tls_endpoint *endpoint)
{
    unsigned char ticket[MOST_TICKET_BYTES];
    unsigned int ticket_length = sizeof ticket;
    /* In TLS 1.3 there is a session object before there is a ticket to resume by. */
    if (endpoint->context->settings.protocol == TLS_1_3 &&
        wolfSSL_get_SessionTicket(endpoint->ssl, ticket, &ticket_length) == WOLFSSL_SUCCESS &&
        ticket_length == 0)
        return false;
    WOLFSSL_SESSION *session = wolfSSL_get1_session(endpoint->ssl);
    unsigned id_length = 0;
    if (session != NULL && endpoint->context->settings.protocol != TLS_1_3 &&
        wolfSSL_SESSION_has_ticket(session) != 1 &&
        (wolfSSL_SESSION_get_id(session, &id_length) == NULL || id_length == 0)) {
        wolfSSL_SESSION_free(session);
        session = NULL;
    }
    if (session == NULL)
        return false;
    wolfSSL_SESSION_free(endpoint->context->session);
    endpoint->context->session = session;
    return true;
}

void tls_wolfssl_close(struct tls_endpoint *endpoint)
{
    if (endpoint == NULL)
        return;
    wolfSSL_free(endpoint->ssl);
    free(endpoint);
}
