#include "tls/wolfssl_internal.h"

#include <wolfssl/wolfcrypt/cryptocb.h>

#include "tls/virtual_time.h"

/* Any number but INVALID_DEVID: one device serves all contexts with an injected source. */
enum { RANDOM_DEVICE = 0x746d };

static _Thread_local struct random_source *injected_random;

void tls_wolfssl_enter(const struct tls_context *context)
{
    virtual_time_enter(context->settings.clock);
    injected_random = context->settings.random;
}

void tls_wolfssl_leave(void)
{
    virtual_time_leave();
    injected_random = NULL;
}

static int answer(int device, wc_CryptoInfo *info, void *context)
{
    (void)device;
    (void)context;
    if (injected_random == NULL)
        return CRYPTOCB_UNAVAILABLE;
    if (info->algo_type == WC_ALGO_TYPE_RNG) {
        random_fill(injected_random, info->rng.out, info->rng.sz);
        return 0;
    }
    if (info->algo_type == WC_ALGO_TYPE_SEED) {
        random_fill(injected_random, info->seed.seed, info->seed.sz);
        return 0;
    }
    return CRYPTOCB_UNAVAILABLE;
}

bool tls_wolfssl_inject_random(WOLFSSL_CTX *ctx, struct error *error)
{
    int code = wc_CryptoCb_RegisterDevice(RANDOM_DEVICE, answer, NULL);
    if (code != 0 || wolfSSL_CTX_SetDevId(ctx, RANDOM_DEVICE) != WOLFSSL_SUCCESS)
        return tls_wolfssl_failed(error, code, "the random source could not be replaced");
    return true;
}
