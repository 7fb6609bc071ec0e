/*
 * Texts that are stored once.
 *
 * Equal texts give the same pointer, so that many rows can hold the same few texts and compare them
 * by address. The set owns the texts until text_set_free.
 */
#ifndef TLSMETER_CORE_TEXT_SET_H
#define TLSMETER_CORE_TEXT_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"

struct text_set {
    struct arena arena;
    const char **slots; /* open addressing; NULL is free */
    size_t capacity;    /* a power of two, or 0 */
    size_t count;
    bool failed; /* memory ran out at some call */
};

/* The stored text equal to `text`; NULL of NULL, and when memory ran out. */
const char *text_set_add(struct text_set *set, const char *text);
void text_set_free(struct text_set *set);

#endif
