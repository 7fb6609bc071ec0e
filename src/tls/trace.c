#include "tls/trace.h"

#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "measure/heap.h"

_Thread_local struct tls_trace *tls_trace_current;

static struct tls_trace_point points[TRACE_MOST_POINTS];
static size_t point_count;
static const struct tls_trace_point *allocation;

static const char *const kind_names[TRACE_KINDS] = {
    [TRACE_ASYMMETRIC] = "asymmetric",      [TRACE_DIGEST] = "hash, MAC, KDF",
    [TRACE_RECORD] = "record protection",   [TRACE_RANDOM] = "random numbers",
    [TRACE_CERTIFICATE] = "certificates",   [TRACE_KEYS] = "key handling",
    [TRACE_FETCH] = "algorithm lookup",     [TRACE_ALLOCATION] = "allocation",
    [TRACE_MESSAGES] = "messages and state"};

const char *tls_trace_kind_name(enum tls_trace_kind kind)
{
    return kind_names[kind];
}

static const struct tls_trace_point *add_point(enum tls_trace_kind kind, const char *name)
{
    struct tls_trace_point *point = &points[point_count];
    point->kind = kind;
    point->index = (uint16_t)point_count++;
    (void)snprintf(point->name, sizeof point->name, "%s", name);
    return point;
}

const struct tls_trace_point *tls_trace_point(enum tls_trace_kind kind, const char *name)
{
    for (size_t i = 0; i < point_count; i++)
        if (points[i].kind == kind && strncmp(points[i].name, name, sizeof points[i].name - 1) == 0)
            return &points[i];
    if (point_count == TRACE_MOST_POINTS)
        return &points[TRACE_MOST_POINTS - 1];
    return point_count == TRACE_MOST_POINTS - 1 ? add_point(TRACE_MESSAGES, "others")
                                                : add_point(kind, name);
}

size_t tls_trace_point_count(void)
{
    return point_count;
}

const struct tls_trace_point *tls_trace_point_at(size_t index)
{
    return &points[index];
}

void tls_trace_clear(struct tls_trace *trace)
{
    memset(trace, 0, sizeof *trace);
}

/* Charges the time since the last change to the frame on top. */
static void charge(struct tls_trace *trace)
{
    uint64_t now_ns = clock_wall_ns(clock_real());
    unsigned top = trace->depth < TRACE_DEPTH ? trace->depth : TRACE_DEPTH;
    if (top > 0)
        trace->self_ns[trace->stack[top - 1]] += now_ns - trace->last_ns;
    trace->last_ns = now_ns;
}

void tls_trace_push_part(const struct tls_trace_point *point)
{
    struct tls_trace *trace = tls_trace_current;
    charge(trace);
    unsigned below = trace->depth < TRACE_DEPTH ? trace->depth : TRACE_DEPTH;
    if (below > 0)
        trace->children[trace->stack[below - 1]]++;
    trace->frames[point->index]++;
    if (trace->depth < TRACE_DEPTH)
        trace->stack[trace->depth] = point->index;
    trace->depth++;
}

void tls_trace_push(const struct tls_trace_point *point)
{
    tls_trace_push_part(point);
    tls_trace_current->count[point->index]++;
}

void tls_trace_pop(void)
{
    struct tls_trace *trace = tls_trace_current;
    charge(trace);
    trace->depth--;
}

enum tls_trace_kind tls_trace_top_kind(void)
{
    const struct tls_trace *trace = tls_trace_current;
    unsigned top = trace->depth < TRACE_DEPTH ? trace->depth : TRACE_DEPTH;
    return top == 0 ? TRACE_MESSAGES : points[trace->stack[top - 1]].kind;
}

static void on_allocation(bool begins)
{
    if (tls_trace_top_kind() == TRACE_ASYMMETRIC)
        return;
    if (begins)
        tls_trace_push(allocation);
    else
        tls_trace_pop();
}

void tls_trace_enter(struct tls_trace *trace, const struct tls_trace_point *point)
{
    allocation = tls_trace_point(TRACE_ALLOCATION, "malloc and free");
    trace->depth = 1;
    trace->stack[0] = point->index;
    trace->count[point->index]++;
    trace->last_ns = clock_wall_ns(clock_real());
    tls_trace_current = trace;
    heap_observe(on_allocation);
}

void tls_trace_leave(void)
{
    heap_observe(NULL);
    charge(tls_trace_current);
    tls_trace_current = NULL;
}

/* The cheapest of some rounds: what disturbs a round only adds. */
static struct tls_trace_overhead measure_overhead(void)
{
    enum { ROUNDS = 16, FRAMES = 256 };
    struct tls_trace trace;
    const struct tls_trace_point below = {.index = 0};
    const struct tls_trace_point frame = {.index = 1};
    struct tls_trace_overhead least = {0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        tls_trace_clear(&trace);
        tls_trace_enter(&trace, &below);
        for (int i = 0; i < FRAMES; i++) {
            tls_trace_push(&frame);
            tls_trace_pop();
        }
        tls_trace_leave();
        struct tls_trace_overhead now = {(double)trace.self_ns[1] / FRAMES,
                                         (double)trace.self_ns[0] / FRAMES};
        if (round == 0 || now.own_ns + now.parent_ns < least.own_ns + least.parent_ns)
            least = now;
    }
    return least;
}

struct tls_trace_overhead tls_trace_overhead(void)
{
    static struct tls_trace_overhead overhead;
    if (overhead.own_ns <= 0)
        overhead = measure_overhead();
    return overhead;
}

double tls_trace_net_ns(const struct tls_trace *trace, size_t index)
{
    struct tls_trace_overhead overhead = tls_trace_overhead();
    double net_ns = (double)trace->self_ns[index] - (double)trace->frames[index] * overhead.own_ns -
                    (double)trace->children[index] * overhead.parent_ns;
    return net_ns > 0 ? net_ns : 0;
}
