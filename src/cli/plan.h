/*
 * Plans: INI files that say what to measure.
 *
 * A section is a job; `[global]` is inherited by all jobs, wherever it stands. The key `instrument`
 * names the command that measures; every other key is a long option of that command, and means
 * there what it means on the command line (a flag takes true or false). A key of [global] need only
 * be known to one of the instruments used, and is passed over for the others. Lines begin with `;`
 * or `#` for a comment; a value goes on in indented lines, which are joined with commas.
 *
 *     [global]
 *     target = 1%
 *
 *     [ciphers]
 *     instrument = crypto
 *     algorithm = aes-128-gcm,
 *         chacha20-poly1305
 *
 * Nothing is guessed: a key, section or value that is not understood is an error that begins with
 * "file:line: " and says what would be right. Any bytes are safe input; sizes are bounded.
 */
#ifndef TLSMETER_CLI_PLAN_H
#define TLSMETER_CLI_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/option.h"
#include "core/arena.h"
#include "core/error.h"

#define PLAN_BYTES_MAXIMUM   (256u * 1024)
#define PLAN_JOBS_MAXIMUM    64
#define PLAN_ENTRIES_MAXIMUM 2048

struct plan_job {
    const char *name; /* of its section */
    unsigned line;    /* of its section */
    const struct command *command;
    void *settings; /* the command's settings, filled */
};

struct plan {
    struct arena arena; /* owns jobs, names and settings; their texts live as cli/option.h says */
    struct plan_job *jobs; /* in the order of the file */
    size_t job_count;
};

/* On failure the plan is empty. `path` "-" is standard input. */
MUST_USE bool plan_read_file(struct plan *plan, const char *path, struct error *error);
/* The same for `length` bytes in memory; `name` stands for the file in errors. */
MUST_USE bool plan_read_text(struct plan *plan, const char *text, size_t length, const char *name,
                             struct error *error);
void plan_free(struct plan *plan);

#endif
