#include "tls/wolfssl_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wolfssl/wolfcrypt/dh.h>

#include "core/attributes.h"
#include "tls/libraries.h"

/* Debian's folder of public roots (package ca-certificates). */
static const char system_roots[] = "/etc/ssl/certs/ca-certificates.crt";

static const char *version(void)
{
    return wolfSSL_lib_version();
}

static const char *unavailable(void)
{
    return NULL;
}

static const char *supports_1_3(const struct tls_settings *settings)
{
    if (settings->resumption == TLS_RESUME_SESSION_ID)
        return "TLS 1.3 resumes by ticket, not by session id (RFC 8446 section 2.2)";
    if (settings->key_exchange == TLS_KX_RSA || settings->key_exchange == TLS_KX_DHE)
        return "TLS 1.3 has no such key exchange";
    if (settings->key_exchange == TLS_KX_ECDHE_PSK && settings->suite != NULL &&
        strcmp(settings->suite, "TLS_AES_128_GCM_SHA256") != 0)
        return "a pre-shared key is given to wolfSSL for TLS_AES_128_GCM_SHA256 only";
    if (settings->group != NULL && strncmp(settings->group, "brainpool", 9) == 0)
        return "wolfSSL has no Brainpool groups in TLS 1.3";
    return NULL;
}

static const char *supports_datagrams(const struct tls_settings *settings)
{
    if (settings->mtu_bytes != 0)
        return "this build of wolfSSL has no setting for the MTU";
    if (settings->role == TLS_SERVER && !settings->hello_verify)
        return "wolfSSL's DTLS server always asks for a cookie (HelloVerifyRequest)";
    if (settings->timer_initial_ms % 1000 != 0 || settings->timer_maximum_ms % 1000 != 0)
        return "wolfSSL's DTLS timers are whole seconds";
    return NULL;
}

static const char *supports_psk(const struct tls_settings *settings)
{
    bool uses_psk =
        settings->key_exchange == TLS_KX_PSK || settings->key_exchange == TLS_KX_ECDHE_PSK;
    if (uses_psk && settings->psk.length == 0)
        return "a pre-shared key is needed";
    if (settings->psk.length > TLS_WOLFSSL_PSK_BYTES)
        return "a pre-shared key has at most 64 bytes";
    return NULL;
}

static const char *supports(const struct tls_settings *settings)
{
    char name[TLS_WOLFSSL_NAME_BYTES];
    const char *refusal = supports_psk(settings);
    if (refusal != NULL)
        return refusal;
    if (settings->early_data.length > 0)
        return "early data is not offered through wolfSSL here";
    if (settings->protocol == DTLS_1_3)
        return "this build of wolfSSL has no DTLS 1.3";
    if (settings->raw_public_key)
        return "raw public keys are not offered through wolfSSL here";
    if (settings->protocol != TLS_1_3 && settings->resumption == TLS_RESUME_PSK)
        return "TLS 1.2 resumes by ticket or session id; a pre-shared key is a key exchange there";
    if (settings->suite != NULL && tls_wolfssl_suite(settings->suite, name) == NULL)
        return "this build of wolfSSL has no such suite";
    if (settings->group != NULL && tls_wolfssl_group(settings->group) == 0)
        return "this build of wolfSSL has no such group";
    if (settings->protocol == TLS_1_3)
        return supports_1_3(settings);
    return tls_protocol_is_datagram(settings->protocol) ? supports_datagrams(settings) : NULL;
}

static unsigned psk_client(WOLFSSL *ssl, const char *hint, char *identity, unsigned identity_size,
                           unsigned char *psk, unsigned psk_size)
{
    (void)hint;
    const struct tls_endpoint *endpoint = wolfSSL_get_psk_callback_ctx(ssl);
    const struct tls_context *context = endpoint->context;
    if (context->psk_length > psk_size)
        return 0;
    (void)snprintf(identity, identity_size, "%s", context->psk_identity);
    memcpy(psk, context->psk, context->psk_length);
    return (unsigned)context->psk_length;
}

static unsigned psk_server(WOLFSSL *ssl, const char *identity, unsigned char *psk,
                           unsigned psk_size)
{
    const struct tls_endpoint *endpoint = wolfSSL_get_psk_callback_ctx(ssl);
    const struct tls_context *context = endpoint->context;
    if (context->psk_length > psk_size || strcmp(identity, context->psk_identity) != 0)
        return 0;
    memcpy(psk, context->psk, context->psk_length);
    return (unsigned)context->psk_length;
}

/* One peer per endpoint: the caller's transport already tells peers apart, so a constant will do.
 */
static int make_cookie(WOLFSSL *ssl, unsigned char *cookie, int size, void *context)
{
    (void)ssl;
    const struct tls_endpoint *endpoint = context;
    int length = size < TLS_COOKIE_BYTES ? size : TLS_COOKIE_BYTES;
    memcpy(cookie, endpoint->cookie, (size_t)length);
    return length;
}

