/* Stands in for the wolfSSL files of this room where libwolfssl-dev was absent at build time. */
#include "tls/libraries.h"

static const char reason[] = "built without wolfSSL (libwolfssl-dev)";

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

const struct tls_library tls_wolfssl = {
    .name = "wolfssl", .version = version, .unavailable = unavailable, .supports = supports};
