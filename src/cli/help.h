/* Help for people, from the command and option tables, wrapped to a width. */
#ifndef TLSMETER_CLI_HELP_H
#define TLSMETER_CLI_HELP_H

#include <stddef.h>

#include "cli/option.h"
#include "core/buffer.h"

/* The list of commands. */
void help_overview(const struct command *const *list, size_t width, struct buffer *out);
void help_command(const struct command *command, size_t width, struct buffer *out);

/* Appends words of `text` wrapped to `width` columns; continued lines start with `indent` blanks,
 * `column` is where the first line begins. Ends with a newline. A "\n" in `text` is kept. */
void help_wrap(const char *text, size_t column, size_t indent, size_t width, struct buffer *out);

#endif
