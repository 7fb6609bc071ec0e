#include "cli/main.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/output.h"
#include "core/buffer.h"
#include "core/terminal.h"
#include "core/text.h"

enum { HELP_BYTES_MAXIMUM = 1 << 20, COMMANDS_MAXIMUM = 32, NEAREST_BYTES_MAXIMUM = 200 };

/* Standard descriptors that are closed would be taken by the next file opened, and results would
 * end in it. A descriptor that cannot be written to makes the loss an error instead. */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int refuse_command(const char *name)
{
    const char *names[COMMANDS_MAXIMUM];
    size_t count = 0;
    for (size_t i = 0; commands[i] != NULL && count < COMMANDS_MAXIMUM; i++)
        if (!commands[i]->hidden)
            names[count++] = commands[i]->name;
    struct buffer near;
    buffer_init(&near, NEAREST_BYTES_MAXIMUM);
    text_nearest(name, names, count, &near);
    struct error error;
    if (near.length > 0)
        error_set(&error, ERROR_USAGE, "unknown command \"%s\"; did you mean %s?", name,
                  buffer_text(&near));
    else
        error_set(&error, ERROR_USAGE, "unknown command \"%s\"; see tlsmeter --help", name);
    buffer_free(&near);
    return output_error(NULL, error.text, EXIT_WRONG_USE);
}

/* Help of one command, or of all when NULL. */
static int print_help(const struct command *command, FILE *stream)
{
    struct buffer text;
    buffer_init(&text, HELP_BYTES_MAXIMUM);
    size_t width = terminal_width(fileno(stream));
    if (command == NULL)
        help_overview(commands, width, &text);
    else
        help_command(command, width, &text);
    if (stream == stdout)
        output_buffer(&text);
    else
        fputs(buffer_text(&text), stream);
    buffer_free(&text);
    return EXIT_DONE;
}

static int help_for(int count, const char *const *names)
{
    if (count == 0)
        return print_help(NULL, stdout);
    const struct command *command = find_command(names[0]);
    return command == NULL ? refuse_command(names[0]) : print_help(command, stdout);
}

static bool asks_for_help(int count, const char *const *arguments)
{
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++)
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
            return true;
    return false;
}

static int run_command(const struct command *command, int count, const char *const *arguments)
{
    if (asks_for_help(count, arguments))
        return print_help(command, stdout);
    int code = EXIT_NOT_MEASURED;
    /* At least one byte each, so that NULL always means that memory ran out. */
    void *settings = calloc(1, command->settings_size + 1);
    const char **operands = calloc((size_t)count + 1, sizeof *operands);
    if (settings == NULL || operands == NULL) {
        output_error(command->name, "memory ran out", code);
        goto done;
    }
    size_t operand_count = 0;
    struct error error;
    if (!options_parse(command, count, arguments, settings, operands, &operand_count, &error)) {
        code = output_error(command->name, error.text, EXIT_WRONG_USE);
        goto done;
    }
    code = command->run(settings, operands, operand_count);
done:
    free(operands);
    free(settings);
    return code;
}

static int dispatch(int argc, const char *const *argv)
{
    if (argc < 2) {
        print_help(NULL, stderr);
        return EXIT_WRONG_USE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help(NULL, stdout);
    if (strcmp(name, "help") == 0)
        return help_for(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("tlsmeter %s\n", TLSMETER_VERSION);
        return EXIT_DONE;
    }
    const struct command *command = find_command(name);
    return command == NULL ? refuse_command(name) : run_command(command, argc - 2, argv + 2);
}

int cli_main(int argc, const char *const *argv)
{
    occupy_standard_descriptors();
    /* A closed pipe is an error of the write that met it, not a silent death while measuring. */
    signal(SIGPIPE, SIG_IGN);
    int code = dispatch(argc, argv);
    if (!output_close() && code == EXIT_DONE)
        code = EXIT_NOT_MEASURED;
    options_forget();
    return code;
}
