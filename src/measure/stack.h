/*
 * How deep a piece of code goes into the stack.
 *
 * Work runs on a stack of its own that was painted before; what is no longer paint was used. The
 * deepest place counts, so bytes of a frame that were reserved and never written above it are in,
 * and a deepest frame's untouched bytes are not. Where contexts cannot be switched (another C
 * library than glibc, a sanitizer that keeps its own account of stacks) stack_missing.c stands in.
 */
#ifndef TLSMETER_MEASURE_STACK_H
#define TLSMETER_MEASURE_STACK_H

#include <stddef.h>

#include "core/error.h"

struct stack_meter {
    unsigned char *memory; /* painted; a guard page lies below */
    size_t size_bytes;
};

const char *stack_unavailable(void); /* NULL: it can be measured; else the reason */
MUST_USE bool stack_open(struct stack_meter *meter, struct error *error);
void stack_close(struct stack_meter *meter);
/* Calls work(context) on the meter's stack. */
void stack_call(struct stack_meter *meter, void (*work)(void *context), void *context);
/* Bytes used by the deepest call since the meter was opened. */
size_t stack_peak_bytes(const struct stack_meter *meter);

#endif
