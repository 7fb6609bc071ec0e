#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tls/libraries.h"
#include "tls/mbedtls_internal.h"

/* Debian's bundle of public roots (package ca-certificates). */
static const char system_roots[] = "/etc/ssl/certs/ca-certificates.crt";
enum { TICKET_LIFETIME_S = 7200 };

static const char *version(void)
{
    static char text[18]; /* the size mbedtls_version_get_string asks for is 9 */
    mbedtls_version_get_string(text);
    return text;
}

static const char *unavailable(void)
{
    return NULL;
}

static bool uses_psk(const struct tls_settings *settings)
{
    return settings->key_exchange == TLS_KX_PSK || settings->key_exchange == TLS_KX_ECDHE_PSK;
}

static const char *supports_1_3(const struct tls_settings *settings)
{
    if (settings->resumption == TLS_RESUME_SESSION_ID)
        return "TLS 1.3 resumes by ticket, not by session id (RFC 8446 section 2.2)";
    if (settings->key_exchange != TLS_KX_ECDHE)
        return "TLS 1.3 through Mbed TLS is offered with ECDHE only";
    if ((settings->group != NULL && strstr(settings->group, "brainpool") != NULL) ||
        (settings->key != NULL && strstr(settings->key, "brainpool") != NULL))
        return "Mbed TLS has no Brainpool curves in TLS 1.3";
    return NULL;
}

/* Certificates signed in a way that the library does not know, as by Ed25519, are no damage. */
static bool knows_signatures(const struct tls_bytes *pem)
{
    mbedtls_x509_crt chain;
    mbedtls_x509_crt_init(&chain);
    int code = pem->length == 0 ? 0 : mbedtls_x509_crt_parse(&chain, pem->data, pem->length);
    mbedtls_x509_crt_free(&chain);
    /* The library adds the cause, below 0x80, to the code of the module. */
    return code >= 0 || (-code & ~0x7f) != -MBEDTLS_ERR_X509_UNKNOWN_SIG_ALG;
}

static const char *supports_credentials(const struct tls_settings *settings)
{
    if (settings->key != NULL && strncmp(settings->key, "ed", 2) == 0)
        return "Mbed TLS has no Ed25519 and Ed448";
    if (settings->credentials.key.length > 0 &&
        strstr((const char *)settings->credentials.key.data, "MC4CAQAwBQYDK2VwBCIEI") != NULL)
        return "Mbed TLS has no Ed25519 and Ed448"; /* the fixed head of such a key, RFC 8410
                                                       section 7 */
    if (settings->verify_peer && !knows_signatures(&settings->ca))
        return "Mbed TLS does not know the signature of these roots";
    return NULL;
}

static const char *supports_names(const struct tls_settings *settings)
{
    if (settings->suite != NULL && !tls_mbedtls_knows_suite(settings->suite))
        return "Mbed TLS has no such suite";
    if (settings->group != NULL && strncmp(settings->group, "ffdhe", 5) != 0 &&
        !tls_mbedtls_knows_group(settings->group))
        return "Mbed TLS has no such group";
    return NULL;
}

static const char *supports(const struct tls_settings *settings)
{
    if (settings->early_data.length > 0)
        return "early data is not offered through Mbed TLS here";
    if (settings->protocol == DTLS_1_3)
        return "Mbed TLS has no DTLS 1.3";
    if (settings->raw_public_key)
        return "Mbed TLS has no raw public keys";
    if (settings->protocol == TLS_1_3 && !tls_mbedtls_has_tls_1_3())
        return "Mbed TLS 2.28 has no TLS 1.3";
    if (settings->protocol != TLS_1_3 && settings->resumption == TLS_RESUME_PSK)
        return "TLS 1.2 resumes by ticket or session id; a pre-shared key is a key exchange there";
    const char *refusal = supports_names(settings);
    if (refusal != NULL)
        return refusal;
    if (uses_psk(settings) && settings->psk.length == 0)
        return "a pre-shared key is needed";
    refusal = supports_credentials(settings);
    if (refusal != NULL)
        return refusal;
    return settings->protocol == TLS_1_3 ? supports_1_3(settings) : NULL;
}

int tls_mbedtls_random(void *context, unsigned char *bytes, size_t length)
{
    struct tls_context *own = context;
    if (own->settings.random == NULL)
        return mbedtls_ctr_drbg_random(&own->drbg, bytes, length);
    random_fill(own->settings.random, bytes, length);
    return 0;
}

