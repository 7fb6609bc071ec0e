#include <string.h>

#include "cli/generate.h"

/* "--name", or "--no-name" of a flag that is on by default. */
static void put_long(const struct option *option, struct buffer *out)
{
    buffer_printf(out, "--%s%s", option_is_negative(option) ? "no-" : "", option->name);
}

static void put_choices(const struct option *option, const char *between, struct buffer *out)
{
    for (size_t i = 0; option->choices[i] != NULL; i++)
        buffer_printf(out, "%s%s", i == 0 ? "" : between, option->choices[i]);
}

static void put_command_names(const struct command *const *list, struct buffer *out)
{
    for (size_t i = 0; list[i] != NULL; i++)
        if (!list[i]->hidden)
            buffer_printf(out, "%s ", list[i]->name);
}

/* "a|b|c" of an operand description that is nothing but words to choose from; else NULL. */
static const char *operand_choices(const struct command *command)
{
    const char *operands = command->operands;
    bool is_choice = operands != NULL && strchr(operands, '|') != NULL &&
                     strspn(operands, "abcdefghijklmnopqrstuvwxyz|") == strlen(operands);
    return is_choice ? operands : NULL;
}

static void put_words(const char *choices, struct buffer *out)
{
    for (; *choices != '\0'; choices++)
        buffer_append_char(out, *choices == '|' ? ' ' : *choices);
}

/* ---- bash ---- */

static const char bash_head[] =
    "# bash completion for tlsmeter; made by: tlsmeter generate bash\n"
    "\n"
    "# Completes the last item of a comma-separated list.\n"
    "_tlsmeter_list() {\n"
    "    local before=\"\"\n"
    "    [[ $cur == *,* ]] && before=\"${cur%,*},\"\n"
    "    COMPREPLY=($(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\"))\n"
    "}\n"
    "\n"
    "_tlsmeter() {\n"
    "    local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\" "
    "options=\"\"\n"
    "    COMPREPLY=()\n"
    "    # --name=value arrives as three words.\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\"\"\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
    "    fi\n"
    "    if [[ $COMP_CWORD -eq 1 ]]; then\n";

static void bash_option(const struct option *option, struct buffer *out)
{
    if (option->kind == OPTION_FLAG)
        return;
    buffer_append_text(out, "        ");
    put_long(option, out);
    buffer_append_text(out, ") ");
    if (option->choices != NULL) {
        buffer_printf(out, option->kind == OPTION_LIST ? "_tlsmeter_list \""
                                                       : "COMPREPLY=($(compgen -W \"");
        put_choices(option, " ", out);
        buffer_append_text(out, option->kind == OPTION_LIST ? "\"; " : "\" -- \"$cur\")); ");
    } else if (generate_takes_file(option)) {
        buffer_append_text(out, "COMPREPLY=($(compgen -f -- \"$cur\")); ");
    }
    buffer_append_text(out, "return ;;\n");
}

static void bash_command(const struct command *command, struct buffer *out)
{
    buffer_printf(out, "    %s)\n        options=\"", command->name);
    for (size_t i = 0; i < command->option_count; i++) {
        if (command->options[i].hidden)
            continue;
        put_long(&command->options[i], out);
        buffer_append_char(out, ' ');
    }
    buffer_append_text(out, "--help\"\n        case \"$prev\" in\n");
    for (size_t i = 0; i < command->option_count; i++)
        if (!command->options[i].hidden)
            bash_option(&command->options[i], out);
    buffer_append_text(out, "        esac\n");
    if (operand_choices(command) != NULL) {
        buffer_append_text(out, "        options+=\" ");
        put_words(operand_choices(command), out);
        buffer_append_text(out, "\"\n        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
                                "        return ;;\n");
    } else {
        buffer_append_text(out, "        ;;\n");
    }
}

void generate_bash(const struct command *const *list, struct buffer *out)
{
    buffer_append_text(out, bash_head);
    buffer_append_text(out, "        COMPREPLY=($(compgen -W \"");
    put_command_names(list, out);
    buffer_append_text(out, "help --help --version\" -- \"$cur\"))\n        return\n    fi\n"
                            "    case \"${COMP_WORDS[1]}\" in\n    help)\n"
                            "        COMPREPLY=($(compgen -W \"");
    put_command_names(list, out);
    buffer_append_text(out, "\" -- \"$cur\"))\n        return ;;\n");
    for (size_t i = 0; list[i] != NULL; i++)
        bash_command(list[i], out);
    buffer_append_text(out, "    esac\n"
                            "    if [[ $cur == -* ]]; then\n"
                            "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
                            "    else\n"
                            "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                            "    fi\n"
                            "}\n"
                            "complete -o filenames -F _tlsmeter tlsmeter\n");
}

/* ---- zsh ---- */

/* Text inside single quotes, where zsh's _arguments reads brackets and colons. */
static void zsh_sentence(const char *help, struct buffer *out)
{
    struct buffer text;
    buffer_init(&text, strlen(help) * 2);
    generate_sentence(help, "[]:\\", &text);
    for (const char *c = buffer_text(&text); *c != '\0'; c++) {
        if (*c == '\'')
            buffer_append_text(out, "'\\'");
        buffer_append_char(out, *c);
    }
    buffer_free(&text);
}

