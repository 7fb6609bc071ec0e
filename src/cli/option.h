/*
 * One description per option, from which parsing, --help, the man page, shell completion and plan
 * files all come.
 *
 * A command's options fill its settings struct: `offset` says where. Text and lists point into the
 * argument vector (or the plan's memory) and are borrowed.
 */
#ifndef TLSMETER_CLI_OPTION_H
#define TLSMETER_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum option_kind {
    OPTION_FLAG,     /* bool */
    OPTION_TEXT,     /* const char * */
    OPTION_CHOICE,   /* const char *, one of `choices` */
    OPTION_LIST,     /* struct text_list: comma-separated; each one of `choices` when given */
    OPTION_NUMBER,   /* uint64_t within [minimum, maximum] */
    OPTION_SIZES,    /* struct size_list: comma-separated, KiB/MiB allowed */
    OPTION_DURATION, /* uint64_t nanoseconds */
    OPTION_RATIO,    /* double, "1%" */
};

#define OPTION_LIST_MAXIMUM 64

struct text_list {
    const char *items[OPTION_LIST_MAXIMUM];
    size_t count;
    bool given; /* by the user or a plan; false: nothing was said */
};

struct size_list {
    uint64_t items[OPTION_LIST_MAXIMUM];
    size_t count;
    bool given;
};

struct option {
    const char *name; /* long name without dashes */
    enum option_kind kind;
    size_t offset;              /* into the settings struct */
    const char *argument;       /* "GLOB,...": shown in help; NULL for flags */
    const char *help;           /* one or two sentences, a full stop at the end */
    const char *otherwise;      /* default as text, parsed like the user's own; NULL: zero */
    const char *const *choices; /* NULL-terminated, or NULL */
    uint64_t minimum, maximum;  /* OPTION_NUMBER */
    bool hidden;                /* works, but is not shown: for internal child processes only */
};

struct command {
    const char *name;
    const char *summary;  /* one line for the list of commands */
    const char *operands; /* "FILE...", "[PLAN.ini]", NULL: takes none */
    size_t minimum_operands, maximum_operands;
    const char *description;     /* paragraphs for help and man page */
    const char *const *examples; /* NULL-terminated: command, then what it does, in turn */
    const struct option *options;
    size_t option_count;
    size_t settings_size;
    /* Returns an exit code (enum exit_code). `settings` is the parsed struct. */
    int (*run)(const void *settings, const char *const *operands, size_t operand_count);
};

/* The exit codes of every command. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_NOT_MEASURED = 1, /* something could not be measured, read or written */
    EXIT_WRONG_USE = 2,
    EXIT_GATE = 3, /* a gate or verdict failed */
    EXIT_INTERRUPTED = 130,
};

/* Fills the settings with the defaults. */
MUST_USE bool options_default(const struct command *command, void *settings, struct error *error);
/* One option by name and text, as from a plan; a flag takes "true", "false" or NULL. */
MUST_USE bool option_set(const struct command *command, void *settings, const char *name,
                         const char *value, struct error *error);
/* Parses arguments (without program and command name); operands are gathered in `operands`, which
 * has room for all of them. Options and operands mix; "--" ends the options; --name=value and
 * --name value both work. */
MUST_USE bool options_parse(const struct command *command, int count, const char *const *arguments,
                            void *settings, const char **operands, size_t *operand_count,
                            struct error *error);

#endif
