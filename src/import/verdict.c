#include "import/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct judging {
    const struct import_run *run;
    struct arena *arena;
    struct verdict_report *report;
    bool no_memory;
};

const char *verdict_name(enum verdict verdict)
{
    static const char *const NAMES[] = {"trust", "trust with care", "do not use"};
    return NAMES[verdict];
}

static const char *text_of(struct judging *judging, const char *format, ...) PRINTF_LIKE(2, 3);

static const char *text_of(struct judging *judging, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *copy = arena_text(judging->arena, text);
    if (copy == NULL)
        judging->no_memory = true;
    return copy != NULL ? copy : "";
}

static struct verdict_reason *add(struct judging *judging, enum verdict weight, const char *name,
                                  const char *text)
{
    struct verdict_report *report = judging->report;
    if (report->reason_count == VERDICT_REASONS)
        return NULL;
    struct verdict_reason *reason = &report->reasons[report->reason_count++];
    *reason = (struct verdict_reason){.weight = weight, .name = name, .text = text};
    if (weight > report->verdict)
        report->verdict = weight;
    return reason;
}

static void add_line(struct verdict_reason *reason, uint32_t line)
{
    if (reason == NULL)
        return;
    reason->count++;
    for (unsigned i = 0; i < reason->line_count; i++) {
        if (reason->lines[i] == line)
            return;
    }
    if (reason->line_count < REASON_LINES)
        reason->lines[reason->line_count++] = line;
}

/* --- reasons from cells -------------------------------------------------------------------- */

/* One rule: the cells of this status (or any, when negative) with this flag (or any, when 0). */
struct cell_rule {
    enum verdict weight;
    int status;
    uint32_t flag;
    const char *format; /* of the importer it is about; NULL: all */
    const char *name, *text;
};

static const struct cell_rule CELL_RULES[] = {
    {VERDICT_CARE, CELL_SALVAGED, FLAG_CPU_TIME, "s_time", "cpu-time",
     "\"connections/user sec\" divides by the client's CPU seconds; the rate of connections is in "
     "the line of real seconds."},
    {VERDICT_DO_NOT_USE, CELL_SALVAGED, FLAG_CPU_TIME, "openssl-speed", "cpu-time",
     "The printed rates divide by CPU seconds, but the process spent most of the time waiting for "
     "something else to do the work."},
    {VERDICT_DO_NOT_USE, CELL_UNKNOWN, FLAG_CPU_TIME, NULL, "cpu-time",
     "The printed rates divide by CPU seconds and the log does not hold what is needed to correct "
     "them."},
    {VERDICT_DO_NOT_USE, -1, FLAG_INFINITE, NULL, "infinite",
     "A rate is infinite: it was divided by no time at all."},
    {VERDICT_DO_NOT_USE, CELL_SALVAGED, FLAG_TABLE_DISAGREES, NULL, "table-disagrees",
     "The table disagrees with the counts of the same log."},
    {VERDICT_DO_NOT_USE, CELL_UNKNOWN, FLAG_TABLE_DISAGREES, NULL, "table-disagrees",
     "Two columns of the same row contradict each other."},
    {VERDICT_DO_NOT_USE, -1, FLAG_DURATION_OFF, "openssl-speed", "duration-off",
     "The seconds the tool counted are far from the seconds it meant to run."},
    {VERDICT_DO_NOT_USE, -1, FLAG_DURATION_OFF, "curl-w", "timings-out-of-order",
     "The timings are out of order: each counts from the start, so none may be smaller than one "
     "before it."},
    {VERDICT_DO_NOT_USE, -1, FLAG_COUNTER_SATURATED, NULL, "counter-saturated",
     "A counter stands at its largest value: the clock did not advance or the figure overflowed."},
    {VERDICT_DO_NOT_USE, -1, FLAG_EXCEEDS_CLOCK, NULL, "exceeds-clock",
     "A rate exceeds what a core can do, so the operation was not done."},
    {VERDICT_DO_NOT_USE, -1, FLAG_ERRORS_TIMED, NULL, "errors-timed",
     "Operations that failed were timed as work: the faster they fail, the better the figure."},
    {VERDICT_DO_NOT_USE, -1, FLAG_NOT_RESUMED, NULL, "not-resumed",
     "The run is called reuse, and no session was resumed: these are full handshakes."},
    {VERDICT_CARE, -1, FLAG_TRUNCATED, NULL, "truncated",
     "The log is cut: these figures come from the counts alone or have no value."},
    {VERDICT_CARE, -1, FLAG_BELOW_RESOLUTION, NULL, "below-resolution",
     "The figure is below what the tool can print (rounded to one digit, or to zero)."},
    {VERDICT_CARE, -1, FLAG_TOTAL_OF_WORKERS, NULL, "total-of-workers",
     "Totals of several workers: not the speed of one core."},
};

