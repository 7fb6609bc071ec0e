#include "cli/session.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/machine_run.h"
#include "cli/option.h"
#include "cli/output.h"
#include "core/clock.h"
#include "core/random.h"

enum { MOST_ARGUMENTS = 1024, COMMAND_LINE_BYTES = 64 * 1024 };

volatile int session_stop;
static volatile pid_t session_child;

static void on_signal(int number)
{
    int saved_errno = errno;
    (void)number;
    session_stop = 1;
    if (session_child > 0)
        (void)kill(session_child, SIGTERM);
    errno = saved_errno;
}

/* The second signal kills, except a child: it may get the first from the terminal and from its
 * parent, and ends with the pipe to its parent. */
static void catch_signals(bool is_child)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = is_child ? SA_RESTART : (int)(SA_RESETHAND | SA_RESTART);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

/* The command line as the kernel keeps it: commands get parsed settings only. */
static void describe_run(struct run *run, uint64_t seed)
{
    static char text[COMMAND_LINE_BYTES];
    const char *arguments[MOST_ARGUMENTS];
    int count = 0;
    FILE *file = fopen("/proc/self/cmdline", "re");
    size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    if (file != NULL)
        (void)fclose(file);
    text[length] = '\0';
    for (size_t at = 0; at < length && count < MOST_ARGUMENTS; at += strlen(text + at) + 1)
        arguments[count++] = text + at;
    if (count > 0) /* the folder the program lies in says nothing about the measurement */
        arguments[0] = "tlsmeter";
    run_init(run, count, arguments);
    run->seed = seed != 0 ? seed : (random_real_seed() >> 11) + 1;
}

static void describe_machine(struct session *session)
{
    machine_probe(&session->machine, machine_view_real());
    machine_into_run(&session->machine, &session->run);
    libraries_into_run(&session->run);
    run_set_text(&session->run, "identity", session->machine.identity);
}

static bool open_resume(struct session *session, struct error *error)
{
    const char *path = session->settings.resume;
    if (path == NULL)
        return true;
    if (access(path, F_OK) != 0)
        return error_set(error, ERROR_USAGE, "%s is not there to be resumed", path);
    if (!resume_read(&session->resume, path, error))
        return false;
    session->resuming = true;
    return resume_check_machine(&session->resume, session->machine.identity, path, error);
}

static bool write_run(struct session *session, struct error *error)
{
    session->run_written = true;
    return record_write_run(&session->writer, &session->run, error);
}

static bool open_writer(struct session *session, struct error *error)
{
    const struct session_settings *settings = &session->settings;
    const char *path = settings->records_only ? "-" : settings->output;
    if (settings->resume != NULL)
        path = settings->resume;
    if (path == NULL)
        return true;
    if (!record_writer_open(&session->writer, path, error))
        return false;
    session->writing = true;
    session->writer.keep_samples = settings->samples;
    /* A resumed file stays as it is until there is something to add. */
    return session->resuming || write_run(session, error);
}

static void free_all(struct session *session)
{
    if (session->resuming)
        resume_free(&session->resume);
    result_table_free(session->table);
    machine_free(&session->machine);
    run_free(&session->run);
}

bool session_open(struct session *session, const struct session_settings *settings,
                  struct error *error)
{
    memset(session, 0, sizeof *session);
    session->settings = *settings;
    describe_run(&session->run, settings->seed);
    describe_machine(session);
    session->table = result_table_new();
    bool opened = session->table != NULL || error_set(error, ERROR_MEMORY, "memory ran out");
    opened = opened && open_resume(session, error) && open_writer(session, error) &&
             result_table_add_run(session->table, &session->run, error);
    if (!opened) {
        free_all(session);
        return false;
    }
    progress_init(&session->progress, settings->quiet || settings->records_only,
                  clock_wall_ns(clock_real()));
    catch_signals(settings->records_only);
    return true;
}

bool session_wants(struct session *session, const struct cell *cell)
{
    struct error refusal = {.code = ERROR_NONE};
    if (!session->resuming)
        return true;
    if (resume_holds(&session->resume, cell, &refusal))
        return false;
    if (refusal.code == ERROR_NONE)
        return true;
    session->refused = true;
    session->refusal = refusal;
    session_stop = 1;
    return false;
}

bool session_take(struct session *session, const struct cell *cell, bool named, struct error *error)
{
    progress_wipe(&session->progress);
    if (session->writing && !session->run_written && !write_run(session, error))
        return false;
    if (session->writing && !record_write_cell(&session->writer, cell, error))
        return false;
    session->cells++;
    session->flagged += cell->flags != NULL;
    session->quiet_cells += cell->status == CELL_OK && cell->flags == NULL;
    session->failed = session->failed || cell->status == CELL_FAILED;
    session->named_unavailable =
        session->named_unavailable || (named && cell->status == CELL_UNAVAILABLE);
    return result_table_add(session->table, cell, error);
}

void session_set_child(pid_t child)
{
    session_child = child;
    if (child > 0 && session_stop != 0) /* the signal came before the child was known */
        (void)kill(child, SIGTERM);
}

void session_progress(struct session *session, const char *label, size_t done, size_t total)
{
    progress_update(&session->progress, label, done, total, clock_wall_ns(clock_real()));
}

void session_say(struct session *session, const char *format, ...)
{
    if (session->settings.quiet || session->settings.records_only)
        return;
    progress_wipe(&session->progress);
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "tlsmeter %s: ", session->settings.command);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
}

static bool print_tables(struct session *session, struct error *error)
{
    const struct session_settings *settings = &session->settings;
    if (settings->records_only || session->cells == 0)
        return true;
    struct table_style style = output_style(settings->csv, settings->markdown);
    return output_tables(session->table, &style, settings->quiet, error);
}

/* Whether the figures can be believed: said in one line. */
static void say_calm(struct session *session)
{
    if (session->cells == 0 && session->resuming)
        session_say(session, "nothing is missing in %s", session->settings.resume);
    if (session->cells == 0)
        return;
    if (session->flagged == 0 && session->quiet_cells == 0)
        session_say(session, "nothing could be measured; the tables say why");
    else if (session->flagged == 0)
        session_say(session, "the machine was quiet: no cell is flagged");
    else
        session_say(session, "%zu of %zu cells are flagged: see the notes under the tables",
                    session->flagged, session->cells);
}

static int exit_code(const struct session *session, const struct error *error)
{
    if (session->refused || (error != NULL && error->code == ERROR_USAGE))
        return EXIT_WRONG_USE;
    if (error != NULL && error->code == ERROR_INTERRUPTED)
        return EXIT_INTERRUPTED;
    if (error != NULL || session->failed || session->named_unavailable)
        return EXIT_NOT_MEASURED;
    return EXIT_DONE;
}

int session_close(struct session *session, const struct error *error)
{
    struct error closing;
    int code = exit_code(session, error);
    progress_wipe(&session->progress);
    bool closed = !session->writing || record_writer_close(&session->writer, &closing);
    bool printed = closed && print_tables(session, &closing);
    if (!printed)
        code = output_error(session->settings.command, closing.text, EXIT_NOT_MEASURED);
    if (session->refused)
        (void)output_error(session->settings.command, session->refusal.text, code);
    else if (error != NULL)
        (void)output_error(session->settings.command, error->text, code);
    else
        say_calm(session);
    free_all(session);
    return code;
}
