#include "core/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/text.h"
#include "core/utf8.h"

enum {
    WIDTH_MINIMUM = 40,
    WIDTH_MAXIMUM = 1000,
    REDRAW_NS = 100000000,
    BAR_COLUMNS = 24,
    PROGRESS_LINE_BYTES = 2000,
};

bool terminal_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

/* The variable's value; NULL when it is unset or empty. */
static const char *value_of(const char *variable)
{
    const char *value = getenv(variable);
    return value == NULL || *value == '\0' ? NULL : value;
}

/* The terminal is one that moves its cursor and has colours. */
static bool has_escapes(int fd)
{
    const char *type = value_of("TERM");
    return terminal_is_terminal(fd) && type != NULL && strcmp(type, "dumb") != 0;
}

bool terminal_has_colour(int fd)
{
    return has_escapes(fd) && value_of("NO_COLOR") == NULL;
}

size_t terminal_width(int fd)
{
    uint64_t width = 0;
    struct error ignored;
    struct winsize size = {0};
    const char *columns = value_of("COLUMNS");
    if (columns == NULL || !text_parse_u64(columns, 1, 1000000, &width, &ignored))
        width = ioctl(fd, TIOCGWINSZ, &size) == 0 || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0
                    ? size.ws_col
                    : 0;
    if (width == 0)
        return TERMINAL_WIDTH_DEFAULT;
    if (width < WIDTH_MINIMUM)
        return WIDTH_MINIMUM;
    return width > WIDTH_MAXIMUM ? WIDTH_MAXIMUM : (size_t)width;
}

void progress_init(struct progress *progress, bool quiet, uint64_t now_ns)
{
    *progress = (struct progress){
        .shown = !quiet && has_escapes(STDERR_FILENO),
        .start_ns = now_ns,
    };
}

/* "  1:05 left", when enough is done to say. */
static void append_left(const struct progress *progress, uint64_t done, uint64_t total,
                        uint64_t now_ns, struct buffer *line)
{
    uint64_t spent_ns = now_ns - progress->start_ns;
    if (done == 0 || done >= total || spent_ns < 1000000000)
        return;
    uint64_t left_s = (uint64_t)((double)spent_ns / (double)done * (double)(total - done) / 1e9);
    buffer_printf(line, "  %" PRIu64 ":%02" PRIu64 " left", left_s / 60, left_s % 60);
}

void progress_line(const struct progress *progress, const char *label, uint64_t done,
                   uint64_t total, uint64_t now_ns, size_t width, struct buffer *line)
{
    uint64_t filled = total == 0 ? 0 : done * BAR_COLUMNS / total;
    buffer_printf(line, "[%.*s%*s] %" PRIu64 "/%" PRIu64, (int)filled, "########################",
                  (int)(BAR_COLUMNS - filled), "", done, total);
    append_left(progress, done, total, now_ns, line);
    if (line->length + 2 >= width)
        return;
    size_t fits = utf8_fit(label, width - line->length - 3);
    buffer_printf(line, "  %.*s", (int)fits, label);
}

void progress_update(struct progress *progress, const char *label, uint64_t done, uint64_t total,
                     uint64_t now_ns)
{
    if (!progress->shown || (progress->on_screen && now_ns - progress->drawn_ns < REDRAW_NS))
        return;
    struct buffer line;
    buffer_init(&line, PROGRESS_LINE_BYTES);
    progress_line(progress, label, done < total ? done : total, total, now_ns,
                  terminal_width(STDERR_FILENO), &line);
    fprintf(stderr, "\r\033[K%s", buffer_text(&line));
    fflush(stderr);
    buffer_free(&line);
    progress->on_screen = true;
    progress->drawn_ns = now_ns;
}

void progress_wipe(struct progress *progress)
{
    if (!progress->on_screen)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->on_screen = false;
}
