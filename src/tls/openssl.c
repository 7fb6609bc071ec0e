#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tls/libraries.h"
#include "tls/openssl_internal.h"
#include "tls/openssl_trace.h"

static const char *version(void)
{
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}

static const char *unavailable(void)
{
    return NULL;
}

static const char *trace_unavailable(void)
{
    return tls_openssl_trace_calls();
}

static bool uses_psk(const struct tls_settings *settings)
{
    return settings->key_exchange == TLS_KX_PSK || settings->key_exchange == TLS_KX_ECDHE_PSK;
}

static const char *supports_psk(const struct tls_settings *settings)
{
    if (settings->protocol == TLS_1_3 && settings->suite != NULL &&
        strstr(settings->suite, "SHA384") != NULL)
        return "a pre-shared key is given to OpenSSL for suites with SHA-256";
    if (settings->psk.length == 0)
        return "a pre-shared key is needed";
    if (settings->psk.length > TLS_OPENSSL_PSK_BYTES)
        return "a pre-shared key has at most 64 bytes";
    return NULL;
}

static const char no_brainpool_1_3[] =
    "this build of OpenSSL has no Brainpool signatures in TLS 1.3 (RFC 8734)";

static bool has_brainpool_1_3(void)
{
    return OpenSSL_version_num() >= 0x30200000;
}

static const char *supports_key(const struct tls_settings *settings)
{
    const char *key = settings->key == NULL ? "" : settings->key;
    if (settings->protocol == TLS_1_3 && strstr(key, "brainpool") != NULL && !has_brainpool_1_3())
        return no_brainpool_1_3;
    if (settings->protocol == DTLS_1_2 && strncmp(key, "ed", 2) == 0)
        return "OpenSSL takes Ed25519 and Ed448 in TLS only, not in DTLS";
    return NULL;
}

static const char *supports_names(const struct tls_settings *settings)
{
    if (settings->suite != NULL && !tls_openssl_knows_suite(settings->suite))
        return "this build of OpenSSL has no such suite";
    if (settings->group == NULL || tls_openssl_knows_group(settings->group, settings->protocol))
        return NULL;
    return settings->protocol == TLS_1_3 && strncmp(settings->group, "brainpool", 9) == 0
               ? "this build of OpenSSL has no Brainpool groups in TLS 1.3"
               : "this build of OpenSSL has no such group";
}

static const char *supports_early_data(const struct tls_settings *settings)
{
    if (settings->early_data.length > TLS_OPENSSL_EARLY_BYTES)
        return "early data has at most 16384 bytes here";
    if (settings->early_data.length > 0 &&
        (settings->protocol != TLS_1_3 || settings->resumption != TLS_RESUME_TICKET))
        return "early data needs TLS 1.3 resumed by ticket";
    return NULL;
}

static const char *supports(const struct tls_settings *settings)
{
    if (settings->protocol == DTLS_1_3)
        return "OpenSSL has no DTLS 1.3";
    if (settings->raw_public_key)
        return "raw public keys are not offered through OpenSSL here";
    if (settings->protocol == TLS_1_3 && settings->resumption == TLS_RESUME_SESSION_ID)
        return "TLS 1.3 resumes by ticket, not by session id (RFC 8446 section 2.2)";
    if (settings->protocol != TLS_1_3 && settings->resumption == TLS_RESUME_PSK)
        return "TLS 1.2 resumes by ticket or session id; a pre-shared key is a key exchange there";
    if (settings->protocol == TLS_1_3 &&
        (settings->key_exchange == TLS_KX_RSA || settings->key_exchange == TLS_KX_DHE))
        return "TLS 1.3 has no such key exchange";
    const char *refusal = supports_names(settings);
    if (refusal == NULL)
        refusal = supports_key(settings);
    if (refusal == NULL)
        refusal = supports_early_data(settings);
    if (refusal != NULL)
        return refusal;
    return uses_psk(settings) ? supports_psk(settings) : NULL;
}

static unsigned psk_client(SSL *ssl, const char *hint, char *identity, unsigned identity_size,
                           unsigned char *psk, unsigned psk_size)
{
    (void)hint;
    const struct tls_endpoint *endpoint = SSL_get_app_data(ssl);
    const struct tls_context *context = endpoint->context;
    if (context->psk_length > psk_size)
        return 0;
    (void)snprintf(identity, identity_size, "%s", context->psk_identity);
    memcpy(psk, context->psk, context->psk_length);
    return (unsigned)context->psk_length;
}

