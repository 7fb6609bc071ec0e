#include "net/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { EVENTS_AT_ONCE = 128, NS_PER_MS = 1000000, NS_PER_S = 1000000000 };
#define LONGEST_WAIT_NS (60 * UINT64_C(1000000000))

bool loop_open(struct loop *loop, const struct clock *clock, struct error *error)
{
    memset(loop, 0, sizeof *loop);
    loop->clock = clock;
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    return loop->epoll_fd >= 0 || error_set_errno(error, errno, "no epoll descriptor");
}

void loop_close(struct loop *loop)
{
    if (loop->epoll_fd >= 0)
        (void)close(loop->epoll_fd);
    loop->epoll_fd = -1;
    free(loop->heap);
    loop->heap = NULL;
}

bool loop_watch(struct loop *loop, struct loop_watch *watch, unsigned events, struct error *error)
{
    struct epoll_event event = {.data = {.ptr = watch}};
    if (watch->added && watch->events == events)
        return true;
    if ((events & LOOP_READ) != 0)
        event.events |= EPOLLIN;
    if ((events & LOOP_WRITE) != 0)
        event.events |= EPOLLOUT;
    if ((events & LOOP_EDGE) != 0)
        event.events |= EPOLLET;
    int operation = watch->added ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(loop->epoll_fd, operation, watch->fd, &event) != 0)
        return error_set_errno(error, errno, "a descriptor cannot be watched");
    watch->events = events;
    watch->added = true;
    return true;
}

void loop_unwatch(struct loop *loop, struct loop_watch *watch)
{
    if (watch->added)
        (void)epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
    loop_leave(loop, watch);
}

void loop_leave(struct loop *loop, struct loop_watch *watch)
{
    if (!watch->added)
        return;
    watch->added = false;
    for (size_t i = 0; loop->events != NULL && i < loop->event_count; i++)
        if (loop->events[i].data.ptr == watch)
            loop->events[i].data.ptr = NULL;
}

/* ---- timers: a binary heap, the parent of i is i / 2 ---- */

static void put(struct loop *loop, size_t place, struct loop_timer *timer)
{
    loop->heap[place] = timer;
    timer->place = place;
}

static void sift(struct loop *loop, size_t place, struct loop_timer *timer)
{
    while (place > 1 && loop->heap[place / 2]->at_ns > timer->at_ns) {
        put(loop, place, loop->heap[place / 2]);
        place /= 2;
    }
    for (size_t child = 2 * place; child <= loop->timer_count; child = 2 * place) {
        if (child < loop->timer_count && loop->heap[child + 1]->at_ns < loop->heap[child]->at_ns)
            child++;
        if (loop->heap[child]->at_ns >= timer->at_ns)
            break;
        put(loop, place, loop->heap[child]);
        place = child;
    }
    put(loop, place, timer);
}

bool loop_set_timer(struct loop *loop, struct loop_timer *timer, uint64_t at_ns,
                    struct error *error)
{
    timer->at_ns = at_ns;
    if (timer->place > 0) {
        sift(loop, timer->place, timer);
        return true;
    }
    if (loop->timer_count + 2 > loop->timer_capacity) {
        size_t capacity = loop->timer_capacity == 0 ? 64 : 2 * loop->timer_capacity;
        struct loop_timer **heap = reallocarray(loop->heap, capacity, sizeof(struct loop_timer *));
        if (heap == NULL)
            return error_set(error, ERROR_MEMORY, "no memory for timers");
        loop->heap = heap;
        loop->timer_capacity = capacity;
    }
    sift(loop, ++loop->timer_count, timer);
    return true;
}

void loop_cancel_timer(struct loop *loop, struct loop_timer *timer)
{
    size_t place = timer->place;
    if (place == 0)
        return;
    timer->place = 0;
    struct loop_timer *last = loop->heap[loop->timer_count--];
    if (last != timer)
        sift(loop, place, last);
}

static void run_timers(struct loop *loop, uint64_t now_ns)
{
    while (loop->timer_count > 0 && loop->heap[1]->at_ns <= now_ns) {
        struct loop_timer *timer = loop->heap[1];
        loop_cancel_timer(loop, timer);
        timer->due(timer->context);
    }
}

static uint64_t wait_ns(const struct loop *loop, uint64_t most_ns)
{
    uint64_t now_ns = clock_wall_ns(loop->clock);
    if (loop->timer_count > 0) {
        uint64_t at_ns = loop->heap[1]->at_ns;
        uint64_t left_ns = at_ns > now_ns ? at_ns - now_ns : 0;
        most_ns = left_ns < most_ns ? left_ns : most_ns;
    }
    return most_ns < LONGEST_WAIT_NS ? most_ns : LONGEST_WAIT_NS;
}

/* Kernels before 5.11 wait whole milliseconds: rounded up, so that a timer is due when it ends. */
static int fetch(const struct loop *loop, struct epoll_event *events, uint64_t most_ns)
{
    struct timespec wait = {.tv_sec = (time_t)(most_ns / NS_PER_S),
                            .tv_nsec = (long)(most_ns % NS_PER_S)};
    int count = epoll_pwait2(loop->epoll_fd, events, EVENTS_AT_ONCE, &wait, NULL);
    if (count >= 0 || errno != ENOSYS)
        return count;
    uint64_t ms = most_ns / NS_PER_MS + (most_ns % NS_PER_MS > 0);
    return epoll_wait(loop->epoll_fd, events, EVENTS_AT_ONCE, (int)ms);
}

static void hand_out(struct loop *loop, struct epoll_event *events, size_t count)
{
    loop->events = events;
    loop->event_count = count;
    for (size_t i = 0; i < count; i++) {
        struct loop_watch *watch = events[i].data.ptr;
        unsigned ready = 0;
        if (watch == NULL)
            continue; /* removed since it was fetched */
        if ((events[i].events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0)
            ready |= LOOP_READ;
        if ((events[i].events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0)
            ready |= LOOP_WRITE;
        watch->ready(watch->context, ready);
    }
    loop->events = NULL;
}

bool loop_turn(struct loop *loop, uint64_t most_ns, struct error *error)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    run_timers(loop, clock_wall_ns(loop->clock));
    int count = fetch(loop, events, wait_ns(loop, most_ns));
    if (count < 0 && errno != EINTR)
        return error_set_errno(error, errno, "waiting for events");
    hand_out(loop, events, count < 0 ? 0 : (size_t)count);
    return true;
}
