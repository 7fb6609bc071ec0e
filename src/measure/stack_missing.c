/* Stands in for stack.c where contexts cannot be switched. */
#include "measure/stack.h"

const char *stack_unavailable(void)
{
    return "the stack is measured with glibc, linked dynamically and without a sanitizer only";
}

bool stack_open(struct stack_meter *meter, struct error *error)
{
    *meter = (struct stack_meter){.memory = NULL};
    return error_set(error, ERROR_UNAVAILABLE, "%s", stack_unavailable());
}

void stack_close(struct stack_meter *meter)
{
    (void)meter;
}

void stack_call(struct stack_meter *meter, void (*work)(void *context), void *context)
{
    (void)meter;
    work(context);
}

size_t stack_peak_bytes(const struct stack_meter *meter)
{
    (void)meter;
    return 0;
}