static unsigned psk_server(SSL *ssl, const char *identity, unsigned char *psk, unsigned psk_size)
{
    const struct tls_endpoint *endpoint = SSL_get_app_data(ssl);
    const struct tls_context *context = endpoint->context;
    if (context->psk_length > psk_size || strcmp(identity, context->psk_identity) != 0)
        return 0;
    memcpy(psk, context->psk, context->psk_length);
    return (unsigned)context->psk_length;
}

static int make_cookie(SSL *ssl, unsigned char *cookie, unsigned *length)
{
    const struct tls_endpoint *endpoint = SSL_get_app_data(ssl);
    memcpy(cookie, endpoint->cookie, TLS_COOKIE_BYTES);
    *length = TLS_COOKIE_BYTES;
    return 1;
}

static int check_cookie(SSL *ssl, const unsigned char *cookie, unsigned length)
{
    const struct tls_endpoint *endpoint = SSL_get_app_data(ssl);
    return length == TLS_COOKIE_BYTES && CRYPTO_memcmp(cookie, endpoint->cookie, length) == 0;
}

static int select_alpn(SSL *ssl, const unsigned char **selected, unsigned char *selected_length,
                       const unsigned char *offered, unsigned offered_length, void *own)
{
    (void)ssl;
    const unsigned char *list = own;
    unsigned char *out = NULL;
    int found =
        SSL_select_next_proto(&out, selected_length, list, 1u + list[0], offered, offered_length);
    *selected = out;
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/* The next certificate of a PEM text, whose keys are to be used in that library context. */
static X509 *read_certificate(BIO *bio, OSSL_LIB_CTX *library)
{
    X509 *certificate = X509_new_ex(library, NULL);
    if (certificate != NULL && PEM_read_bio_X509(bio, &certificate, NULL, NULL) != NULL)
        return certificate;
    X509_free(certificate);
    return NULL;
}

static bool load_chain(SSL_CTX *ssl_ctx, const struct tls_bytes *pem, OSSL_LIB_CTX *library)
{
    BIO *bio = BIO_new_mem_buf(pem->data, (int)strlen((const char *)pem->data));
    X509 *leaf = read_certificate(bio, library);
    bool loaded = leaf != NULL && SSL_CTX_use_certificate(ssl_ctx, leaf) == 1;
    X509_free(leaf);
    X509 *next;
    while (loaded && (next = read_certificate(bio, library)) != NULL) {
        loaded = SSL_CTX_add0_chain_cert(ssl_ctx, next) == 1;
        if (!loaded)
            X509_free(next);
    }
    BIO_free(bio);
    if (loaded)
        ERR_clear_error(); /* the end of the PEM text counts as an error there */
    return loaded;
}

static bool load_key(SSL_CTX *ssl_ctx, const struct tls_bytes *pem, OSSL_LIB_CTX *library)
{
    BIO *bio = BIO_new_mem_buf(pem->data, (int)strlen((const char *)pem->data));
    EVP_PKEY *key = PEM_read_bio_PrivateKey_ex(bio, NULL, NULL, NULL, library, NULL);
    bool loaded = key != NULL && SSL_CTX_use_PrivateKey(ssl_ctx, key) == 1 &&
                  SSL_CTX_check_private_key(ssl_ctx) == 1;
    EVP_PKEY_free(key);
    BIO_free(bio);
    return loaded;
}

static bool load_roots(SSL_CTX *ssl_ctx, const struct tls_settings *settings, OSSL_LIB_CTX *library)
{
    const struct tls_bytes *pem = &settings->ca;
    if (pem->length == 0)
        return settings->role == TLS_SERVER || SSL_CTX_set_default_verify_paths(ssl_ctx) == 1;
    BIO *bio = BIO_new_mem_buf(pem->data, (int)strlen((const char *)pem->data));
    X509_STORE *store = SSL_CTX_get_cert_store(ssl_ctx);
    X509 *root;
    unsigned loaded = 0;
    while ((root = read_certificate(bio, library)) != NULL) {
        loaded += X509_STORE_add_cert(store, root) == 1;
        if (settings->role == TLS_SERVER)
            loaded += SSL_CTX_add_client_CA(ssl_ctx, root) == 1;
        X509_free(root);
    }
    BIO_free(bio);
    ERR_clear_error();
    return loaded > 0;
}

static bool is_brainpool(const EVP_PKEY *key)
{
    char group[64] = "";
    return key != NULL && EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1 &&
           strncmp(group, "brainpool", 9) == 0;
}

static bool configure_identity(SSL_CTX *ssl_ctx, const struct tls_settings *settings,
                               OSSL_LIB_CTX *library, struct error *error)
{
    const struct tls_credentials *credentials = &settings->credentials;
    if (credentials->chain.length > 0 && !load_chain(ssl_ctx, &credentials->chain, library))
        return tls_openssl_failed(error, "the certificate chain could not be loaded");
    if (credentials->key.length > 0 && !load_key(ssl_ctx, &credentials->key, library))
        return tls_openssl_failed(error, "the key could not be loaded or does not fit");
    if (settings->protocol == TLS_1_3 && is_brainpool(SSL_CTX_get0_privatekey(ssl_ctx)) &&
        !has_brainpool_1_3())
        return error_set(error, ERROR_UNAVAILABLE, "%s", no_brainpool_1_3);
    if (!settings->verify_peer) {
        SSL_CTX_set_verify(ssl_ctx, SSL_VERIFY_NONE, NULL);
        return true;
    }
    if (!load_roots(ssl_ctx, settings, library))
        return tls_openssl_failed(error, "no trusted root could be loaded");
    SSL_CTX_set_verify(ssl_ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    return true;
}

static bool configure_sessions(SSL_CTX *ssl_ctx, const struct tls_settings *settings)
{
    static const unsigned char session_context[] = "tlsmeter";
    bool ticket =
        settings->resumption == TLS_RESUME_TICKET || settings->resumption == TLS_RESUME_PSK;
    bool server = settings->role == TLS_SERVER;
    if (!ticket)
        (void)SSL_CTX_set_options(ssl_ctx, SSL_OP_NO_TICKET);
    if (settings->resumption == TLS_RESUME_SESSION_ID && server)
        SSL_CTX_set_session_cache_mode(ssl_ctx, SSL_SESS_CACHE_SERVER);
    else
        SSL_CTX_set_session_cache_mode(ssl_ctx, SSL_SESS_CACHE_OFF);
    /* One ticket is what one resumption needs; the default of two costs the server a second MAC. */
    return SSL_CTX_set_num_tickets(ssl_ctx, ticket ? 1 : 0) == 1 &&
           /* A client's would be compared with that of a pre-shared key, which has none. */
           (!server ||
            SSL_CTX_set_session_id_context(ssl_ctx, session_context, sizeof session_context) == 1);
}

/* The protocol list of RFC 7301 section 3.1: each name after its length. */
static bool configure_alpn(struct tls_context *context, const char *name)
{
    size_t length = name == NULL ? 0 : strlen(name);
    if (length == 0)
        return true;
    if (length >= sizeof context->alpn)
        return false;
    context->alpn[0] = (unsigned char)length;
    memcpy(context->alpn + 1, name, length);
    if (context->settings.role == TLS_CLIENT)
        return SSL_CTX_set_alpn_protos(context->ssl_ctx, context->alpn, (unsigned)length + 1) == 0;
    SSL_CTX_set_alpn_select_cb(context->ssl_ctx, select_alpn, context->alpn);
    return true;
}

static void configure_callbacks(SSL_CTX *ssl_ctx, const struct tls_settings *settings)
{
    if (settings->psk.length > 0 && settings->role == TLS_CLIENT)
        SSL_CTX_set_psk_client_callback(ssl_ctx, psk_client);
    if (settings->psk.length > 0 && settings->role == TLS_SERVER)
        SSL_CTX_set_psk_server_callback(ssl_ctx, psk_server);
    if (!settings->hello_verify || settings->role == TLS_CLIENT)
        return;
    (void)SSL_CTX_set_options(ssl_ctx, SSL_OP_COOKIE_EXCHANGE);
    SSL_CTX_set_cookie_generate_cb(ssl_ctx, make_cookie);
    SSL_CTX_set_cookie_verify_cb(ssl_ctx, check_cookie);
}

static bool set_fragment_length(SSL_CTX *ssl_ctx, const struct tls_settings *settings)
{
    uint8_t code = 0; /* RFC 6066 section 4: 1 is 2^9, 4 is 2^12 */
    for (uint16_t bytes = settings->max_fragment_length; bytes > 256; bytes /= 2)
        code++;
    if (code == 0 || settings->role == TLS_SERVER)
        return true;
    return SSL_CTX_set_tlsext_max_fragment_length(ssl_ctx, code) == 1;
}

static bool configure(struct tls_context *context, const struct tls_settings *settings,
                      struct error *error)
{
    static const int versions[] = {
        [TLS_1_2] = TLS1_2_VERSION, [TLS_1_3] = TLS1_3_VERSION, [DTLS_1_2] = DTLS1_2_VERSION};
    SSL_CTX *ssl_ctx = context->ssl_ctx;
    int protocol = versions[settings->protocol];
    /* Without NO_AUTO_CHAIN a side that verifies its peer also sends the root it trusts. */
    (void)SSL_CTX_set_mode(ssl_ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_NO_AUTO_CHAIN |
                                        SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    configure_callbacks(ssl_ctx, settings);
    if (SSL_CTX_set_min_proto_version(ssl_ctx, protocol) != 1 ||
        SSL_CTX_set_max_proto_version(ssl_ctx, protocol) != 1 ||
        !configure_sessions(ssl_ctx, settings) || !configure_alpn(context, settings->alpn) ||
        !set_fragment_length(ssl_ctx, settings))
        return tls_openssl_failed(error, "a context could not be configured");
    return tls_openssl_configure_suites(ssl_ctx, settings, error) &&
           tls_openssl_configure_groups(ssl_ctx, settings, context->library, error) &&
           configure_identity(ssl_ctx, settings, context->library, error) &&
           (settings->random == NULL || tls_openssl_inject_random(error));
}

static void context_close(struct tls_context *context)
{
    if (context == NULL)
        return;
    SSL_SESSION_free(context->session);
    SSL_CTX_free(context->ssl_ctx);
    OPENSSL_cleanse(context->psk, sizeof context->psk);
    free(context->early_data);
    free(context);
}

/* A ticket is taken more than once: a measurement resumes one session again and again. */
static bool configure_early_data(struct tls_context *context, const struct tls_settings *settings,
                                 struct error *error)
{
    context->early_length = settings->early_data.length;
    if (context->early_length == 0)
        return true;
    if (settings->role == TLS_SERVER) {
        (void)SSL_CTX_set_options(context->ssl_ctx, SSL_OP_NO_ANTI_REPLAY);
        return SSL_CTX_set_max_early_data(context->ssl_ctx, TLS_OPENSSL_EARLY_BYTES) == 1 ||
               tls_openssl_failed(error, "early data could not be allowed");
    }
    context->early_data = malloc(context->early_length);
    if (context->early_data == NULL)
        return error_set(error, ERROR_MEMORY, "no memory for early data");
    memcpy(context->early_data, settings->early_data.data, context->early_length);
    return true;
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
    context->psk_length = settings->psk.length;
    if (settings->psk.length > 0)
        memcpy(context->psk, settings->psk.data, settings->psk.length);
    if (context->settings.clock == NULL)
        context->settings.clock = clock_real();
}

static bool make_ssl_ctx(struct tls_context *context, const struct tls_settings *settings,
                         struct error *error)
{
    context->library = settings->trace ? tls_openssl_trace_library() : NULL;
    if (settings->trace && context->library == NULL)
        return tls_openssl_failed(error, "the provider that traces could not be loaded");
    bool datagram = tls_protocol_is_datagram(settings->protocol);
    context->ssl_ctx =
        SSL_CTX_new_ex(context->library, NULL, datagram ? DTLS_method() : TLS_method());
    return context->ssl_ctx != NULL || tls_openssl_failed(error, "no SSL_CTX could be made");
}

static struct tls_context *context_open(const struct tls_settings *settings, struct error *error)
{
    const char *refusal = supports(settings);
    if (refusal != NULL) {
        (void)error_set(error, ERROR_UNAVAILABLE, "%s", refusal);
        return NULL;
    }
    struct tls_context *context = calloc(1, sizeof *context);
    if (context == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for a TLS context");
        return NULL;
    }
    keep_settings(context, settings);
    if (make_ssl_ctx(context, settings, error) && configure(context, settings, error) &&
        configure_early_data(context, settings, error))
        return context;
    context_close(context);
    return NULL;
}

static void forget_session(struct tls_context *context)
{
    SSL_SESSION_free(context->session);
    context->session = NULL;
}

const struct tls_library tls_openssl = {
    .name = "openssl",
    .version = version,
    .unavailable = unavailable,
    .supports = supports,
    .trace_unavailable = trace_unavailable,
    .context_open = context_open,
    .context_close = context_close,
    .open = tls_openssl_open,
    .handshake = tls_openssl_handshake,
    .read = tls_openssl_read,
    .write = tls_openssl_write,
    .shutdown = tls_openssl_shutdown,
    .deadline_ns = tls_openssl_deadline_ns,
    .on_deadline = tls_openssl_on_deadline,
    .negotiated = tls_openssl_negotiated,
    .keep_session = tls_openssl_keep_session,
    .forget_session = forget_session,
    .close = tls_openssl_close,
};
