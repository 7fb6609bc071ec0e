#include "http/load.h"

#include <stdlib.h>
#include <string.h>

#include "net/loop.h"

enum { MOST_FAILURES_IN_A_ROW = 1000 };
#define NS_PER_S        UINT64_C(1000000000)
#define LATE_NS         UINT64_C(1000000)
#define LONGEST_TURN_NS (NS_PER_S / 5)

static const struct http_limits limits = {.header_bytes = 65536, .headers = 200};

enum slot_state {
    SLOT_CLOSED,
    SLOT_CONNECTING, /* for a request that is due */
    SLOT_READY,      /* connected, nothing to do */
    SLOT_EXCHANGING,
};

struct load;

struct slot {
    struct load *load;
    struct slot *next_free; /* of those without a request */
    enum slot_state state;
    struct attempt attempt;
    struct http_exchange exchange;
    struct http_parser *parser;
    struct loop_watch watch;
    struct loop_timer timer;
    uint64_t due_ns;
    unsigned requests; /* on this connection, answered */
};

struct load {
    const struct http_load_settings *settings;
    struct http_load_result *result;
    struct loop loop;
    struct loop_timer next; /* open loop: when the next request is due */
    struct slot *slots;
    struct slot *free;
    unsigned busy;
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
    if (!load->broken)
        load->error = *error;
    load->broken = true;
}

static bool is_over(const struct load *load)
{
    const struct http_load_settings *settings = load->settings;
    return load->broken || (settings->stop != NULL && *settings->stop != 0) ||
           now_ns() >= load->start_ns + settings->duration_ns ||
           load->failures_in_a_row >= MOST_FAILURES_IN_A_ROW;
}

static void close_connection(struct slot *slot)
{
    struct load *load = slot->load;
    if (slot->state == SLOT_CLOSED)
        return;
    load->result->sent_bytes += slot->attempt.link.sent_bytes;
    load->result->received_bytes += slot->attempt.link.received_bytes;
    loop_leave(&load->loop, &slot->watch);
    attempt_close(&slot->attempt);
    slot->state = SLOT_CLOSED;
}

/* ---- one request ---- */

static void advance(struct slot *slot);

static void set_deadline(struct slot *slot)
{
    struct load *load = slot->load;
    struct error error;
    uint64_t at_ns = now_ns() + load->settings->attempts->time_out_ns;
    if (!loop_set_timer(&load->loop, &slot->timer, at_ns, &error))
        break_off(load, &error);
}

static void on_ready(void *context, unsigned events)
{
    (void)events;
    advance(context);
}

/* False: it could not even begin. */
static bool open_connection(struct slot *slot, struct error *error)
{
    struct load *load = slot->load;
    if (!attempt_start(&slot->attempt, load->settings->attempts, error))
        return false;
    slot->state = SLOT_CONNECTING;
    slot->requests = 0;
    slot->watch =
        (struct loop_watch){.fd = slot->attempt.link.fd, .context = slot, .ready = on_ready};
    /* Told of every change once: everything here goes on as far as it can. */
    return loop_watch(&load->loop, &slot->watch, LOOP_READ | LOOP_WRITE | LOOP_EDGE, error);
}

static void begin_exchange(struct slot *slot)
{
    http_exchange_begin(&slot->exchange, slot->load->settings->request);
    slot->state = SLOT_EXCHANGING;
}

/* The request is done with, well or not: the slot is free for another. */
static void release(struct slot *slot)
{
    struct load *load = slot->load;
    loop_cancel_timer(&load->loop, &slot->timer);
    slot->next_free = load->free;
    load->free = slot;
    load->busy--;
    load->end_ns = now_ns();
}

static void fail(struct slot *slot, const struct error *error)
{
    struct load *load = slot->load;
    failures_add(&load->result->failures, error);
    load->failures_in_a_row++;
    close_connection(slot);
    release(slot);
}

static void record(struct slot *slot)
{
    struct load *load = slot->load;
    struct http_load_result *result = load->result;
    unsigned most = load->settings->requests_per_connection;
    result->requests++;
    result->http_errors += slot->exchange.status >= 400;
    load->failures_in_a_row = 0;
    if (!load_values_keep(&result->latency_ns, (double)(slot->exchange.end_ns - slot->due_ns))) {
        struct error error;
        (void)error_set(&error, ERROR_MEMORY, "no memory for more requests");
        break_off(load, &error);
    }
    slot->requests++;
    slot->state = SLOT_READY;
    if (!slot->exchange.keep_alive || slot->requests == most)
        close_connection(slot);
    release(slot);
}

static void send_request(struct load *load, uint64_t due_ns)
{
    struct slot *slot = load->free;
    struct error error;
    load->free = slot->next_free;
    load->busy++;
    load->result->due++;
    load->result->late += load->settings->rate_per_s > 0 && now_ns() > due_ns + LATE_NS;
    slot->due_ns = due_ns;
    set_deadline(slot);
    if (slot->state == SLOT_READY)
        begin_exchange(slot);
    else if (!open_connection(slot, &error))
        fail(slot, &error);
}

/* The next request that is due, if a connection is free. True: one was sent. */
static bool send_next(struct load *load)
{
    double rate = load->settings->rate_per_s;
    if (load->free == NULL || is_over(load))
        return false;
    uint64_t now = now_ns();
    uint64_t due_ns =
        rate == 0 ? now : load->start_ns + (uint64_t)((double)load->result->due * 1e9 / rate);
    if (due_ns > now)
        return false;
    struct slot *slot = load->free;
    send_request(load, due_ns);
    if (slot->state == SLOT_EXCHANGING)
        advance(slot);
    return true;
}

