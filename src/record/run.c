#include "record/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { LONGEST_COMMAND_BYTES = 64 * 1024, NS_PER_MS = 1000000 };

/* RFC 9562 section 5.7: 48 bits of milliseconds, version 7, variant 10, the rest random. */
static void make_id(char text[37])
{
    struct timespec now;
    unsigned char bytes[16] = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    uint64_t ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / NS_PER_MS;
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        memcpy(bytes + 8, &now.tv_nsec, sizeof bytes - 8); /* unique enough beside the time */
    for (int i = 0; i < 6; i++)
        bytes[i] = (unsigned char)(ms >> (40 - 8 * i));
    bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x70);
    bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
    size_t length = 0;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bool hyphen = i == 4 || i == 6 || i == 8 || i == 10;
        length +=
            (size_t)snprintf(text + length, 37 - length, "%s%02x", hyphen ? "-" : "", bytes[i]);
    }
}

static bool needs_quotes(const char *argument)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./,:=+%@";
    return argument[0] == '\0' || argument[strspn(argument, plain)] != '\0';
}

static void append_argument(struct buffer *line, const char *argument)
{
    if (line->length > 0)
        buffer_append_char(line, ' ');
    if (!needs_quotes(argument)) {
        buffer_append_text(line, argument);
        return;
    }
    buffer_append_char(line, '\'');
    for (; *argument != '\0'; argument++)
        if (*argument == '\'')
            buffer_append_text(line, "'\\''");
        else
            buffer_append_char(line, *argument);
    buffer_append_char(line, '\'');
}

void run_init(struct run *run, int argument_count, const char *const *arguments)
{
    char id[37];
    char started[32];
    struct buffer line;
    struct tm utc;
    time_t now = time(NULL);
    memset(run, 0, sizeof *run);
    make_id(id);
    (void)strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    buffer_init(&line, LONGEST_COMMAND_BYTES);
    for (int i = 0; i < argument_count; i++)
        append_argument(&line, arguments[i]);
    cell_copy_text(&run->store, &run->id, id);
    cell_copy_text(&run->store, &run->started, started);
    cell_copy_text(&run->store, &run->tool_version, TLSMETER_VERSION);
    cell_copy_text(&run->store, &run->command_line, buffer_text(&line));
    buffer_free(&line);
}

void run_set_text(struct run *run, const char *name, const char *text)
{
    cell_set_text(&run->store, &run->machine, name, text);
}

void run_set_integer(struct run *run, const char *name, int64_t value)
{
    cell_set_integer(&run->store, &run->machine, name, value);
}

void run_set_real(struct run *run, const char *name, double value)
{
    cell_set_real(&run->store, &run->machine, name, value);
}

void run_set_boolean(struct run *run, const char *name, bool value)
{
    cell_set_boolean(&run->store, &run->machine, name, value);
}

void run_free(struct run *run)
{
    cell_free(&run->store);
    memset(run, 0, sizeof *run);
}
