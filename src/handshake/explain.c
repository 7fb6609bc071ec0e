#include "handshake/explain.h"

#include <stdlib.h>
#include <string.h>

#include "handshake/pair.h"

enum { WARM_UP = 4, MOST_HANDSHAKES = 64, LEAST_HANDSHAKES = 16 };
static const uint64_t enough_ns = 400000000;

/* One traced handshake of one side. */
struct traced {
    struct tls_trace trace;
    uint64_t total_ns;
};

struct explaining {
    struct traced *handshakes[2]; /* MOST_HANDSHAKES each */
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

static void summarise(struct traced *handshakes, size_t count, struct explanation *explanation)
{
    size_t half = (count + 1) / 2;
    qsort(handshakes, count, sizeof *handshakes, by_total);
    explanation->operation_count = 0;
    explanation->traced_ns = 0;
    for (size_t i = 0; i < tls_trace_point_count(); i++) {
        struct explained_operation *operation =
            &explanation->operations[explanation->operation_count];
        *operation = (struct explained_operation){.point = tls_trace_point_at(i)};
        for (size_t j = 0; j < half; j++) {
            operation->count += (double)handshakes[j].trace.count[i] / (double)half;
            operation->self_ns += (double)handshakes[j].trace.self_ns[i] / (double)half;
        }
        explanation->traced_ns += operation->self_ns;
        explanation->operation_count += operation->count > 0;
    }
    qsort(explanation->operations, explanation->operation_count, sizeof *explanation->operations,
          by_cost);
}

static bool trace_handshakes(struct pair *pair, struct explaining *explaining, struct error *error)
{
    for (int i = 0; i < WARM_UP; i++)
        if (!pair_handshake(pair, error))
            return false;
    pair->around = trace_turn;
    pair->around_context = explaining;
    uint64_t start_ns = clock_wall_ns(pair->clock);
    while (explaining->count < MOST_HANDSHAKES &&
           (explaining->count < LEAST_HANDSHAKES ||
            clock_wall_ns(pair->clock) - start_ns < enough_ns)) {
        for (int role = 0; role < 2; role++)
            tls_trace_clear(&explaining->handshakes[role][explaining->count].trace);
        if (!pair_handshake(pair, error))
            return false;
        for (int role = 0; role < 2; role++) {
            struct traced *traced = &explaining->handshakes[role][explaining->count];
            traced->total_ns = total_of(&traced->trace);
        }
        explaining->count++;
    }
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
    struct pair pair;
    if (!can_trace(config, error) || !pair_open(&pair, config, true, error))
        return false;
    explaining.outermost = tls_trace_point(TRACE_MESSAGES, "messages and state");
    for (int role = 0; role < 2; role++)
        explaining.handshakes[role] = calloc(MOST_HANDSHAKES, sizeof(struct traced));
    bool good = explaining.handshakes[0] != NULL && explaining.handshakes[1] != NULL;
    if (!good)
        (void)error_set(error, ERROR_MEMORY, "no memory to trace handshakes");
    good = good && trace_handshakes(&pair, &explaining, error);
    for (int role = 0; good && role < 2; role++)
        summarise(explaining.handshakes[role], explaining.count, &explanations[role]);
    for (int role = 0; role < 2; role++)
        free(explaining.handshakes[role]);
    pair_close(&pair);
    return good;
}
