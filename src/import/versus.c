#include "import/versus.h"

#include <math.h>
#include <string.h>

enum { SIDE_FIGURES = 4096 };

struct figure {
    const char *algorithm, *operation;
    uint64_t size_bytes;
    double rate, cpu_share; /* CPU seconds per elapsed second; NaN: not known */
};

struct versus_side {
    struct arena *arena;
    struct figure *figures;
    size_t count, room;
    bool engine_failed, engine_suspected;
    const char *engine;
};

struct versus_side *versus_side_new(struct arena *arena)
{
    struct versus_side *side = arena_take(arena, sizeof *side);
    if (side != NULL) {
        side->arena = arena;
        side->engine = "";
    }
    return side;
}

static double cpu_share(const struct run_facts *facts, const struct reading *reading)
{
    double share = reading->counted_s / reading->nominal_s;
    if (!facts->elapsed && share >= 0)
        return share;
    return facts->cpu_percent / 100;
}

static bool keep(struct versus_side *side, const struct figure *figure)
{
    if (side->count == side->room) {
        size_t room = side->room == 0 ? 64 : side->room * 2;
        struct figure *larger = arena_take(side->arena, room * sizeof *larger);
        if (larger == NULL)
            return false;
        if (side->count > 0)
            memcpy(larger, side->figures, side->count * sizeof *larger);
        side->figures = larger;
        side->room = room;
    }
    side->figures[side->count++] = *figure;
    return true;
}

bool versus_collect(void *context, const struct import_run *run, struct error *error)
{
    struct versus_side *side = context;
    side->engine_failed = side->engine_failed || run->facts.engine_failed;
    if (run->facts.engine[0] != '\0')
        side->engine = arena_text(side->arena, run->facts.engine);
    for (size_t i = 0; i < run->reading_count && side->count < SIDE_FIGURES; i++) {
        const struct reading *reading = &run->readings[i];
        side->engine_suspected = side->engine_suspected || (reading->flags & FLAG_ENGINE_NOT_USED);
        if (reading->metric != METRIC_BYTES_PER_S || !(reading->value > 0) ||
            reading->size_bytes <= 0)
            continue;
        struct figure figure = {
            .algorithm = arena_text(side->arena, reading->algorithm),
            .operation = arena_text(side->arena, reading->operation),
            .size_bytes = (uint64_t)reading->size_bytes,
            .rate = reading->value,
            .cpu_share = cpu_share(&run->facts, reading),
        };
        if (figure.algorithm == NULL || figure.operation == NULL || !keep(side, &figure))
            return error_set(error, ERROR_MEMORY, "memory ran out");
    }
    return side->engine != NULL || error_set(error, ERROR_MEMORY, "memory ran out");
}

static bool same_subject(const struct figure *a, const struct figure *b)
{
    return strcmp(a->algorithm, b->algorithm) == 0 && strcmp(a->operation, b->operation) == 0;
}

static const struct figure *find(const struct versus_side *side, const struct figure *like)
{
    for (size_t i = 0; i < side->count; i++) {
        const struct figure *figure = &side->figures[i];
        if (figure->size_bytes == like->size_bytes && same_subject(figure, like))
            return figure;
    }
    return NULL;
}

static bool seen_before(const struct versus_side *side, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (same_subject(&side->figures[i], &side->figures[index]))
            return true;
    }
    return false;
}

static double mb_per_cpu_s(const struct figure *figure)
{
    double elapsed_ns = (double)figure->size_bytes / figure->rate * 1e9;
    return crossover_mb_per_cpu_s(figure->size_bytes, elapsed_ns * figure->cpu_share);
}

static void find_crossover(struct versus_pair *pair)
{
    struct size_rate candidate[CROSSOVER_MOST_SIZES], baseline[CROSSOVER_MOST_SIZES];
    for (size_t i = 0; i < pair->size_count; i++) {
        const struct versus_size *size = &pair->sizes[i];
        candidate[i] = (struct size_rate){size->size_bytes, size->accelerated, NAN, NAN};
        baseline[i] = (struct size_rate){size->size_bytes, size->software, NAN, NAN};
    }
    crossover_find(candidate, pair->size_count, baseline, pair->size_count, &pair->crossover);
}

/* All sizes of one algorithm that both sides have. */
static bool fill_pair(struct versus_pair *pair, const struct versus_side *software,
                      const struct versus_side *accelerated, const struct figure *like,
                      struct arena *arena)
{
    *pair = (struct versus_pair){
        .algorithm = like->algorithm, .operation = like->operation, .equal = true};
    pair->sizes = arena_take(arena, CROSSOVER_MOST_SIZES * sizeof *pair->sizes);
    if (pair->sizes == NULL)
        return false;
    for (size_t i = 0; i < accelerated->count && pair->size_count < CROSSOVER_MOST_SIZES; i++) {
        const struct figure *fast = &accelerated->figures[i];
        const struct figure *slow = same_subject(fast, like) ? find(software, fast) : NULL;
        if (slow == NULL)
            continue;
        pair->sizes[pair->size_count++] = (struct versus_size){
            .size_bytes = fast->size_bytes,
            .software = slow->rate,
            .accelerated = fast->rate,
            .software_mb_cpu_s = mb_per_cpu_s(slow),
            .accelerated_mb_cpu_s = mb_per_cpu_s(fast),
        };
        pair->equal = pair->equal && fabs(fast->rate / slow->rate - 1) < 0.05;
    }
    find_crossover(pair);
    return true;
}

static void answer(struct versus *versus)
{
    bool all_equal = versus->pair_count > 0;
    for (size_t i = 0; i < versus->pair_count; i++)
        all_equal = all_equal && versus->pairs[i].equal;
    if (versus->engine_failed) {
        versus->answer = HARDWARE_NOT_USED;
        versus->why = "the engine or provider did not load or bind";
    } else if (versus->pair_count == 0) {
        versus->answer = HARDWARE_UNCLEAR;
        versus->why = "the logs have no algorithm and size in common that has a value";
    } else if (all_equal) {
        versus->answer = HARDWARE_NOT_USED;
        versus->why = "the rates of both logs are the same within 5 % at every size";
    } else if (versus->engine_suspected) {
        versus->answer = HARDWARE_UNCLEAR;
        versus->why = "the accelerated rates are flat from 64 bytes on, as software's are";
    } else {
        versus->answer = HARDWARE_USED;
        versus->why = "the rates differ and depend on the size as those of a device do";
    }
}

bool versus_compare(const struct versus_side *software, const struct versus_side *accelerated,
                    struct arena *arena, struct versus *versus, struct error *error)
{
    *versus = (struct versus){
        .engine_failed = accelerated->engine_failed,
        .engine_suspected = accelerated->engine_suspected,
        .engine = accelerated->engine,
    };
    versus->pairs = arena_take(arena, (accelerated->count + 1) * sizeof *versus->pairs);
    if (versus->pairs == NULL)
        return error_set(error, ERROR_MEMORY, "memory ran out");
    for (size_t i = 0; i < accelerated->count; i++) {
        const struct figure *figure = &accelerated->figures[i];
        if (seen_before(accelerated, i))
            continue;
        struct versus_pair *pair = &versus->pairs[versus->pair_count];
        if (!fill_pair(pair, software, accelerated, figure, arena))
            return error_set(error, ERROR_MEMORY, "memory ran out");
        versus->pair_count += pair->size_count > 0;
    }
    answer(versus);
    return true;
}
