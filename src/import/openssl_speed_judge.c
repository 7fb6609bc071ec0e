/* Tables against counts: which figures of `openssl speed` can be believed. */
#include "import/openssl_speed.h"

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

struct judge {
    struct speed_run *run;
    struct collector *collector;
    const struct run_facts *facts;
    bool accelerated; /* an engine or provider that offloads was asked for */
    bool elapsed;
    double waited;        /* part of the nominal seconds below which the process waited */
    uint32_t heads[1024]; /* chains of unused counts, by hash; index + 1 */
    uint32_t *next;
};

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

static bool index_counts(struct judge *judge)
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

static bool about(const struct speed_count *count, enum speed_kind kind,
                  enum speed_operation operation, int64_t size, const char *algorithm)
{
    bool same_kind =
        count->doing.kind == kind ||
        (operation == OPERATION_KEYGEN && count->doing.kind >= SPEED_KEM && kind >= SPEED_KEM);
    return same_kind && count->doing.operation == operation && count->doing.size == size &&
           strcmp(count->algorithm, algorithm) == 0;
}

/* Relative uncertainty of a rate made from a count: the time was rounded. */
static double time_tolerance(const struct speed_count *count)
{
    double half_step = count->exact ? 0.6e-6 : 0.006;
    return count->counted_s > 0 ? half_step / count->counted_s : INFINITY;
}

static bool agrees(const struct speed_count *count, double units, double printed, double half_step)
{
    if (!(count->counted_s > 0) || !isfinite(printed))
        return false;
    double rate = count->count / count->counted_s * units;
    return fabs(printed - rate) <= rate * (0.002 + time_tolerance(count)) + half_step * 1.01;
}

/* The unused count of this description that makes `printed`, among the first few; else the first
 * unless `strict`. NULL: none. */
static struct speed_count *find_count(struct judge *judge, enum speed_kind kind,
                                      enum speed_operation operation, int64_t size,
                                      const char *algorithm, double units, double printed,
                                      double half_step, bool strict)
{
    uint32_t *link = &judge->heads[count_hash(kind, operation, size, algorithm)];
    struct speed_count *first = NULL;
    for (int looked = 0; *link != 0 && looked < 16; looked++) {
        struct speed_count *count = &judge->run->counts[*link - 1];
        if (count->used) {
            *link = judge->next[*link - 1];
            continue;
        }
        bool right = about(count, kind, operation, size, algorithm);
        if (right && agrees(count, units, printed, half_step))
            return count;
        if (right && first == NULL)
            first = count;
        link = &judge->next[*link - 1];
    }
    return strict ? NULL : first;
}

/* --- one figure ---------------------------------------------------------------------------- */

static bool saturated(double count)
{
    return count == 2147483647.0 || count == 2147483646.0 || count == 4294967295.0 ||
           count == 4294967296.0;
}

static void set_value(struct reading *reading, enum cell_status status, double value,
                      uint32_t flags)
{
    reading->status = status;
    reading->value = value;
    reading->flags |= flags;
}

/* A figure with its count. `units` are bytes per operation, or 1; `half_step` is half the last
 * printed digit. */
static void judge_with_count(const struct judge *judge, struct reading *reading,
                             const struct speed_count *count, double units, double half_step)
{
    double nominal = count->doing.nominal_s, time = count->counted_s;
    double by_nominal = count->count / nominal * units;
    uint32_t infinite = isinf(reading->printed) ? FLAG_INFINITE : 0;
    reading->count = count->count;
    reading->counted_s = time;
    reading->nominal_s = nominal;
    reading->count_line = count->line;
    bool disagrees = isfinite(reading->printed) && time > 0 &&
                     !agrees(count, units, reading->printed, half_step);
    uint32_t table = disagrees ? FLAG_TABLE_DISAGREES : 0;
    if (count->count <= 0 || time < 0) {
        set_value(reading, CELL_FAILED, NAN, infinite);
    } else if (saturated(count->count)) {
        set_value(reading, CELL_UNKNOWN, NAN, infinite | FLAG_COUNTER_SATURATED);
    } else if (!judge->elapsed && nominal > 0 && time < judge->waited * nominal) {
        set_value(reading, CELL_SALVAGED, by_nominal, infinite | table | FLAG_CPU_TIME);
    } else if (!(time > 0)) {
        set_value(reading, CELL_UNKNOWN, NAN, infinite | FLAG_DURATION_OFF);
    } else if (nominal > 0 && time > TOO_LONG * nominal &&
               time - nominal > 1.1 * time / count->count + 0.5) {
        set_value(reading, CELL_SALVAGED, by_nominal, infinite | table | FLAG_DURATION_OFF);
    } else if (disagrees || !isfinite(reading->printed)) {
        set_value(reading, CELL_SALVAGED, count->count / time * units, infinite | table);
    } else {
        set_value(reading, CELL_OK, reading->printed, 0);
    }
}

