/* What is particular to Mbed TLS 2.28. */
#include "tls/mbedtls_internal.h"

#if MBEDTLS_VERSION_MAJOR < 3

#include <mbedtls/ssl_internal.h>

bool tls_mbedtls_start(struct error *error)
{
    (void)error;
    return true;
}

bool tls_mbedtls_has_tls_1_3(void)
{
    return false;
}

void tls_mbedtls_set_version(mbedtls_ssl_config *config, enum tls_protocol protocol)
{
    (void)protocol; /* TLS 1.2 and DTLS 1.2 are the only ones, and have one number */
    mbedtls_ssl_conf_min_version(config, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
    mbedtls_ssl_conf_max_version(config, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
}

void tls_mbedtls_set_groups(struct tls_context *context)
{
    mbedtls_ssl_conf_curves(&context->config, context->groups);
}

int tls_mbedtls_parse_key(struct tls_context *context, const struct tls_bytes *pem)
{
    return mbedtls_pk_parse_key(&context->key, pem->data, pem->length, NULL, 0);
}

void tls_mbedtls_want_tickets(mbedtls_ssl_config *config)
{
    (void)config; /* TLS 1.2 brings its ticket within the handshake */
}

bool tls_mbedtls_took_ticket(struct tls_endpoint *endpoint, int code)
{
    (void)endpoint;
    (void)code;
    return false;
}

mbedtls_ecp_group_id tls_mbedtls_group(const mbedtls_ssl_context *ssl)
{
    return ssl->handshake == NULL ? MBEDTLS_ECP_DP_NONE : ssl->handshake->ecdh_ctx.grp.id;
}

#endif
