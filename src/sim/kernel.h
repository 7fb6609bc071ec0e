/*
 * Virtual time: one clock and one queue of events for everything that is simulated.
 *
 * Radio, 6LoWPAN, TCP, DTLS timers and computing all wait in the same queue; nothing reads the real
 * clock. Time is nanoseconds since the start of the run and moves only from one event to the next.
 * Events due at the same time fire in the order in which they were scheduled, so a run is a
 * function of its parameters and its seed.
 *
 * An event belongs to who schedules it: it is a member of their struct, made once with event_init,
 * and may be scheduled, moved and cancelled any number of times. The queue keeps a pointer to it as
 * long as it waits (cancel it before its memory goes) and allocates only when more events wait at
 * once than ever before. Scheduling never fails at the call: a kernel that ran out of memory turns
 * `failed` and kernel_run says so.
 *
 * Randomness: each purpose takes a source of its own from the run's seed (kernel_random), so that a
 * layer that draws more does not reshuffle the others.
 */
#ifndef TLSMETER_SIM_KERNEL_H
#define TLSMETER_SIM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/random.h"

#define SIM_NS_PER_US UINT64_C(1000)
#define SIM_NS_PER_MS UINT64_C(1000000)
#define SIM_NS_PER_S  UINT64_C(1000000000)
#define SIM_NEVER     UINT64_MAX /* no time: later than every event */

struct event {
    void (*fire)(void *context);
    void *context;
    size_t position; /* in the queue, from 1; 0: not waiting */
};

struct kernel_entry; /* the queue's own */

struct kernel {
    struct clock
        clock; /* virtual: hand this to the code that is simulated; both readings are now */
    uint64_t now_ns;
    struct random_source random; /* never drawn from, only forked */
    struct kernel_entry *queue;  /* binary heap, the next event first */
    size_t count, capacity;
    uint64_t order; /* events scheduled so far: breaks ties */
    uint64_t fired; /* events fired so far */
    bool stopping;
    bool failed;
};

enum kernel_end {
    KERNEL_EMPTY,   /* no event is left */
    KERNEL_STOPPED, /* kernel_stop was called */
    KERNEL_LIMIT,   /* the next event is later than the limit; now is the limit */
    KERNEL_FAILED,  /* memory ran out; the error says so */
};

void kernel_init(struct kernel *kernel, uint64_t seed);
/* Gives the queue's memory back; events still waiting are forgotten. */
void kernel_free(struct kernel *kernel);
/* The source of one purpose, such as "loss-0-1": depends on the seed and the name only. */
void kernel_random(const struct kernel *kernel, const char *purpose, struct random_source *source);

static inline void event_init(struct event *event, void (*fire)(void *context), void *context)
{
    *event = (struct event){.fire = fire, .context = context};
}

static inline bool event_waits(const struct event *event)
{
    return event->position != 0;
}

/* Fires the event at `due_ns`, or now if that has passed. An event that waits already is moved, and
 * counts as scheduled last among those of its new time. SIM_NEVER cancels. */
void kernel_at(struct kernel *kernel, struct event *event, uint64_t due_ns);
/* The same, `delay_ns` from now. */
void kernel_after(struct kernel *kernel, struct event *event, uint64_t delay_ns);
/* An event that does not wait is left alone. */
void kernel_cancel(struct kernel *kernel, struct event *event);
/* When the event fires; SIM_NEVER if it does not wait. */
uint64_t kernel_due_ns(const struct kernel *kernel, const struct event *event);

/* When the next event fires; SIM_NEVER if none waits. */
uint64_t kernel_next_ns(const struct kernel *kernel);
/* Fires events until none is left, kernel_stop is called, or the next is later than `limit_ns`. */
enum kernel_end kernel_run(struct kernel *kernel, uint64_t limit_ns, struct error *error);
/* Ends kernel_run after the event that calls it. */
void kernel_stop(struct kernel *kernel);

#endif
