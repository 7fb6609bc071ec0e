/*
 * One description per option, from which parsing, --help, the man page, shell completion and plan
 * files all come.
 *
 * A command's options fill its settings struct: `offset` says where. Text and list items are copied
 * into memory that lives until the program ends (options_forget gives it back, for tests): settings
 * may be copied and kept freely. Not for use by several threads at once.
 *
 * A flag is set by --NAME and cleared by --no-NAME; help shows the one that changes its default.
 * Items of a list with choices may be globs: they are replaced by the choices they match.
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
    bool of_session;            /* where results go: on the command line only, not in a plan */
};

struct session; /* cli/session.h */

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
    /* An instrument's part in a plan, whose `instrument =` may name it: measures `settings` into
     * the session. NULL: no instrument. */
    bool (*measure)(struct session *session, const void *settings, struct error *error);
    /* Whether a plan's settings can be measured at all, asked before any job runs; NULL: yes. */
    bool (*check)(const void *settings, struct error *error);
    bool hidden; /* works and has help, but is not in the list of commands */
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
/* One option by name and text, as from a plan; a flag takes "true", "false" or NULL. The error
 * begins with the name; an unknown name names the nearest. */
MUST_USE bool option_set(const struct command *command, void *settings, const char *name,
                         const char *value, struct error *error);
/* Parses arguments (without program and command name); operands are gathered in `operands`, which
 * has room for all of them. Options and operands mix; "--" ends the options; --name=value and
 * --name value both work. */
MUST_USE bool options_parse(const struct command *command, int count, const char *const *arguments,
                            void *settings, const char **operands, size_t *operand_count,
                            struct error *error);
/* The option of that long name, or NULL. */
const struct option *option_find(const struct command *command, const char *name);
/* True when the flag's default is true, so that help and completion show --no-NAME. */
bool option_is_negative(const struct option *option);
/* Gives back what the settings of all commands parsed so far point to. */
void options_forget(void);

#endif
