/* What the parts of the judgement of `openssl speed` share. */
#ifndef TLSMETER_IMPORT_OPENSSL_SPEED_JUDGE_H
#define TLSMETER_IMPORT_OPENSSL_SPEED_JUDGE_H

#include "import/openssl_speed.h"

struct speed_judgement {
    struct speed_run *run;
    struct collector *collector;
    const struct run_facts *facts;
    bool accelerated; /* an engine or provider that offloads was asked for */
    bool elapsed;
    double waited;        /* part of the nominal seconds below which the process waited */
    uint32_t heads[1024]; /* chains of unused counts, by hash; index + 1 */
    uint32_t *next;
};

/* What a count has to be about. */
struct speed_wanted {
    enum speed_kind kind;
    enum speed_operation operation;
    int64_t size;          /* bytes, or bits of a key */
    const char *algorithm; /* "" for keys known by their bits */
    double units;          /* bytes per operation; 1 for keys */
    double printed;        /* the rate it should make, and half of its last digit */
    double half_step;
    bool strict; /* only a count that makes `printed` will do */
};

/* The unused count of this description that makes the printed rate, among the first few; else the
 * first unless strict. NULL: none. */
struct speed_count *speed_find_count(struct speed_judgement *judge,
                                     const struct speed_wanted *wanted);
/* A count makes this rate within the rounding of its seconds and of the rate. */
bool speed_count_agrees(const struct speed_count *count, double units, double printed,
                        double half_step);

void speed_set_value(struct reading *reading, enum cell_status status, double value,
                     uint32_t flags);
/* Status, value and flags of a figure with and without a count. */
void speed_judge_with_count(const struct speed_judgement *judge, struct reading *reading,
                            const struct speed_count *count, double units, double half_step);
void speed_judge_alone(const struct speed_judgement *judge, struct reading *reading);
/* Takes the value away when a core cannot be so fast. */
void speed_check_bound(const struct speed_judgement *judge, struct reading *reading,
                       unsigned workers);

const char *speed_variant(const struct speed_judgement *judge, const struct speed_row *row);
const char *speed_bulk_operation(const struct speed_judgement *judge, enum name_kind kind);

/* Rows of keys, printed and of -mr. */
void speed_judge_key_row(struct speed_judgement *judge, const struct speed_row *row);
void speed_judge_mr_row(struct speed_judgement *judge, const struct speed_row *row);
/* Counts that no row used. */
void speed_judge_lone_counts(struct speed_judgement *judge);

#endif
