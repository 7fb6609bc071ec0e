/* Tables against counts: which figures of `openssl speed` can be believed. */
#include "import/openssl_speed_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/bound.h"
#include "import/openssl_speed_names.h"

/* Below this part of the nominal seconds the time is CPU time of a process that waited for a
 * device, and the nominal seconds are the elapsed ones. A software run whose every measurement got
 * at least half of a core shared it with other processes: its rate per CPU second is the core's. */
static const double WAITED_SOFTWARE = 0.50, WAITED_ACCELERATED = 0.97;
/* Above this part of it the clock was wrong (OpenSSL 3.0 alpha counted 4103 s in a run of 3). */
static const double TOO_LONG = 1.5;

const char *speed_operation_name(enum speed_operation operation)
{
    static const char *const NAMES[] = {"",       "sign",   "verify", "encrypt", "decrypt",
                                        "derive", "keygen", "encaps", "decaps"};
    return NAMES[operation];
}

/* --- finding counts ------------------------------------------------------------------------ */

static uint32_t count_hash(enum speed_kind kind, enum speed_operation operation, int64_t size,
                           const char *algorithm)
{
    uint32_t hash = 2166136261u;
    if (kind == SPEED_SIGNATURE && operation == OPERATION_KEYGEN)
        kind = SPEED_KEM; /* the sentence does not tell them apart */
    hash = (hash ^ (uint32_t)kind) * 16777619u;
    hash = (hash ^ (uint32_t)operation) * 16777619u;
    hash = (hash ^ (uint32_t)size) * 16777619u;
    for (; *algorithm != '\0'; algorithm++)
        hash = (hash ^ (unsigned char)*algorithm) * 16777619u;
    return (hash ^ hash >> 15) % 1024;
}

static bool index_counts(struct speed_judgement *judge)
{
    struct speed_run *run = judge->run;
    judge->next = calloc(run->count_count + 1, sizeof *judge->next);
    if (judge->next == NULL)
        return false;
    for (size_t i = run->count_count; i-- > 0;) {
        const struct speed_count *count = &run->counts[i];
        uint32_t hash = count_hash(count->doing.kind, count->doing.operation, count->doing.size,
                                   count->algorithm);
        judge->next[i] = judge->heads[hash];
        judge->heads[hash] = (uint32_t)i + 1;
    }
    return true;
}

static bool about(const struct speed_count *count, const struct speed_wanted *wanted)
{
    bool same_kind = count->doing.kind == wanted->kind ||
                     (wanted->operation == OPERATION_KEYGEN && count->doing.kind >= SPEED_KEM &&
                      wanted->kind >= SPEED_KEM);
    return same_kind && count->doing.operation == wanted->operation &&
           count->doing.size == wanted->size && strcmp(count->algorithm, wanted->algorithm) == 0;
}

/* Relative uncertainty of a rate made from a count: the time was rounded. */
static double time_tolerance(const struct speed_count *count)
{
    double half_step = count->exact ? 0.6e-6 : 0.006;
    return count->counted_s > 0 ? half_step / count->counted_s : INFINITY;
}

bool speed_count_agrees(const struct speed_count *count, double units, double printed,
                        double half_step)
{
    if (!(count->counted_s > 0) || !isfinite(printed))
        return false;
    double rate = count->count / count->counted_s * units;
    return fabs(printed - rate) <= rate * (0.002 + time_tolerance(count)) + half_step * 1.01;
}

struct speed_count *speed_find_count(struct speed_judgement *judge,
                                     const struct speed_wanted *wanted)
{
    uint32_t *link =
        &judge->heads[count_hash(wanted->kind, wanted->operation, wanted->size, wanted->algorithm)];
    struct speed_count *first = NULL;
    for (int looked = 0; *link != 0 && looked < 16; looked++) {
        struct speed_count *count = &judge->run->counts[*link - 1];
        if (count->used) {
            *link = judge->next[*link - 1];
            continue;
        }
        bool right = about(count, wanted) && (count->finished || count->error);
        if (right && speed_count_agrees(count, wanted->units, wanted->printed, wanted->half_step))
            return count;
        if (right && first == NULL)
            first = count;
        link = &judge->next[*link - 1];
    }
    return wanted->strict ? NULL : first;
}

