/*
 * What a log is worth: one verdict per run, with reasons.
 *
 * A verdict is about the figures as the log prints them and as what it calls them. "Do not use"
 * when a figure is wrong, when failures were timed, or when a run that is called accelerated was
 * not; "trust with care" when the figures are true but easily misread; else "trust". Every reason
 * names its lines; docs/check.md says for each how it is reached and what to do.
 *
 * All texts live on the arena given.
 */
#ifndef TLSMETER_IMPORT_VERDICT_H
#define TLSMETER_IMPORT_VERDICT_H

#include "core/arena.h"
#include "import/import.h"

enum verdict { VERDICT_TRUST, VERDICT_CARE, VERDICT_DO_NOT_USE };

enum { REASON_LINES = 4, VERDICT_REASONS = 32 };

struct verdict_reason {
    enum verdict weight;
    const char *name;             /* of the rule, as in docs/check.md */
    const char *text;             /* for people, whole sentences */
    uint32_t lines[REASON_LINES]; /* the first ones */
    unsigned line_count;          /* of `lines` */
    size_t count;                 /* cells or lines it is about, all of them */
};

struct verdict_report {
    enum verdict verdict;
    struct verdict_reason reasons[VERDICT_REASONS]; /* the weightiest first */
    unsigned reason_count;
    const char *instead; /* a command to run instead, or advice; "" */
    size_t recovered;    /* cells whose true figure could be computed */
};

MUST_USE bool verdict_judge(const struct import_run *run, struct arena *arena,
                            struct verdict_report *report, struct error *error);
const char *verdict_name(enum verdict verdict); /* "trust", "trust with care", "do not use" */

#endif
