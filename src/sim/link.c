#include "sim/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_SILENCE_NS 1e18 /* 31 years: keeps the sum within its type */

struct datagram {
    struct datagram *next;  /* in the sender's queue, or in the list of free ones */
    struct datagram *older; /* in the list of all, for link_close */
    struct link *link;
    struct event arrival;
    unsigned sender;
    size_t length, sent;
    bool is_lost;
    uint8_t bytes[];
};

struct end {
    struct datagram *first, *last;
    size_t queued;
    uint64_t ready_ns;    /* since when its next frame waits */
    uint64_t silent_ns;   /* it may not send before */
    uint64_t last_due_ns; /* of the last arrival it caused */
    struct loss_state loss;
    struct random_source jitter;
    struct link_counts counts;
};

/* What one frame at a time is on. */
struct medium {
    struct link *link;
    struct event event; /* the frame has been sent, or an end's silence is over */
    unsigned first_end, end_count;
    unsigned sender;
    bool is_busy;
    uint64_t start_ns;
    size_t frame_length;
};

struct link {
    struct kernel *kernel;
    struct link_settings settings;
    struct link_user user;
    struct loss_model loss;
    struct end ends[2];
    struct medium media[2]; /* half duplex uses the first only */
    struct datagram *all, *unused;
};

bool link_check(const struct link_settings *settings, struct error *error)
{
    if (settings->rate_bit_per_s < 1)
        return error_set(error, ERROR_USAGE, "rate_bit_per_s is 0; it must be at least 1");
    if (settings->frame_payload_bytes < 1 ||
        settings->frame_payload_bytes > LINK_LARGEST_FRAME_BYTES)
        return error_set(error, ERROR_USAGE, "frame_payload_bytes is %u; it must be from 1 to %d",
                         settings->frame_payload_bytes, LINK_LARGEST_FRAME_BYTES);
    if (settings->frame_overhead_bytes > LINK_LARGEST_FRAME_BYTES)
        return error_set(error, ERROR_USAGE, "frame_overhead_bytes is %u; it must be at most %d",
                         settings->frame_overhead_bytes, LINK_LARGEST_FRAME_BYTES);
    if (!(settings->loss >= 0 && settings->loss <= 1))
        return error_set(error, ERROR_USAGE, "loss is %g; it must be from 0 to 1", settings->loss);
    if (!(settings->duty_cycle > 0 && settings->duty_cycle <= 1))
        return error_set(error, ERROR_USAGE, "duty_cycle is %g; it must be above 0, at most 1",
                         settings->duty_cycle);
    struct loss_model bursts = {LOSS_BURST, .pdr = 1, .burst_p = settings->burst_p,
                                .burst_r = settings->burst_p > 0 ? settings->burst_r : 1};
    return loss_check(&bursts, error);
}

static void medium_fire(void *context);

static void start_ends(struct link *link, const char *name)
{
    for (unsigned side = 0; side < 2; side++) {
        struct random_source source;
        char purpose[64];
        (void)snprintf(purpose, sizeof purpose, "%.40s-loss-%u", name, side);
        kernel_random(link->kernel, purpose, &source);
        loss_start(&link->ends[side].loss, &link->loss, &source);
        (void)snprintf(purpose, sizeof purpose, "%.40s-jitter-%u", name, side);
        kernel_random(link->kernel, purpose, &link->ends[side].jitter);
    }
}

struct link *link_open(struct kernel *kernel, const struct link_settings *settings,
                       const char *name, const struct link_user *user, struct error *error)
{
    if (!link_check(settings, error))
        return NULL;
    struct link *link = calloc(1, sizeof *link);
    if (link == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for a link");
        return NULL;
    }
    *link = (struct link){.kernel = kernel, .settings = *settings, .user = *user};
    link->loss = (struct loss_model){.kind = settings->burst_p > 0 ? LOSS_BURST : LOSS_PDR,
                                     .pdr = 1 - settings->loss,
                                     .burst_p = settings->burst_p,
                                     .burst_r = settings->burst_r};
    start_ends(link, name);
    for (unsigned i = 0; i < 2; i++) {
        struct medium *medium = &link->media[i];
        medium->link = link;
        medium->first_end = i;
        medium->end_count = settings->is_half_duplex ? 2 : 1;
        event_init(&medium->event, medium_fire, medium);
    }
    return link;
}

