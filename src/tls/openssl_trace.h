/*
 * How OpenSSL's operations become visible to tls/trace.h. For this room's OpenSSL files only.
 *
 * OpenSSL 3 finds its algorithms in providers (provider(7), provider-base(7)). Traced connections
 * live in a library context of their own, whose only provider is ours: it offers what the default
 * provider offers and charges the time of each call to a point of the trace. What works in a
 * context (digests, MACs, KDFs, ciphers, signatures, key exchange, KEM, RSA encryption, key
 * generation) gets a struct traced_context around the default provider's, so that one trampoline
 * per function finds the function it stands for. A constructor has no context yet:
 * openssl_trace_slots.c has one per algorithm. Keys, encoders, decoders, stores and generators of
 * random numbers are the default provider's own and pass through.
 *
 * What is seen is what libssl and X.509 ask for; the hash inside an HKDF is part of the HKDF. A
 * call counts where it completes an operation; preparing, feeding and asking for a length take time
 * but do not count.
 *
 * What is no operation (X.509, lookups, keys, random numbers) is seen by openssl_trace_calls.c,
 * which defines functions of libcrypto in this executable: the dynamic linker prefers them.
 */
#ifndef TLSMETER_TLS_OPENSSL_TRACE_H
#define TLSMETER_TLS_OPENSSL_TRACE_H

#include <openssl/core.h>
#include <openssl/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "tls/trace.h"

/* The library context of traced connections: made by the first call, kept until the program ends.
 * NULL: it could not be made, and OpenSSL's error queue says why. Not thread-safe, like a trace. */
OSSL_LIB_CTX *tls_openssl_trace_library(void);

/* openssl_trace_calls.c: NULL when functions of libcrypto are seen as well, else the reason. */
const char *tls_openssl_trace_calls(void);

/* The rest is for openssl_trace*.c. */

/* Above the highest function number (core_dispatch.h, OpenSSL 3.5: 46). */
enum { TRACED_FUNCTIONS = 64, TRACED_NAME_BYTES = 48 };

typedef void (*traced_function)(void);

/* Which of its points a call in a context is charged to. */
enum traced_role {
    TRACED_ONLY = 0,     /* digests, MACs, KDFs, ciphers, derive */
    TRACED_FORTH = 0,    /* sign, encrypt, encapsulate */
    TRACED_BACK = 1,     /* verify, decrypt, decapsulate */
    TRACED_GENERATE = 0, /* a key */
    TRACED_GROUP = 1,    /* a group's parameters without a key */
    TRACED_ROLES = 2,
};

/* How one kind of operation is traced. */
struct traced_operation {
    int id; /* OSSL_OP_... */
    enum tls_trace_kind kinds[TRACED_ROLES];
    const char
        *verbs[TRACED_ROLES]; /* what follows the algorithm's name in a point's; NULL: nothing */
    int constructor;          /* the number of newctx or gen_init */
    int settable, gettable;   /* of the lists of a context's parameters */
    const traced_function *trampolines; /* TRACED_FUNCTIONS, by number */
    uint64_t passed; /* bits by number: functions without a context, the default provider's own */
};

extern const struct traced_operation traced_digest, traced_mac, traced_kdf, traced_cipher;
extern const struct traced_operation traced_signature, traced_key_exchange, traced_kem;
extern const struct traced_operation traced_asymmetric_cipher, traced_key_generation;

/* One algorithm of the default provider. */
struct traced_algorithm {
    const struct traced_operation *operation;
    char name[TRACED_NAME_BYTES];            /* "sha256", "ecdsa", "x25519mlkem768" */
    traced_function inner[TRACED_FUNCTIONS]; /* the default provider's, by number */
    OSSL_DISPATCH offered[TRACED_FUNCTIONS + 1];
    const struct tls_trace_point
        *points[TRACED_ROLES]; /* without a key; NULL until a context needs them */
    /* The points of the kind of key met last: few kinds are met, and looking points up is slow. */
    char subject[TRACED_NAME_BYTES]; /* "ecdsa-p256" */
    const struct tls_trace_point *subject_points[TRACED_ROLES];
};

/* What OpenSSL takes for the provider's context. */
struct traced_context {
    void *inner; /* the default provider's */
    struct traced_algorithm *algorithm;
    const struct tls_trace_point *points[TRACED_ROLES];
    struct traced_context *next_free;
    enum traced_role role; /* key generation: what is generated */
};

