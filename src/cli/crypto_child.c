#include "cli/crypto_child.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/buffer.h"
#include "record/reader.h"

enum { MOST_ARGUMENTS = 48, ARGUMENT_BYTES = 8192 };

struct arguments {
    struct arena arena;
    char *items[MOST_ARGUMENTS + 1];
    size_t count;
    bool failed;
};

static void add(struct arguments *arguments, const char *name, const char *value)
{
    struct buffer text;
    buffer_init(&text, ARGUMENT_BYTES);
    buffer_printf(&text, "--%s=%s", name, value);
    char *item = arguments->count == MOST_ARGUMENTS || text.failed
                     ? NULL
                     : arena_text(&arguments->arena, buffer_text(&text));
    buffer_free(&text);
    if (item == NULL)
        arguments->failed = true;
    else
        arguments->items[arguments->count++] = item;
}

static void add_list(struct arguments *arguments, const char *name, const struct text_list *list)
{
    struct buffer text;
    if (list->count == 0)
        return;
    buffer_init(&text, ARGUMENT_BYTES);
    for (size_t i = 0; i < list->count; i++)
        buffer_printf(&text, "%s%s", i == 0 ? "" : ",", list->items[i]);
    arguments->failed = arguments->failed || text.failed;
    add(arguments, name, buffer_text(&text));
    buffer_free(&text);
}

static void add_sizes(struct arguments *arguments, const struct size_list *list)
{
    struct buffer text;
    if (!list->given)
        return;
    buffer_init(&text, ARGUMENT_BYTES);
    for (size_t i = 0; i < list->count; i++)
        buffer_printf(&text, "%s%" PRIu64, i == 0 ? "" : ",", list->items[i]);
    add(arguments, "sizes", buffer_text(&text));
    buffer_free(&text);
}

static void add_number(struct arguments *arguments, const char *name, uint64_t value,
                       const char *unit)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%" PRIu64 "%s", value, unit);
    add(arguments, name, text);
}

static void build(struct arguments *arguments, const struct session *session,
                  const struct crypto_settings *settings, const char *library)
{
    static char program[] = "tlsmeter";
    static char command[] = "crypto";
    static char quick[] = "--quick";
    static char accounting[] = "--accounting";
    char target[40];
    arguments->items[arguments->count++] = program;
    arguments->items[arguments->count++] = command;
    add(arguments, "library", library);
    add_list(arguments, "algorithm", &settings->algorithms);
    add_list(arguments, "operation", &settings->operations);
    add_list(arguments, "mode", &settings->modes);
    add_list(arguments, "padding", &settings->paddings);
    add_list(arguments, "peer-key", &settings->peer_keys);
    add_list(arguments, "cpu", &settings->cpus);
    add_sizes(arguments, &settings->sizes);
    (void)snprintf(target, sizeof target, "%.17g", settings->target);
    add(arguments, "target", target);
    add_number(arguments, "max-time", settings->max_time_ns, "ns");
    add_number(arguments, "threads", settings->threads, "");
    add_number(arguments, "seed", settings->seed, "");
    add(arguments, "child-run-id", session->run.id);
    if (settings->quick)
        arguments->items[arguments->count++] = quick;
    if (settings->accounting)
        arguments->items[arguments->count++] = accounting;
}

static bool on_cell(void *context, const struct cell *cell, struct error *error)
{
    struct session *session = context;
    if (!session_wants(session, cell))
        return true;
    return session_take(session, cell, false, error);
}

static bool read_cells(struct session *session, int fd, struct error *error)
{
    struct record_handlers handlers = {.context = session, .cell = on_cell, .want_samples = true};
    struct record_read_result result;
    FILE *stream = fdopen(fd, "r");
    if (stream == NULL) {
        (void)close(fd);
        return error_set_errno(error, errno, "the child's records cannot be read");
    }
    bool good = record_read_stream(stream, "the child's records", &handlers, &result, error);
    (void)fclose(stream);
    return good;
}

static bool end_child(pid_t child, bool stop, struct error *error)
{
    siginfo_t ended;
    int status = 0;
    if (stop)
        (void)kill(child, SIGTERM);
    while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        continue;
    session_set_child(0); /* before its number can become another process's */
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_INTERRUPTED)
        return error_set(error, ERROR_INTERRUPTED, "interrupted; what was measured is kept");
    if (WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_NOT_MEASURED)
        return true; /* its failed cells arrived as such */
    return error_set(error, ERROR_SYSTEM, "the process without CPU features ended with status %d",
                     status);
}

static _Noreturn void become(char *const *arguments, const char *variable, int output)
{
    char name[64];
    const char *equals = strchr(variable, '=');
    size_t length = (size_t)(equals - variable);
    if (length < sizeof name && dup2(output, STDOUT_FILENO) >= 0) {
        memcpy(name, variable, length);
        name[length] = '\0';
        if (setenv(name, equals + 1, 1) == 0)
            (void)execv("/proc/self/exe", arguments);
    }
    _exit(EXIT_WRONG_USE);
}

bool crypto_child_measure(struct session *session, const struct crypto_settings *settings,
                          const char *library, const char *variable, struct error *error)
{
    struct arguments arguments = {.count = 0};
    int ends[2];
    build(&arguments, session, settings, library);
    if (arguments.failed || pipe(ends) != 0) {
        arena_free(&arguments.arena);
        return error_set(error, ERROR_SYSTEM, "a child process cannot be prepared");
    }
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        become(arguments.items, variable, ends[1]);
    }
    arena_free(&arguments.arena);
    (void)close(ends[1]);
    if (child < 0) {
        (void)close(ends[0]);
        return error_set_errno(error, errno, "a child process cannot be started");
    }
    session_set_child(child);
    bool good = read_cells(session, ends[0], error);
    return end_child(child, !good, good ? error : NULL) && good;
}