static bool rule_fits(const struct cell_rule *rule, const struct import_run *run,
                      const struct reading *reading)
{
    return (rule->status < 0 || (int)reading->status == rule->status) &&
           (reading->flags & rule->flag) != 0 &&
           (rule->format == NULL || strcmp(rule->format, run->format) == 0);
}

static void judge_rules(struct judging *judging)
{
    const struct import_run *run = judging->run;
    for (size_t i = 0; i < COUNT_OF(CELL_RULES); i++) {
        const struct cell_rule *rule = &CELL_RULES[i];
        struct verdict_reason *reason = NULL;
        for (size_t j = 0; j < run->reading_count; j++) {
            const struct reading *reading = &run->readings[j];
            if (!rule_fits(rule, run, reading))
                continue;
            if (reason == NULL)
                reason = add(judging, rule->weight, rule->name, rule->text);
            add_line(reason, reading->line);
        }
    }
}

/* How far the printed figure is from the true one, in words. */
static void add_sizes_of_error(struct judging *judging)
{
    struct verdict_report *report = judging->report;
    double worst = 1, least_share = INFINITY;
    for (size_t i = 0; i < judging->run->reading_count; i++) {
        const struct reading *reading = &judging->run->readings[i];
        if (reading->status != CELL_SALVAGED)
            continue;
        double ratio = reading->printed / reading->value;
        if (ratio > 0 && isfinite(ratio))
            worst = fmax(worst, fmax(ratio, 1 / ratio));
        if (reading->nominal_s > 0 && reading->counted_s >= 0)
            least_share = fmin(least_share, reading->counted_s / reading->nominal_s);
    }
    for (unsigned i = 0; i < report->reason_count; i++) {
        struct verdict_reason *reason = &report->reasons[i];
        if (strcmp(reason->name, "table-disagrees") == 0 && worst > 1)
            reason->text =
                text_of(judging, "%s They differ by up to %.1f times.", reason->text, worst);
        else if (strcmp(reason->name, "cpu-time") == 0 && isfinite(least_share) && worst > 1)
            reason->text = text_of(judging,
                                   "%s It used as little as %.1f %% of a core, so the printed "
                                   "figures are up to %.0f times too high.",
                                   reason->text, least_share * 100, worst);
    }
}

/* Failed and unknown cells that no flag explains. */
static void judge_statuses(struct judging *judging)
{
    struct verdict_reason *failed = NULL, *unknown = NULL;
    for (size_t i = 0; i < judging->run->reading_count; i++) {
        const struct reading *reading = &judging->run->readings[i];
        if (reading->status == CELL_FAILED &&
            !(reading->flags & (FLAG_ERRORS_TIMED | FLAG_INFINITE | FLAG_NOT_RESUMED))) {
            if (failed == NULL)
                failed =
                    add(judging, VERDICT_DO_NOT_USE, "failed",
                        "An operation failed; its figure is negative, zero or no figure at all.");
            add_line(failed, reading->line);
        } else if (reading->status == CELL_UNKNOWN && reading->flags == 0) {
            if (unknown == NULL)
                unknown =
                    add(judging, VERDICT_CARE, "unknown",
                        "A number cannot be given a meaning: its column or unit is not certain.");
            add_line(unknown, reading->line);
        }
        judging->report->recovered += reading->status == CELL_SALVAGED;
    }
}

/* --- reasons from engines ------------------------------------------------------------------ */

static const char *engine_kind(const struct run_facts *facts)
{
    return facts->engine_is_provider ? "provider" : "engine";
}

