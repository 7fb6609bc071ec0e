#include "handshake/explain.h"

#include <stdlib.h>
#include <string.h>

#include "handshake/pair.h"
#include "measure/statistics.h"

enum { WARM_UP = 4, MOST_HANDSHAKES = 64, LEAST_HANDSHAKES = 16 };
static const uint64_t enough_ns = 400000000;

/* One traced handshake of one side. */
struct traced {
    struct tls_trace trace;
    uint64_t total_ns;
};

struct explaining {
    struct traced *handshakes[2]; /* MOST_HANDSHAKES each */
    double untraced_ns[2][MOST_HANDSHAKES];
    size_t count;
    const struct tls_trace_point *outermost;
};

static void trace_turn(void *context, enum tls_role side, void (*work)(void *turn), void *turn)
{
    struct explaining *explaining = context;
    tls_trace_enter(&explaining->handshakes[side][explaining->count].trace, explaining->outermost);
    work(turn);
    tls_trace_leave();
}

static uint64_t total_of(const struct tls_trace *trace)
{
    uint64_t total_ns = 0;
    for (size_t i = 0; i < tls_trace_point_count(); i++)
        total_ns += trace->self_ns[i];
    return total_ns;
}

static int by_total(const void *a, const void *b)
{
    const struct traced *one = a;
    const struct traced *other = b;
    return one->total_ns < other->total_ns ? -1 : one->total_ns > other->total_ns;
}

static int by_cost(const void *a, const void *b)
{
    const struct explained_operation *one = a;
    const struct explained_operation *other = b;
    return one->self_ns > other->self_ns ? -1 : one->self_ns < other->self_ns;
}

static void summarise(struct traced *handshakes, size_t count,
                      const struct tls_trace_point *outermost, struct explanation *explanation)
{
    size_t half = (count + 1) / 2;
    qsort(handshakes, count, sizeof *handshakes, by_total);
    explanation->operation_count = 0;
    explanation->traced_ns = 0;
    for (size_t i = 0; i < tls_trace_point_count(); i++) {
        struct explained_operation operation = {.point = tls_trace_point_at(i)};
        for (size_t j = 0; j < half; j++) {
            operation.count += (double)handshakes[j].trace.count[i] / (double)half;
            operation.self_ns += tls_trace_net_ns(&handshakes[j].trace, i) / (double)half;
        }
        explanation->traced_ns += operation.self_ns;
        if (operation.point == outermost)
            explanation->unattributed_ns = operation.self_ns;
        else if (operation.count > 0)
            explanation->operations[explanation->operation_count++] = operation;
    }
    qsort(explanation->operations, explanation->operation_count, sizeof *explanation->operations,
          by_cost);
}

static double mean_of_faster_half(double *values, size_t count)
{
    double sum = 0;
    size_t half = (count + 1) / 2;
    statistics_sort(values, count);
    for (size_t i = 0; i < half; i++)
        sum += values[i];
    return sum / (double)half;
}

/* One of each. */
static bool trace_handshake(struct pair *traced, struct pair *untraced,
                            struct explaining *explaining, struct error *error)
{
    size_t place = explaining->count;
    for (int role = 0; role < 2; role++) {
        tls_trace_clear(&explaining->handshakes[role][place].trace);
        untraced->readings[PAIR_COMPUTE_NS + role] = 0;
    }
    if (!pair_handshake(untraced, error) || !pair_handshake(traced, error))
        return false;
    for (int role = 0; role < 2; role++) {
        struct traced *handshake = &explaining->handshakes[role][place];
        handshake->total_ns = total_of(&handshake->trace);
        explaining->untraced_ns[role][place] = untraced->readings[PAIR_COMPUTE_NS + role];
    }
    explaining->count++;
    return true;
}

static bool trace_handshakes(struct pair *traced, struct pair *untraced,
                             struct explaining *explaining, struct error *error)
{
    (void)tls_trace_overhead(); /* measured now, before anything is traced */
    for (int i = 0; i < WARM_UP; i++)
        if (!pair_handshake(traced, error) || !pair_handshake(untraced, error))
            return false;
    traced->around = trace_turn;
    traced->around_context = explaining;
    uint64_t start_ns = clock_wall_ns(traced->clock);
    while (explaining->count < MOST_HANDSHAKES &&
           (explaining->count < LEAST_HANDSHAKES ||
            clock_wall_ns(traced->clock) - start_ns < enough_ns))
        if (!trace_handshake(traced, untraced, explaining, error))
            return false;
    return true;
}

static bool can_trace(const struct handshake_config *config, struct error *error)
{
    for (int role = 0; role < 2; role++) {
        const struct tls_library *library = config->libraries[role];
        const char *reason =
            library->unavailable() != NULL ? library->unavailable() : library->trace_unavailable();
        if (reason != NULL)
            return error_set(error, ERROR_UNAVAILABLE, "%s: %s", library->name, reason);
    }
    return true;
}

bool explain_handshake(const struct handshake_config *config, struct explanation explanations[2],
                       struct error *error)
{
    struct explaining explaining = {.count = 0};
    struct pair traced, untraced;
    if (!can_trace(config, error) || !pair_open(&traced, config, true, error))
        return false;
    if (!pair_open(&untraced, config, false, error)) {
        pair_close(&traced);
        return false;
    }
    explaining.outermost = tls_trace_point(TRACE_MESSAGES, "unattributed");
    for (int role = 0; role < 2; role++)
        explaining.handshakes[role] = calloc(MOST_HANDSHAKES, sizeof(struct traced));
    bool good = explaining.handshakes[0] != NULL && explaining.handshakes[1] != NULL;
    if (!good)
        (void)error_set(error, ERROR_MEMORY, "no memory to trace handshakes");
    good = good && trace_handshakes(&traced, &untraced, &explaining, error);
    for (int role = 0; role < 2; role++) {
        if (good) {
            summarise(explaining.handshakes[role], explaining.count, explaining.outermost,
                      &explanations[role]);
            explanations[role].untraced_ns =
                mean_of_faster_half(explaining.untraced_ns[role], explaining.count);
        }
        free(explaining.handshakes[role]);
    }
    pair_close(&untraced);
    pair_close(&traced);
    return good;
}