/* Without an inner context yet; NULL: no memory. */
struct traced_context *traced_context_new(struct traced_algorithm *algorithm);
/* Puts the inner one in; when it is NULL, frees the context and returns NULL. */
struct traced_context *traced_context_hold(struct traced_context *context, void *inner);
void traced_context_free(struct traced_context *context); /* not the inner one */

/* openssl_trace_slots.c: functions that must know their algorithm without a context. */
struct traced_slot {
    struct traced_algorithm **algorithm;
    traced_function constructor, settable, gettable;
};
enum { TRACED_PLAIN = 256, TRACED_SIGNATURES = 64, TRACED_GENERATIONS = 64 };
extern const struct traced_slot traced_plain[TRACED_PLAIN]; /* all other operations */
extern const struct traced_slot traced_signatures[TRACED_SIGNATURES];
extern const struct traced_slot traced_generations[TRACED_GENERATIONS];

/* openssl_trace_names.c */
/* Fills the name ("SHA2-256:SHA-256:..." gives "sha256", of signatures the family alone:
 * "ECDSA-SHA2-256" gives "ecdsa"). */
void traced_name_algorithm(struct traced_algorithm *algorithm, const char *aliases);
/* Fills the points of an algorithm whose key is not known. */
void traced_find_points(struct traced_algorithm *algorithm);
/* Names the context's points after its key, "ecdsa-p256 sign"; NULL: as before. */
void traced_name_by_key(struct traced_context *context, void *key);
/* The same for the group that a key is to be generated in, "prime256v1". */
void traced_name_by_group(struct traced_context *context, const char *group);

static inline void traced_begin(const struct tls_trace_point *point, bool counts)
{
    if (tls_trace_current == NULL)
        return;
    if (counts)
        tls_trace_push(point);
    else
        tls_trace_push_part(point);
}

static inline void traced_end(void)
{
    if (tls_trace_current != NULL)
        tls_trace_pop();
}

/*
 * Trampolines: functions of a dispatch table that find the context's own by its number. INNER is
 * the first argument of what they call; `counts` says whether a call completes an operation.
 */
#define INNER ((const struct traced_context *)ctx)->inner
#define TRACED_CALL(name, number, counts, parameters, arguments)                                   \
    static int name parameters                                                                     \
    {                                                                                              \
        const struct traced_context *traced = ctx;                                                 \
        __typeof__(name) *inner = (__typeof__(name) *)traced->algorithm->inner[number];            \
        traced_begin(traced->points[traced->role], counts);                                        \
        int result = inner arguments;                                                              \
        traced_end();                                                                              \
        return result;                                                                             \
    }
/* Takes `key` (NULL: the one before) for the role's operations. */
#define TRACED_INIT(name, number, its_role, parameters, arguments)                                 \
    static int name parameters                                                                     \
    {                                                                                              \
        struct traced_context *traced = ctx;                                                       \
        __typeof__(name) *inner = (__typeof__(name) *)traced->algorithm->inner[number];            \
        traced->role = its_role;                                                                   \
        traced_name_by_key(traced, key);                                                           \
        traced_begin(traced->points[traced->role], false);                                         \
        int result = inner arguments;                                                              \
        traced_end();                                                                              \
        return result;                                                                             \
    }
#define TRACED_FREE(name, number)                                                                  \
    static void name(void *ctx)                                                                    \
    {                                                                                              \
        struct traced_context *traced = ctx;                                                       \
        if (traced == NULL)                                                                        \
            return;                                                                                \
        void (*inner)(void *) = (void (*)(void *))traced->algorithm->inner[number];                \
        traced_begin(traced->points[traced->role], false);                                         \
        inner(traced->inner);                                                                      \
        traced_end();                                                                              \
        traced_context_free(traced);                                                               \
    }
#define TRACED_COPY(name, number)                                                                  \
    static void *name(void *ctx)                                                                   \
    {                                                                                              \
        const struct traced_context *traced = ctx;                                                 \
        struct traced_context *copy = traced_context_new(traced->algorithm);                       \
        if (copy == NULL)                                                                          \
            return NULL;                                                                           \
        *copy = *traced;                                                                           \
        void *(*inner)(void *) = (void *(*)(void *))traced->algorithm->inner[number];              \
        traced_begin(traced->points[traced->role], false);                                         \
        void *inner_copy = inner(traced->inner);                                                   \
        traced_end();                                                                              \
        return traced_context_hold(copy, inner_copy);                                              \
    }

#endif
