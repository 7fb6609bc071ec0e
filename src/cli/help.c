#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "core/utf8.h"

enum { HELP_INDENT = 2, HELP_TEXT_COLUMN = 28, WIDTH_READABLE = 100 };

const struct help_exit_code help_exit_codes[HELP_EXIT_CODES] = {
    {EXIT_DONE, "Success."},
    {EXIT_NOT_MEASURED, "Something could not be measured, read or written."},
    {EXIT_WRONG_USE, "Wrong use of the command line, or a plan or log that cannot be used."},
    {EXIT_GATE, "A gate or verdict failed."},
    {EXIT_INTERRUPTED, "Interrupted; everything measured so far is saved."},
};

static void help_wrap(const char *text, size_t column, size_t indent, size_t width,
                      struct buffer *out)
{
    utf8_wrap(text, column, indent, width > WIDTH_READABLE ? WIDTH_READABLE : width, out);
}

/* `term`, then `text` in the column for text, or below when the term is too long. */
static void help_entry(const char *term, const char *text, size_t width, struct buffer *out)
{
    size_t length = HELP_INDENT + utf8_columns(term);
    buffer_printf(out, "%*s%s", HELP_INDENT, "", term);
    if (length + 2 > HELP_TEXT_COLUMN) {
        buffer_append_char(out, '\n');
        length = 0;
    }
    buffer_printf(out, "%*s", (int)(HELP_TEXT_COLUMN - length), "");
    help_wrap(text, HELP_TEXT_COLUMN, HELP_TEXT_COLUMN, width, out);
}

void help_overview(const struct command *const *list, size_t width, struct buffer *out)
{
    help_wrap("tlsmeter measures what TLS and cryptography cost on this device.", 0, 0, width, out);
    buffer_append_text(out, "\nUsage: tlsmeter COMMAND [OPTION...] [OPERAND...]\n\nCommands:\n");
    for (size_t i = 0; list[i] != NULL; i++)
        if (!list[i]->hidden)
            help_entry(list[i]->name, list[i]->summary, width, out);
    buffer_append_text(out, "\nExit codes:\n");
    for (size_t i = 0; i < HELP_EXIT_CODES; i++) {
        char code[16];
        (void)snprintf(code, sizeof code, "%d", help_exit_codes[i].code);
        help_entry(code, help_exit_codes[i].meaning, width, out);
    }
    buffer_append_text(out, "\n");
    help_wrap("tlsmeter COMMAND --help says more about a command.", 0, 0, width, out);
}

static void append_default(const struct option *option, struct buffer *text)
{
    if (option->choices != NULL) {
        buffer_append_text(text, " One of ");
        for (size_t i = 0; option->choices[i] != NULL; i++)
            buffer_printf(text, "%s%s", i == 0 ? "" : ", ", option->choices[i]);
        buffer_append_text(text, ".");
    }
    if (option->otherwise != NULL && option->kind != OPTION_FLAG)
        buffer_printf(text, " Default: %s.", option->otherwise);
}

static void help_option(const struct option *option, size_t width, struct buffer *out)
{
    struct buffer term;
    struct buffer text;
    buffer_init(&term, 200);
    buffer_init(&text, 4000);
    buffer_printf(&term, "--%s%s%s%s", option_is_negative(option) ? "no-" : "", option->name,
                  option->argument == NULL ? "" : " ",
                  option->argument == NULL ? "" : option->argument);
    buffer_append_text(&text, option->help);
    append_default(option, &text);
    help_entry(buffer_text(&term), buffer_text(&text), width, out);
    buffer_free(&term);
    buffer_free(&text);
}

void help_command(const struct command *command, size_t width, struct buffer *out)
{
    buffer_printf(out, "Usage: tlsmeter %s%s%s%s\n\n", command->name,
                  command->option_count == 0 ? "" : " [OPTION...]",
                  command->operands == NULL ? "" : " ",
                  command->operands == NULL ? "" : command->operands);
    help_wrap(command->description == NULL ? command->summary : command->description, 0, 0, width,
              out);
    if (command->option_count > 0)
        buffer_append_text(out, "\nOptions:\n");
    for (size_t i = 0; i < command->option_count; i++)
        if (!command->options[i].hidden)
            help_option(&command->options[i], width, out);
    if (command->examples == NULL)
        return;
    buffer_append_text(out, "\nExamples:\n");
    for (size_t i = 0; command->examples[i] != NULL && command->examples[i + 1] != NULL; i += 2) {
        buffer_printf(out, "%*s%s\n%*s", HELP_INDENT, "", command->examples[i], 2 * HELP_INDENT,
                      "");
        help_wrap(command->examples[i + 1], 2 * HELP_INDENT, 2 * HELP_INDENT, width, out);
    }
}
