#include "core/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/text.h"

enum { WIDTH_MINIMUM = 40, WIDTH_MAXIMUM = 1000 };

bool terminal_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

bool terminal_has_colour(int fd)
{
    return terminal_is_terminal(fd) && !is_set("NO_COLOR") && is_set("TERM") &&
           strcmp(getenv("TERM"), "dumb") != 0;
}

size_t terminal_width(int fd)
{
    uint64_t width = 0;
    struct error ignored;
    struct winsize size = {0};
    if (!is_set("COLUMNS") || !text_parse_u64(getenv("COLUMNS"), 1, 1000000, &width, &ignored))
        width = ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    if (width == 0)
        return TERMINAL_WIDTH_DEFAULT;
    if (width < WIDTH_MINIMUM)
        return WIDTH_MINIMUM;
    return width > WIDTH_MAXIMUM ? WIDTH_MAXIMUM : (size_t)width;
}