/* A server may close a kept connection at any moment; a request that met its end is sent again on a
 * new one, as every client does, once. */
static bool renew(struct slot *slot)
{
    struct error error;
    bool met_end =
        slot->state == SLOT_EXCHANGING && slot->requests > 0 && slot->exchange.first_byte_ns == 0;
    if (!met_end)
        return false;
    close_connection(slot);
    slot->load->result->renewed++;
    if (!open_connection(slot, &error))
        fail(slot, &error);
    return true;
}

static enum tls_progress step(struct slot *slot, struct error *error)
{
    enum tls_progress progress = TLS_DONE;
    if (slot->state == SLOT_CONNECTING) {
        progress = attempt_step(&slot->attempt, error);
        if (progress != TLS_DONE)
            return progress;
        slot->load->result->connections++;
        http_exchange_init(&slot->exchange, slot->parser);
        begin_exchange(slot);
    }
    progress = http_exchange_step(&slot->exchange, &slot->attempt.channel, error);
    (void)link_flush(&slot->attempt.link);
    return progress;
}

/* Nothing is asked for: it can only be the server's goodbye. */
static void see_goodbye(struct slot *slot)
{
    char byte;
    size_t length;
    struct error ignored;
    enum tls_progress progress = channel_read(&slot->attempt.channel, &byte, 1, &length, &ignored);
    if (progress != TLS_WANT_READ)
        close_connection(slot);
}

static void advance(struct slot *slot)
{
    struct load *load = slot->load;
    struct error error = {.code = ERROR_NONE};
    if (slot->state == SLOT_READY)
        see_goodbye(slot);
    if (slot->state != SLOT_CONNECTING && slot->state != SLOT_EXCHANGING)
        return;
    enum tls_progress progress = step(slot, &error);
    if (progress == TLS_WANT_READ || progress == TLS_WANT_WRITE)
        return;
    if (progress == TLS_DONE)
        record(slot);
    else if (!renew(slot))
        fail(slot, &error);
    (void)send_next(load);
}

static void on_due(void *context)
{
    struct slot *slot = context;
    struct error error;
    (void)error_set(&error, ERROR_TIMEOUT, "%s in time",
                    slot->state == SLOT_CONNECTING ? "no connection" : "no answer");
    fail(slot, &error);
    (void)send_next(slot->load);
}

/* ---- the whole ---- */

/* Open loop: sends all that are due, and sets the timer for the next. */
static void on_next(void *context)
{
    struct load *load = context;
    struct error error;
    while (send_next(load))
        continue;
    if (is_over(load))
        return;
    uint64_t due_ns =
        load->start_ns + (uint64_t)((double)load->result->due * 1e9 / load->settings->rate_per_s);
    /* Without a free connection the next one goes when one is released. */
    uint64_t again_ns = load->free == NULL ? now_ns() + LATE_NS : due_ns;
    if (!loop_set_timer(&load->loop, &load->next, again_ns, &error))
        break_off(load, &error);
}

static bool open_slots(struct load *load, struct error *error)
{
    unsigned count = load->settings->connections;
    load->slots = calloc(count, sizeof *load->slots);
    if (load->slots == NULL)
        return error_set(error, ERROR_MEMORY, "no memory for %u connections", count);
    for (unsigned i = 0; i < count; i++) {
        struct slot *slot = &load->slots[i];
        slot->load = load;
        slot->timer = (struct loop_timer){.context = slot, .due = on_due};
        slot->parser = http_parser_new(HTTP_OF_SERVER, &limits, error);
        if (slot->parser == NULL)
            return false;
        slot->next_free = load->free;
        load->free = slot;
    }
    return true;
}

static void close_slots(struct load *load)
{
    for (unsigned i = 0; load->slots != NULL && i < load->settings->connections; i++) {
        loop_cancel_timer(&load->loop, &load->slots[i].timer);
        close_connection(&load->slots[i]);
        http_parser_free(load->slots[i].parser);
    }
    loop_cancel_timer(&load->loop, &load->next);
    free(load->slots);
}

static void run(struct load *load)
{
    struct error error;
    load->next = (struct loop_timer){.context = load, .due = on_next};
    load->start_ns = load->end_ns = now_ns();
    uint64_t cpu_ns = clock_cpu_ns(clock_real());
    if (load->settings->rate_per_s > 0)
        on_next(load);
    while (!load->broken && (!is_over(load) || load->busy > 0)) {
        /* Also where all failed to begin, nothing is under way that would go on. */
        while (load->settings->rate_per_s == 0 && send_next(load))
            continue;
        if (!loop_turn(&load->loop, LONGEST_TURN_NS, &error))
            break_off(load, &error);
        if (load->settings->stop != NULL && *load->settings->stop != 0)
            break;
    }
    load->result->client_cpu_ns = clock_cpu_ns(clock_real()) - cpu_ns;
    load->result->elapsed_ns = load->end_ns - load->start_ns;
}

bool http_load_run(const struct http_load_settings *settings, struct http_load_result *result,
                   struct error *error)
{
    struct load load = {.settings = settings, .result = result};
    memset(result, 0, sizeof *result);
    if (!loop_open(&load.loop, clock_real(), error))
        return false;
    bool good = open_slots(&load, error);
    if (good)
        run(&load);
    close_slots(&load);
    loop_close(&load.loop);
    if (load.broken)
        *error = load.error;
    return good && !load.broken;
}

void http_load_free(struct http_load_result *result)
{
    free(result->latency_ns.items);
    memset(result, 0, sizeof *result);
}
