/* The symbols that the libraries' files export; only crypto/libraries.c needs them. */
#ifndef TLSMETER_CRYPTO_LIBRARIES_H
#define TLSMETER_CRYPTO_LIBRARIES_H

#include "crypto/crypto.h"

extern const struct crypto_library crypto_null;
extern const struct crypto_library crypto_openssl;
extern const struct crypto_library crypto_mbedtls;
extern const struct crypto_library crypto_wolfssl;

#endif
