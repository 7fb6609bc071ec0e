/* What the test PKI asks of OpenSSL. The pieces are NUL-terminated PEM in the arena. */
#ifndef TLSMETER_TLS_OPENSSL_PKI_H
#define TLSMETER_TLS_OPENSSL_PKI_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/error.h"
#include "tls/pki.h"

struct pki_pieces {
    const char *server_chain, *server_key, *client_chain, *client_key, *root;
};

MUST_USE bool openssl_pki_generate(const struct pki_request *request, enum pki_flaw flaw,
                                   struct arena *arena, struct pki_pieces *pieces,
                                   struct error *error);
/* True when the first certificate of `chain` and `key` (both PEM) belong together. */
MUST_USE bool openssl_pki_check_pair(const char *chain, const char *key, struct error *error);

#endif
