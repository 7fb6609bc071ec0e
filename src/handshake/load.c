#include "handshake/load.h"

#include <stdlib.h>
#include <string.h>

#include "net/loop.h"

enum { MOST_FAILURES_IN_A_ROW = 1000 };
#define NS_PER_S        UINT64_C(1000000000)
#define LATE_NS         UINT64_C(1000000)
#define LONGEST_TURN_NS (NS_PER_S / 5)

struct load;

/* One connection at a time. */
struct slot {
    struct load *load;
    struct slot *next_free;
    struct attempt attempt;
    struct loop_watch watch;
    struct loop_timer timer;
    uint64_t due_ns;
};

struct load {
    const struct load_settings *settings;
    struct load_result *result;
    struct loop loop;
    struct loop_timer next; /* open loop: when the next attempt is due */
    struct slot *slots;
    struct slot *free;
    unsigned in_flight;
    unsigned failures_in_a_row;
    uint64_t start_ns, end_ns;
    struct error error; /* why nothing can go on */
    bool broken;
};

static uint64_t now_ns(void)
{
    return clock_wall_ns(clock_real());
}

static void break_off(struct load *load, const struct error *error)
{
    load->broken = true;
    load->error = *error;
}

static void keep(struct load *load, struct load_values *values, double value)
{
    struct error error;
    if (load_values_keep(values, value))
        return;
    (void)error_set(&error, ERROR_MEMORY, "no memory for more handshakes");
    break_off(load, &error);
}

static bool is_over(const struct load *load)
{
    const struct load_settings *settings = load->settings;
    return load->broken || (settings->stop != NULL && *settings->stop != 0) ||
           now_ns() >= load->start_ns + settings->duration_ns ||
           load->failures_in_a_row >= MOST_FAILURES_IN_A_ROW;
}

static void start(struct load *load, uint64_t due_ns);

/* Closed loop: the next begins where one ended. Open loop: one may be waiting for a connection. */
static void go_on(struct load *load)
{
    if (is_over(load))
        return;
    if (load->settings->rate_per_s == 0) {
        start(load, now_ns());
        return;
    }
    uint64_t due_ns = load->start_ns +
                      (uint64_t)((double)load->result->started * 1e9 / load->settings->rate_per_s);
    if (due_ns <= now_ns())
        start(load, due_ns);
}

static void release(struct slot *slot)
{
    struct load *load = slot->load;
    loop_cancel_timer(&load->loop, &slot->timer);
    loop_leave(&load->loop, &slot->watch);
    attempt_close(&slot->attempt);
    slot->next_free = load->free;
    load->free = slot;
    load->in_flight--;
}

static void record(struct slot *slot)
{
    struct load *load = slot->load;
    struct load_result *result = load->result;
    const struct attempt *attempt = &slot->attempt;
    result->handshakes++;
    result->sent_bytes += attempt->handshake_sent_bytes;
    result->received_bytes += attempt->handshake_received_bytes;
    keep(load, &result->handshake_ns, (double)(attempt->done_ns - attempt->connected_ns));
    keep(load, &result->latency_ns, (double)(attempt->done_ns - slot->due_ns));
    keep(load, &result->connect_ns, (double)(attempt->connected_ns - attempt->start_ns));
    load->failures_in_a_row = 0;
    load->end_ns = now_ns();
}

static void fail(struct load *load, const struct error *error)
{
    failures_add(&load->result->failures, error);
    load->failures_in_a_row++;
}

static void advance(struct slot *slot, enum tls_progress progress, struct error *error)
{
    struct load *load = slot->load;
    if (progress == TLS_WANT_READ || progress == TLS_WANT_WRITE) {
        uint64_t deadline_ns = attempt_deadline_ns(&slot->attempt);
        if (slot->timer.place > 0 && slot->timer.at_ns == deadline_ns)
            return;
        if (!loop_set_timer(&load->loop, &slot->timer, deadline_ns, error))
            break_off(load, error);
        return;
    }
    if (progress == TLS_DONE)
        record(slot);
    else
        fail(load, error);
    release(slot);
    go_on(load);
}

static void on_ready(void *context, unsigned events)
{
    struct slot *slot = context;
    struct error error;
    (void)events;
    enum tls_progress progress = attempt_step(&slot->attempt, &error);
    advance(slot, progress, &error);
}