/* --- one figure ---------------------------------------------------------------------------- */

static bool saturated(double count)
{
    return count == 2147483647.0 || count == 2147483646.0 || count == 4294967295.0 ||
           count == 4294967296.0;
}

void speed_set_value(struct reading *reading, enum cell_status status, double value, uint32_t flags)
{
    reading->status = status;
    reading->value = value;
    reading->flags |= flags;
}

/* Longer than meant by more than the last operation explains. */
static bool took_too_long(const struct speed_count *count)
{
    double nominal = count->doing.nominal_s, time = count->counted_s;
    return time > TOO_LONG * nominal && time - nominal > 1.1 * time / count->count + 0.5;
}

/* A figure with its count. `units` are bytes per operation, or 1; `half_step` is half the last
 * printed digit. */
void speed_judge_with_count(const struct speed_judgement *judge, struct reading *reading,
                            const struct speed_count *count, double units, double half_step)
{
    double nominal = count->doing.nominal_s, time = count->counted_s;
    double by_nominal = count->count / nominal * units;
    double by_time = count->count / time * units;
    uint32_t infinite = isinf(reading->printed) ? FLAG_INFINITE : 0;
    reading->count = count->count;
    reading->counted_s = time;
    reading->nominal_s = nominal;
    reading->count_line = count->line;
    bool disagrees = isfinite(reading->printed) && time > 0 &&
                     !speed_count_agrees(count, units, reading->printed, half_step);
    uint32_t table = disagrees ? FLAG_TABLE_DISAGREES : 0;
    if (count->count <= 0 || time < 0) {
        speed_set_value(reading, CELL_FAILED, NAN, infinite);
    } else if (saturated(count->count)) {
        speed_set_value(reading, CELL_UNKNOWN, NAN, infinite | FLAG_COUNTER_SATURATED);
    } else if (!judge->elapsed && time < judge->waited * nominal) {
        speed_set_value(reading, CELL_SALVAGED, by_nominal, infinite | table | FLAG_CPU_TIME);
    } else if (!(time > 0)) {
        speed_set_value(reading, CELL_UNKNOWN, NAN, infinite | FLAG_DURATION_OFF);
    } else if (took_too_long(count)) {
        speed_set_value(reading, CELL_SALVAGED, by_nominal, infinite | table | FLAG_DURATION_OFF);
    } else if (disagrees || !isfinite(reading->printed)) {
        speed_set_value(reading, CELL_SALVAGED, by_time, infinite | table);
    } else {
        speed_set_value(reading, CELL_OK, reading->printed, 0);
    }
}

/* A rate printed by an accelerated run that did not measure elapsed time divides by CPU seconds;
 * without the counts nobody can say what it would be. */
static bool cpu_time_suspected(const struct speed_judgement *judge)
{
    return judge->accelerated && !judge->elapsed && !judge->facts->engine_failed &&
           !(judge->facts->cpu_percent > 90);
}

void speed_judge_alone(const struct speed_judgement *judge, struct reading *reading)
{
    if (isinf(reading->printed))
        speed_set_value(reading, CELL_UNKNOWN, NAN, FLAG_INFINITE);
    else if (isnan(reading->printed))
        speed_set_value(reading, CELL_UNKNOWN, NAN, 0);
    else if (reading->printed < 0)
        speed_set_value(reading, CELL_FAILED, NAN, 0);
    else if (cpu_time_suspected(judge))
        speed_set_value(reading, CELL_UNKNOWN, NAN, FLAG_CPU_TIME);
    else
        speed_set_value(reading, CELL_OK, reading->printed, 0);
}

