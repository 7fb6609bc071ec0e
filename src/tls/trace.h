/*
 * Where the time inside a TLS library goes: a stack of named frames with their self time.
 *
 * While a thread is inside tls_trace_enter and tls_trace_leave, wrappers around a library's
 * functions push a frame on entry and pop it on return; the time between is charged to the frame on
 * top only, so that the sum over all points is the whole time and nothing counts twice. Outside,
 * a wrapper costs the test of one thread-local pointer.
 *
 * OpenSSL is seen through a provider that forwards to the default one and through functions of
 * libcrypto defined in this executable, Mbed TLS and wolfSSL through functions defined in this
 * executable, which the dynamic linker prefers (tls/openssl_trace*.c, mbedtls_trace*.c,
 * wolfssl_trace*.c). A statically linked program has no such preference: a library's
 * trace_unavailable() says so.
 *
 * Times are wall time of an unpreempted thread: reading the thread's CPU clock is a system call and
 * would cost more than many of the operations. Who traces compares the sum with the untraced time.
 */
#ifndef TLSMETER_TLS_TRACE_H
#define TLSMETER_TLS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a frame is about; in this order in tables. */
enum tls_trace_kind {
    TRACE_ASYMMETRIC,  /* signatures, key exchange, key generation */
    TRACE_DIGEST,      /* transcript hashes, MACs, key derivation */
    TRACE_RECORD,      /* record protection: ciphers and AEADs */
    TRACE_RANDOM,      /* random numbers */
    TRACE_CERTIFICATE, /* X.509: parsing, chain building, names; its signatures are operations */
    TRACE_KEYS,        /* keys of the handshake: encoding, decoding, checking */
    TRACE_FETCH,       /* looking algorithms up (OpenSSL 3) */
    TRACE_ALLOCATION,  /* malloc, calloc, realloc, free; but an asymmetric operation keeps its own,
                          which with Mbed TLS are thousands */
    TRACE_MESSAGES,    /* the TLS library's own code: messages, extensions, state, records */
    TRACE_KINDS,
};

enum { TRACE_MOST_POINTS = 256, TRACE_DEPTH = 64, TRACE_NAME_BYTES = 64 };

/* A name that time can be charged to. Made once, valid until the program ends. */
struct tls_trace_point {
    enum tls_trace_kind kind;
    uint16_t index; /* into struct tls_trace's arrays */
    char name[TRACE_NAME_BYTES];
};

/* Times and counts of everything since tls_trace_clear. The caller owns it. */
struct tls_trace {
    uint64_t count[TRACE_MOST_POINTS]; /* calls, by point */
    uint64_t self_ns[TRACE_MOST_POINTS];
    uint64_t frames[TRACE_MOST_POINTS];   /* pushed, counted or not */
    uint64_t children[TRACE_MOST_POINTS]; /* frames pushed directly above the point's */
    uint16_t stack[TRACE_DEPTH];
    unsigned depth; /* above TRACE_DEPTH: too deep to tell, charged to the deepest kept */
    uint64_t last_ns;
};

/* The thread's trace; NULL: it is not traced. Set by tls_trace_enter only. */
extern _Thread_local struct tls_trace *tls_trace_current;

/* Finds or makes the point of that kind and name (which is copied, and cut when too long). When
 * there are too many, the last one, named "others". One thread at a time may make points. */
const struct tls_trace_point *tls_trace_point(enum tls_trace_kind kind, const char *name);
/* All points made so far, by index. */
size_t tls_trace_point_count(void);
const struct tls_trace_point *tls_trace_point_at(size_t index);
const char *tls_trace_kind_name(enum tls_trace_kind kind); /* "record protection" */

void tls_trace_clear(struct tls_trace *trace);

/* What a frame with nothing in it costs: reading the clock twice, and what lies around it. Measured
 * by the first call, which must not be inside a trace. */
struct tls_trace_overhead {
    double own_ns;    /* charged to the frame */
    double parent_ns; /* charged to the frame below */
};
struct tls_trace_overhead tls_trace_overhead(void);
/* A point's self time without what its frames and the frames above them cost; not below 0. */
double tls_trace_net_ns(const struct tls_trace *trace, size_t index);

/* From here on this thread's time is charged to `point` and what is pushed above it. Traces do not
 * nest. */
void tls_trace_enter(struct tls_trace *trace, const struct tls_trace_point *point);
void tls_trace_leave(void);

/* For wrappers, only while tls_trace_current is not NULL. */
void tls_trace_push(const struct tls_trace_point *point);
/* The same for a part of an operation that is counted elsewhere: its time is charged, no call is
 * counted. */
void tls_trace_push_part(const struct tls_trace_point *point);
void tls_trace_pop(void);
enum tls_trace_kind tls_trace_top_kind(void); /* of the frame on top */

#endif
