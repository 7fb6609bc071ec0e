#include <string.h>

#include "cli/generate.h"
#include "cli/help.h"
#include "core/attributes.h"
#include "core/utf8.h"

enum { LINE_COLUMNS = 72, WORD_BYTES_MAXIMUM = 1000 };

/* The date of the text, changed with it: a page made twice is the same twice. */
static const char page_date[] = "December 1, 2026";

/* roff reads backslashes, leading dots and quotes, and takes other characters by number. */
static void put_escaped(const char *text, size_t length, struct buffer *out)
{
    const char *end = text + length;
    if (length > 0 && (*text == '.' || *text == '\''))
        buffer_append_text(out, "\\&");
    size_t step = 0;
    for (; text < end; text += step) {
        uint32_t character = utf8_decode(text, &step);
        if (character == '\\')
            buffer_append_text(out, "\\e");
        else if (character == '"')
            buffer_append_text(out, "\\(dq");
        else if (character == '-')
            buffer_append_text(out, "\\-");
        else if (character < 0x80)
            buffer_append_char(out, (char)character);
        else
            buffer_printf(out, "\\[u%04X]", (unsigned)character);
    }
}

static bool ends_sentence(const char *word, size_t length)
{
    return length > 1 && strchr(".?!", word[length - 1]) != NULL;
}

/* Text in short lines, a sentence beginning a new one, as mdoc wants it. "\n\n" ends a paragraph.
 */
static void put_text(const char *text, struct buffer *out)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t blanks = strspn(text, " \n");
        if (blanks >= 2 && text[0] == '\n' && text[1] == '\n')
            buffer_append_text(out, column == 0 ? ".Pp\n" : "\n.Pp\n");
        if (blanks >= 2 && text[0] == '\n')
            column = 0;
        text += blanks;
        size_t length = strcspn(text, " \n");
        if (length == 0)
            break;
        if (column > 0 && column + 1 + length > LINE_COLUMNS) {
            buffer_append_char(out, '\n');
            column = 0;
        } else if (column > 0) {
            buffer_append_char(out, ' ');
            column++;
        }
        put_escaped(text, length, out);
        column += length;
        if (ends_sentence(text, length)) {
            buffer_append_char(out, '\n');
            column = 0;
        }
        text += length;
    }
    if (column > 0)
        buffer_append_char(out, '\n');
}

static void put_choices(const struct option *option, struct buffer *out)
{
    struct buffer text;
    buffer_init(&text, WORD_BYTES_MAXIMUM * 4);
    buffer_append_text(&text, option->help);
    for (size_t i = 0; option->choices != NULL && option->choices[i] != NULL; i++)
        buffer_printf(&text, "%s%s", i == 0 ? " One of " : ", ", option->choices[i]);
    if (option->choices != NULL)
        buffer_append_char(&text, '.');
    if (option->otherwise != NULL && option->kind != OPTION_FLAG)
        buffer_printf(&text, " Default: %s.", option->otherwise);
    put_text(buffer_text(&text), out);
    buffer_free(&text);
}

static void put_options(const struct command *command, struct buffer *out)
{
    if (command->option_count == 0)
        return;
    buffer_append_text(out, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        if (option->hidden)
            continue;
        buffer_printf(out, ".It Fl \\-%s", option_is_negative(option) ? "no\\-" : "");
        put_escaped(option->name, strlen(option->name), out);
        if (option->argument != NULL) {
            buffer_append_text(out, " Ar ");
            put_escaped(option->argument, strlen(option->argument), out);
        }
        buffer_append_char(out, '\n');
        put_choices(option, out);
    }
    buffer_append_text(out, ".El\n");
}

static void put_examples(const struct command *command, struct buffer *out)
{
    if (command->examples == NULL)
        return;
    buffer_append_text(out, ".Pp\nExamples:\n.Bl -tag -width Ds\n");
    for (size_t i = 0; command->examples[i] != NULL && command->examples[i + 1] != NULL; i += 2) {
        buffer_append_text(out, ".It Li \"");
        put_escaped(command->examples[i], strlen(command->examples[i]), out);
        buffer_append_text(out, "\"\n");
        put_text(command->examples[i + 1], out);
    }
    buffer_append_text(out, ".El\n");
}

static void put_command(const struct command *command, struct buffer *out)
{
    buffer_printf(out, ".Ss %s\n.Nm\n.Cm %s\n", command->name, command->name);
    if (command->option_count > 0)
        buffer_append_text(out, ".Op Ar option ...\n");
    if (command->operands != NULL) {
        buffer_append_text(out, ".Ar ");
        put_escaped(command->operands, strlen(command->operands), out);
        buffer_append_char(out, '\n');
    }
    buffer_append_text(out, ".Pp\n");
    put_text(command->description == NULL ? command->summary : command->description, out);
    put_options(command, out);
    put_examples(command, out);
}

static const char head[] = ".Dt TLSMETER 1\n"
                           ".Os\n"
                           ".Sh NAME\n"
                           ".Nm tlsmeter\n"
                           ".Nd measure what TLS and cryptography cost on this device\n"
                           ".Sh SYNOPSIS\n"
                           ".Nm\n"
                           ".Ar command\n"
                           ".Op Ar option ...\n"
                           ".Op Ar operand ...\n"
                           ".Nm\n"
                           ".Cm help\n"
                           ".Op Ar command\n"
                           ".Nm\n"
                           ".Fl \\-version\n"
                           ".Sh DESCRIPTION\n"
                           ".Nm\n"
                           "measures what TLS and cryptography cost on the device it runs on.\n"
                           "Results go to standard output, progress and warnings to standard\n"
                           "error, and records, one JSON object in a line, to files.\n"
                           "An option's value follows it after a blank or an equals sign.\n"
                           "Lists are separated by commas.\n"
                           "Sizes are bytes, or take KiB, MiB or GiB; times take ns, us, ms, s or\n"
                           "min; ratios are per cent or fractions.\n"
                           ".Sh COMMANDS\n";

static const char tail[] =
    ".Sh ENVIRONMENT\n"
    ".Bl -tag -width NO_COLOR\n"
    ".It Ev COLUMNS\n"
    "The width of tables and help, instead of the terminal's own.\n"
    ".It Ev NO_COLOR\n"
    "When set and not empty, no colour is used.\n"
    ".It Ev TERM\n"
    "When \\(lqdumb\\(rq or unset, neither colour nor a progress bar is used.\n"
    ".El\n"
    ".Sh EXIT STATUS\n"
    ".Bl -tag -width Ds\n";

void generate_man(const struct command *const *list, struct buffer *out)
{
    buffer_printf(out, ".Dd %s\n%s", page_date, head);
    for (size_t i = 0; list[i] != NULL; i++)
        put_command(list[i], out);
    buffer_append_text(out, tail);
    for (size_t i = 0; i < HELP_EXIT_CODES; i++) {
        buffer_printf(out, ".It %d\n", help_exit_codes[i].code);
        put_text(help_exit_codes[i].meaning, out);
    }
    buffer_append_text(out, ".El\n");
}
