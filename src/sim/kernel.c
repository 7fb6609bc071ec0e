#include "sim/kernel.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 64 };

struct kernel_entry {
    uint64_t due_ns;
    uint64_t order;
    struct event *event;
};

static uint64_t virtual_ns(void *context)
{
    return ((const struct kernel *)context)->now_ns;
}

void kernel_init(struct kernel *kernel, uint64_t seed)
{
    *kernel = (struct kernel){.clock = {virtual_ns, virtual_ns, kernel}};
    random_seed(&kernel->random, seed);
}

void kernel_free(struct kernel *kernel)
{
    for (size_t i = 0; i < kernel->count; i++)
        kernel->queue[i].event->position = 0;
    free(kernel->queue);
    kernel->queue = NULL;
    kernel->count = kernel->capacity = 0;
}

void kernel_random(const struct kernel *kernel, const char *purpose, struct random_source *source)
{
    random_fork(source, &kernel->random, purpose);
}

static bool is_before(const struct kernel_entry *a, const struct kernel_entry *b)
{
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->order < b->order;
}

static void put(struct kernel *kernel, size_t index, struct kernel_entry entry)
{
    kernel->queue[index] = entry;
    entry.event->position = index + 1;
}

/* Both move a hole to where `entry` belongs and fill it. */
static void sift_up(struct kernel *kernel, size_t hole, struct kernel_entry entry)
{
    while (hole > 0) {
        size_t parent = (hole - 1) / 2;
        if (!is_before(&entry, &kernel->queue[parent]))
            break;
        put(kernel, hole, kernel->queue[parent]);
        hole = parent;
    }
    put(kernel, hole, entry);
}

static void sift_down(struct kernel *kernel, size_t hole, struct kernel_entry entry)
{
    for (;;) {
        size_t child = 2 * hole + 1;
        if (child >= kernel->count)
            break;
        if (child + 1 < kernel->count &&
            is_before(&kernel->queue[child + 1], &kernel->queue[child]))
            child++;
        if (!is_before(&kernel->queue[child], &entry))
            break;
        put(kernel, hole, kernel->queue[child]);
        hole = child;
    }
    put(kernel, hole, entry);
}

static void sift(struct kernel *kernel, size_t hole, struct kernel_entry entry)
{
    if (hole > 0 && is_before(&entry, &kernel->queue[(hole - 1) / 2]))
        sift_up(kernel, hole, entry);
    else
        sift_down(kernel, hole, entry);
}

static bool has_room(struct kernel *kernel)
{
    if (kernel->count < kernel->capacity)
        return true;
    size_t capacity = kernel->capacity == 0 ? FIRST_CAPACITY : 2 * kernel->capacity;
    struct kernel_entry *grown = realloc(kernel->queue, capacity * sizeof *grown);
    if (grown == NULL) {
        kernel->failed = true;
        return false;
    }
    kernel->queue = grown;
    kernel->capacity = capacity;
    return true;
}

void kernel_at(struct kernel *kernel, struct event *event, uint64_t due_ns)
{
    if (due_ns == SIM_NEVER) {
        kernel_cancel(kernel, event);
        return;
    }
    if (due_ns < kernel->now_ns)
        due_ns = kernel->now_ns;
    struct kernel_entry entry = {due_ns, kernel->order++, event};
    if (event_waits(event)) {
        sift(kernel, event->position - 1, entry);
        return;
    }
    if (has_room(kernel))
        sift_up(kernel, kernel->count++, entry);
}

void kernel_after(struct kernel *kernel, struct event *event, uint64_t delay_ns)
{
    bool never = delay_ns >= SIM_NEVER - kernel->now_ns;
    kernel_at(kernel, event, never ? SIM_NEVER : kernel->now_ns + delay_ns);
}

void kernel_cancel(struct kernel *kernel, struct event *event)
{
    if (!event_waits(event))
        return;
    size_t hole = event->position - 1;
    event->position = 0;
    struct kernel_entry last = kernel->queue[--kernel->count];
    if (hole < kernel->count)
        sift(kernel, hole, last);
}

uint64_t kernel_due_ns(const struct kernel *kernel, const struct event *event)
{
    return event_waits(event) ? kernel->queue[event->position - 1].due_ns : SIM_NEVER;
}

uint64_t kernel_next_ns(const struct kernel *kernel)
{
    return kernel->count > 0 ? kernel->queue[0].due_ns : SIM_NEVER;
}

enum kernel_end kernel_run(struct kernel *kernel, uint64_t limit_ns, struct error *error)
{
    kernel->stopping = false;
    while (!kernel->failed && !kernel->stopping && kernel->count > 0) {
        struct kernel_entry next = kernel->queue[0];
        if (next.due_ns > limit_ns) {
            kernel->now_ns = limit_ns > kernel->now_ns ? limit_ns : kernel->now_ns;
            return KERNEL_LIMIT;
        }
        kernel_cancel(kernel, next.event);
        kernel->now_ns = next.due_ns;
        kernel->fired++;
        next.event->fire(next.event->context);
    }
    if (kernel->failed) {
        (void)error_set(error, ERROR_MEMORY, "no memory for the queue of %zu events",
                        kernel->count);
        return KERNEL_FAILED;
    }
    return kernel->stopping ? KERNEL_STOPPED : KERNEL_EMPTY;
}

void kernel_stop(struct kernel *kernel)
{
    kernel->stopping = true;
}
