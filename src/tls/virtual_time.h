/*
 * The libraries have no parameter for "now": OpenSSL calls gettimeofday and time, Mbed TLS and
 * wolfSSL call time, all through the dynamic linker, where a definition in the executable comes
 * first. These definitions answer with the real time, or with the clock of the endpoint that the
 * calling thread is inside of. A statically linked libc knows no such order: virtual time is not to
 * be had there.
 */
#ifndef TLSMETER_TLS_VIRTUAL_TIME_H
#define TLSMETER_TLS_VIRTUAL_TIME_H

#include "core/clock.h"

/* Virtual time zero is 2025-01-01 00:00 UTC: inside the validity of the test PKI. */
enum { VIRTUAL_EPOCH_S = 1735689600 };

/* Until leave, the calling thread's calendar follows `clock`; clock_real() and NULL change nothing.
 */
void virtual_time_enter(const struct clock *clock);
void virtual_time_leave(void);

#endif
