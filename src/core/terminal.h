/*
 * What the terminal can do, and the progress bar.
 *
 * Colour is used only on a terminal, when NO_COLOR (no-color.org) is unset or empty and TERM is
 * neither "dumb" nor unset. The width is COLUMNS when that is a number, else what the kernel says
 * of the descriptor, or of standard error (the output may go through a pager), else 80; it is kept
 * between 40 and 1000 columns. Progress is written to standard error, only when that is a terminal,
 * and leaves no trace.
 */
#ifndef TLSMETER_CORE_TERMINAL_H
#define TLSMETER_CORE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buffer.h"

#define TERMINAL_WIDTH_DEFAULT 80

bool terminal_is_terminal(int fd);
bool terminal_has_colour(int fd);
size_t terminal_width(int fd);

struct progress {
    bool shown;     /* standard error is a terminal, and nobody said --quiet */
    bool on_screen; /* a line is there to be wiped */
    uint64_t start_ns;
    uint64_t drawn_ns; /* when it was last drawn */
};

void progress_init(struct progress *progress, bool quiet, uint64_t now_ns);
/* Draws a line when the last drawing is at least 0.1 s ago. */
void progress_update(struct progress *progress, const char *label, uint64_t done, uint64_t total,
                     uint64_t now_ns);
/* The line that progress_update draws, "[####    ] 12/40  0:05 left  label", at most `width` - 1
 * columns: the time left is guessed from what the part done took, after the first second. */
void progress_line(const struct progress *progress, const char *label, uint64_t done,
                   uint64_t total, uint64_t now_ns, size_t width, struct buffer *line);
/* Wipes the line: before anything else is printed, and at the end. */
void progress_wipe(struct progress *progress);

#endif
