/*
 * The test PKI: makes every certificate the instruments need, with OpenSSL's API.
 *
 * One root, zero to two intermediates and a leaf, all with the key type asked for, named
 * "localhost" (and 127.0.0.1, ::1 in subjectAltName), valid from 2024-01-01 to 2054-01-01 so that
 * virtual clocks fall inside. Sets are kept in the user's cache folder ($XDG_CACHE_HOME/tlsmeter or
 * $HOME/.cache/tlsmeter, mode 0700; keys 0600) and reused; they protect nothing and must never be
 * trusted by anything else. The caller owns a set and frees it.
 */
#ifndef TLSMETER_TLS_PKI_H
#define TLSMETER_TLS_PKI_H

#include <stdbool.h>

#include "core/error.h"
#include "tls/endpoint.h"

struct pki_request {
    const char *key;       /* "rsa-2048", "ecdsa-p256", "ecdsa-brainpoolp256r1", "ed25519", ... */
    unsigned chain_length; /* certificates a server sends: 1 (leaf only) to 3 */
};

/* Variants for tests of bad certificates. */
enum pki_flaw { PKI_SOUND, PKI_EXPIRED, PKI_NOT_YET_VALID, PKI_WRONG_NAME, PKI_OTHER_ROOT };

struct pki_set {
    struct tls_credentials server; /* PEM, NUL-terminated */
    struct tls_credentials client;
    struct tls_bytes root; /* PEM */
    void *memory;          /* what pki_free gives back */
};

/* Makes or loads a set. `cache_folder` NULL: the user's cache; "": no cache. */
MUST_USE bool pki_make(const struct pki_request *request, enum pki_flaw flaw,
                       const char *cache_folder, struct pki_set *set, struct error *error);
/* The user's own files; `key_path` and `certificate_path` belong together: checked. */
MUST_USE bool pki_load(const char *certificate_path, const char *key_path, const char *ca_path,
                       struct pki_set *set, struct error *error);
void pki_free(struct pki_set *set);
/* Where the root of a sound set lies in the user's cache, for clients elsewhere; false when there
 * is no cache. */
enum { PKI_PATH_BYTES = 4096 };
bool pki_root_path(const struct pki_request *request, char path[PKI_PATH_BYTES]);

/* Key types that can be made here; NULL-terminated. */
const char *const *pki_key_names(void);

#endif
