/* Stands in for the OpenSSL files of this room where libssl-dev was absent at build time. */
#include "tls/libraries.h"
#include "tls/openssl_pki.h"

static const char reason[] = "built without OpenSSL (libssl-dev)";

static const char *version(void)
{
    return "";
}

static const char *unavailable(void)
{
    return reason;
}

static const char *supports(const struct tls_settings *settings)
{
    (void)settings;
    return reason;
}

const struct tls_library tls_openssl = {
    .name = "openssl", .version = version, .unavailable = unavailable, .supports = supports};

bool openssl_pki_generate(const struct pki_request *request, enum pki_flaw flaw,
                          struct arena *arena, struct pki_pieces *pieces, struct error *error)
{
    (void)request;
    (void)flaw;
    (void)arena;
    (void)pieces;
    return error_set(error, ERROR_UNAVAILABLE, "no test certificates: %s", reason);
}

bool openssl_pki_check_pair(const char *chain, const char *key, struct error *error)
{
    (void)chain;
    (void)key;
    return error_set(error, ERROR_UNAVAILABLE, "key and certificate cannot be checked: %s", reason);
}
