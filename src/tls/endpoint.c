#include "tls/endpoint.h"

#include <string.h>

#include "core/attributes.h"

void tls_make_cookie(const struct tls_settings *settings, unsigned char cookie[TLS_COOKIE_BYTES])
{
    uint64_t words[] = {0, 0};
    if (settings->role != TLS_SERVER || !tls_protocol_is_datagram(settings->protocol))
        return;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        words[i] = settings->random == NULL ? random_real_seed() : random_u64(settings->random);
    memcpy(cookie, words, TLS_COOKIE_BYTES);
}

enum tls_progress tls_handshake(const struct tls_library *library, struct tls_endpoint *endpoint,
                                struct error *error)
{
    enum tls_progress progress;
    while ((progress = library->handshake(endpoint, error)) == TLS_EARLY) {
        unsigned char thrown_away[1024];
        size_t length = 1;
        while (length > 0 && progress != TLS_FAILED)
            progress = library->read(endpoint, thrown_away, sizeof thrown_away, &length, error);
        if (progress == TLS_FAILED)
            break;
    }
    return progress;
}