static void on_due(void *context)
{
    struct slot *slot = context;
    struct error error;
    enum tls_progress progress = attempt_due(&slot->attempt, &error);
    advance(slot, progress, &error);
}

static void start(struct load *load, uint64_t due_ns)
{
    struct slot *slot = load->free;
    struct load_result *result = load->result;
    struct error error;
    if (slot == NULL)
        return;
    result->started++;
    result->late += load->settings->rate_per_s > 0 && now_ns() > due_ns + LATE_NS;
    if (!attempt_start(&slot->attempt, load->settings->attempts, &error)) {
        fail(load, &error);
        return;
    }
    load->free = slot->next_free;
    load->in_flight++;
    if (load->in_flight > result->most_in_flight)
        result->most_in_flight = load->in_flight;
    slot->due_ns = due_ns;
    slot->watch =
        (struct loop_watch){.fd = slot->attempt.link.fd, .context = slot, .ready = on_ready};
    /* Told of every change once: an attempt always goes as far as it can. */
    if (!loop_watch(&load->loop, &slot->watch, LOOP_READ | LOOP_WRITE | LOOP_EDGE, &error) ||
        !loop_set_timer(&load->loop, &slot->timer, attempt_deadline_ns(&slot->attempt), &error)) {
        fail(load, &error);
        release(slot);
    }
}

/* Open loop: starts all that are due, and sets the timer for the next. */
static void on_next(void *context)
{
    struct load *load = context;
    struct error error;
    double each_ns = 1e9 / load->settings->rate_per_s;
    uint64_t due_ns = 0;
    while (!is_over(load)) {
        due_ns = load->start_ns + (uint64_t)((double)load->result->started * each_ns);
        if (due_ns > now_ns() || load->free == NULL)
            break;
        start(load, due_ns);
    }
    /* Without a free connection the next one begins when one is released. */
    uint64_t again_ns = load->free == NULL ? now_ns() + LATE_NS : due_ns;
    if (!is_over(load) && !loop_set_timer(&load->loop, &load->next, again_ns, &error))
        break_off(load, &error);
}

static bool open_slots(struct load *load, struct error *error)
{
    unsigned count = load->settings->connections;
    load->slots = calloc(count, sizeof *load->slots);
    if (load->slots == NULL)
        return error_set(error, ERROR_MEMORY, "no memory for %u connections", count);
    for (unsigned i = 0; i < count; i++) {
        load->slots[i].load = load;
        load->slots[i].timer = (struct loop_timer){.context = &load->slots[i], .due = on_due};
        load->slots[i].next_free = load->free;
        load->free = &load->slots[i];
    }
    return true;
}

/* A closed loop whose attempts all failed to begin has nothing under way that would go on. */
static void keep_going(struct load *load)
{
    while (load->settings->rate_per_s == 0 && load->free != NULL && !is_over(load))
        start(load, now_ns());
}

static void run(struct load *load)
{
    struct error error;
    load->next = (struct loop_timer){.context = load, .due = on_next};
    load->start_ns = load->end_ns = now_ns();
    uint64_t cpu_ns = clock_cpu_ns(clock_real());
    if (load->settings->rate_per_s > 0)
        on_next(load);
    while (!load->broken && (!is_over(load) || load->in_flight > 0)) {
        keep_going(load);
        if (!loop_turn(&load->loop, LONGEST_TURN_NS, &error))
            break_off(load, &error);
        if (load->settings->stop != NULL && *load->settings->stop != 0)
            break;
    }
    load->result->client_cpu_ns = clock_cpu_ns(clock_real()) - cpu_ns;
    load->result->elapsed_ns = load->end_ns - load->start_ns;
}

bool load_run(const struct load_settings *settings, struct load_result *result, struct error *error)
{
    struct load load = {.settings = settings, .result = result};
    memset(result, 0, sizeof *result);
    if (!loop_open(&load.loop, clock_real(), error))
        return false;
    bool good = open_slots(&load, error);
    if (good)
        run(&load);
    for (unsigned i = 0; load.slots != NULL && i < settings->connections; i++)
        if (load.slots[i].attempt.state != ATTEMPT_IDLE)
            release(&load.slots[i]);
    loop_close(&load.loop);
    free(load.slots);
    if (load.broken)
        *error = load.error;
    return good && !load.broken;
}

void load_free(struct load_result *result)
{
    free(result->handshake_ns.items);
    free(result->latency_ns.items);
    free(result->connect_ns.items);
    memset(result, 0, sizeof *result);
}
