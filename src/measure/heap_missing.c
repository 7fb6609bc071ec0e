/* Stands in for heap.c where this program cannot define malloc. */
#include <stddef.h>

#include "measure/heap.h"

const char *heap_unavailable(void)
{
    return "the heap is measured with glibc, linked dynamically and without a sanitizer only";
}

struct heap_account *heap_charge(struct heap_account *account)
{
    (void)account;
    return NULL;
}

void heap_observe(void (*observer)(bool begins))
{
    (void)observer;
}