void speed_check_bound(const struct speed_judgement *judge, struct reading *reading,
                       unsigned workers)
{
    if (reading->metric != METRIC_BYTES_PER_S || isnan(reading->value) || workers > 1)
        return;
    double bound =
        bound_bytes_per_s(reading->algorithm, reading->operation, judge->facts->clock_hz);
    if (reading->value > bound)
        speed_set_value(reading, CELL_UNKNOWN, NAN, FLAG_EXCEEDS_CLOCK);
}

/* --- bulk rows ----------------------------------------------------------------------------- */

const char *speed_bulk_operation(const struct speed_judgement *judge, enum name_kind kind)
{
    if (kind == NAME_CIPHER && judge->facts->decrypt)
        return "decrypt";
    return name_operation(kind);
}

const char *speed_variant(const struct speed_judgement *judge, const struct speed_row *row)
{
    unsigned workers = judge->run->workers;
    if (row->worker >= 0 && workers > 1)
        return collect_text(judge->collector, "worker:%d", row->worker);
    if (workers > 1)
        return "total";
    if (row->kind == SPEED_KEM)
        return "kem";
    if (row->kind == SPEED_SIGNATURE)
        return "signature";
    if (judge->facts->engine_is_provider)
        return collect_text(judge->collector, "provider:%s", judge->facts->engine);
    return row->kind == SPEED_BULK ? speed_interface(judge->facts, row) : "";
}

static bool all_zero(const struct speed_row *row)
{
    for (unsigned i = 0; i < row->count; i++) {
        if (row->values[i].form != FORM_NUMBER || row->values[i].number != 0)
            return false;
    }
    return row->count > 0;
}

static double in_bytes(const struct speed_row *row, const struct speed_value *value)
{
    if (value->form == FORM_ABSENT || value->form == FORM_CUT)
        return NAN;
    /* two decimals of a thousand: a whole number of tens */
    return value->thousands && !row->raw ? round(value->number * 100) * 10 : value->number;
}

/* Half of the last printed digit, in bytes per second. */
static double bulk_half_step(const struct speed_value *value)
{
    return value->thousands ? 5.0 : 0.005;
}

/* Without a header the sizes are those of the sentences, in their order. */
static int64_t size_of_column(const struct speed_judgement *judge, const struct speed_row *row,
                              unsigned column, size_t *from)
{
    if (row->header != NULL)
        return column < row->header->count ? row->header->sizes[column] : -1;
    for (; *from < judge->run->count_count; ++*from) {
        const struct speed_count *count = &judge->run->counts[*from];
        if (count->doing.kind == SPEED_BULK && !count->used &&
            strcmp(count->algorithm, row->algorithm) == 0) {
            ++*from;
            return count->doing.size;
        }
    }
    return -1;
}

/* Figures without a k among figures that lost theirs: openssl prints the k above 10,000 bytes per
 * second, so a larger figure without one was altered on its way here. */
static bool suffix_was_lost(const struct speed_row *row)
{
    for (unsigned i = 0; i < row->count && !row->raw; i++) {
        if (row->values[i].form == FORM_NUMBER && !row->values[i].thousands &&
            row->values[i].number > 10000)
            return true;
    }
    return false;
}

struct bulk_context {
    const char *operation, *variant;
    bool failed, suffix_lost, compare;
    uint32_t row_flags;
    size_t from;
};

/* The count of a cell, where counts and rows can be compared. */
static struct speed_count *bulk_count(struct speed_judgement *judge, const struct speed_row *row,
                                      const struct speed_value *value, int64_t size)
{
    struct speed_wanted wanted = {
        .kind = SPEED_BULK,
        .operation = OPERATION_BULK,
        .size = size,
        .algorithm = row->algorithm,
        .units = (double)size,
        .printed = in_bytes(row, value),
        .half_step = bulk_half_step(value),
        .strict = row->cut,
    };
    return size > 0 ? speed_find_count(judge, &wanted) : NULL;
}

/* Without a count to prove it: a piece of a value, a value whose column is not certain, or the last
 * one of a file that ends in it. */
