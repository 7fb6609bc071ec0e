/*
 * The man page and the shells' completions, from the command and option tables: what --help says,
 * in the forms other programs read.
 */
#ifndef TLSMETER_CLI_GENERATE_H
#define TLSMETER_CLI_GENERATE_H

#include <stdbool.h>

#include "cli/option.h"
#include "core/buffer.h"

/* mdoc(7), clean under `mandoc -T lint`. */
void generate_man(const struct command *const *list, struct buffer *out);
void generate_bash(const struct command *const *list, struct buffer *out);
void generate_zsh(const struct command *const *list, struct buffer *out);
void generate_fish(const struct command *const *list, struct buffer *out);

/* True when the option's value is the name of a file. */
bool generate_takes_file(const struct option *option);
/* Appends the first sentence of a help text without its full stop, `special` characters behind a
 * backslash. */
void generate_sentence(const char *help, const char *special, struct buffer *out);

#endif
