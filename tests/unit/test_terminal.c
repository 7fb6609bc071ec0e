#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/terminal.h"

static const uint64_t second_ns = 1000000000;

/* A pseudo-terminal 132 columns wide: [0] is its far end, [1] the terminal. */
static int open_terminal(void **state)
{
    static int ends[2];
    struct winsize size = {.ws_row = 24, .ws_col = 132};
    *state = ends;
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    return openpty(&ends[0], &ends[1], NULL, NULL, &size);
}

static int close_terminal(void **state)
{
    const int *ends = *state;
    close(ends[0]);
    close(ends[1]);
    return 0;
}

static void width_is_of_columns_then_the_terminal(void **state)
{
    const int *ends = *state;
    assert_int_equal(terminal_width(ends[1]), 132);
    setenv("COLUMNS", "100", 1);
    assert_int_equal(terminal_width(ends[1]), 100);
    setenv("COLUMNS", "7", 1);
    assert_int_equal(terminal_width(ends[1]), 40);
    setenv("COLUMNS", "99999", 1);
    assert_int_equal(terminal_width(ends[1]), 1000);
    setenv("COLUMNS", "wide", 1);
    assert_int_equal(terminal_width(ends[1]), 132);
    unsetenv("COLUMNS");
    /* Through a pager, standard error is still the terminal. */
    int file = open("/dev/null", O_RDWR);
    int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    size_t through_pager = terminal_width(file);
    dup2(file, STDERR_FILENO);
    size_t without_terminal = terminal_width(file);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(file);
    assert_int_equal(through_pager, 132);
    assert_int_equal(without_terminal, TERMINAL_WIDTH_DEFAULT);
}

static void colour_wants_a_terminal_that_can(void **state)
{
    const int *ends = *state;
    assert_true(terminal_has_colour(ends[1]));
    setenv("NO_COLOR", "1", 1);
    assert_false(terminal_has_colour(ends[1]));
    setenv("NO_COLOR", "", 1); /* no-color.org: only when not empty */
    assert_true(terminal_has_colour(ends[1]));
    setenv("TERM", "dumb", 1);
    assert_false(terminal_has_colour(ends[1]));
    unsetenv("TERM");
    assert_false(terminal_has_colour(ends[1]));
    setenv("TERM", "xterm", 1);
    int file = open("/dev/null", O_RDWR);
    assert_false(terminal_has_colour(file));
    assert_false(terminal_is_terminal(file));
    close(file);
}

static void expect_line(uint64_t done, uint64_t total, uint64_t now_ns, size_t width,
                        const char *expected)
{
    struct progress progress = {.shown = true, .start_ns = 5 * second_ns};
    struct buffer line;
    buffer_init(&line, 500);
    progress_line(&progress, "aes-128-gcm", done, total, now_ns, width, &line);
    assert_string_equal(buffer_text(&line), expected);
    buffer_free(&line);
}

static void progress_tells_what_is_left(void **state)
{
    (void)state;
    expect_line(0, 40, 5 * second_ns, 80, "[                        ] 0/40  aes-128-gcm");
    /* 10 of 40 in 25 s: 30 more in 75 s. */
    expect_line(10, 40, 30 * second_ns, 80,
                "[######                  ] 10/40  1:15 left  aes-128-gcm");
    expect_line(40, 40, 90 * second_ns, 80, "[########################] 40/40  aes-128-gcm");
    /* The label is cut so that the last column of the terminal stays free. */
    expect_line(0, 40, 5 * second_ns, 39, "[                        ] 0/40  aes-1");
    expect_line(0, 0, 5 * second_ns, 80, "[                        ] 0/0  aes-128-gcm");
}

/* All that the terminal was sent, to a "!" sent now: one read may return less than was written. */
static void read_to_mark(const int *ends, char *text, size_t size)
{
    size_t length = 0;
    assert_int_equal(write(ends[1], "!", 1), 1);
    while (length == 0 || text[length - 1] != '!') {
        ssize_t more = read(ends[0], text + length, size - 1 - length);
        assert_true(more > 0);
        length += (size_t)more;
    }
    text[length] = '\0';
}

/* Two updates 50 ms apart draw once; the line is wiped; nothing is drawn where nobody looks. */
static void progress_is_drawn_on_terminals_only(void **state)
{
    const int *ends = *state;
    struct progress drawn;
    struct progress quiet;
    struct progress unseen;
    int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    progress_init(&drawn, false, second_ns);
    progress_init(&quiet, true, second_ns);
    progress_update(&drawn, "x", 0, 2, second_ns);
    progress_update(&drawn, "x", 1, 2, second_ns + second_ns / 20);
    progress_update(&quiet, "x", 0, 2, second_ns);
    progress_wipe(&drawn);
    progress_wipe(&drawn);
    int file = open("/dev/null", O_RDWR);
    dup2(file, STDERR_FILENO);
    progress_init(&unseen, false, second_ns);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(file);

    char text[500] = "";
    read_to_mark(ends, text, sizeof text);
    assert_string_equal(text, "\r\033[K[                        ] 0/2  x\r\033[K!");
    assert_false(quiet.shown);
    assert_false(unseen.shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(width_is_of_columns_then_the_terminal, open_terminal,
                                        close_terminal),
        cmocka_unit_test_setup_teardown(colour_wants_a_terminal_that_can, open_terminal,
                                        close_terminal),
        cmocka_unit_test(progress_tells_what_is_left),
        cmocka_unit_test_setup_teardown(progress_is_drawn_on_terminals_only, open_terminal,
                                        close_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
