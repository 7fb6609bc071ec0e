/* Stands in for the OpenSSL files of this room where libssl-dev was absent at build time. */
#include "crypto/libraries.h"

static const char reason[] = "built without OpenSSL (libssl-dev)";

static const char *version(void)
{
    return "";
}

static const char *unavailable(void)
{
    return reason;
}

static const char *supports(const struct crypto_request *request)
{
    (void)request;
    return reason;
}

const struct crypto_library crypto_openssl = {
    .name = "openssl", .version = version, .unavailable = unavailable, .supports = supports};
