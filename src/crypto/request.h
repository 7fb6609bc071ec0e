/* Everything that can be asked of an algorithm, once each: operations with their paddings and kinds
 * of peer key. Sizes and modes are the caller's. */
#ifndef TLSMETER_CRYPTO_REQUEST_H
#define TLSMETER_CRYPTO_REQUEST_H

#include "crypto/crypto.h"

enum { CRYPTO_MOST_VARIANTS = 12 };

/* Fills `variants` with mode record and size 0; returns how many. RSA signs with pkcs1 and pss and
 * encrypts with oaep; verify and derive come with a fresh and with a known peer key. */
size_t crypto_request_variants(const struct crypto_algorithm *algorithm,
                               struct crypto_request variants[CRYPTO_MOST_VARIANTS]);

#endif