static WOLFSSL_METHOD *method_of(const struct tls_settings *settings)
{
    bool server = settings->role == TLS_SERVER;
    switch (settings->protocol) {
    case TLS_1_3:
        return server ? wolfTLSv1_3_server_method() : wolfTLSv1_3_client_method();
    case DTLS_1_2:
        return server ? wolfDTLSv1_2_server_method() : wolfDTLSv1_2_client_method();
    default:
        return server ? wolfTLSv1_2_server_method() : wolfTLSv1_2_client_method();
    }
}

static int load_identity(WOLFSSL_CTX *ctx, const struct tls_settings *settings)
{
    const struct tls_credentials *credentials = &settings->credentials;
    int code = WOLFSSL_SUCCESS;
    if (credentials->chain.length > 0)
        code = wolfSSL_CTX_use_certificate_chain_buffer(ctx, credentials->chain.data,
                                                        (long)credentials->chain.length - 1);
    if (code == WOLFSSL_SUCCESS && credentials->key.length > 0)
        code = wolfSSL_CTX_use_PrivateKey_buffer(
            ctx, credentials->key.data, (long)credentials->key.length - 1, WOLFSSL_FILETYPE_PEM);
    if (code != WOLFSSL_SUCCESS || !settings->verify_peer)
        return code;
    if (settings->ca.length > 0)
        return wolfSSL_CTX_load_verify_buffer(ctx, settings->ca.data, (long)settings->ca.length - 1,
                                              WOLFSSL_FILETYPE_PEM);
    return wolfSSL_CTX_load_verify_locations(ctx, system_roots, NULL);
}

static void configure_sessions(WOLFSSL_CTX *ctx, const struct tls_settings *settings)
{
    bool ticket =
        settings->resumption == TLS_RESUME_TICKET || settings->resumption == TLS_RESUME_PSK;
    if (settings->role == TLS_CLIENT && ticket)
        (void)wolfSSL_CTX_UseSessionTicket(ctx);
    if (settings->role == TLS_SERVER && !ticket) {
        (void)wolfSSL_CTX_NoTicketTLSv12(ctx);
        (void)wolfSSL_CTX_no_ticket_TLSv13(ctx);
    }
    /* The session cache is the process's, shared by all contexts: off unless it is asked for. */
    if (settings->resumption != TLS_RESUME_SESSION_ID)
        (void)wolfSSL_CTX_set_session_cache_mode(ctx, WOLFSSL_SESS_CACHE_OFF);
}

static int configure_groups(struct tls_context *context, const struct tls_settings *settings)
{
    static const int certificate_curves[] = {
        WOLFSSL_ECC_SECP256R1,       WOLFSSL_ECC_SECP384R1,       WOLFSSL_ECC_SECP521R1,
        WOLFSSL_ECC_BRAINPOOLP256R1, WOLFSSL_ECC_BRAINPOOLP384R1, WOLFSSL_ECC_BRAINPOOLP512R1};
    if (settings->group == NULL)
        return WOLFSSL_SUCCESS;
    if (strncmp(settings->group, "ffdhe", 5) == 0)
        return wolfSSL_CTX_UseSupportedCurve(context->ctx,
                                             (unsigned short)tls_wolfssl_group(settings->group));
    context->group = tls_wolfssl_group(settings->group);
    if (settings->protocol == TLS_1_3)
        return wolfSSL_CTX_set_groups(context->ctx, &context->group, 1);
    /* A server prefers the curve of its temporary key's size, whatever the client's order. */
    if (settings->role == TLS_SERVER)
        return wolfSSL_CTX_SetTmpEC_DHE_Sz(context->ctx, tls_wolfssl_group_bytes(settings->group));
    int code = wolfSSL_CTX_UseSupportedCurve(context->ctx, (unsigned short)context->group);
    /* Up to TLS 1.2 the list also restricts certificates' curves (RFC 8422 section 4). */
    for (size_t i = 0; code == WOLFSSL_SUCCESS && i < COUNT_OF(certificate_curves); i++)
        if (certificate_curves[i] != context->group)
            code =
                wolfSSL_CTX_UseSupportedCurve(context->ctx, (unsigned short)certificate_curves[i]);
    return code;
}

/* The groups of RFC 7919; 2048 bits unless 3072 are asked for. */
static int set_dh_group(WOLFSSL_CTX *ctx, const char *group)
{
    bool large = group != NULL && strcmp(group, "ffdhe3072") == 0;
    const DhParams *parameters = large ? wc_Dh_ffdhe3072_Get() : wc_Dh_ffdhe2048_Get();
    return wolfSSL_CTX_SetTmpDH(ctx, parameters->p, (int)parameters->p_len, parameters->g,
                                (int)parameters->g_len);
}

