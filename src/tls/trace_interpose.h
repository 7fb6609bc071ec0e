/*
 * Wrappers that a TLS library's own calls pass through: a function of a shared library, defined in
 * this program, is preferred by the dynamic linker also for calls inside the library.
 *
 * TRACED and TRACED_VOID define such a wrapper with the prototype that the library's header
 * declares, so that the compiler compares the two; it forwards to the library's function, which is
 * looked up once before main. `point` is evaluated only when a frame is pushed; FIXED is for one
 * that does not depend on the arguments.
 *
 * Operations are leaves: what an operation calls inside (the random numbers of a key generation,
 * the hashes of an HMAC) belongs to it, as it does where the crypto instrument measures the same
 * operation alone. Only certificates and messages hold further frames, and only allocations are
 * seen everywhere. So an operation counts once however many wrapped functions lead to it.
 */
#ifndef TLSMETER_TLS_TRACE_INTERPOSE_H
#define TLSMETER_TLS_TRACE_INTERPOSE_H

#include "tls/trace.h"

/* Stores the library's function of that name in *next. */
void tls_trace_resolve(const char *name, void **next);
/* NULL: `ours`, a wrapper of that name, is what the library calls, and the library's own is known;
 * else why not. */
const char *tls_trace_interposed(const char *name, void (*ours)(void));
/* The frame on top is an operation. Only while tls_trace_current is not NULL. */
bool tls_trace_in_operation(void);
/* Finds the point once, and keeps it in *kept. */
const struct tls_trace_point *tls_trace_fixed(const struct tls_trace_point **kept,
                                              enum tls_trace_kind kind, const char *name);

#define FIXED(kind, name) tls_trace_fixed(&trace_kept, kind, name)

#define TRACED_NEXT(name)                                                                          \
    static __typeof__(name) *next_##name;                                                          \
    __attribute__((constructor)) static void resolve_##name(void)                                  \
    {                                                                                              \
        tls_trace_resolve(#name, (void **)(void *)&next_##name);                                   \
    }

#define TRACED(result, name, parameters, arguments, point)                                         \
    TRACED_NEXT(name)                                                                              \
    result name parameters                                                                         \
    {                                                                                              \
        static const struct tls_trace_point *trace_kept __attribute__((unused));                   \
        if (tls_trace_current == NULL || tls_trace_in_operation())                                 \
            return next_##name arguments;                                                          \
        tls_trace_push(point);                                                                     \
        result trace_result = next_##name arguments;                                               \
        tls_trace_pop();                                                                           \
        return trace_result;                                                                       \
    }                                                                                              \
    static void resolve_##name(void)

#define TRACED_VOID(name, parameters, arguments, point)                                            \
    TRACED_NEXT(name)                                                                              \
    void name parameters                                                                           \
    {                                                                                              \
        static const struct tls_trace_point *trace_kept __attribute__((unused));                   \
        if (tls_trace_current == NULL || tls_trace_in_operation()) {                               \
            next_##name arguments;                                                                 \
            return;                                                                                \
        }                                                                                          \
        tls_trace_push(point);                                                                     \
        next_##name arguments;                                                                     \
        tls_trace_pop();                                                                           \
    }                                                                                              \
    static void resolve_##name(void)

#endif