void link_close(struct link *link)
{
    if (link == NULL)
        return;
    for (unsigned i = 0; i < 2; i++)
        kernel_cancel(link->kernel, &link->media[i].event);
    while (link->all != NULL) {
        struct datagram *datagram = link->all;
        link->all = datagram->older;
        kernel_cancel(link->kernel, &datagram->arrival);
        free(datagram);
    }
    free(link);
}

size_t link_mtu_bytes(const struct link *link)
{
    size_t payload = link->settings.frame_payload_bytes;
    return payload < LINK_SMALLEST_MTU_BYTES ? LINK_SMALLEST_MTU_BYTES : payload;
}

static void give_back(struct link *link, struct datagram *datagram)
{
    datagram->next = link->unused;
    link->unused = datagram;
}

static void arrive(void *context)
{
    struct datagram *datagram = context;
    struct link *link = datagram->link;
    link->user.deliver(link->user.context, 1 - datagram->sender, datagram->bytes, datagram->length);
    give_back(link, datagram);
}

static struct datagram *take(struct link *link)
{
    struct datagram *datagram = link->unused;
    if (datagram != NULL) {
        link->unused = datagram->next;
        return datagram;
    }
    datagram = malloc(sizeof *datagram + link_mtu_bytes(link));
    if (datagram == NULL) {
        link->kernel->failed = true;
        return NULL;
    }
    event_init(&datagram->arrival, arrive, datagram);
    datagram->link = link;
    datagram->older = link->all;
    link->all = datagram;
    return datagram;
}

/* The end to send next: of those that have something and may, who has waited longest; when alike,
 * not who sent last. NULL: none; *wake_ns is when one will be allowed to, or SIM_NEVER. */
static struct end *choose(struct medium *medium, uint64_t *wake_ns)
{
    struct link *link = medium->link;
    struct end *chosen = NULL;
    *wake_ns = SIM_NEVER;
    for (unsigned i = 1; i <= medium->end_count; i++) {
        unsigned side = medium->end_count == 1 ? medium->first_end : (medium->sender + i) % 2;
        struct end *end = &link->ends[side];
        if (end->first == NULL)
            continue;
        if (end->silent_ns > link->kernel->now_ns) {
            *wake_ns = end->silent_ns < *wake_ns ? end->silent_ns : *wake_ns;
            continue;
        }
        if (chosen == NULL || end->ready_ns < chosen->ready_ns)
            chosen = end;
    }
    return chosen;
}

static uint64_t air_ns(const struct link *link, size_t payload_bytes)
{
    uint64_t bits = 8 * (uint64_t)(payload_bytes + link->settings.frame_overhead_bytes);
    return (bits * SIM_NS_PER_S + link->settings.rate_bit_per_s - 1) /
           link->settings.rate_bit_per_s;
}

static void start_next(struct medium *medium)
{
    struct link *link = medium->link;
    uint64_t wake_ns;
    struct end *end = choose(medium, &wake_ns);
    if (end == NULL) {
        kernel_at(link->kernel, &medium->event, wake_ns);
        return;
    }
    size_t left = end->first->length - end->first->sent;
    size_t most = link->settings.frame_payload_bytes;
    medium->is_busy = true;
    medium->sender = end->first->sender;
    medium->start_ns = link->kernel->now_ns;
    medium->frame_length = left < most ? left : most;
    kernel_after(link->kernel, &medium->event, air_ns(link, medium->frame_length));
}