static void configure_callbacks(struct tls_context *context, const struct tls_settings *settings)
{
    WOLFSSL_CTX *ctx = context->ctx;
    wolfSSL_CTX_SetIOSend(ctx, tls_wolfssl_send);
    wolfSSL_CTX_SetIORecv(ctx, tls_wolfssl_receive);
    wolfSSL_CTX_set_verify(ctx,
                           settings->verify_peer
                               ? WOLFSSL_VERIFY_PEER | WOLFSSL_VERIFY_FAIL_IF_NO_PEER_CERT
                               : WOLFSSL_VERIFY_NONE,
                           NULL);
    if (settings->role == TLS_SERVER && tls_protocol_is_datagram(settings->protocol))
        wolfSSL_CTX_SetGenCookie(ctx, make_cookie);
    if (settings->psk.length == 0)
        return;
    if (settings->role == TLS_CLIENT)
        wolfSSL_CTX_set_psk_client_callback(ctx, psk_client);
    else
        wolfSSL_CTX_set_psk_server_callback(ctx, psk_server);
}

static bool configure(struct tls_context *context, const struct tls_settings *settings,
                      struct error *error)
{
    WOLFSSL_CTX *ctx = context->ctx;
    configure_callbacks(context, settings);
    if (settings->random != NULL && !tls_wolfssl_inject_random(ctx, error))
        return false;
    int code = load_identity(ctx, settings);
    if (code != WOLFSSL_SUCCESS)
        return tls_wolfssl_failed(error, code, "certificate, key or roots could not be loaded");
    configure_sessions(ctx, settings);
    unsigned char fragment_code = 0; /* RFC 6066 section 4: 1 is 2^9, 4 is 2^12 */
    for (uint16_t bytes = settings->max_fragment_length; bytes > 256; bytes /= 2)
        fragment_code++;
    if (fragment_code != 0 && settings->role == TLS_CLIENT)
        code = wolfSSL_CTX_UseMaxFragment(ctx, fragment_code);
    if (code == WOLFSSL_SUCCESS)
        code = configure_groups(context, settings);
    if (code == WOLFSSL_SUCCESS && settings->role == TLS_SERVER &&
        settings->key_exchange == TLS_KX_DHE)
        code = set_dh_group(ctx, settings->group);
    if (code != WOLFSSL_SUCCESS)
        return tls_wolfssl_failed(error, code, "a context could not be configured");
    return tls_wolfssl_configure_suites(ctx, settings, error);
}

static void context_close(struct tls_context *context)
{
    if (context == NULL)
        return;
    wolfSSL_SESSION_free(context->session);
    wolfSSL_CTX_free(context->ctx);
    explicit_bzero(context->psk, sizeof context->psk);
    free(context);
}

static void keep_settings(struct tls_context *context, const struct tls_settings *settings)
{
    context->settings = *settings;
    if (settings->server_name != NULL)
        (void)snprintf(context->server_name, sizeof context->server_name, "%s",
                       settings->server_name);
    if (settings->psk_identity != NULL)
        (void)snprintf(context->psk_identity, sizeof context->psk_identity, "%s",
                       settings->psk_identity);
    if (settings->alpn != NULL)
        (void)snprintf(context->alpn, sizeof context->alpn, "%s", settings->alpn);
    context->psk_length = settings->psk.length;
    if (settings->psk.length > 0)
        memcpy(context->psk, settings->psk.data, settings->psk.length);
    if (context->settings.clock == NULL)
        context->settings.clock = clock_real();
}

static struct tls_context *context_open(const struct tls_settings *settings, struct error *error)
{
    const char *refusal = supports(settings);
    if (refusal != NULL) {
        (void)error_set(error, ERROR_UNAVAILABLE, "%s", refusal);
        return NULL;
    }
    if (wolfSSL_Init() != WOLFSSL_SUCCESS) {
        (void)error_set(error, ERROR_LIBRARY, "wolfSSL could not be started");
        return NULL;
    }
    struct tls_context *context = calloc(1, sizeof *context);
    if (context == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for a TLS context");
        return NULL;
    }
    keep_settings(context, settings);
    tls_wolfssl_enter(context);
    context->ctx = wolfSSL_CTX_new(method_of(settings));
    bool ready = context->ctx != NULL
                     ? configure(context, settings, error)
                     : error_set(error, ERROR_MEMORY, "no WOLFSSL_CTX could be made");
    tls_wolfssl_leave();
    if (ready)
        return context;
    context_close(context);
    return NULL;
}

static void forget_session(struct tls_context *context)
{
    wolfSSL_SESSION_free(context->session);
    context->session = NULL;
}

const struct tls_library tls_wolfssl = {
    .name = "wolfssl",
    .version = version,
    .unavailable = unavailable,
    .supports = supports,
    .trace_unavailable = tls_wolfssl_trace_unavailable,
    .context_open = context_open,
    .context_close = context_close,
    .open = tls_wolfssl_open,
    .handshake = tls_wolfssl_handshake,
    .read = tls_wolfssl_read,
    .write = tls_wolfssl_write,
    .shutdown = tls_wolfssl_shutdown,
    .deadline_ns = tls_wolfssl_deadline_ns,
    .on_deadline = tls_wolfssl_on_deadline,
    .negotiated = tls_wolfssl_negotiated,
    .keep_session = tls_wolfssl_keep_session,
    .forget_session = forget_session,
    .close = tls_wolfssl_close,
};