static void zsh_option(const struct option *option, struct buffer *out)
{
    buffer_append_text(out, "            '");
    put_long(option, out);
    buffer_append_text(out, option->kind == OPTION_FLAG ? "[" : "=[");
    zsh_sentence(option->help, out);
    buffer_append_char(out, ']');
    if (option->kind != OPTION_FLAG) {
        buffer_printf(out, ":%s:", option->argument == NULL ? "value" : option->argument);
        if (option->choices != NULL) {
            buffer_append_text(out, option->kind == OPTION_LIST ? "_values -s , value " : "(");
            put_choices(option, " ", out);
            buffer_append_text(out, option->kind == OPTION_LIST ? "" : ")");
        } else if (generate_takes_file(option)) {
            buffer_append_text(out, "_files");
        }
    }
    buffer_append_text(out, "' \\\n");
}

static void zsh_command(const struct command *command, struct buffer *out)
{
    buffer_printf(out, "    %s)\n        _arguments -S \\\n", command->name);
    for (size_t i = 0; i < command->option_count; i++)
        if (!command->options[i].hidden)
            zsh_option(&command->options[i], out);
    buffer_append_text(out, "            '--help[say what this does]'");
    if (operand_choices(command) != NULL) {
        buffer_append_text(out, " \\\n            ':what:(");
        put_words(operand_choices(command), out);
        buffer_append_text(out, ")'");
    } else if (command->operands != NULL) {
        buffer_append_text(out, " \\\n            '*:file:_files'");
    }
    buffer_append_text(out, " ;;\n");
}

void generate_zsh(const struct command *const *list, struct buffer *out)
{
    buffer_append_text(out, "#compdef tlsmeter\n"
                            "# zsh completion for tlsmeter; made by: tlsmeter generate zsh\n\n"
                            "_tlsmeter() {\n"
                            "    local -a commands\n"
                            "    commands=(\n");
    for (size_t i = 0; list[i] != NULL; i++) {
        if (list[i]->hidden)
            continue;
        buffer_printf(out, "        '%s:", list[i]->name);
        zsh_sentence(list[i]->summary, out);
        buffer_append_text(out, "'\n");
    }
    buffer_append_text(out, "        'help:say what a command does'\n"
                            "    )\n"
                            "    if (( CURRENT == 2 )); then\n"
                            "        _describe command commands\n"
                            "        return\n"
                            "    fi\n"
                            "    local command=$words[2]\n"
                            "    shift words\n"
                            "    (( CURRENT-- ))\n"
                            "    case $command in\n"
                            "    help)\n"
                            "        _describe command commands ;;\n");
    for (size_t i = 0; list[i] != NULL; i++)
        zsh_command(list[i], out);
    buffer_append_text(out, "    esac\n}\n\n_tlsmeter \"$@\"\n");
}

/* ---- fish ---- */

static void fish_quoted(const char *help, struct buffer *out)
{
    buffer_append_char(out, '\'');
    generate_sentence(help, "'\\", out);
    buffer_append_char(out, '\'');
}

static void fish_option(const struct command *command, const struct option *option,
                        struct buffer *out)
{
    buffer_printf(out, "complete -c tlsmeter -n '__fish_seen_subcommand_from %s' -l %s%s",
                  command->name, option_is_negative(option) ? "no-" : "", option->name);
    if (option->kind != OPTION_FLAG)
        buffer_append_text(out, generate_takes_file(option) ? " -rF" : " -x");
    if (option->choices != NULL) {
        buffer_append_text(out, " -a '");
        put_choices(option, " ", out);
        buffer_append_char(out, '\'');
    }
    buffer_append_text(out, " -d ");
    fish_quoted(option->help, out);
    buffer_append_char(out, '\n');
}

void generate_fish(const struct command *const *list, struct buffer *out)
{
    buffer_append_text(out, "# fish completion for tlsmeter; made by: tlsmeter generate fish\n"
                            "complete -c tlsmeter -n __fish_use_subcommand -f\n"
                            "complete -c tlsmeter -n __fish_use_subcommand -l version -d "
                            "'print the version'\n"
                            "complete -c tlsmeter -l help -d 'say what this does'\n"
                            "complete -c tlsmeter -n __fish_use_subcommand -a help -d "
                            "'say what a command does'\n");
    for (size_t i = 0; list[i] != NULL; i++) {
        const struct command *command = list[i];
        if (!command->hidden) {
            buffer_printf(out, "complete -c tlsmeter -n __fish_use_subcommand -a %s -d ",
                          command->name);
            fish_quoted(command->summary, out);
            buffer_append_char(out, '\n');
        }
        if (operand_choices(command) != NULL) {
            buffer_printf(out, "complete -c tlsmeter -n '__fish_seen_subcommand_from %s' -f -a '",
                          command->name);
            put_words(operand_choices(command), out);
            buffer_append_text(out, "'\n");
        }
        for (size_t o = 0; o < command->option_count; o++)
            if (!command->options[o].hidden)
                fish_option(command, &command->options[o], out);
    }
    buffer_append_text(out, "complete -c tlsmeter -n '__fish_seen_subcommand_from help' -f -a '");
    put_command_names(list, out);
    buffer_append_text(out, "'\n");
}