static void judge_engine(struct judging *judging)
{
    const struct import_run *run = judging->run;
    const struct run_facts *facts = &run->facts;
    if (facts->engine_failed) {
        const char *name = facts->engine[0] != '\0' ? facts->engine : "that was asked for";
        struct verdict_reason *reason = add(
            judging, VERDICT_DO_NOT_USE, "engine-failed",
            text_of(judging, "The %s %s did not work: what was measured is software, or nothing.",
                    engine_kind(facts), name));
        for (size_t i = 0; i < run->finding_count; i++) {
            if (run->findings[i].kind == FINDING_ENGINE_FAILED)
                add_line(reason, run->findings[i].line);
        }
        return;
    }
    struct verdict_reason *reason = NULL;
    for (size_t i = 0; i < run->reading_count; i++) {
        if (!(run->readings[i].flags & FLAG_ENGINE_NOT_USED))
            continue;
        if (reason == NULL)
            reason = add(judging, VERDICT_DO_NOT_USE, "engine-not-used-suspected",
                         text_of(judging,
                                 "The %s %s was asked for, but the rates are those of software: "
                                 "flat from 64 bytes on, or faster at small sizes than a call into "
                                 "the kernel can be.",
                                 engine_kind(facts), facts->engine));
        add_line(reason, run->readings[i].line);
    }
}

/* --- reasons from time --------------------------------------------------------------------- */

/* A software run that did not get a whole core. */
static void judge_share(struct judging *judging)
{
    const struct import_run *run = judging->run;
    double lowest = 1;
    uint32_t line = 0;
    size_t count = 0;
    for (size_t i = 0; i < run->reading_count; i++) {
        const struct reading *reading = &run->readings[i];
        double share = reading->counted_s / reading->nominal_s;
        if (run->facts.elapsed || reading->status != CELL_OK || !(share < 0.9))
            continue;
        count++;
        if (share < lowest) {
            lowest = share;
            line = reading->count_line;
        }
    }
    if (count == 0)
        return;
    struct verdict_reason *reason =
        add(judging, VERDICT_CARE, "shared-core",
            text_of(judging,
                    "The process got as little as %.0f %% of a core. The rates are per CPU second; "
                    "per second of waiting they are lower.",
                    lowest * 100));
    if (reason == NULL)
        return;
    add_line(reason, line);
    reason->count = count;
}

/* --- reasons from repeated rows ------------------------------------------------------------ */

static bool same_row(const struct reading *a, const struct reading *b)
{
    return a->size_bytes == b->size_bytes && a->metric == b->metric &&
           strcmp(a->algorithm, b->algorithm) == 0 && strcmp(a->operation, b->operation) == 0 &&
           strcmp(a->variant, b->variant) == 0;
}

enum { COMPARED_READINGS = 2048 };

static void judge_duplicates(struct judging *judging)
{
    const struct import_run *run = judging->run;
    size_t compared =
        run->reading_count < COMPARED_READINGS ? run->reading_count : COMPARED_READINGS;
    double spread = 0;
    struct verdict_reason *reason = NULL;
    for (size_t i = 0; i < compared; i++) {
        const struct reading *reading = &run->readings[i];
        if (!(reading->flags & FLAG_DUPLICATE))
            continue;
        if (reason == NULL)
            reason = add(judging, VERDICT_TRUST, "duplicate", "");
        add_line(reason, reading->line);
        for (size_t j = 0; j < i; j++) {
            const struct reading *other = &run->readings[j];
            if (same_row(reading, other) && reading->value > 0 && other->value > 0)
                spread = fmax(spread, fabs(reading->value / other->value - 1));
        }
    }
    if (reason == NULL)
        return;
    reason->text = text_of(judging,
                           "Rows stand more than once: repeated runs, or cores of two kinds. They "
                           "differ by up to %.1f %%.",
                           spread * 100);
    if (spread > 0.1) {
        reason->weight = VERDICT_CARE;
        if (judging->report->verdict < VERDICT_CARE)
            judging->report->verdict = VERDICT_CARE;
    }
}

/* --- reasons from findings ----------------------------------------------------------------- */

static const struct {
    enum finding_kind kind;
    enum verdict weight;
    const char *name, *text;
} FINDING_RULES[] = {
    {FINDING_KERNEL, VERDICT_CARE, "kernel-fault",
     "The kernel reported a fault during the run; what came after it is missing or suspect."},
    {FINDING_UNREAD, VERDICT_CARE, "unread", "Lines with numbers that could not be read."},
    {FINDING_CUT, VERDICT_CARE, "cut", "A row or a sentence ends in the middle."},
    {FINDING_NO_SUMMARY, VERDICT_CARE, "no-summary",
     "The log holds the lines of the children and no total."},
    {FINDING_OPERATION_ERROR, VERDICT_CARE, "errors", "The tool reported errors."},
    {FINDING_UNAVAILABLE, VERDICT_TRUST, "unavailable",
     "Some algorithms were not measured, because they are not there."},
};

