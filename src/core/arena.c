#include "core/arena.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) char bytes[];
};

enum { BLOCK_BYTES = 2048 - (int)sizeof(struct arena_block) };

void arena_free(struct arena *arena)
{
    while (arena->blocks != NULL) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

void arena_clear(struct arena *arena)
{
    if (arena->blocks == NULL)
        return;
    struct arena rest = {arena->blocks->next};
    arena_free(&rest);
    arena->blocks->next = NULL;
    arena->blocks->used = 0;
}

void *arena_take(struct arena *arena, size_t size)
{
    size_t alignment = alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + alignment - 1) / alignment * alignment;
    struct arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < size) {
        size_t block_size = size > BLOCK_BYTES ? size : (size_t)BLOCK_BYTES;
        block = malloc(sizeof *block + block_size);
        if (block == NULL)
            return NULL;
        *block = (struct arena_block){.next = arena->blocks, .size = block_size};
        arena->blocks = block;
    }
    void *taken = block->bytes + block->used;
    block->used += size;
    memset(taken, 0, size);
    return taken;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_take(arena, length + 1);
    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_copy(arena, text, strlen(text));
}