static bool may_be_cut(const struct speed_row *row, unsigned column)
{
    const struct speed_value *value = &row->values[column];
    unsigned behind = column + 1;
    while (behind < row->count && row->values[behind].form == FORM_ABSENT)
        behind++; /* a row that was placed by its columns is filled up */
    bool last = behind == row->count;
    return value->form == FORM_CUT || (row->cut && !row->ends_file) ||
           (row->ends_file && last && !value->thousands);
}

static struct reading *bulk_reading(struct speed_judgement *judge, const struct speed_row *row,
                                    const struct bulk_context *context)
{
    struct reading *reading = collect_reading(judge->collector, row->line);
    if (reading == NULL)
        return NULL;
    reading->algorithm = row->algorithm;
    reading->operation = context->operation;
    reading->label = row->label;
    reading->variant = context->variant;
    reading->metric = METRIC_BYTES_PER_S;
    return reading;
}

static void judge_without_count(struct speed_judgement *judge, struct reading *reading,
                                const struct speed_row *row, unsigned column, bool unit_lost)
{
    if (may_be_cut(row, column))
        speed_set_value(reading, CELL_UNKNOWN, NAN, FLAG_TRUNCATED);
    else if (reading->size_bytes < 0 || unit_lost)
        reading->status = CELL_UNKNOWN;
    else
        speed_judge_alone(judge, reading);
}

/* -mb prints a column more than it has sizes, which holds 0.00. */
static bool is_absent(const struct speed_row *row, const struct speed_value *value, int64_t size)
{
    return value->form == FORM_ABSENT || (row->header != NULL && size < 0 && value->number == 0);
}

static void judge_bulk_value(struct speed_judgement *judge, const struct speed_row *row,
                             unsigned column, struct bulk_context *context)
{
    const struct speed_value *value = &row->values[column];
    int64_t size = size_of_column(judge, row, column, &context->from);
    if (is_absent(row, value, size))
        return;
    struct speed_count *count = context->compare ? bulk_count(judge, row, value, size) : NULL;
    struct reading *reading = bulk_reading(judge, row, context);
    if (reading == NULL)
        return;
    bool unit_lost = context->suffix_lost && !value->thousands;
    reading->size_bytes = size;
    reading->printed = in_bytes(row, value);
    if (unit_lost && count != NULL &&
        speed_count_agrees(count, (double)size, reading->printed * 1e3, 5.0))
        reading->printed *= 1e3;
    if (count != NULL) {
        count->used = true;
        speed_judge_with_count(judge, reading, count, (double)size, bulk_half_step(value));
    } else {
        judge_without_count(judge, reading, row, column, unit_lost);
    }
    if (context->failed || (count != NULL && count->error))
        speed_set_value(reading, CELL_FAILED, NAN, FLAG_ERRORS_TIMED);
    reading->flags |= context->row_flags;
    speed_check_bound(judge, reading, row->worker >= 0 ? 1 : judge->run->workers);
}

/* Errors that were reported outside any sentence are the queue that is printed at the end: they
 * may be of any cipher of the run. */
static bool row_failed(const struct speed_judgement *judge, const struct speed_row *row)
{
    bool cipher = row->name_kind == NAME_CIPHER;
    return (judge->run->error_line != 0 || judge->run->engine_error_line != 0) && cipher;
}

/* --- was the engine used? ------------------------------------------------------------------ */

static double value_at(const struct reading *readings, size_t count, int64_t size)
{
    for (size_t i = 0; i < count; i++) {
        if (readings[i].size_bytes == size)
            return readings[i].value;
    }
    return NAN;
}

/* An operation through the kernel or a bus costs at least 0.4 us of system call and copying, and
 * its rate grows with the size up to kilobytes. A row that is flat from 64 bytes on, or faster
 * than that at its smallest size, was computed by the core. */
