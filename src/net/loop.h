/*
 * An event loop: descriptors that become ready, and timers, in one thread.
 *
 * Watches and timers are structs of their owner, who keeps them where they are while they are in
 * the loop. Callbacks may add, change and remove any watch or timer, their own included; a watch
 * that was removed gets no event that was already fetched. Time is the clock's wall time. Linux's
 * epoll, level-triggered.
 */
#ifndef TLSMETER_NET_LOOP_H
#define TLSMETER_NET_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/error.h"

/* LOOP_EDGE: told once of every change, for owners that always go as far as they can. */
enum { LOOP_READ = 1, LOOP_WRITE = 2, LOOP_EDGE = 4 };

struct epoll_event;

struct loop_watch {
    int fd;
    void *context;
    /* `events` are those that are ready: LOOP_READ, LOOP_WRITE; an error or hang-up counts as both,
     * so that the next call on the descriptor says what it is. */
    void (*ready)(void *context, unsigned events);
    unsigned events; /* watched for; set by loop_watch */
    bool added;
};

struct loop_timer {
    uint64_t at_ns;
    void *context;
    void (*due)(void *context); /* the timer is out of the loop when it is called */
    size_t place;               /* in the heap, from 1; 0: not set */
};

struct loop {
    int epoll_fd;
    const struct clock *clock;
    struct loop_timer **heap; /* [1] is the next; owned */
    size_t timer_count, timer_capacity;
    struct epoll_event *events; /* fetched and being handed out; NULL: none are */
    size_t event_count;
};

MUST_USE bool loop_open(struct loop *loop, const struct clock *clock, struct error *error);
void loop_close(struct loop *loop);
/* Watches for `events` (0: for nothing but errors), added or changed. */
MUST_USE bool loop_watch(struct loop *loop, struct loop_watch *watch, unsigned events,
                         struct error *error);
void loop_unwatch(struct loop *loop, struct loop_watch *watch);
/* The same for a descriptor that is about to be closed, which takes it out of the kernel's set as
 * well (nothing else may hold a copy of it). */
void loop_leave(struct loop *loop, struct loop_watch *watch);
/* Sets or moves a timer. */
MUST_USE bool loop_set_timer(struct loop *loop, struct loop_timer *timer, uint64_t at_ns,
                             struct error *error);
void loop_cancel_timer(struct loop *loop, struct loop_timer *timer);
/* Waits for the next events, at most `most_ns`, and hands them out, timers first. False with an
 * error when the kernel refuses. A signal ends the wait. */
MUST_USE bool loop_turn(struct loop *loop, uint64_t most_ns, struct error *error);

#endif
