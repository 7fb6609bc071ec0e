#include "cli/crypto_measure.h"

#include <stdio.h>
#include <string.h>

#include "cli/crypto_child.h"
#include "cli/output.h"
#include "cli/sampling.h"
#include "core/attributes.h"
#include "core/clock.h"
#include "core/text.h"
#include "crypto/bench.h"
#include "crypto/selection.h"

enum { ANNOUNCE_ABOVE_S = 120 };

/* What a whole measurement needs at hand. */
struct measuring {
    struct session *session;
    const struct crypto_settings *settings;
    struct crypto_targets targets;
    struct crypto_bench_settings bench;
};

bool crypto_settings_select(const struct crypto_settings *settings)
{
    return settings->libraries.given || settings->algorithms.given || settings->operations.given ||
           settings->modes.given || settings->paddings.given || settings->peer_keys.given ||
           settings->sizes.given;
}

static struct crypto_names names_of(const struct text_list *list)
{
    return (struct crypto_names){list->items, list->count};
}

static bool select_targets(const struct crypto_settings *settings, struct crypto_targets *targets,
                           struct error *error)
{
    struct crypto_selection selection = {
        .libraries = names_of(&settings->libraries),
        .algorithms = names_of(&settings->algorithms),
        .operations = names_of(&settings->operations),
        .modes = names_of(&settings->modes),
        .paddings = names_of(&settings->paddings),
        .peer_keys = names_of(&settings->peer_keys),
        .sizes = settings->sizes.items,
        .size_count = settings->sizes.count,
        .sizes_named = settings->sizes.given && !settings->planned,
    };
    return crypto_select(&selection, targets, error);
}

bool crypto_check(const struct crypto_settings *settings, struct error *error)
{
    struct crypto_targets targets;
    if (!cpus_check(&settings->cpus, error))
        return false;
    if (!crypto_settings_select(settings) && !settings->planned)
        return true; /* the default plan's part */
    if (!select_targets(settings, &targets, error))
        return false;
    crypto_targets_free(&targets);
    return true;
}

static bool wanted(void *context, const struct cell *cell)
{
    const struct measuring *measuring = context;
    return session_wants(measuring->session, cell);
}

static bool take(void *context, const struct cell *cell, const struct crypto_target *target,
                 struct error *error)
{
    const struct measuring *measuring = context;
    return session_take(measuring->session, cell, target->named && !measuring->settings->planned,
                        error);
}

static void progress(void *context, const char *label, size_t done, size_t total)
{
    const struct measuring *measuring = context;
    session_progress(measuring->session, label, done, total);
}

static bool run_on(void *context, int cpu, struct error *error)
{
    struct measuring *measuring = context;
    struct crypto_bench_events events = {measuring, wanted, take, progress};
    measuring->bench.pinned_cpu = cpu;
    return crypto_bench_run(&measuring->targets, &measuring->bench, &events, error);
}

static bool is_chosen(const struct measuring *measuring, const struct crypto_library *library,
                      bool *named)
{
    bool chosen = false;
    *named = false;
    for (size_t i = 0; i < measuring->targets.count; i++) {
        const struct crypto_target *target = &measuring->targets.items[i];
        chosen = chosen || target->library == library;
        *named = *named || (target->library == library && target->named);
    }
    *named = *named && !measuring->settings->planned;
    return chosen && library->unavailable() == NULL;
}

/* A library that cannot be told to do without: an error only if it was named. */
static void say_no_switch(struct session *session, const char *library, const char *why, bool named)
{
    char text[ERROR_TEXT_BYTES];
    (void)snprintf(text, sizeof text, "%s without CPU features: unavailable, because %s", library,
                   why);
    if (!named) {
        session_say(session, "%s", text);
        return;
    }
    session->named_unavailable = true;
    (void)output_error(session->settings.command, text, EXIT_NOT_MEASURED);
}

/* Each library once more in a process of its own that may not use the CPU's crypto instructions. */
static bool run_without_features(struct measuring *measuring, struct error *error)
{
    size_t count;
    const struct crypto_library *const *list = crypto_libraries(&count);
    for (size_t i = 0; i < count && session_stop == 0; i++) {
        bool named;
        if (!is_chosen(measuring, list[i], &named))
            continue;
        const char *why = NULL;
        const char *variable = list[i]->features_off(&why);
        if (variable == NULL)
            say_no_switch(measuring->session, list[i]->name, why, named);
        else if (!crypto_child_measure(measuring->session, measuring->settings, list[i]->name,
                                       variable, error))
            return false;
    }
    return true;
}

static void announce(struct measuring *measuring)
{
    double seconds = crypto_bench_estimate_s(&measuring->targets, &measuring->bench);
    if (seconds > ANNOUNCE_ABOVE_S)
        session_say(measuring->session,
                    "%zu cells; this takes up to %.0f minutes (--quick: a fifth)",
                    measuring->targets.count, seconds / 60 + 1);
    if (measuring->targets.sizes_left_out > 0)
        session_say(measuring->session, "%zu sizes are left out that their algorithm cannot take",
                    measuring->targets.sizes_left_out);
}

bool crypto_measure(struct session *session, const struct crypto_settings *settings,
                    struct error *error)
{
    struct measuring measuring = {.session = session, .settings = settings};
    bool off = strcmp(settings->cpu_features, "on") != 0;
    bool on = strcmp(settings->cpu_features, "off") != 0;
    if (!select_targets(settings, &measuring.targets, error))
        return false;
    measuring.bench = (struct crypto_bench_settings){
        .sampler = sampling_settings(&(struct sampling){settings->target, settings->max_time_ns,
                                                        settings->seed, settings->quick}),
        .threads = (unsigned)settings->threads,
        .accounting = settings->accounting,
        .run_id = session->run.id,
        .clock = clock_real()};
    announce(&measuring);
    bool good = !on || cpus_each(&settings->cpus, &session->machine, run_on, &measuring, error);
    good = good && (!off || run_without_features(&measuring, error));
    crypto_targets_free(&measuring.targets);
    return good;
}
