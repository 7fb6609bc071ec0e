#include "handshake/footprint.h"

#include <string.h>

#include "measure/heap.h"
#include "measure/stack.h"

enum { WARM_UP = 12, HEAP_HANDSHAKES = 3 };
static const uint64_t warm_up_ns = 300000000;

static void charge_heap(void *context, enum tls_role side, void (*work)(void *turn), void *turn)
{
    struct heap_account *accounts = context;
    (void)heap_charge(&accounts[side]);
    work(turn);
    (void)heap_charge(NULL);
}

static void call_on_stack(void *context, enum tls_role side, void (*work)(void *turn), void *turn)
{
    struct stack_meter *meters = context;
    stack_call(&meters[side], work, turn);
}

static uint64_t not_negative(int64_t bytes)
{
    return bytes > 0 ? (uint64_t)bytes : 0;
}

/* Caches that outlive a connection are filled before, but not on a device that takes a second for
 * each handshake: wolfSSL keeps tables for sixteen points, of 829 kB each, two new ones per
 * handshake until they are full. */
static bool warm_up(struct pair *pair, struct error *error)
{
    uint64_t start_ns = clock_wall_ns(pair->clock);
    for (int i = 0; i < WARM_UP && clock_wall_ns(pair->clock) - start_ns < warm_up_ns; i++)
        if (!pair_handshake(pair, error))
            return false;
    return true;
}

/* Keeps the smallest of several: some handshakes also fill a cache. */
static void keep_heap(struct footprint *footprint, const struct heap_account *account)
{
    uint64_t peak_bytes = not_negative(account->peak_bytes);
    if (footprint->has_heap && footprint->heap_peak_bytes <= peak_bytes)
        return;
    footprint->has_heap = true;
    footprint->heap_peak_bytes = peak_bytes;
    footprint->heap_allocations = account->allocations;
    footprint->heap_idle_bytes = not_negative(account->held_bytes);
}

static bool measure_heap(struct pair *pair, struct footprint footprints[2], struct error *error)
{
    struct heap_account accounts[2];
    bool good = true;
    pair->around = charge_heap;
    pair->around_context = accounts;
    for (int i = 0; good && i < HEAP_HANDSHAKES; i++) {
        memset(accounts, 0, sizeof accounts);
        good = pair_connect(pair, error);
        for (int role = 0; good && role < 2; role++)
            keep_heap(&footprints[role], &accounts[role]);
        pair_disconnect(pair);
    }
    pair->around = NULL;
    return good;
}

static bool measure_stack(struct pair *pair, struct footprint footprints[2], struct error *error)
{
    struct stack_meter meters[2] = {{.memory = NULL}, {.memory = NULL}};
    bool good = stack_open(&meters[0], error) && stack_open(&meters[1], error);
    pair->around = call_on_stack;
    pair->around_context = meters;
    good = good && pair_connect(pair, error);
    for (int role = 0; good && role < 2; role++) {
        footprints[role].has_stack = true;
        footprints[role].stack_peak_bytes = stack_peak_bytes(&meters[role]);
    }
    pair_disconnect(pair);
    pair->around = NULL;
    stack_close(&meters[0]);
    stack_close(&meters[1]);
    return good;
}

bool footprint_measure(struct pair *pair, struct footprint footprints[2], struct error *error)
{
    memset(footprints, 0, 2 * sizeof *footprints);
    return warm_up(pair, error) &&
           (heap_unavailable() != NULL || measure_heap(pair, footprints, error)) &&
           (stack_unavailable() != NULL || measure_stack(pair, footprints, error));
}
