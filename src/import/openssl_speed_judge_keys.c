/* Tables of keys and lone counts of `openssl speed`: what can be believed. */
#include <math.h>
#include <string.h>

#include "import/openssl_speed_judge.h"
#include "import/openssl_speed_names.h"

/* --- rows of keys -------------------------------------------------------------------------- */

/* Rates below one are printed with one digit: 0.1 may be anything from 0.05 to 0.15. The seconds
 * beside them say more. */
static void refine_small_rate(struct reading *reading, double seconds)
{
    if (reading->status != CELL_OK || reading->printed >= 0.95 || !(seconds > 0.5))
        return;
    speed_set_value(reading, CELL_SALVAGED, 1 / seconds, FLAG_BELOW_RESOLUTION);
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

static struct reading *key_reading(struct speed_judgement *judge, const struct speed_row *row,
                                   const char *algorithm, enum speed_operation operation,
                                   double rate)
{
    struct reading *reading = collect_reading(judge->collector, row->line);
    if (reading == NULL)
        return NULL;
    reading->algorithm = algorithm;
    reading->operation = speed_operation_name(operation);
    reading->label = row->label[0] != '\0' ? row->label : algorithm;
    reading->variant = speed_variant(judge, row);
    reading->metric = METRIC_OPS_PER_S;
    reading->printed = rate;
    if (judge->run->workers > 1 && row->worker < 0)
        reading->flags |= FLAG_TOTAL_OF_WORKERS;
    return reading;
}

static struct speed_count *key_count(struct speed_judgement *judge, const struct speed_row *row,
                                     unsigned column, const char *name, double rate,
                                     double half_step, bool strict)
{
    struct speed_wanted wanted = {
        .kind = row->kind,
        .operation = row->operations[column],
        .size = row->bits,
        .algorithm = name,
        .units = 1,
        .printed = rate,
        .half_step = half_step,
        .strict = strict,
    };
    return speed_find_count(judge, &wanted);
}

static void judge_key_value(struct speed_judgement *judge, const struct speed_row *row,
                            const char *algorithm, unsigned column)
{
    const struct speed_value *seconds = &row->values[column];
    const struct speed_value *rate = &row->values[row->operation_count + column];
    enum speed_operation operation = row->operations[column];
    struct speed_count *count = NULL;
    const char *count_name = row->kind >= SPEED_KEM ? algorithm : "";
    if (judge->run->workers <= 1)
        count = key_count(judge, row, column, count_name, rate->number, 0.05,
                          row->kind == SPEED_ECDSA || row->kind == SPEED_ECDH);
    struct reading *reading = key_reading(judge, row, algorithm, operation, rate->number);
    if (reading == NULL)
        return;
    if (rate->form == FORM_CUT) {
        speed_set_value(reading, CELL_UNKNOWN, NAN, FLAG_TRUNCATED);
    } else if (count != NULL) {
        count->used = true;
        speed_judge_with_count(judge, reading, count, 1, 0.05);
    } else if (isinf(rate->number)) {
        /* no count at all was divided by: the operation never ran */
        speed_set_value(reading, CELL_FAILED, NAN, FLAG_INFINITE);
    } else {
        speed_judge_alone(judge, reading);
        int decimals =
            row->kind == SPEED_RSA || row->kind == SPEED_DSA || row->kind >= SPEED_KEM ? 6 : 4;
        if (reading->status == CELL_OK && !columns_agree(seconds->number, rate->number, decimals))
            speed_set_value(reading, CELL_UNKNOWN, NAN, FLAG_TABLE_DISAGREES);
    }
    refine_small_rate(reading, seconds->number);
}

void speed_judge_key_row(struct speed_judgement *judge, const struct speed_row *row)
{
    const char *algorithm = speed_row_algorithm(judge->run, judge->collector, row);
    if (row->operation_count == 0 || row->count != 2 * row->operation_count) {
        for (unsigned i = 0; i < row->count; i++) {
            struct reading *reading =
                key_reading(judge, row, algorithm, OPERATION_BULK, row->values[i].number);
            if (reading != NULL)
                speed_set_value(reading, CELL_UNKNOWN, NAN, FLAG_TRUNCATED);
        }
        return;
    }
    for (unsigned i = 0; i < row->operation_count; i++)
        judge_key_value(judge, row, algorithm, i);
}

/* --- +F lines of keys ---------------------------------------------------------------------- */

/* A +F line holds rates (since 1.1.1) or seconds per operation (before), and for ECDH and FFDH one
 * of each. NaN: it cannot be told. */
static double mr_rate(const struct speed_judgement *judge, const struct speed_row *row,
                      unsigned column)
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
static struct speed_count *mr_count(struct speed_judgement *judge, const struct speed_row *row,
                                    const char *name, unsigned column, double *rate,
                                    double *half_step)
{
    double value = row->values[column].number;
    if (judge->run->workers > 1)
        return NULL;
    *half_step = value * 0.001;
    struct speed_count *count = key_count(judge, row, column, name, value, *half_step, true);
    if (count != NULL) {
        *rate = value;
        return count;
    }
    if (!(value > 0))
        return NULL;
    /* seconds with six decimals: few digits are left of a fast operation */
    *half_step = 0.6e-6 / value / value;
    count = key_count(judge, row, column, name, 1 / value, *half_step, true);
    if (count != NULL)
        *rate = 1 / value;
    return count;
}

/* The count is finer than seconds of which the rounding left few digits. */
static void refine_rounded_rate(struct reading *reading, double half_step)
{
    double counted = reading->count / reading->counted_s;
    if (reading->status == CELL_OK && half_step > 0.001 * reading->printed &&
        fabs(counted - reading->printed) > 0.001 * reading->printed)
        speed_set_value(reading, CELL_SALVAGED, counted, FLAG_BELOW_RESOLUTION);
}

void speed_judge_mr_row(struct speed_judgement *judge, const struct speed_row *row)
{
    const char *algorithm = speed_row_algorithm(judge->run, judge->collector, row);
    const char *name = row->kind >= SPEED_KEM ? algorithm : "";
    unsigned columns = row->operation_count < row->count ? row->operation_count : row->count;
    for (unsigned i = 0; i < columns; i++) {
        double rate = NAN, half_step = 0;
        struct speed_count *count = mr_count(judge, row, name, i, &rate, &half_step);
        if (count == NULL)
            rate = mr_rate(judge, row, i);
        double printed = isnan(rate) ? row->values[i].number : rate;
        struct reading *reading = key_reading(judge, row, algorithm, row->operations[i], printed);
        if (reading == NULL)
            return;
        if (count != NULL) {
            count->used = true;
            speed_judge_with_count(judge, reading, count, 1, half_step);
            refine_rounded_rate(reading, half_step);
        } else if (isnan(rate) || algorithm[0] == '\0' || row->values[i].form != FORM_NUMBER) {
            speed_set_value(reading, CELL_UNKNOWN, NAN, isinf(printed) ? FLAG_INFINITE : 0);
        } else {
            speed_judge_alone(judge, reading);
        }
    }
}

/* --- counts without a row ------------------------------------------------------------------ */

static void name_lone_count(struct speed_judgement *judge, const struct speed_count *count,
                            struct reading *reading)
{
    reading->label = count->doing.label.text;
    if (count->doing.kind != SPEED_BULK) {
        reading->metric = METRIC_OPS_PER_S;
        reading->algorithm = speed_count_algorithm(judge->run, judge->collector, count);
        reading->operation = speed_operation_name(count->doing.operation);
        return;
    }
    struct name name = name_symmetric(count->doing.label);
    struct speed_row row = {
        .kind = SPEED_BULK, .label = count->doing.label.text, .name_kind = name.kind, .worker = -1};
    reading->metric = METRIC_BYTES_PER_S;
    reading->size_bytes = count->doing.size;
    reading->algorithm = count->algorithm;
    reading->operation = speed_bulk_operation(judge, name.kind);
    reading->variant = speed_variant(judge, &row);
    if (judge->facts->engine_failed)
        reading->flags |= FLAG_ENGINE_FAILED;
}

static void judge_lone_count(struct speed_judgement *judge, const struct speed_count *count)
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
    name_lone_count(judge, count, reading);
    if (count->error || !count->finished) {
        speed_set_value(reading, CELL_FAILED, NAN, count->finished ? FLAG_ERRORS_TIMED : 0);
        reading->count_line = count->line;
        return;
    }
    speed_judge_with_count(judge, reading, count, bulk ? (double)count->doing.size : 1, 0);
    if (reading->status == CELL_SALVAGED || reading->status == CELL_OK)
        speed_set_value(reading, CELL_SALVAGED, reading->value, FLAG_TRUNCATED);
    bool errors = judge->run->error_line != 0 || judge->run->engine_error_line != 0;
    if (bulk && errors && strcmp(reading->operation, "digest") != 0)
        speed_set_value(reading, CELL_FAILED, NAN, FLAG_ERRORS_TIMED);
    speed_check_bound(judge, reading, 1);
}

void speed_judge_lone_counts(struct speed_judgement *judge)
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
