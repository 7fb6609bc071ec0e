#include "cli/option.h"

#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/attributes.h"
#include "core/buffer.h"
#include "core/text.h"

enum {
    MESSAGE_BYTES_MAXIMUM = 400,
    OPTIONS_MAXIMUM = 64, /* of one command, for naming the nearest */
    FLAG_PREFIX_BYTES = 3 /* "no-" */
};

/* Text and list items of all settings; reachable until options_forget. */
static struct arena memory;

void options_forget(void)
{
    arena_free(&memory);
}

const struct option *option_find(const struct command *command, const char *name)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (strcmp(command->options[i].name, name) == 0)
            return &command->options[i];
    return NULL;
}

bool option_is_negative(const struct option *option)
{
    return option->kind == OPTION_FLAG && option->otherwise != NULL &&
           strcmp(option->otherwise, "true") == 0;
}

static bool out_of_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "memory ran out");
}

static void join_choices(const char *const *choices, struct buffer *out)
{
    for (size_t i = 0; choices[i] != NULL; i++)
        buffer_printf(out, "%s%s", i == 0 ? "" : ", ", choices[i]);
}

static size_t count_choices(const char *const *choices)
{
    size_t count = 0;
    while (choices[count] != NULL)
        count++;
    return count;
}

/* Names the nearest choices, or all of them when none is near. */
static bool refuse_choice(const struct option *option, const char *value, struct error *error)
{
    struct buffer near;
    struct buffer all;
    buffer_init(&near, MESSAGE_BYTES_MAXIMUM);
    buffer_init(&all, MESSAGE_BYTES_MAXIMUM);
    text_nearest(value, option->choices, count_choices(option->choices), &near);
    join_choices(option->choices, &all);
    if (near.length > 0)
        error_set(error, ERROR_USAGE, "\"%s\" is unknown; did you mean %s?", value,
                  buffer_text(&near));
    else
        error_set(error, ERROR_USAGE, "\"%s\" is unknown; choose from %s", value,
                  buffer_text(&all));
    buffer_free(&near);
    buffer_free(&all);
    return false;
}

static bool set_flag(const char *value, bool *flag, struct error *error)
{
    if (value == NULL || strcmp(value, "true") == 0) {
        *flag = true;
        return true;
    }
    if (strcmp(value, "false") == 0) {
        *flag = false;
        return true;
    }
    return error_set(error, ERROR_USAGE, "\"%s\" is not true or false", value);
}

static bool set_choice(const struct option *option, const char *value, const char **choice,
                       struct error *error)
{
    for (size_t i = 0; option->choices[i] != NULL; i++) {
        if (strcmp(option->choices[i], value) != 0)
            continue;
        *choice = option->choices[i];
        return true;
    }
    return refuse_choice(option, value, error);
}

static bool add_item(struct text_list *list, const char *item, struct error *error)
{
    if (list->count == OPTION_LIST_MAXIMUM)
        return error_set(error, ERROR_LIMIT, "the list has more than %d items",
                         OPTION_LIST_MAXIMUM);
    list->items[list->count++] = item;
    return true;
}

static bool add_choices(const struct option *option, const char *item, struct text_list *list,
                        struct error *error)
{
    bool found = false;
    for (size_t i = 0; option->choices[i] != NULL; i++) {
        if (!text_glob(item, option->choices[i]))
            continue;
        if (!add_item(list, option->choices[i], error))
            return false;
        found = true;
    }
    return found || refuse_choice(option, item, error);
}

/* The next item of a comma-separated list without the blanks around it, cut out of *rest; NULL at
 * the end. */
static char *next_item(char **rest)
{
    char *item = strsep(rest, ",");
    if (item == NULL)
        return NULL;
    item += strspn(item, " \t");
    size_t length = strlen(item);
    while (length > 0 && strchr(" \t", item[length - 1]) != NULL)
        item[--length] = '\0';
    return item;
}

