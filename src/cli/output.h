/*
 * What every command says, and how: errors and warnings to standard error in one form, results to
 * standard output in the style the terminal and the options ask for.
 */
#ifndef TLSMETER_CLI_OUTPUT_H
#define TLSMETER_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"
#include "core/error.h"
#include "core/table.h"
#include "report/result_table.h"

/* Prints "tlsmeter COMMAND: TEXT" to standard error, control characters made harmless, and returns
 * `code`. `command` NULL: before a command is known. */
int output_error(const char *command, const char *text, int code);
/* The same with "warning: ". */
void output_warning(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

/* CSV or Markdown when asked for; else text, as wide and coloured as standard output allows: its
 * terminal, or COLUMNS, or 80 columns when it goes to a file. */
struct table_style output_style(bool csv, bool markdown);

/* Renders the tables and prints them. */
MUST_USE bool output_tables(struct result_table *table, const struct table_style *style, bool quiet,
                            struct error *error);
/* Prints a buffer. Errors of standard output are told at the program's end. */
void output_buffer(const struct buffer *text);
/* At the program's end: what was printed must have arrived. A full disk or a closed pipe is said,
 * and false returned. */
MUST_USE bool output_close(void);

#endif
