/* The event loop and sockets: addresses from text, timers in order, watches that come and go. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "core/random.h"
#include "net/loop.h"
#include "net/socket.h"

/* ---- addresses ---- */

static void addresses_are_split(void **state)
{
    (void)state;
    static const struct {
        const char *text, *host;
        uint16_t port;
    } cases[] = {{"example.org:443", "example.org", 443},
                 {"example.org", "example.org", 7},
                 {"127.0.0.1:65535", "127.0.0.1", 65535},
                 {"[::1]:8443", "::1", 8443},
                 {"[::1]", "::1", 7},
                 {"::1", "::1", 7},
                 {"a:1", "a", 1}};
    static const char *const wrong[] = {"",       ":443",    "a:",   "a:0x1", "a:65536",
                                        "[::1:4", "[::1]x1", "a:-1", "[]:4",  "a:1 "};
    char host[NET_HOST_BYTES], longest[NET_HOST_BYTES + 10];
    struct error error;
    uint16_t port;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        port = 7;
        assert_true(net_split(cases[i].text, host, &port, &error));
        assert_string_equal(host, cases[i].host);
        assert_int_equal(port, cases[i].port);
    }
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        port = 7;
        if (net_split(wrong[i], host, &port, &error))
            fail_msg("'%s' was taken", wrong[i]);
        assert_true(error.text[0] != '\0');
    }
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_false(net_split(longest, host, &port, &error));
}

static void addresses_are_written(void **state)
{
    (void)state;
    struct net_address address;
    struct error error;
    char text[NET_TEXT_BYTES];
    assert_true(net_resolve("127.0.0.1", 443, false, &address, &error));
    net_format(&address, text);
    assert_string_equal(text, "127.0.0.1:443");
    assert_int_equal(net_port(&address), 443);
    assert_true(net_resolve("::1", 8443, true, &address, &error));
    net_format(&address, text);
    assert_string_equal(text, "[::1]:8443");
    assert_false(net_resolve("no-such-host.invalid", 1, false, &address, &error));
    assert_non_null(strstr(error.text, "no-such-host.invalid"));
}

static void a_closed_port_refuses(void **state)
{
    (void)state;
    struct net_address address;
    struct error error = {.code = ERROR_NONE};
    int listener = net_listen("127.0.0.1", 0, false, &error);
    assert_true(listener >= 0);
    assert_true(net_local(listener, &address, &error));
    assert_int_equal(net_listen("127.0.0.1", net_port(&address), false, &error), -1);
    assert_int_equal(error.origin_code, EADDRINUSE);
    (void)close(listener);
    int fd = net_connect(&address, false, &error);
    bool connected = fd >= 0 && net_connected(fd, &address, &error);
    assert_false(connected);
    assert_int_equal(error.origin_code, ECONNREFUSED);
    if (fd >= 0)
        (void)close(fd);
}

/* ---- timers ---- */

enum { TIMERS = 200 };

struct fired {
    struct loop *loop;
    struct loop_timer timers[TIMERS];
    size_t order[TIMERS];
    size_t count;
};

struct one {
    struct fired *fired;
    size_t index;
};

static void on_due(void *context)
{
    const struct one *one = context;
    one->fired->order[one->fired->count++] = one->index;
}

/* A random half is moved, a quarter cancelled: the rest fire in order of time, once. */
static void timers_fire_in_order(void **state)
{
    (void)state;
    struct manual_clock manual;
    struct loop loop;
    struct error error;
    struct random_source random;
    struct fired fired = {.loop = &loop};
    struct one ones[TIMERS];
    uint64_t at_ns[TIMERS];
    manual_clock_init(&manual);
    random_seed(&random, 3);
    assert_true(loop_open(&loop, &manual.clock, &error));
    for (size_t i = 0; i < TIMERS; i++) {
        ones[i] = (struct one){&fired, i};
        fired.timers[i] = (struct loop_timer){.context = &ones[i], .due = on_due};
        at_ns[i] = 1000 + random_below(&random, 1000000);
        assert_true(loop_set_timer(&loop, &fired.timers[i], at_ns[i], &error));
    }
    for (size_t i = 0; i < TIMERS; i += 2) {
        at_ns[i] = 1000 + random_below(&random, 1000000);
        assert_true(loop_set_timer(&loop, &fired.timers[i], at_ns[i], &error));
    }
    for (size_t i = 0; i < TIMERS; i += 4) {
        loop_cancel_timer(&loop, &fired.timers[i]);
        at_ns[i] = 0;
    }
    assert_true(loop_turn(&loop, 0, &error));
    assert_int_equal(fired.count, 0); /* none is due at time zero */
    manual_clock_advance(&manual, 500000, 0);
    assert_true(loop_turn(&loop, 0, &error));
    size_t early = fired.count;
    for (size_t i = 0; i < early; i++)
        assert_true(at_ns[fired.order[i]] <= 500000);
    manual_clock_advance(&manual, 2000000, 0);
    assert_true(loop_turn(&loop, 0, &error));
    assert_int_equal(fired.count, TIMERS * 3 / 4);
    assert_true(early > 0 && early < fired.count);
    for (size_t i = 1; i < fired.count; i++)
        assert_true(at_ns[fired.order[i - 1]] <= at_ns[fired.order[i]]);
    loop_close(&loop);
}

/* ---- watches ---- */

struct ends {
    struct loop *loop;
    struct loop_watch watches[2];
    int seen[2];
};

/* The first to be told takes the other out, whose event was fetched already. */
static void take_other_out(struct ends *ends, int own)
{
    ends->seen[own]++;
    loop_unwatch(ends->loop, &ends->watches[1 - own]);
}

static void on_first(void *context, unsigned events)
{
    assert_true((events & LOOP_READ) != 0);
    take_other_out(context, 0);
}

static void on_second(void *context, unsigned events)
{
    assert_true((events & LOOP_READ) != 0);
    take_other_out(context, 1);
}

static void a_watch_taken_out_is_told_nothing(void **state)
{
    (void)state;
    int pipes[2][2];
    struct loop loop;
    struct error error;
    assert_true(loop_open(&loop, clock_real(), &error));
    struct ends ends = {.loop = &loop};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pipe(pipes[i]), 0);
        assert_int_equal(write(pipes[i][1], "x", 1), 1);
        ends.watches[i] = (struct loop_watch){
            .fd = pipes[i][0], .context = &ends, .ready = i == 0 ? on_first : on_second};
        assert_true(loop_watch(&loop, &ends.watches[i], LOOP_READ, &error));
    }
    assert_true(loop_turn(&loop, 1000000, &error));
    assert_int_equal(ends.seen[0] + ends.seen[1], 1);
    for (int i = 0; i < 2; i++) {
        loop_unwatch(&loop, &ends.watches[i]);
        (void)close(pipes[i][0]);
        (void)close(pipes[i][1]);
    }
    loop_close(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_split),
        cmocka_unit_test(addresses_are_written),
        cmocka_unit_test(a_closed_port_refuses),
        cmocka_unit_test(timers_fire_in_order),
        cmocka_unit_test(a_watch_taken_out_is_told_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