static bool set_list(const struct option *option, const char *value, struct text_list *list,
                     struct error *error)
{
    char *rest = arena_text(&memory, value);
    if (rest == NULL)
        return out_of_memory(error);
    *list = (struct text_list){.given = true};
    for (char *item = next_item(&rest); item != NULL; item = next_item(&rest)) {
        if (*item == '\0')
            return error_set(error, ERROR_USAGE, "\"%s\" has an empty item", value);
        bool added = option->choices == NULL ? add_item(list, item, error)
                                             : add_choices(option, item, list, error);
        if (!added)
            return false;
    }
    return true;
}

static bool set_sizes(const char *value, struct size_list *list, struct error *error)
{
    char *rest = arena_text(&memory, value);
    if (rest == NULL)
        return out_of_memory(error);
    *list = (struct size_list){.given = true};
    for (char *item = next_item(&rest); item != NULL; item = next_item(&rest)) {
        if (list->count == OPTION_LIST_MAXIMUM)
            return error_set(error, ERROR_LIMIT, "the list has more than %d sizes",
                             OPTION_LIST_MAXIMUM);
        if (!text_parse_size(item, &list->items[list->count], error))
            return false;
        list->count++;
    }
    return true;
}

static bool set_text(const char *value, const char **text, struct error *error)
{
    *text = arena_text(&memory, value);
    return *text != NULL || out_of_memory(error);
}

static bool set_value(const struct option *option, void *settings, const char *value,
                      struct error *error)
{
    void *field = (char *)settings + option->offset;
    if (option->kind == OPTION_FLAG)
        return set_flag(value, field, error);
    if (value == NULL || *value == '\0')
        return error_set(error, ERROR_USAGE, "needs a value: %s", option->argument);
    switch (option->kind) {
    case OPTION_TEXT:
        return set_text(value, field, error);
    case OPTION_CHOICE:
        return set_choice(option, value, field, error);
    case OPTION_LIST:
        return set_list(option, value, field, error);
    case OPTION_NUMBER:
        return text_parse_u64(value, option->minimum, option->maximum, field, error);
    case OPTION_SIZES:
        return set_sizes(value, field, error);
    case OPTION_DURATION:
        return text_parse_duration(value, field, error);
    case OPTION_RATIO:
        return text_parse_ratio(value, field, error);
    case OPTION_FLAG:
        break;
    }
    return error_set(error, ERROR_USAGE, "is of no known kind");
}

bool options_default(const struct command *command, void *settings, struct error *error)
{
    memset(settings, 0, command->settings_size);
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        if (option->otherwise == NULL)
            continue;
        if (!set_value(option, settings, option->otherwise, error))
            return error_prefix(error, "default of --%s", option->name);
        void *field = (char *)settings + option->offset;
        if (option->kind == OPTION_LIST)
            ((struct text_list *)field)->given = false;
        if (option->kind == OPTION_SIZES)
            ((struct size_list *)field)->given = false;
    }
    return true;
}

/* "--a, --b" of "a, b". */
static void put_dashed(const char *names, const char *dashes, struct buffer *out)
{
    buffer_append_text(out, dashes);
    for (; *names != '\0'; names++) {
        buffer_append_char(out, *names);
        if (*names == ' ')
            buffer_append_text(out, dashes);
    }
}

/* "unknown WHAT DASHESname; did you mean ...?" */
static bool refuse_name(const struct command *command, const char *what, const char *dashes,
                        const char *name, struct error *error)
{
    const char *names[OPTIONS_MAXIMUM];
    size_t count = 0;
    for (size_t i = 0; i < command->option_count && count < OPTIONS_MAXIMUM; i++)
        if (!command->options[i].hidden)
            names[count++] = command->options[i].name;
    struct buffer near;
    struct buffer dashed;
    buffer_init(&near, MESSAGE_BYTES_MAXIMUM);
    buffer_init(&dashed, MESSAGE_BYTES_MAXIMUM);
    text_nearest(name, names, count, &near);
    put_dashed(buffer_text(&near), dashes, &dashed);
    if (near.length > 0)
        error_set(error, ERROR_USAGE, "unknown %s %s%s; did you mean %s?", what, dashes, name,
                  buffer_text(&dashed));
    else
        error_set(error, ERROR_USAGE, "unknown %s %s%s; see tlsmeter %s --help", what, dashes, name,
                  command->name);
    buffer_free(&near);
    buffer_free(&dashed);
    return false;
}

