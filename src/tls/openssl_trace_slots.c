/*
 * Constructors of traced contexts. OpenSSL calls them with the provider's context only, so that
 * each algorithm needs a function of its own; which algorithm a function stands for is in its slot.
 */
#include <openssl/core_dispatch.h>

#include "tls/openssl_trace.h"

static struct traced_algorithm *plain[TRACED_PLAIN];
static struct traced_algorithm *signatures[TRACED_SIGNATURES];
static struct traced_algorithm *generations[TRACED_GENERATIONS];

static void *new_plain(struct traced_algorithm *algorithm, void *provider)
{
    void *(*inner)(void *) = (void *(*)(void *))algorithm->inner[algorithm->operation->constructor];
    struct traced_context *context = traced_context_new(algorithm);
    return context == NULL ? NULL : traced_context_hold(context, inner(provider));
}

static void *new_signature(struct traced_algorithm *algorithm, void *provider, const char *query)
{
    void *(*inner)(void *, const char *) =
        (void *(*)(void *, const char *))algorithm->inner[OSSL_FUNC_SIGNATURE_NEWCTX];
    struct traced_context *context = traced_context_new(algorithm);
    return context == NULL ? NULL : traced_context_hold(context, inner(provider, query));
}

static void *new_generation(struct traced_algorithm *algorithm, void *provider, int selection,
                            const OSSL_PARAM parameters[])
{
    void *(*inner)(void *, int, const OSSL_PARAM[]) =
        (void *(*)(void *, int, const OSSL_PARAM[]))algorithm->inner[OSSL_FUNC_KEYMGMT_GEN_INIT];
    struct traced_context *context = traced_context_new(algorithm);
    if (context == NULL)
        return NULL;
    context->role = (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0 ? TRACED_GROUP : TRACED_GENERATE;
    return traced_context_hold(context, inner(provider, selection, parameters));
}

static const OSSL_PARAM *list(const struct traced_algorithm *algorithm, int number,
                              const struct traced_context *context, void *provider)
{
    const OSSL_PARAM *(*inner)(void *, void *) =
        (const OSSL_PARAM *(*)(void *, void *))algorithm->inner[number];
    return inner(context == NULL ? NULL : context->inner, provider);
}

#define SIXTEEN(X, high)                                                                           \
    X(high##0)                                                                                     \
    X(high##1)                                                                                     \
    X(high##2)                                                                                     \
    X(high##3)                                                                                     \
    X(high##4)                                                                                     \
    X(high##5)                                                                                     \
    X(high##6)                                                                                     \
    X(high##7)                                                                                     \
    X(high##8)                                                                                     \
    X(high##9)                                                                                     \
    X(high##a)                                                                                     \
    X(high##b)                                                                                     \
    X(high##c)                                                                                     \
    X(high##d)                                                                                     \
    X(high##e)                                                                                     \
    X(high##f)
#define SIXTY_FOUR(X) SIXTEEN(X, 0x0) SIXTEEN(X, 0x1) SIXTEEN(X, 0x2) SIXTEEN(X, 0x3)
#define ALL(X)                                                                                     \
    SIXTY_FOUR(X)                                                                                  \
    SIXTEEN(X, 0x4)                                                                                \
    SIXTEEN(X, 0x5)                                                                                \
    SIXTEEN(X, 0x6)                                                                                \
    SIXTEEN(X, 0x7)                                                                                \
    SIXTEEN(X, 0x8)                                                                                \
    SIXTEEN(X, 0x9)                                                                                \
    SIXTEEN(X, 0xa)                                                                                \
    SIXTEEN(X, 0xb)                                                                                \
    SIXTEEN(X, 0xc)                                                                                \
    SIXTEEN(X, 0xd)                                                                                \
    SIXTEEN(X, 0xe)                                                                                \
    SIXTEEN(X, 0xf)

#define LISTS(kind, slot)                                                                          \
    static const OSSL_PARAM *settable_##kind##_##slot(void *ctx, void *provider)                   \
    {                                                                                              \
        return list((kind)[slot], (kind)[slot]->operation->settable, ctx, provider);               \
    }                                                                                              \
    static const OSSL_PARAM *gettable_##kind##_##slot(void *ctx, void *provider)                   \
    {                                                                                              \
        return list((kind)[slot], (kind)[slot]->operation->gettable, ctx, provider);               \
    }
#define PLAIN(slot)                                                                                \
    static void *new_plain_##slot(void *provider)                                                  \
    {                                                                                              \
        return new_plain(plain[slot], provider);                                                   \
    }                                                                                              \
    LISTS(plain, slot)
#define SIGNATURE(slot)                                                                            \
    static void *new_signatures_##slot(void *provider, const char *query)                          \
    {                                                                                              \
        return new_signature(signatures[slot], provider, query);                                   \
    }                                                                                              \
    LISTS(signatures, slot)
#define GENERATION(slot)                                                                           \
    static void *new_generations_##slot(void *provider, int selection,                             \
                                        const OSSL_PARAM parameters[])                             \
    {                                                                                              \
        return new_generation(generations[slot], provider, selection, parameters);                 \
    }                                                                                              \
    LISTS(generations, slot)
ALL(PLAIN)
SIXTY_FOUR(SIGNATURE)
SIXTY_FOUR(GENERATION)

#define SLOT(kind, slot)                                                                           \
    [slot] = {&(kind)[slot], (traced_function)new_##kind##_##slot,                                 \
              (traced_function)settable_##kind##_##slot,                                           \
              (traced_function)gettable_##kind##_##slot},
#define PLAIN_SLOT(slot)      SLOT(plain, slot)
#define SIGNATURE_SLOT(slot)  SLOT(signatures, slot)
#define GENERATION_SLOT(slot) SLOT(generations, slot)
const struct traced_slot traced_plain[TRACED_PLAIN] = {ALL(PLAIN_SLOT)};
const struct traced_slot traced_signatures[TRACED_SIGNATURES] = {SIXTY_FOUR(SIGNATURE_SLOT)};
const struct traced_slot traced_generations[TRACED_GENERATIONS] = {SIXTY_FOUR(GENERATION_SLOT)};
