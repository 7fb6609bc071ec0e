#include "tls/virtual_time.h"

#include <stddef.h>
#include <sys/time.h>
#include <time.h>

enum { NS_PER_S = 1000000000 };

static _Thread_local const struct clock *virtual_clock;

void virtual_time_enter(const struct clock *clock)
{
    virtual_clock = clock == clock_real() ? NULL : clock;
}

void virtual_time_leave(void)
{
    virtual_clock = NULL;
}

static struct timespec now(void)
{
    struct timespec time_now;
    if (virtual_clock == NULL) {
        (void)clock_gettime(CLOCK_REALTIME, &time_now);
        return time_now;
    }
    uint64_t wall_ns = clock_wall_ns(virtual_clock);
    time_now.tv_sec = VIRTUAL_EPOCH_S + (time_t)(wall_ns / NS_PER_S);
    time_now.tv_nsec = (long)(wall_ns % NS_PER_S);
    return time_now;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone)
{
    (void)zone;
    struct timespec time_now = now();
    value->tv_sec = time_now.tv_sec;
    value->tv_usec = time_now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *seconds)
{
    time_t now_s = now().tv_sec;
    if (seconds != NULL)
        *seconds = now_s;
    return now_s;
}
