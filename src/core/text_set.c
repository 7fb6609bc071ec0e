#include "core/text_set.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_CAPACITY = 64 };

/* FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923). */
static uint64_t hash(const char *text)
{
    uint64_t value = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * 0x100000001b3u;
    return value ^ value >> 32;
}

/* The slot that holds `text`, or the free one where it belongs. */
static const char **find_slot(const char **slots, size_t capacity, const char *text)
{
    size_t i = (size_t)hash(text) & (capacity - 1);
    while (slots[i] != NULL && strcmp(slots[i], text) != 0)
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static bool grow(struct text_set *set)
{
    size_t capacity = set->capacity == 0 ? SMALLEST_CAPACITY : set->capacity * 2;
    const char **slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i] != NULL)
            *find_slot(slots, capacity, set->slots[i]) = set->slots[i];
    free(set->slots);
    set->slots = slots;
    set->capacity = capacity;
    return true;
}

const char *text_set_add(struct text_set *set, const char *text)
{
    if (text == NULL)
        return NULL;
    if (set->count * 2 >= set->capacity && !grow(set)) {
        set->failed = true;
        return NULL;
    }
    const char **slot = find_slot(set->slots, set->capacity, text);
    if (*slot != NULL)
        return *slot;
    *slot = arena_text(&set->arena, text);
    if (*slot == NULL)
        set->failed = true;
    else
        set->count++;
    return *slot;
}

void text_set_free(struct text_set *set)
{
    free(set->slots);
    arena_free(&set->arena);
    *set = (struct text_set){0};
}