/* A rate printed by an accelerated run that did not measure elapsed time divides by CPU seconds;
 * without the counts nobody can say what it would be. */
static bool cpu_time_suspected(const struct judge *judge)
{
    return judge->accelerated && !judge->elapsed && !judge->facts->engine_failed &&
           !(judge->facts->cpu_percent > 90);
}

static void judge_alone(const struct judge *judge, struct reading *reading)
{
    if (isinf(reading->printed))
        set_value(reading, CELL_UNKNOWN, NAN, FLAG_INFINITE);
    else if (isnan(reading->printed))
        set_value(reading, CELL_UNKNOWN, NAN, 0);
    else if (reading->printed < 0)
        set_value(reading, CELL_FAILED, NAN, 0);
    else if (cpu_time_suspected(judge))
        set_value(reading, CELL_UNKNOWN, NAN, FLAG_CPU_TIME);
    else
        set_value(reading, CELL_OK, reading->printed, 0);
}

static void check_bound(const struct judge *judge, struct reading *reading, unsigned workers)
{
    if (reading->metric != METRIC_BYTES_PER_S || isnan(reading->value) || workers > 1)
        return;
    double bound =
        bound_bytes_per_s(reading->algorithm, reading->operation, judge->facts->clock_hz);
    if (reading->value > bound)
        set_value(reading, CELL_UNKNOWN, NAN, FLAG_EXCEEDS_CLOCK);
}

/* --- bulk rows ----------------------------------------------------------------------------- */

static const char *bulk_operation(const struct judge *judge, const struct speed_row *row)
{
    if (row->name_kind == NAME_CIPHER && judge->facts->decrypt)
        return "decrypt";
    return name_operation(row->name_kind);
}

static const char *variant_of(const struct judge *judge, const struct speed_row *row)
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
    return value->thousands && !row->raw ? value->number * 1e3 : value->number;
}

/* Half of the last printed digit, in bytes per second. */
static double bulk_half_step(const struct speed_value *value)
{
    return value->thousands ? 5.0 : 0.005;
}

