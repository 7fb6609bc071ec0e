/* Help for people, from the command and option tables, wrapped to a width. */
#ifndef TLSMETER_CLI_HELP_H
#define TLSMETER_CLI_HELP_H

#include <stddef.h>

#include "cli/option.h"
#include "core/buffer.h"

#define HELP_EXIT_CODES 5

/* What each exit code means to a user: for the overview and the man page. */
extern const struct help_exit_code {
    int code;
    const char *meaning; /* a sentence */
} help_exit_codes[HELP_EXIT_CODES];

/* The list of commands. */
void help_overview(const struct command *const *list, size_t width, struct buffer *out);
void help_command(const struct command *command, size_t width, struct buffer *out);

#endif
