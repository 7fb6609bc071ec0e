#include "cli/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/terminal.h"
#include "core/utf8.h"

enum { WARNING_BYTES = 1024 };
static const size_t output_bytes_maximum = 256u * 1024 * 1024;

static void print_line(const char *command, const char *kind, const char *text)
{
    char clean[WARNING_BYTES];
    (void)snprintf(clean, sizeof clean, "%s", text);
    utf8_clean(clean);
    fprintf(stderr, "tlsmeter%s%s: %s%s\n", command == NULL ? "" : " ",
            command == NULL ? "" : command, kind, clean);
}

int output_error(const char *command, const char *text, int code)
{
    print_line(command, "", text);
    return code;
}

void output_warning(const char *command, const char *format, ...)
{
    char text[WARNING_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line(command, "warning: ", text);
}

struct table_style output_style(bool csv, bool markdown)
{
    return (struct table_style){
        .format = csv        ? TABLE_CSV
                  : markdown ? TABLE_MARKDOWN
                             : TABLE_TEXT,
        .width = terminal_width(STDOUT_FILENO),
        .colour = terminal_has_colour(STDOUT_FILENO),
    };
}

bool output_tables(struct result_table *table, const struct table_style *style, bool quiet,
                   struct error *error)
{
    struct buffer text;
    buffer_init(&text, output_bytes_maximum);
    bool done = result_table_render(table, style, quiet, &text, error);
    if (done)
        output_buffer(&text);
    buffer_free(&text);
    return done;
}

/* Why output_buffer could not print; 0: it could. */
static int lost_errno;

void output_buffer(const struct buffer *text)
{
    errno = 0;
    /* Flushed, because what is said next goes to standard error, and both may be one file. */
    bool written = fwrite(buffer_text(text), 1, text->length, stdout) == text->length;
    if ((!written || fflush(stdout) != 0) && lost_errno == 0)
        lost_errno = errno;
}

bool output_close(void)
{
    bool lost = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) != 0) {
        lost = true;
        lost_errno = lost_errno == 0 ? errno : lost_errno;
    }
    if (lost)
        fprintf(stderr, "tlsmeter: cannot write to standard output%s%s\n",
                lost_errno == 0 ? "" : ": ", lost_errno == 0 ? "" : strerror(lost_errno));
    return !lost;
}
