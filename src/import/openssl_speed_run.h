/* How the files that keep the state of a run of `openssl speed` call each other. */
#ifndef TLSMETER_IMPORT_OPENSSL_SPEED_RUN_H
#define TLSMETER_IMPORT_OPENSSL_SPEED_RUN_H

#include "import/openssl_speed.h"

enum {
    SPEED_WAIT_LINES = 40, /* a result may be this many lines behind its sentence */
    SPEED_JOIN_LINES = 6,  /* a wrapped row or sentence has at most this many pieces */
};

/* Names the tool of the run, once. */
void speed_open_run(struct collector *collector);
/* Judges and hands out the run; the second begins the next one. */
void speed_end_run(struct speed_run *run, struct collector *collector);
void speed_next_run(struct speed_run *run, struct collector *collector);
/* Notes a message; `during` is the count whose result is awaited, or NULL. */
enum speed_message speed_message(struct speed_run *run, struct collector *collector,
                                 const char *text, struct speed_count *during);

/* Each take function reads a line that begins something, each continue function the line after one
 * that did not end; false: the line is none of theirs. */
bool speed_sentence(struct speed_run *run, struct collector *collector, const char *text);
bool speed_continue_result(struct speed_run *run, struct collector *collector, const char *text);
bool speed_continue_doing(struct speed_run *run, struct collector *collector, const char *text);
bool speed_take_header(struct speed_run *run, struct collector *collector, const char *text);
bool speed_continue_header(struct speed_run *run, struct collector *collector, const char *text);
bool speed_take_bulk_row(struct speed_run *run, struct collector *collector,
                         const struct import_line *line);
bool speed_continue_row(struct speed_run *run, struct collector *collector,
                        const struct import_line *line);
/* The row gets no more lines: takes what there is. */
void speed_give_up_row(struct speed_run *run, struct collector *collector, bool ends_file);
bool speed_take_key_header(struct speed_run *run, struct collector *collector, const char *text);
bool speed_take_key_row(struct speed_run *run, struct collector *collector,
                        const struct import_line *line);
bool speed_continue_key_row(struct speed_run *run, struct collector *collector,
                            const struct import_line *line);
void speed_give_up_key_row(struct speed_run *run, struct collector *collector);

#endif
