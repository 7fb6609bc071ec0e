/*
 * What a piece of code takes from the heap: allocations, bytes held, peak.
 *
 * malloc, calloc, realloc, the aligned kinds and free are defined in this program, which the
 * dynamic linker prefers; they forward to the C library's. While a thread has an account, what it
 * allocates is charged to it and what it frees is taken off again, in the bytes that the allocator
 * really reserves (malloc_usable_size). Without an account or an observer a call costs two tests of
 * thread-local variables.
 *
 * Where this cannot be (another C library than glibc, static linking, a sanitizer's own allocator)
 * heap_missing.c stands in and heap_unavailable() says why.
 */
#ifndef TLSMETER_MEASURE_HEAP_H
#define TLSMETER_MEASURE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct heap_account {
    int64_t held_bytes; /* allocated and not yet freed; negative when more was freed */
    int64_t peak_bytes; /* the most held at once, since the account was zeroed */
    uint64_t allocations;
};

const char *heap_unavailable(void); /* NULL: it can be measured; else the reason */
/* From here on this thread's allocations are charged to `account`; NULL: to nobody. Returns the
 * account before. The account is borrowed. */
struct heap_account *heap_charge(struct heap_account *account);
/* This thread's allocations call `observer` before and after the allocator's work (a realloc is one
 * pair); NULL: nobody. The observer must not allocate. */
void heap_observe(void (*observer)(bool begins));

#endif
