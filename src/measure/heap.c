#include "measure/heap.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

/* glibc's own names of its allocator, kept for programs that define malloc themselves. Called
 * without the detour through the PLT: OpenSSL allocates thousands of times in a handshake. */
#if __has_attribute(noplt)
#define DIRECT __attribute__((noplt))
#else
#define DIRECT
#endif
DIRECT extern void *__libc_malloc(size_t size);
DIRECT extern void *__libc_calloc(size_t count, size_t size);
DIRECT extern void *__libc_realloc(void *memory, size_t size);
DIRECT extern void *__libc_memalign(size_t alignment, size_t size);
DIRECT extern void __libc_free(void *memory);

static _Thread_local struct heap_account *account_now;
static _Thread_local void (*observer_now)(bool begins);
static _Thread_local bool watched; /* there is one of them */

const char *heap_unavailable(void)
{
    return NULL;
}

struct heap_account *heap_charge(struct heap_account *account)
{
    struct heap_account *before = account_now;
    account_now = account;
    watched = account_now != NULL || observer_now != NULL;
    return before;
}

void heap_observe(void (*observer)(bool begins))
{
    observer_now = observer;
    watched = account_now != NULL || observer_now != NULL;
}

static void begin(void)
{
    if (observer_now != NULL)
        observer_now(true);
}

static void end(void)
{
    if (observer_now != NULL)
        observer_now(false);
}

static void *charge(void *memory)
{
    struct heap_account *account = account_now;
    if (account == NULL || memory == NULL)
        return memory;
    account->allocations++;
    account->held_bytes += (int64_t)malloc_usable_size(memory);
    if (account->held_bytes > account->peak_bytes)
        account->peak_bytes = account->held_bytes;
    return memory;
}

static void discharge(void *memory)
{
    if (account_now != NULL && memory != NULL)
        account_now->held_bytes -= (int64_t)malloc_usable_size(memory);
}

void *malloc(size_t size)
{
    if (!watched)
        return __libc_malloc(size);
    begin();
    void *memory = charge(__libc_malloc(size));
    end();
    return memory;
}

void *calloc(size_t count, size_t size)
{
    if (!watched)
        return __libc_calloc(count, size);
    begin();
    void *memory = charge(__libc_calloc(count, size));
    end();
    return memory;
}

void *realloc(void *memory, size_t size)
{
    if (!watched)
        return __libc_realloc(memory, size);
    begin();
    int64_t before = memory == NULL ? 0 : (int64_t)malloc_usable_size(memory);
    void *moved = __libc_realloc(memory, size);
    if (account_now != NULL && (moved != NULL || size == 0))
        account_now->held_bytes -= before;
    charge(moved);
    end();
    return moved;
}

void free(void *memory)
{
    if (!watched) {
        __libc_free(memory);
        return;
    }
    begin();
    discharge(memory);
    __libc_free(memory);
    end();
}

void *memalign(size_t alignment, size_t size)
{
    begin();
    void *memory = charge(__libc_memalign(alignment, size));
    end();
    return memory;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    void *given = memalign(alignment, size);
    if (given == NULL)
        return ENOMEM;
    *memory = given;
    return 0;
}