static int configure_identity(struct tls_context *context, const struct tls_settings *settings)
{
    const struct tls_credentials *credentials = &settings->credentials;
    int code = 0;
    if (credentials->chain.length > 0)
        code = mbedtls_x509_crt_parse(&context->chain, credentials->chain.data,
                                      credentials->chain.length);
    if (code == 0 && credentials->key.length > 0)
        code = tls_mbedtls_parse_key(context, &credentials->key);
    if (code == 0 && credentials->key.length > 0)
        code = mbedtls_ssl_conf_own_cert(&context->config, &context->chain, &context->key);
    if (code != 0)
        return code;
    mbedtls_ssl_conf_authmode(&context->config, settings->verify_peer ? MBEDTLS_SSL_VERIFY_REQUIRED
                                                                      : MBEDTLS_SSL_VERIFY_NONE);
    if (!settings->verify_peer)
        return 0;
    code = settings->ca.length > 0
               ? mbedtls_x509_crt_parse(&context->roots, settings->ca.data, settings->ca.length)
               : mbedtls_x509_crt_parse_file(&context->roots, system_roots);
    if (code > 0)
        code = 0; /* some of the system's roots use what this library lacks: the others serve */
    if (code == 0)
        mbedtls_ssl_conf_ca_chain(&context->config, &context->roots, NULL);
    return code;
}

static int configure_sessions(struct tls_context *context, const struct tls_settings *settings)
{
    mbedtls_ssl_config *config = &context->config;
    bool ticket =
        settings->resumption == TLS_RESUME_TICKET || settings->resumption == TLS_RESUME_PSK;
    if (settings->role == TLS_CLIENT) {
        mbedtls_ssl_conf_session_tickets(config, ticket ? MBEDTLS_SSL_SESSION_TICKETS_ENABLED
                                                        : MBEDTLS_SSL_SESSION_TICKETS_DISABLED);
        if (ticket)
            tls_mbedtls_want_tickets(config);
        return 0;
    }
    if (settings->resumption == TLS_RESUME_SESSION_ID)
        mbedtls_ssl_conf_session_cache(config, &context->cache, mbedtls_ssl_cache_get,
                                       mbedtls_ssl_cache_set);
    if (!ticket)
        return 0;
    int code = mbedtls_ssl_ticket_setup(&context->tickets, tls_mbedtls_random, context,
                                        MBEDTLS_CIPHER_AES_256_GCM, TICKET_LIFETIME_S);
    if (code == 0)
        mbedtls_ssl_conf_session_tickets_cb(config, mbedtls_ssl_ticket_write,
                                            mbedtls_ssl_ticket_parse, &context->tickets);
    return code;
}

/* The groups of RFC 7919; the library's own default when none is named. */
static int configure_dh_group(mbedtls_ssl_config *config, const struct tls_settings *settings)
{
    static const unsigned char p_2048[] = MBEDTLS_DHM_RFC7919_FFDHE2048_P_BIN;
    static const unsigned char p_3072[] = MBEDTLS_DHM_RFC7919_FFDHE3072_P_BIN;
    static const unsigned char p_4096[] = MBEDTLS_DHM_RFC7919_FFDHE4096_P_BIN;
    static const unsigned char g[] = {2};
    if (settings->role == TLS_CLIENT || settings->group == NULL)
        return 0;
    if (strcmp(settings->group, "ffdhe2048") == 0)
        return mbedtls_ssl_conf_dh_param_bin(config, p_2048, sizeof p_2048, g, sizeof g);
    if (strcmp(settings->group, "ffdhe3072") == 0)
        return mbedtls_ssl_conf_dh_param_bin(config, p_3072, sizeof p_3072, g, sizeof g);
    if (strcmp(settings->group, "ffdhe4096") == 0)
        return mbedtls_ssl_conf_dh_param_bin(config, p_4096, sizeof p_4096, g, sizeof g);
    return 0;
}

static int configure_datagrams(struct tls_context *context, const struct tls_settings *settings)
{
    mbedtls_ssl_config *config = &context->config;
    if (settings->timer_initial_ms != 0 || settings->timer_maximum_ms != 0)
        mbedtls_ssl_conf_handshake_timeout(
            config, settings->timer_initial_ms == 0 ? 1000 : settings->timer_initial_ms,
            settings->timer_maximum_ms == 0 ? 60000 : settings->timer_maximum_ms);
    if (settings->role == TLS_CLIENT)
        return 0;
    if (!settings->hello_verify) {
        mbedtls_ssl_conf_dtls_cookies(config, NULL, NULL, NULL);
        return 0;
    }
    int code = mbedtls_ssl_cookie_setup(&context->cookies, tls_mbedtls_random, context);
    if (code == 0)
        mbedtls_ssl_conf_dtls_cookies(config, mbedtls_ssl_cookie_write, mbedtls_ssl_cookie_check,
                                      &context->cookies);
    return code;
}

static int configure_extensions(struct tls_context *context, const struct tls_settings *settings)
{
    mbedtls_ssl_config *config = &context->config;
    unsigned char fragment_code = 0; /* RFC 6066 section 4: 1 is 2^9, 4 is 2^12 */
    for (uint16_t bytes = settings->max_fragment_length; bytes > 256; bytes /= 2)
        fragment_code++;
    int code = 0;
    if (fragment_code != 0)
        code = mbedtls_ssl_conf_max_frag_len(config, fragment_code);
    if (code == 0 && settings->psk.length > 0) {
        const unsigned char *identity = (const unsigned char *)settings->psk_identity;
        code = mbedtls_ssl_conf_psk(config, settings->psk.data, settings->psk.length, identity,
                                    strlen(settings->psk_identity));
    }
    if (code == 0 && settings->alpn != NULL) {
        (void)snprintf(context->alpn, sizeof context->alpn, "%s", settings->alpn);
        context->alpn_list[0] = context->alpn;
        code = mbedtls_ssl_conf_alpn_protocols(config, context->alpn_list);
    }
    return code;
}

