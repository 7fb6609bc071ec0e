#include "cli/generate.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "core/attributes.h"

enum { GENERATED_BYTES_MAXIMUM = 4 << 20 };

static const struct generator {
    const char *name;
    void (*generate)(const struct command *const *list, struct buffer *out);
} generators[] = {
    {"man", generate_man},
    {"bash", generate_bash},
    {"zsh", generate_zsh},
    {"fish", generate_fish},
};

bool generate_takes_file(const struct option *option)
{
    return option->kind == OPTION_TEXT && option->argument != NULL &&
           strncmp(option->argument, "FILE", strlen("FILE")) == 0;
}

void generate_sentence(const char *help, const char *special, struct buffer *out)
{
    for (; *help != '\0' && strcmp(help, ".") != 0 && strncmp(help, ". ", 2) != 0; help++) {
        if (strchr(special, *help) != NULL)
            buffer_append_char(out, '\\');
        buffer_append_char(out, *help);
    }
}

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    (void)settings;
    (void)operand_count;
    for (size_t i = 0; i < COUNT_OF(generators); i++) {
        if (strcmp(generators[i].name, operands[0]) != 0)
            continue;
        struct buffer text;
        buffer_init(&text, GENERATED_BYTES_MAXIMUM);
        generators[i].generate(commands, &text);
        bool failed = text.failed;
        output_buffer(&text);
        buffer_free(&text);
        return failed ? output_error("generate", "memory ran out", EXIT_NOT_MEASURED) : EXIT_DONE;
    }
    return output_error("generate", "choose from man, bash, zsh, fish", EXIT_WRONG_USE);
}

static const char *const examples[] = {
    "tlsmeter generate man | man -l -",
    "Read the manual page.",
    "tlsmeter generate bash > /etc/bash_completion.d/tlsmeter",
    "Install the completion for bash.",
    "tlsmeter generate zsh > ~/.zfunc/_tlsmeter",
    "The same for zsh, where ~/.zfunc is in fpath.",
    "tlsmeter generate fish > ~/.config/fish/completions/tlsmeter.fish",
    "The same for fish.",
    NULL,
};

const struct command command_generate = {
    .name = "generate",
    .summary = "print the manual page or a shell completion",
    .operands = "man|bash|zsh|fish",
    .minimum_operands = 1,
    .maximum_operands = 1,
    .description = "Prints the manual page (mdoc) or the completion for a shell, made from the "
                   "tables that also make the help texts.",
    .examples = examples,
    .settings_size = 0,
    .run = run,
    .hidden = true,
};
