/*
 * OpenSSL has no parameter for "now" or for randomness. It calls gettimeofday and time through the
 * dynamic linker, where a definition in the executable comes first, and it takes random bytes
 * through a process-wide method. Both look here at what the calling thread's endpoint was given.
 */
#define OPENSSL_SUPPRESS_DEPRECATED  /* RAND_set_rand_method reaches all library contexts at once  \
                                      */

#include <openssl/rand.h>
#include <sys/time.h>
#include <time.h>

#include "tls/openssl_internal.h"

/* Virtual time zero is 2025-01-01 00:00 UTC: inside the validity of the test PKI. */
enum { VIRTUAL_EPOCH_S = 1735689600, NS_PER_S = 1000000000 };

static _Thread_local const struct clock *virtual_clock;
static _Thread_local struct random_source *injected_random;

void tls_openssl_enter(const struct tls_context *context)
{
    const struct clock *clock = context->settings.clock;
    virtual_clock = clock == clock_real() ? NULL : clock;
    injected_random = context->settings.random;
}

void tls_openssl_leave(void)
{
    virtual_clock = NULL;
    injected_random = NULL;
}

static struct timespec now(void)
{
    struct timespec time_now;
    if (virtual_clock == NULL) {
        (void)clock_gettime(CLOCK_REALTIME, &time_now);
        return time_now;
    }
    uint64_t wall_ns = clock_wall_ns(virtual_clock);
    time_now.tv_sec = VIRTUAL_EPOCH_S + (time_t)(wall_ns / NS_PER_S);
    time_now.tv_nsec = (long)(wall_ns % NS_PER_S);
    return time_now;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone)
{
    (void)zone;
    struct timespec time_now = now();
    value->tv_sec = time_now.tv_sec;
    value->tv_usec = time_now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *seconds)
{
    time_t now_s = now().tv_sec;
    if (seconds != NULL)
        *seconds = now_s;
    return now_s;
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
