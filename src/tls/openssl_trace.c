#include "tls/openssl_trace.h"

#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"

enum { CONTEXTS_PER_BLOCK = 64 };

/* Made once, kept until the program ends. */
static struct {
    OSSL_LIB_CTX *traced;     /* what traced connections use; its provider is ours */
    OSSL_LIB_CTX *underneath; /* where the default provider works */
    OSSL_PROVIDER *standard;  /* the default provider, in `underneath` */
    OSSL_PROVIDER *ours;
} library;

static const struct traced_operation *const operations[] = {
    &traced_digest,         &traced_mac,          &traced_kdf, &traced_cipher,
    &traced_signature,      &traced_key_exchange, &traced_kem, &traced_asymmetric_cipher,
    &traced_key_generation,
};

/* What our provider offers, by operation. Never freed: OpenSSL keeps pointers into it. */
static OSSL_ALGORITHM *offers[OSSL_OP__HIGHEST + 1];

/* Contexts in use and free ones come in blocks: an allocation each would show in the trace. */
static struct context_block {
    struct traced_context contexts[CONTEXTS_PER_BLOCK];
    struct context_block *next;
} * blocks;
static struct traced_context *free_contexts;
static pthread_mutex_t contexts_mutex = PTHREAD_MUTEX_INITIALIZER;

static void add_block(void)
{
    struct context_block *block = calloc(1, sizeof *block);
    if (block == NULL)
        return;
    block->next = blocks;
    blocks = block;
    for (size_t i = 0; i < CONTEXTS_PER_BLOCK; i++) {
        block->contexts[i].next_free = free_contexts;
        free_contexts = &block->contexts[i];
    }
}

struct traced_context *traced_context_new(struct traced_algorithm *algorithm)
{
    (void)pthread_mutex_lock(&contexts_mutex);
    if (free_contexts == NULL)
        add_block();
    struct traced_context *context = free_contexts;
    if (context != NULL)
        free_contexts = context->next_free;
    (void)pthread_mutex_unlock(&contexts_mutex);
    if (context == NULL)
        return NULL;
    *context = (struct traced_context){.algorithm = algorithm};
    if (algorithm->points[0] == NULL)
        traced_find_points(algorithm); /* hundreds of algorithms are never used */
    memcpy(context->points, algorithm->points, sizeof context->points);
    return context;
}

struct traced_context *traced_context_hold(struct traced_context *context, void *inner)
{
    if (inner == NULL) {
        traced_context_free(context);
        return NULL;
    }
    context->inner = inner;
    return context;
}

void traced_context_free(struct traced_context *context)
{
    (void)pthread_mutex_lock(&contexts_mutex);
    context->next_free = free_contexts;
    free_contexts = context;
    (void)pthread_mutex_unlock(&contexts_mutex);
}

/* The next free slot for the operation, taken; NULL: none is free. */
static const struct traced_slot *take_slot(const struct traced_operation *operation)
{
    static size_t plain, signatures, generations;
    switch (operation->id) {
    case OSSL_OP_SIGNATURE:
        return signatures < TRACED_SIGNATURES ? &traced_signatures[signatures++] : NULL;
    case OSSL_OP_KEYMGMT:
        return generations < TRACED_GENERATIONS ? &traced_generations[generations++] : NULL;
    default:
        return plain < TRACED_PLAIN ? &traced_plain[plain++] : NULL;
    }
}

/* What is offered in place of a function of the default provider; NULL: nothing, which OpenSSL can
 * do without where there is no trampoline. */
static traced_function instead_of(const OSSL_DISPATCH *entry,
                                  const struct traced_operation *operation,
                                  const struct traced_slot *slot)
{
    int number = entry->function_id;
    if (number == operation->constructor)
        return slot->constructor;
    if (number == operation->settable)
        return slot->settable;
    if (number == operation->gettable)
        return slot->gettable;
    return (operation->passed >> number & 1) != 0 ? entry->function
                                                  : operation->trampolines[number];
}

