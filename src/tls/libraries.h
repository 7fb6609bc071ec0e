/* The symbols that the libraries' files export; only tls/libraries.c needs them. */
#ifndef TLSMETER_TLS_LIBRARIES_H
#define TLSMETER_TLS_LIBRARIES_H

#include "tls/endpoint.h"

extern const struct tls_library tls_openssl;
extern const struct tls_library tls_mbedtls;
extern const struct tls_library tls_wolfssl;

#endif