bool option_set(const struct command *command, void *settings, const char *name, const char *value,
                struct error *error)
{
    const struct option *option = option_find(command, name);
    if (option == NULL)
        return refuse_name(command, "key", "", name, error);
    if (!set_value(option, settings, value, error))
        return error_prefix(error, "%s", name);
    return true;
}

/* The option an argument names. A flag may be named with "no-" in front: *value becomes "false". */
static const struct option *named_option(const struct command *command, const char *name,
                                         const char **value)
{
    const struct option *option = option_find(command, name);
    if (option != NULL || strncmp(name, "no-", FLAG_PREFIX_BYTES) != 0 || *value != NULL)
        return option;
    option = option_find(command, name + FLAG_PREFIX_BYTES);
    if (option == NULL || option->kind != OPTION_FLAG)
        return NULL;
    *value = "false";
    return option;
}

/* Parses arguments[*index], which begins with a dash, and steps over its value. */
static bool parse_option(const struct command *command, int count, const char *const *arguments,
                         int *index, void *settings, struct error *error)
{
    const char *argument = arguments[*index];
    if (strncmp(argument, "--", 2) != 0)
        return error_set(error, ERROR_USAGE,
                         "unknown option %s; options have long names, see tlsmeter %s --help",
                         argument, command->name);
    const char *equals = strchr(argument, '=');
    const char *value = equals == NULL ? NULL : equals + 1;
    size_t length = equals == NULL ? strlen(argument) : (size_t)(equals - argument);
    const char *name = arena_copy(&memory, argument + 2, length - 2);
    if (name == NULL)
        return out_of_memory(error);
    const struct option *option = named_option(command, name, &value);
    if (option == NULL)
        return refuse_name(command, "option", "--", name, error);
    /* What looks like an option is no value: "--output --quick" forgot the file. */
    if (option->kind != OPTION_FLAG && value == NULL && *index + 1 < count &&
        strncmp(arguments[*index + 1], "--", 2) != 0)
        value = arguments[++*index];
    if (!set_value(option, settings, value, error))
        return error_prefix(error, "--%s", name);
    return true;
}

static bool check_operands(const struct command *command, const char **operands, size_t count,
                           struct error *error)
{
    if (count < command->minimum_operands)
        return error_set(error, ERROR_USAGE, "needs %s; see tlsmeter %s --help", command->operands,
                         command->name);
    if (count <= command->maximum_operands)
        return true;
    if (command->maximum_operands == 0)
        return error_set(error, ERROR_USAGE, "takes no operands, but was given \"%s\"",
                         operands[0]);
    return error_set(error, ERROR_USAGE, "takes %s only, but was given \"%s\" as well",
                     command->operands, operands[command->maximum_operands]);
}

bool options_parse(const struct command *command, int count, const char *const *arguments,
                   void *settings, const char **operands, size_t *operand_count,
                   struct error *error)
{
    if (!options_default(command, settings, error))
        return false;
    *operand_count = 0;
    bool options_ended = false;
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        bool is_operand = options_ended || argument[0] != '-' || argument[1] == '\0';
        if (is_operand)
            operands[(*operand_count)++] = argument;
        else if (strcmp(argument, "--") == 0)
            options_ended = true;
        else if (!parse_option(command, count, arguments, &i, settings, error))
            return false;
    }
    return check_operands(command, operands, *operand_count, error);
}
