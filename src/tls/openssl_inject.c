/*
 * OpenSSL takes random bytes through a process-wide method: this one looks at what the calling
 * thread's endpoint was given, and falls back to OpenSSL's own.
 */
#define OPENSSL_SUPPRESS_DEPRECATED  /* RAND_set_rand_method reaches all library contexts at once  \
                                      */

#include <openssl/rand.h>

#include "tls/openssl_internal.h"
#include "tls/virtual_time.h"

static _Thread_local struct random_source *injected_random;

void tls_openssl_enter(const struct tls_context *context)
{
    virtual_time_enter(context->settings.clock);
    injected_random = context->settings.random;
}

void tls_openssl_leave(void)
{
    virtual_time_leave();
    injected_random = NULL;
}

static int random_bytes(unsigned char *bytes, int length)
{
    if (injected_random == NULL)
        return RAND_OpenSSL()->bytes(bytes, length);
    random_fill(injected_random, bytes, length < 0 ? 0 : (size_t)length);
    return 1;
}

static int random_status(void)
{
    return 1;
}

bool tls_openssl_inject_random(struct error *error)
{
    static const RAND_METHOD method = {
        .bytes = random_bytes, .pseudorand = random_bytes, .status = random_status};
    if (RAND_get_rand_method() == &method)
        return true;
    if (RAND_set_rand_method(&method) != 1)
        return tls_openssl_failed(error, "the random source could not be replaced");
    return true;
}