static void count_frame(struct medium *medium, struct end *end, const struct datagram *datagram,
                        bool is_lost)
{
    struct link *link = medium->link;
    uint64_t now_ns = link->kernel->now_ns;
    end->counts.frames++;
    end->counts.frames_lost += is_lost;
    end->counts.frame_bytes += medium->frame_length + link->settings.frame_overhead_bytes;
    end->counts.air_ns += now_ns - medium->start_ns;
    if (link->user.watch == NULL)
        return;
    struct link_frame frame = {.sender = medium->sender,
                               .start_ns = medium->start_ns,
                               .end_ns = now_ns,
                               .bytes = datagram->bytes + datagram->sent,
                               .length = medium->frame_length,
                               .offset = datagram->sent,
                               .datagram_length = datagram->length,
                               .is_lost = is_lost};
    link->user.watch(link->user.context, &frame);
}

static void datagram_sent(struct link *link, struct end *end)
{
    struct datagram *datagram = end->first;
    end->first = datagram->next;
    end->queued--;
    if (end->first == NULL)
        end->last = NULL;
    end->counts.datagrams++;
    end->counts.datagram_bytes += datagram->length;
    uint64_t jitter_ns = link->settings.jitter_us * SIM_NS_PER_US;
    uint64_t due_ns = link->kernel->now_ns + link->settings.delay_us * SIM_NS_PER_US +
                      random_below(&end->jitter, jitter_ns + 1);
    if (datagram->is_lost) {
        end->counts.datagrams_lost++;
        give_back(link, datagram);
        return;
    }
    if (due_ns > end->last_due_ns)
        end->last_due_ns = due_ns;
    kernel_at(link->kernel, &datagram->arrival, end->last_due_ns);
}

static uint64_t silence_ns(const struct link *link, uint64_t sent_ns)
{
    double silence = (double)sent_ns * (1 / link->settings.duty_cycle - 1);
    return silence < LONGEST_SILENCE_NS ? (uint64_t)(silence + 0.5) : (uint64_t)LONGEST_SILENCE_NS;
}

static void frame_sent(struct medium *medium)
{
    struct link *link = medium->link;
    struct end *end = &link->ends[medium->sender];
    struct datagram *datagram = end->first;
    uint64_t now_ns = link->kernel->now_ns;
    bool is_lost = !loss_delivers(&end->loss, &link->loss, 0);
    medium->is_busy = false;
    end->silent_ns = now_ns + silence_ns(link, now_ns - medium->start_ns);
    end->ready_ns = now_ns;
    count_frame(medium, end, datagram, is_lost);
    datagram->is_lost |= is_lost;
    datagram->sent += medium->frame_length;
    if (datagram->sent == datagram->length)
        datagram_sent(link, end);
}

static void medium_fire(void *context)
{
    struct medium *medium = context;
    if (medium->is_busy)
        frame_sent(medium);
    start_next(medium);
}

bool link_send(struct link *link, unsigned sender, const uint8_t *bytes, size_t length)
{
    if (length == 0 || length > link_mtu_bytes(link))
        return false;
    struct datagram *datagram = take(link);
    if (datagram == NULL)
        return false;
    struct end *end = &link->ends[sender];
    datagram->next = NULL;
    datagram->sender = sender;
    datagram->length = length;
    datagram->sent = 0;
    datagram->is_lost = false;
    memcpy(datagram->bytes, bytes, length);
    if (end->last == NULL) {
        end->first = datagram;
        end->ready_ns = link->kernel->now_ns;
    } else {
        end->last->next = datagram;
    }
    end->last = datagram;
    end->queued++;
    struct medium *medium = &link->media[link->settings.is_half_duplex ? 0 : sender];
    if (!medium->is_busy)
        start_next(medium);
    return true;
}

const struct link_counts *link_sent(const struct link *link, unsigned sender)
{
    return &link->ends[sender].counts;
}

size_t link_queued(const struct link *link, unsigned sender)
{
    return link->ends[sender].queued;
}