static void judge_findings(struct judging *judging)
{
    const struct import_run *run = judging->run;
    for (size_t i = 0; i < COUNT_OF(FINDING_RULES); i++) {
        struct verdict_reason *reason = NULL;
        for (size_t j = 0; j < run->finding_count; j++) {
            if (run->findings[j].kind != FINDING_RULES[i].kind)
                continue;
            if (reason == NULL)
                reason = add(judging, FINDING_RULES[i].weight, FINDING_RULES[i].name,
                             FINDING_RULES[i].text);
            add_line(reason, run->findings[j].line);
        }
    }
    for (size_t j = 0; j < run->finding_count; j++) {
        bool remark = run->findings[j].kind == FINDING_REMARK;
        if (run->findings[j].kind != FINDING_NOTE && !remark)
            continue;
        struct verdict_reason *reason = add(judging, remark ? VERDICT_TRUST : VERDICT_CARE, "note",
                                            text_of(judging, "%s", run->findings[j].text));
        add_line(reason, run->findings[j].line);
    }
}

/* --- what to run instead ------------------------------------------------------------------- */

static bool has_reason(const struct verdict_report *report, const char *name)
{
    for (unsigned i = 0; i < report->reason_count; i++) {
        if (strcmp(report->reasons[i].name, name) == 0)
            return true;
    }
    return false;
}

/* The log's own command with what it lacked; a plain one when the log does not show it. */
static const char *repaired_command(struct judging *judging)
{
    const struct run_facts *facts = &judging->run->facts;
    const char *speed = strstr(facts->command, "speed");
    if (speed != NULL)
        return text_of(judging, "openssl speed%s%.300s", facts->elapsed ? "" : " -elapsed",
                       speed + 5);
    const struct reading *first = judging->run->reading_count > 0 ? judging->run->readings : NULL;
    if (first == NULL || first->metric != METRIC_BYTES_PER_S)
        return "openssl speed -elapsed";
    return text_of(judging, "openssl speed -elapsed -evp %.64s%s%.64s", first->algorithm,
                   facts->engine[0] != '\0' ? " -engine " : "", facts->engine);
}

static const char *instead_of(struct judging *judging)
{
    const struct verdict_report *report = judging->report;
    bool speed = strcmp(judging->run->format, "openssl-speed") == 0;
    if (has_reason(report, "engine-failed"))
        return "load the driver (lsmod, /dev/crypto, AF_ALG), see that the engine or provider "
               "loads, run again with -elapsed and compare with a software run: tlsmeter check "
               "--software A --accelerated B";
    if (has_reason(report, "engine-not-used-suspected"))
        return text_of(judging,
                       "%s, and the same without the engine: tlsmeter check --software A "
                       "--accelerated B",
                       repaired_command(judging));
    if (has_reason(report, "errors-timed") || has_reason(report, "failed"))
        return "tlsmeter crypto, which checks a known answer before it times";
    if (speed && (has_reason(report, "cpu-time") || has_reason(report, "infinite") ||
                  has_reason(report, "table-disagrees") || has_reason(report, "duration-off")))
        return repaired_command(judging);
    if (has_reason(report, "not-resumed"))
        return "s_time -tls1_2 -reuse, and look for 'r' marks: s_time cannot resume TLS 1.3";
    if (has_reason(report, "counter-saturated"))
        return "a build whose timer advances: check the clock the port gives to the benchmark";
    if (has_reason(report, "timings-out-of-order"))
        return "a newer curl, with a fresh connection for each measurement";
    return "";
}

static void sort_reasons(struct verdict_report *report)
{
    for (unsigned i = 1; i < report->reason_count; i++) {
        struct verdict_reason reason = report->reasons[i];
        unsigned at = i;
        for (; at > 0 && report->reasons[at - 1].weight < reason.weight; at--)
            report->reasons[at] = report->reasons[at - 1];
        report->reasons[at] = reason;
    }
}

bool verdict_judge(const struct import_run *run, struct arena *arena, struct verdict_report *report,
                   struct error *error)
{
    struct judging judging = {.run = run, .arena = arena, .report = report};
    *report = (struct verdict_report){.instead = ""};
    judge_rules(&judging);
    add_sizes_of_error(&judging);
    judge_statuses(&judging);
    judge_engine(&judging);
    judge_share(&judging);
    judge_duplicates(&judging);
    judge_findings(&judging);
    sort_reasons(report);
    report->instead = instead_of(&judging);
    return !judging.no_memory || error_set(error, ERROR_MEMORY, "memory ran out");
}