static void fill_functions(struct traced_algorithm *algorithm, const struct traced_slot *slot,
                           const OSSL_DISPATCH *standard)
{
    OSSL_DISPATCH *offered = algorithm->offered;
    for (; standard->function_id != 0; standard++) {
        int number = standard->function_id;
        if (number >= TRACED_FUNCTIONS)
            continue;
        algorithm->inner[number] = standard->function;
        traced_function function = instead_of(standard, algorithm->operation, slot);
        if (function != NULL)
            *offered++ = (OSSL_DISPATCH){number, function};
    }
}

/* The functions to offer for an algorithm of the default provider: its own where ours cannot be
 * made (no memory, no slot), so that it works, unseen. */
static const OSSL_DISPATCH *wrap(const struct traced_operation *operation,
                                 const OSSL_ALGORITHM *standard)
{
    const struct traced_slot *slot = take_slot(operation);
    struct traced_algorithm *algorithm = slot == NULL ? NULL : calloc(1, sizeof *algorithm);
    if (algorithm == NULL)
        return standard->implementation;
    algorithm->operation = operation;
    *slot->algorithm = algorithm;
    fill_functions(algorithm, slot, standard->implementation);
    traced_name_algorithm(algorithm, standard->algorithm_names);
    return algorithm->offered;
}

static OSSL_ALGORITHM *wrap_all(const struct traced_operation *operation,
                                const OSSL_ALGORITHM *standard)
{
    size_t count = 0;
    while (standard[count].algorithm_names != NULL)
        count++;
    OSSL_ALGORITHM *ours = calloc(count + 1, sizeof *ours);
    for (size_t i = 0; ours != NULL && i < count; i++) {
        ours[i] = standard[i];
        ours[i].implementation = wrap(operation, &standard[i]);
    }
    return ours;
}

static const OSSL_ALGORITHM *query(void *provider, int id, int *no_cache)
{
    (void)provider;
    const OSSL_ALGORITHM *standard = OSSL_PROVIDER_query_operation(library.standard, id, no_cache);
    for (size_t i = 0; standard != NULL && i < COUNT_OF(operations); i++) {
        if (operations[i]->id != id)
            continue;
        if (offers[id] == NULL)
            offers[id] = wrap_all(operations[i], standard);
        return offers[id] == NULL ? standard : offers[id];
    }
    return standard;
}

static int capabilities(void *provider, const char *capability, OSSL_CALLBACK *each, void *argument)
{
    (void)provider;
    return OSSL_PROVIDER_get_capabilities(library.standard, capability, each, argument);
}

static const OSSL_PARAM *gettable(void *provider)
{
    (void)provider;
    return OSSL_PROVIDER_gettable_params(library.standard);
}

static int get(void *provider, OSSL_PARAM parameters[])
{
    (void)provider;
    return OSSL_PROVIDER_get_params(library.standard, parameters);
}

static int start(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *core,
                 const OSSL_DISPATCH **functions, void **provider)
{
    static const OSSL_DISPATCH offered[] = {
        {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (traced_function)query},
        {OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (traced_function)capabilities},
        {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (traced_function)gettable},
        {OSSL_FUNC_PROVIDER_GET_PARAMS, (traced_function)get},
        {0, NULL},
    };
    (void)handle;
    (void)core;
    *functions = offered;
    /* The default provider's functions are called with it. */
    *provider = OSSL_PROVIDER_get0_provider_ctx(library.standard);
    return 1;
}

OSSL_LIB_CTX *tls_openssl_trace_library(void)
{
    if (library.ours != NULL)
        return library.traced;
    if (tls_openssl_trace_calls() != NULL)
        return NULL;
    if (library.underneath == NULL)
        library.underneath = OSSL_LIB_CTX_new();
    if (library.traced == NULL)
        library.traced = OSSL_LIB_CTX_new();
    if (library.underneath == NULL || library.traced == NULL)
        return NULL;
    if (library.standard == NULL)
        library.standard = OSSL_PROVIDER_load(library.underneath, "default");
    if (library.standard == NULL ||
        OSSL_PROVIDER_add_builtin(library.traced, "tlsmeter", start) != 1)
        return NULL;
    library.ours = OSSL_PROVIDER_load(library.traced, "tlsmeter");
    return library.ours == NULL ? NULL : library.traced;
}
