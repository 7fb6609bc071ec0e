#include "cli/crypto_measure.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "cli/crypto_child.h"
#include "cli/output.h"
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

static bool pin(int cpu, cpu_set_t *before, struct error *error)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET((size_t)cpu, &only);
    return (sched_getaffinity(0, sizeof *before, before) == 0 &&
            sched_setaffinity(0, sizeof only, &only) == 0) ||
           error_set(error, ERROR_USAGE,
                     "--cpu %d: this process cannot run there; see nproc and "
                     "/sys/devices/system/cpu/online",
                     cpu);
}

static bool parse_cpu(const char *text, int *cpu, struct error *error)
{
    uint64_t number;
    if (!text_parse_u64(text, 0, CPU_SETSIZE - 1, &number, error))
        return error_prefix(error, "--cpu %s", text);
    *cpu = (int)number;
    return true;
}

static bool is_each_cluster(const struct text_list *cpus)
{
    return cpus->count == 1 && strcmp(cpus->items[0], "each-cluster") == 0;
}

static bool check_cpus(const struct text_list *cpus, struct error *error)
{
    cpu_set_t before;
    for (size_t i = 0; i < cpus->count && !is_each_cluster(cpus); i++) {
        int cpu = 0;
        if (!parse_cpu(cpus->items[i], &cpu, error) || !pin(cpu, &before, error))
            return false;
        (void)sched_setaffinity(0, sizeof before, &before);
    }
    return true;
}

bool crypto_check(const struct crypto_settings *settings, struct error *error)
{
    struct crypto_targets targets;
    if (!check_cpus(&settings->cpus, error))
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

static struct sampler_settings sampler_of(const struct crypto_settings *settings)
{
    struct sampler_settings sampler = sampler_defaults();
    sampler.target_ratio = settings->target;
    sampler.max_time_ns = settings->max_time_ns;
    sampler.stop = &session_stop;
    sampler.seed = settings->seed;
    if (settings->quick) {
        sampler.target_ratio *= 3;
        sampler.min_time_ns /= 5;
        sampler.max_time_ns /= 5;
    }
    if (sampler.min_time_ns > sampler.max_time_ns)
        sampler.min_time_ns = sampler.max_time_ns;
    return sampler;
}

static bool run_here(struct measuring *measuring, int cpu, struct error *error)
{
    struct crypto_bench_events events = {measuring, wanted, take, progress};
    measuring->bench.pinned_cpu = cpu;
    return crypto_bench_run(&measuring->targets, &measuring->bench, &events, error);
}

static bool run_pinned(struct measuring *measuring, int cpu, struct error *error)
{
    cpu_set_t before;
    if (!pin(cpu, &before, error))
        return false;
    bool good = run_here(measuring, cpu, error);
    (void)sched_setaffinity(0, sizeof before, &before);
    return good;
}

/* The CPUs to pin to, one after another; none: not pinned. */
static bool find_cpus(const struct measuring *measuring, int cpus[OPTION_LIST_MAXIMUM],
                      size_t *count, struct error *error)
{
    const struct text_list *list = &measuring->settings->cpus;
    const struct machine *machine = &measuring->session->machine;
    *count = 0;
    if (is_each_cluster(list)) {
        for (size_t i = 0; i < machine->cluster_count; i++)
            cpus[(*count)++] = machine->clusters[i].first_cpu;
        return true;
    }
    for (size_t i = 0; i < list->count; i++)
        if (!parse_cpu(list->items[i], &cpus[(*count)++], error))
            return false;
    return true;
}

static bool run_on_cpus(struct measuring *measuring, struct error *error)
{
    int cpus[OPTION_LIST_MAXIMUM] = {0};
    size_t count;
    if (!find_cpus(measuring, cpus, &count, error))
        return false;
    if (count == 0)
        return run_here(measuring, -1, error);
    for (size_t i = 0; i < count; i++)
        if (!run_pinned(measuring, cpus[i], error))
            return false;
    return true;
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
    measuring.bench = (struct crypto_bench_settings){.sampler = sampler_of(settings),
                                                     .threads = (unsigned)settings->threads,
                                                     .accounting = settings->accounting,
                                                     .run_id = session->run.id,
                                                     .clock = clock_real()};
    announce(&measuring);
    bool good = !on || run_on_cpus(&measuring, error);
    good = good && (!off || run_without_features(&measuring, error));
    crypto_targets_free(&measuring.targets);
    return good;
}