static bool configure(struct tls_context *context, const struct tls_settings *settings,
                      struct error *error)
{
    mbedtls_ssl_config *config = &context->config;
    bool datagram = tls_protocol_is_datagram(settings->protocol);
    int code =
        mbedtls_ctr_drbg_seed(&context->drbg, mbedtls_entropy_func, &context->entropy, NULL, 0);
    if (code == 0)
        code = mbedtls_ssl_config_defaults(
            config, settings->role == TLS_SERVER ? MBEDTLS_SSL_IS_SERVER : MBEDTLS_SSL_IS_CLIENT,
            datagram ? MBEDTLS_SSL_TRANSPORT_DATAGRAM : MBEDTLS_SSL_TRANSPORT_STREAM,
            MBEDTLS_SSL_PRESET_DEFAULT);
    if (code != 0)
        return tls_mbedtls_failed(error, code, "a context could not be started");
    tls_mbedtls_set_version(config, settings->protocol);
    mbedtls_ssl_conf_rng(config, tls_mbedtls_random, context);
    code = configure_identity(context, settings);
    if (code != 0)
        return tls_mbedtls_failed(error, code, "certificate, key or roots could not be loaded");
    code = configure_sessions(context, settings);
    if (code == 0 && datagram)
        code = configure_datagrams(context, settings);
    if (code == 0)
        code = configure_dh_group(config, settings);
    if (code == 0)
        code = configure_extensions(context, settings);
    if (code != 0)
        return tls_mbedtls_failed(error, code, "a context could not be configured");
    return tls_mbedtls_configure_suites(context, settings, error) &&
           tls_mbedtls_configure_groups(context, settings, error);
}

static void context_close(struct tls_context *context)
{
    if (context == NULL)
        return;
    mbedtls_ssl_session_free(&context->session);
    mbedtls_ssl_cookie_free(&context->cookies);
    mbedtls_ssl_ticket_free(&context->tickets);
    mbedtls_ssl_cache_free(&context->cache);
    mbedtls_ssl_config_free(&context->config);
    mbedtls_pk_free(&context->key);
    mbedtls_x509_crt_free(&context->roots);
    mbedtls_x509_crt_free(&context->chain);
    mbedtls_ctr_drbg_free(&context->drbg);
    mbedtls_entropy_free(&context->entropy);
    free(context);
}

static struct tls_context *context_new(const struct tls_settings *settings)
{
    struct tls_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return NULL;
    context->settings = *settings;
    if (settings->clock == NULL)
        context->settings.clock = clock_real();
    if (settings->server_name != NULL)
        (void)snprintf(context->server_name, sizeof context->server_name, "%s",
                       settings->server_name);
    mbedtls_ssl_config_init(&context->config);
    mbedtls_entropy_init(&context->entropy);
    mbedtls_ctr_drbg_init(&context->drbg);
    mbedtls_x509_crt_init(&context->chain);
    mbedtls_x509_crt_init(&context->roots);
    mbedtls_pk_init(&context->key);
    mbedtls_ssl_cache_init(&context->cache);
    mbedtls_ssl_ticket_init(&context->tickets);
    mbedtls_ssl_cookie_init(&context->cookies);
    mbedtls_ssl_session_init(&context->session);
    return context;
}

static struct tls_context *context_open(const struct tls_settings *settings, struct error *error)
{
    const char *refusal = supports(settings);
    if (refusal != NULL) {
        (void)error_set(error, ERROR_UNAVAILABLE, "%s", refusal);
        return NULL;
    }
    if (!tls_mbedtls_start(error))
        return NULL;
    struct tls_context *context = context_new(settings);
    if (context == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for a TLS context");
        return NULL;
    }
    if (configure(context, settings, error))
        return context;
    context_close(context);
    return NULL;
}

static void forget_session(struct tls_context *context)
{
    mbedtls_ssl_session_free(&context->session);
    mbedtls_ssl_session_init(&context->session);
    context->has_session = false;
}

const struct tls_library tls_mbedtls = {
    .name = "mbedtls",
    .version = version,
    .unavailable = unavailable,
    .supports = supports,
    .trace_unavailable = tls_mbedtls_trace_unavailable,
    .context_open = context_open,
    .context_close = context_close,
    .open = tls_mbedtls_open,
    .handshake = tls_mbedtls_handshake,
    .read = tls_mbedtls_read,
    .write = tls_mbedtls_write,
    .shutdown = tls_mbedtls_shutdown,
    .deadline_ns = tls_mbedtls_deadline_ns,
    .on_deadline = tls_mbedtls_on_deadline,
    .negotiated = tls_mbedtls_negotiated,
    .keep_session = tls_mbedtls_keep_session,
    .forget_session = forget_session,
    .close = tls_mbedtls_close,
};
