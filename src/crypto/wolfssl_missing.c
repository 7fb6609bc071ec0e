/* Stands in for the wolfSSL files of this room where libwolfssl-dev was absent at build time. */
#include "crypto/libraries.h"

static const char reason[] = "built without wolfSSL (libwolfssl-dev)";

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

const struct crypto_library crypto_wolfssl = {
    .name = "wolfssl", .version = version, .unavailable = unavailable, .supports = supports};
