/* Early data of TLS 1.3 (RFC 8446 section 2.3). */
#include <stdlib.h>
#include <string.h>

#include "tls/openssl_internal.h"

bool tls_openssl_is_early(const struct tls_endpoint *endpoint)
{
    return endpoint->early != NULL && !endpoint->early_over;
}

/* Without a session that allows it, the handshake is one without early data. */
static enum tls_progress send_early(struct tls_endpoint *endpoint, struct error *error)
{
    const struct tls_context *context = endpoint->context;
    if (context->session == NULL ||
        SSL_SESSION_get_max_early_data(context->session) < context->early_length) {
        endpoint->early_over = true;
        return TLS_DONE;
    }
    while (endpoint->early_sent < context->early_length) {
        size_t sent = 0;
        int result = SSL_write_early_data(endpoint->ssl, context->early_data + endpoint->early_sent,
                                          context->early_length - endpoint->early_sent, &sent);
        if (result != 1)
            return tls_openssl_progress(endpoint, result, error);
        endpoint->early_sent += sent;
    }
    endpoint->early_over = true;
    return TLS_DONE;
}

static enum tls_progress receive_early(struct tls_endpoint *endpoint, struct error *error)
{
    if (endpoint->early == NULL)
        endpoint->early = malloc(TLS_OPENSSL_EARLY_BYTES);
    if (endpoint->early == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for early data");
        return TLS_FAILED;
    }
    endpoint->early_length = endpoint->early_read = 0;
    switch (SSL_read_early_data(endpoint->ssl, endpoint->early, TLS_OPENSSL_EARLY_BYTES,
                                &endpoint->early_length)) {
    case SSL_READ_EARLY_DATA_SUCCESS:
        return TLS_EARLY;
    case SSL_READ_EARLY_DATA_FINISH:
        endpoint->early_over = true;
        return TLS_DONE;
    default:
        return tls_openssl_progress(endpoint, 0, error);
    }
}

enum tls_progress tls_openssl_early(struct tls_endpoint *endpoint, struct error *error)
{
    if (endpoint->context->early_length == 0 || endpoint->early_over)
        return TLS_DONE;
    return endpoint->context->settings.role == TLS_CLIENT ? send_early(endpoint, error)
                                                          : receive_early(endpoint, error);
}

enum tls_progress tls_openssl_early_read(struct tls_endpoint *endpoint, void *bytes,
                                         size_t capacity, size_t *length)
{
    size_t left = endpoint->early_length - endpoint->early_read;
    *length = left < capacity ? left : capacity;
    memcpy(bytes, endpoint->early + endpoint->early_read, *length);
    endpoint->early_read += *length;
    return *length > 0 ? TLS_DONE : TLS_WANT_READ;
}