static void suspect_engine(const struct speed_judgement *judge, size_t first)
{
    struct reading *readings = judge->collector->readings + first;
    size_t count = judge->collector->reading_count - first;
    if (count == 0 || !judge->accelerated || judge->facts->engine_is_provider ||
        judge->facts->engine_failed)
        return;
    double at64 = value_at(readings, count, 64), at1024 = value_at(readings, count, 1024);
    double at8192 = value_at(readings, count, 8192);
    bool flat = at1024 / at64 < 3 && at8192 / at1024 < 1.5;
    bool too_fast = readings[0].size_bytes > 0 && readings[0].size_bytes <= 64 &&
                    (double)readings[0].size_bytes / readings[0].value < 0.4e-6;
    for (size_t i = 0; i < count && (flat || too_fast); i++)
        readings[i].flags |= FLAG_ENGINE_NOT_USED;
}

static void judge_bulk_row(struct speed_judgement *judge, const struct speed_row *row)
{
    if (all_zero(row)) {
        collect_finding_text(judge->collector, FINDING_UNAVAILABLE, row->line,
                             "%s: only zeros, it was not measured", row->label);
        return;
    }
    unsigned workers = judge->run->workers;
    struct bulk_context context = {
        .operation = speed_bulk_operation(judge, row->name_kind),
        .variant = speed_variant(judge, row),
        .failed = row_failed(judge, row),
        .suffix_lost = suffix_was_lost(row),
        .compare = workers <= 1,
        .row_flags = judge->facts->engine_failed ? FLAG_ENGINE_FAILED : 0,
    };
    if (workers > 1 && row->worker < 0)
        context.row_flags |= FLAG_TOTAL_OF_WORKERS;
    size_t first = judge->collector->reading_count;
    for (unsigned i = 0; i < row->count; i++)
        judge_bulk_value(judge, row, i, &context);
    if (first <= judge->collector->reading_count)
        suspect_engine(judge, first);
}

/* --- the whole run ------------------------------------------------------------------------- */

/* One measurement that waited is enough to know that the work was done elsewhere. */
static double waited_part(const struct speed_run *run, bool accelerated)
{
    for (size_t i = 0; i < run->count_count && !accelerated; i++) {
        const struct speed_count *count = &run->counts[i];
        accelerated = count->finished && count->counted_s >= 0 &&
                      count->counted_s < WAITED_SOFTWARE * count->doing.nominal_s;
    }
    return accelerated ? WAITED_ACCELERATED : WAITED_SOFTWARE;
}

static bool skipped_child(const struct speed_run *run, const struct speed_row *row)
{
    return row->worker >= 0 && run->workers <= 1 && run->any_total;
}

void speed_judge(struct speed_run *run, struct collector *collector)
{
    struct run_facts *facts = &collector->run.facts;
    if (facts->workers > run->workers)
        run->workers = facts->workers;
    facts->workers = run->workers;
    struct speed_judgement judge = {
        .run = run, .collector = collector, .facts = facts, .accelerated = speed_offloads(facts)};
    /* the children of -multi measure elapsed time, whatever was asked for */
    judge.elapsed = facts->elapsed || run->workers > 0;
    judge.waited = waited_part(run, judge.accelerated);
    if (!index_counts(&judge)) {
        collector->stopped = true;
        error_set(collector->error, ERROR_MEMORY, "memory ran out while reading the log");
        return;
    }
    speed_name_evp_totals(run);
    for (size_t i = 0; i < run->row_count && !collector->stopped; i++) {
        const struct speed_row *row = &run->rows[i];
        if (skipped_child(run, row))
            continue;
        if (row->kind == SPEED_BULK)
            judge_bulk_row(&judge, row);
        else if (row->raw)
            speed_judge_mr_row(&judge, row);
        else
            speed_judge_key_row(&judge, row);
    }
    if (run->count_count > 0)
        speed_judge_lone_counts(&judge);
    if (run->workers > 1 && run->row_count > 0 && !run->any_total)
        speed_sum_workers(run, collector);
    free(judge.next);
}
