/*
 * Memory that is given back all at once.
 *
 * An arena owns every byte taken from it; arena_clear makes them all free for reuse (and keeps the
 * first block), arena_free returns everything. Nothing is freed one by one. A request that cannot
 * be met returns NULL; arena_text of NULL is NULL.
 */
#ifndef TLSMETER_CORE_ARENA_H
#define TLSMETER_CORE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *blocks; /* the newest first */
};

void arena_clear(struct arena *arena);
void arena_free(struct arena *arena);
/* `size` zeroed bytes aligned for any type. */
void *arena_take(struct arena *arena, size_t size);
/* A NUL-terminated copy of `length` bytes of text. */
char *arena_copy(struct arena *arena, const char *text, size_t length);
char *arena_text(struct arena *arena, const char *text);

#endif
