/* Stands in for the Mbed TLS files of this room where libmbedtls-dev was absent at build time. */
#include "crypto/libraries.h"

static const char reason[] = "built without Mbed TLS (libmbedtls-dev)";

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

const struct crypto_library crypto_mbedtls = {
    .name = "mbedtls", .version = version, .unavailable = unavailable, .supports = supports};
