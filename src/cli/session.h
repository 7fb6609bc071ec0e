/*
 * One measuring session of the command line: where cells go, and how it ends.
 *
 * `crypto`, `run` and later instruments open a session, measure into it, and close it. It writes
 * the record file as cells come, keeps the tables that are printed at the end, draws the progress
 * bar, catches SIGINT and SIGTERM (the first ends after the batch in flight with everything
 * measured so far on disk, the second kills), and knows the exit code.
 */
#ifndef TLSMETER_CLI_SESSION_H
#define TLSMETER_CLI_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/error.h"
#include "core/terminal.h"
#include "measure/machine.h"
#include "record/cell.h"
#include "record/resume.h"
#include "record/run.h"
#include "record/writer.h"
#include "report/result_table.h"

struct session_settings {
    const char *command; /* for messages */
    const char *output;  /* NULL: no record file */
    const char *resume;  /* NULL: start anew; else also the output */
    uint64_t seed;       /* 0: one is drawn; session->run.seed is the one to use */
    bool samples, csv, markdown, quiet;
    bool records_only; /* a child process: records to standard output, no tables */
};

struct session {
    struct session_settings settings;
    struct run run;
    struct machine machine;
    struct record_writer writer;
    bool writing, resuming, run_written;
    struct resume resume;
    struct result_table *table;
    struct progress progress;
    size_t cells, flagged, quiet_cells;
    bool named_unavailable, failed, refused;
    struct error refusal; /* why resuming is refused */
};

MUST_USE bool session_open(struct session *session, const struct session_settings *settings,
                           struct error *error);
/* Takes a final cell: writes, keeps for the table, counts. `named`: the user named exactly this. */
MUST_USE bool session_take(struct session *session, const struct cell *cell, bool named,
                           struct error *error);
/* False when the resumed file holds it already, or when resuming is refused (`refused`). */
bool session_wants(struct session *session, const struct cell *cell);
void session_progress(struct session *session, const char *label, size_t done, size_t total);
/* A line to standard error, unless quiet. */
void session_say(struct session *session, const char *format, ...) PRINTF_LIKE(2, 3);
/* Prints the tables and what is to be said, frees everything. `error` NULL: the measuring went
 * well. Returns the exit code. */
int session_close(struct session *session, const struct error *error);

/* A child process that measures for this session: signals are passed on to it. 0: none any more. */
void session_set_child(pid_t child);

/* Set by SIGINT and SIGTERM: hand it to the sampler. */
extern volatile int session_stop;

#endif
