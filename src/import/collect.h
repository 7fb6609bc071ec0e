/*
 * Where importers put what they read: one run at a time, growing arrays on one arena.
 *
 * An importer calls collect_begin (or lets the first collect_reading do it), adds readings, sets
 * facts, notes findings, and collect_finish hands the run to the sink and empties the collector.
 * Running out of memory or a refusing sink sets `stopped`; what follows is ignored and the driver
 * ends the import.
 */
#ifndef TLSMETER_IMPORT_COLLECT_H
#define TLSMETER_IMPORT_COLLECT_H

#include "core/arena.h"
#include "import/import.h"
#include "import/scan.h"

struct collector {
    struct arena arena; /* texts of the present run */
    struct import_run run;
    struct reading *readings;
    size_t reading_count, reading_room;
    struct finding *findings;
    size_t finding_count, finding_room;
    uint32_t *table; /* scratch of the search for duplicates */
    size_t table_room;
    const struct import_sink *sink;
    struct import_result *result;
    struct error *error;
    unsigned runs;     /* handed out so far */
    uint32_t now_line; /* of the line being read */
    bool stopped;
    bool open; /* something of a run is in */
    /* The file's first line begins without blank or mark: where a log is cut in the middle of a
     * line, this is what is left of it. */
    bool first_line_bare;
};

void collect_init(struct collector *collector, const char *file, const struct import_sink *sink,
                  struct import_result *result, struct error *error);
void collect_free(struct collector *collector);

/* Names the tool of the present run. */
void collect_begin(struct collector *collector, const char *format, const char *tool);
/* A fresh reading with nothing known (status ok, NaN everywhere, size -1, no variant). NULL when
 * the import is to end; a full run is handed out first. */
struct reading *collect_reading(struct collector *collector, uint32_t line);
void collect_finding(struct collector *collector, enum finding_kind kind, uint32_t line,
                     const char *text);
void collect_finding_text(struct collector *collector, enum finding_kind kind, uint32_t line,
                          const char *format, ...) PRINTF_LIKE(4, 5);
/* Marks readings of the same thing with FLAG_DUPLICATE and hands the run to the sink. */
void collect_finish(struct collector *collector);

/* Copies on the run's arena; never NULL ("" when memory ran out). */
const char *collect_slice(struct collector *collector, struct slice slice);
const char *collect_text(struct collector *collector, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