/* Without a header the sizes are those of the sentences, in their order. */
static int64_t size_of_column(const struct judge *judge, const struct speed_row *row,
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

static void judge_bulk_value(struct judge *judge, const struct speed_row *row, unsigned column,
                             struct bulk_context *context)
{
    const struct speed_value *value = &row->values[column];
    int64_t size = size_of_column(judge, row, column, &context->from);
    if (value->form == FORM_ABSENT)
        return;
    double printed = in_bytes(row, value);
    struct speed_count *count = NULL;
    if (context->compare && size > 0)
        count = find_count(judge, SPEED_BULK, OPERATION_BULK, size, row->algorithm, (double)size,
                           printed, bulk_half_step(value), row->cut);
    if (context->suffix_lost && !value->thousands && count != NULL &&
        agrees(count, (double)size, printed * 1e3, 5.0))
        printed *= 1e3;
    struct reading *reading = collect_reading(judge->collector, row->line);
    if (reading == NULL)
        return;
    reading->algorithm = row->algorithm;
    reading->operation = context->operation;
    reading->label = row->label;
    reading->variant = context->variant;
    reading->size_bytes = size;
    reading->metric = METRIC_BYTES_PER_S;
    reading->printed = printed;
    bool cut = value->form == FORM_CUT || (row->cut && count == NULL && !row->ends_file) ||
               (row->ends_file && column + 1 == row->count && !value->thousands && count == NULL);
    if (cut)
        reading->flags |= FLAG_TRUNCATED;
    if (count != NULL) {
        count->used = true;
        judge_with_count(judge, reading, count, (double)size, bulk_half_step(value));
    } else if (cut || size < 0 || (context->suffix_lost && !value->thousands)) {
        reading->status = CELL_UNKNOWN;
    } else {
        judge_alone(judge, reading);
    }
    if (context->failed || (count != NULL && count->error))
        set_value(reading, CELL_FAILED, NAN, FLAG_ERRORS_TIMED);
    reading->flags |= context->row_flags;
    unsigned workers = row->worker >= 0 ? 1 : judge->run->workers;
    check_bound(judge, reading, workers);
}

/* Errors that were reported outside any sentence are the queue that is printed at the end: they
 * may be of any cipher of the run. */
static bool row_failed(const struct judge *judge, const struct speed_row *row)
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
static void suspect_engine(const struct judge *judge, size_t first)
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

static void judge_bulk_row(struct judge *judge, const struct speed_row *row)
{
    if (all_zero(row)) {
        collect_finding_text(judge->collector, FINDING_UNAVAILABLE, row->line,
                             "%s: only zeros, it was not measured", row->label);
        return;
    }
    unsigned workers = judge->run->workers;
    struct bulk_context context = {
        .operation = bulk_operation(judge, row),
        .variant = variant_of(judge, row),
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

/* --- rows of keys -------------------------------------------------------------------------- */

/* Rates below one are printed with one digit: 0.1 may be anything from 0.05 to 0.15. The seconds
 * beside them say more. */
static void refine_small_rate(struct reading *reading, double seconds)
{
    if (reading->status != CELL_OK || reading->printed >= 0.95 || !(seconds > 0.5))
        return;
    set_value(reading, CELL_SALVAGED, 1 / seconds, FLAG_BELOW_RESOLUTION);
}

/* Seconds and rate of a row say the same; up to a factor of three it is a harness that averaged
 * each column for itself, beyond that a digit is missing. */
static bool columns_agree(double seconds, double rate, int decimals)
{
    double half = decimals == 4 ? 0.51e-4 : 0.51e-6;
    if (!(rate > 0) || !isfinite(seconds))
        return true;
    double low = 1 / (rate + 0.051), high = rate > 0.051 ? 1 / (rate - 0.051) : INFINITY;
    return seconds >= low / 3 - half && seconds <= high * 3 + half;
}

static struct reading *key_reading(struct judge *judge, const struct speed_row *row,
                                   const char *algorithm, enum speed_operation operation,
                                   double rate)
{
    struct reading *reading = collect_reading(judge->collector, row->line);
    if (reading == NULL)
        return NULL;
    reading->algorithm = algorithm;
    reading->operation = speed_operation_name(operation);
    reading->label = row->label[0] != '\0' ? row->label : algorithm;
    reading->variant = variant_of(judge, row);
    reading->metric = METRIC_OPS_PER_S;
    reading->printed = rate;
    if (judge->run->workers > 1 && row->worker < 0)
        reading->flags |= FLAG_TOTAL_OF_WORKERS;
    return reading;
}

static void judge_key_value(struct judge *judge, const struct speed_row *row, const char *algorithm,
                            unsigned column)
{
    const struct speed_value *seconds = &row->values[column];
    const struct speed_value *rate = &row->values[row->operation_count + column];
    enum speed_operation operation = row->operations[column];
    struct speed_count *count = NULL;
    const char *count_name = row->kind >= SPEED_KEM ? algorithm : "";
    if (judge->run->workers <= 1)
        count = find_count(judge, row->kind, operation, row->bits, count_name, 1, rate->number,
                           0.05, row->kind == SPEED_ECDSA || row->kind == SPEED_ECDH);
    struct reading *reading = key_reading(judge, row, algorithm, operation, rate->number);
    if (reading == NULL)
        return;
    if (rate->form == FORM_CUT) {
        set_value(reading, CELL_UNKNOWN, NAN, FLAG_TRUNCATED);
    } else if (count != NULL) {
        count->used = true;
        judge_with_count(judge, reading, count, 1, 0.05);
    } else if (isinf(rate->number)) {
        /* no count at all was divided by: the operation never ran */
        set_value(reading, CELL_FAILED, NAN, FLAG_INFINITE);
    } else {
        judge_alone(judge, reading);
        int decimals =
            row->kind == SPEED_RSA || row->kind == SPEED_DSA || row->kind >= SPEED_KEM ? 6 : 4;
        if (reading->status == CELL_OK && !columns_agree(seconds->number, rate->number, decimals))
            set_value(reading, CELL_UNKNOWN, NAN, FLAG_TABLE_DISAGREES);
    }
    refine_small_rate(reading, seconds->number);
}

static void judge_key_row(struct judge *judge, const struct speed_row *row)
{
    const char *algorithm = speed_row_algorithm(judge->run, judge->collector, row);
    if (row->operation_count == 0 || row->count != 2 * row->operation_count) {
        for (unsigned i = 0; i < row->count; i++) {
            struct reading *reading =
                key_reading(judge, row, algorithm, OPERATION_BULK, row->values[i].number);
            if (reading != NULL)
                set_value(reading, CELL_UNKNOWN, NAN, FLAG_TRUNCATED);
        }
        return;
    }
    for (unsigned i = 0; i < row->operation_count; i++)
        judge_key_value(judge, row, algorithm, i);
}

/* --- +F lines of keys ---------------------------------------------------------------------- */

/* A +F line holds rates (since 1.1.1) or seconds per operation (before), and for ECDH and FFDH one
 * of each. NaN: it cannot be told. */
static double mr_rate(const struct judge *judge, const struct speed_row *row, unsigned column)
{
    double value = row->values[column].number;
    if (row->operation_count == 1 && row->count == 2) {
        double other = row->values[1].number;
        double larger = fmax(value, other), smaller = fmin(value, other);
        bool inverse = fabs(larger * smaller - 1) < 0.02 || smaller < 1e-4;
        return inverse && larger >= 10 ? larger : NAN;
    }
    if (value <= 0)
        return value;
    if (row->kind == SPEED_RSA && row->count >= 2 && row->values[0].number > 0 &&
        row->values[1].number > 0)
        return row->values[1].number > row->values[0].number ? value : 1 / value;
    switch (speed_mr_meaning(judge->run)) {
    case MR_RATES:
        return value;
    case MR_SECONDS:
        return 1 / value;
    default:
        return NAN;
    }
}

/* The count says which it is, where there is one. */
static struct speed_count *mr_count(struct judge *judge, const struct speed_row *row,
                                    const char *name, unsigned column, double *rate)
{
    double value = row->values[column].number;
    enum speed_operation operation = row->operations[column];
    if (judge->run->workers > 1)
        return NULL;
    struct speed_count *count =
        find_count(judge, row->kind, operation, row->bits, name, 1, value, value * 0.001, true);
    if (count != NULL) {
        *rate = value;
        return count;
    }
    if (!(value > 0))
        return NULL;
    count = find_count(judge, row->kind, operation, row->bits, name, 1, 1 / value,
                       0.6e-6 / value / value, true);
    if (count != NULL)
        *rate = 1 / value;
    return count;
}

static void judge_mr_row(struct judge *judge, const struct speed_row *row)
{
    const char *algorithm = speed_row_algorithm(judge->run, judge->collector, row);
    const char *name = row->kind >= SPEED_KEM ? algorithm : "";
    unsigned columns = row->operation_count < row->count ? row->operation_count : row->count;
    for (unsigned i = 0; i < columns; i++) {
        double rate = NAN;
        struct speed_count *count = mr_count(judge, row, name, i, &rate);
        if (count == NULL)
            rate = mr_rate(judge, row, i);
        double printed = isnan(rate) ? row->values[i].number : rate;
        struct reading *reading = key_reading(judge, row, algorithm, row->operations[i], printed);
        if (reading == NULL)
            return;
        if (count != NULL) {
            count->used = true;
            judge_with_count(judge, reading, count, 1, printed * 0.001);
        } else if (isnan(rate) || algorithm[0] == '\0' || row->values[i].form != FORM_NUMBER) {
            set_value(reading, CELL_UNKNOWN, NAN, isinf(printed) ? FLAG_INFINITE : 0);
        } else {
            judge_alone(judge, reading);
        }
    }
}

/* --- counts without a row ------------------------------------------------------------------ */

static void judge_lone_count(struct judge *judge, const struct speed_count *count)
{
    if (!count->finished && !count->error) {
        collect_finding(judge->collector, FINDING_CUT, count->line,
                        "the result of this measurement is missing");
        return;
    }
    struct reading *reading = collect_reading(judge->collector, count->line);
    if (reading == NULL)
        return;
    bool bulk = count->doing.kind == SPEED_BULK;
    reading->label = count->doing.label.text;
    reading->size_bytes = bulk ? count->doing.size : -1;
    reading->metric = bulk ? METRIC_BYTES_PER_S : METRIC_OPS_PER_S;
    if (bulk) {
        struct name name = name_symmetric(count->doing.label);
        struct speed_row row = {.kind = SPEED_BULK,
                                .label = count->doing.label.text,
                                .name_kind = name.kind,
                                .worker = -1,
                                .known = name.known};
        reading->algorithm = count->algorithm;
        reading->operation = bulk_operation(judge, &row);
        reading->variant = variant_of(judge, &row);
    } else {
        reading->algorithm = speed_count_algorithm(judge->run, judge->collector, count);
        reading->operation = speed_operation_name(count->doing.operation);
    }
    if (count->error || !count->finished) {
        set_value(reading, CELL_FAILED, NAN, count->finished ? FLAG_ERRORS_TIMED : 0);
        reading->count_line = count->line;
    } else {
        judge_with_count(judge, reading, count, bulk ? (double)count->doing.size : 1, 0);
        if (reading->status == CELL_SALVAGED || reading->status == CELL_OK)
            set_value(reading, CELL_SALVAGED, reading->value, FLAG_TRUNCATED);
    }
    bool cipher = bulk && strcmp(reading->operation, "digest") != 0;
    if (cipher && (judge->run->error_line != 0 || judge->run->engine_error_line != 0))
        set_value(reading, CELL_FAILED, NAN, FLAG_ERRORS_TIMED);
    if (judge->facts->engine_failed && bulk)
        reading->flags |= FLAG_ENGINE_FAILED;
    check_bound(judge, reading, 1);
}

static void judge_lone_counts(struct judge *judge)
{
    struct speed_run *run = judge->run;
    if (run->workers > 1) {
        if (run->row_count == 0)
            collect_finding(judge->collector, FINDING_NO_SUMMARY, run->counts[0].line,
                            "several children, whose lines stand mixed, and no table of theirs");
        return;
    }
    for (size_t i = 0; i < run->count_count; i++) {
        if (!run->counts[i].used)
            judge_lone_count(judge, &run->counts[i]);
    }
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
    struct judge judge = {
        .run = run, .collector = collector, .facts = facts, .accelerated = speed_offloads(facts)};
    /* the children of -multi measure elapsed time, whatever was asked for */
    judge.elapsed = facts->elapsed || run->workers > 0;
    judge.waited = waited_part(run, judge.accelerated);
    if (!index_counts(&judge)) {
        collector->stopped = true;
        error_set(collector->error, ERROR_MEMORY, "memory ran out while reading the log");
        return;
    }
    for (size_t i = 0; i < run->row_count && !collector->stopped; i++) {
        const struct speed_row *row = &run->rows[i];
        if (skipped_child(run, row))
            continue;
        if (row->kind == SPEED_BULK)
            judge_bulk_row(&judge, row);
        else if (row->raw)
            judge_mr_row(&judge, row);
        else
            judge_key_row(&judge, row);
    }
    if (run->count_count > 0)
        judge_lone_counts(&judge);
    if (run->workers > 1 && run->row_count > 0 && !run->any_total)
        speed_sum_workers(run, collector);
    free(judge.next);
}
