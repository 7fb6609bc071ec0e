/*
 * `openssl speed` of 0.9.8 to 3.x and LibreSSL: what its files share.
 *
 * The tool writes the same thing twice. On standard error, for each measurement, what it is doing
 * ("Doing aes-128 cbc for 3s on 16 size blocks: ") and what came of it ("977706 aes-128 cbc's in
 * 2.96s"): a count and the seconds it will divide by. On standard output, at the end, tables of
 * rates. With -mr both come as lines that begin with '+' (+DT and +R, +H and +F); with -multi the
 * children's tables come as "Got: +F... from 3". The format strings are those of apps/speed.c.
 *
 * openssl_speed_text.c reads single sentences and rows, openssl_speed_mr.c the '+' lines,
 * openssl_speed_facts.c commands and messages, openssl_speed.c keeps the state of a run, and
 * openssl_speed_judge.c sets tables against counts and says what can be believed.
 */
#ifndef TLSMETER_IMPORT_OPENSSL_SPEED_H
#define TLSMETER_IMPORT_OPENSSL_SPEED_H

#include "import/collect.h"
#include "import/importer.h"
#include "import/names.h"

#define SPEED_COLUMNS    32   /* sizes of one table; -bytes lists are shorter */
#define SPEED_COUNTS     4096 /* sentences kept per run */
#define SPEED_ROWS       4096
#define SPEED_TEXT_BYTES 2048 /* a sentence or row joined from wrapped lines */

/* Which table a row or sentence belongs to. */
enum speed_kind {
    SPEED_BULK, /* ciphers, digests: a column per size */
    SPEED_RSA,
    SPEED_DSA,
    SPEED_ECDSA,
    SPEED_ECDH,
    SPEED_EDDSA,
    SPEED_SM2,
    SPEED_FFDH,
    SPEED_KEM,
    SPEED_SIGNATURE,
};

enum speed_operation {
    OPERATION_BULK,
    OPERATION_SIGN,
    OPERATION_VERIFY,
    OPERATION_ENCRYPT,
    OPERATION_DECRYPT,
    OPERATION_DERIVE,
    OPERATION_KEYGEN,
    OPERATION_ENCAPS,
    OPERATION_DECAPS,
};

/* "Doing ...": what is measured. */
struct speed_doing {
    enum speed_kind kind;
    enum speed_operation operation;
    struct slice label; /* "aes-128 cbc"; the name of a key or curve, or empty */
    unsigned label_words;
    int64_t size;      /* bytes, or bits of the key */
    double nominal_s;  /* NaN: a fixed number of times instead */
    struct slice rest; /* behind the colon */
    bool label_known;
    bool multiblock; /* -mb: the result names "evp" */
};

/* What came of it. */
struct speed_count {
    struct speed_doing doing; /* label on the run's arena */
    const char *algorithm;    /* normalised label; "" for keys known by their bits */
    double count, counted_s;
    uint32_t line;
    bool finished; /* the result was there */
    bool error;    /* an error was reported before the result */
    bool exact;    /* seconds with six digits, as -mr prints them */
    bool used;     /* by a row */
};

enum speed_form {
    FORM_ABSENT,
    FORM_NUMBER,
    FORM_INFINITE,
    FORM_NAN,
    FORM_CUT, /* the value ends in the middle */
};

struct speed_value {
    enum speed_form form;
    bool thousands; /* ends in k */
    double number;  /* as written; infinite with its sign */
};

/* A row of a table, or a +F line. */
struct speed_row {
    enum speed_kind kind;
    const char *label;
    const char *algorithm;
    enum name_kind name_kind;
    bool known;
    bool raw;       /* of -mr: bytes per second */
    bool cut;       /* values are missing and it is not known which */
    bool ends_file; /* the log stops in it */
    int worker;     /* -1: not a child */
    int64_t bits;
    unsigned index; /* of a +F line */
    uint32_t line;
    unsigned count;             /* of values */
    struct speed_value *values; /* bulk: a rate per size; keys: seconds (if any), then rates */
    unsigned operation_count;
    enum speed_operation operations[4];
    bool has_seconds;
    const struct speed_header *header;
};

struct speed_header {
    unsigned count;
    int64_t sizes[SPEED_COLUMNS];
    unsigned ends[SPEED_COLUMNS]; /* column of the last character of "bytes", 0-based */
    uint32_t line;
};

enum speed_part { PART_NO, PART_INCOMPLETE, PART_WHOLE };

/* --- sentences and rows (openssl_speed_text.c) --- */
/* `text` begins with "Doing ". */
enum speed_part speed_parse_doing(const char *text, struct speed_doing *doing);
/* A result for `doing` anywhere in the text. */
bool speed_parse_result(struct slice text, const struct speed_doing *doing, double *count,
                        double *counted_s);
enum speed_part speed_parse_header(const char *text, struct speed_header *header);
/* Which operations the columns of a key table are: "sign verify sign/s verify/s"; 0: no header. */
unsigned speed_parse_key_header(const char *text, enum speed_operation operations[4]);

struct speed_cells {
    struct slice label;
    struct speed_value values[SPEED_COLUMNS + 1];
    unsigned ends[SPEED_COLUMNS + 1]; /* column of the last character of each value */
    unsigned count;
};
/* A row of the bulk table: label, then rates. False when the line is nothing like it. */
bool speed_parse_bulk_row(const char *text, struct speed_cells *cells);
/* The label ends in, or holds, figures of a row that lost bytes: "aes-128-cbc  6153.75k-14378". */
bool speed_holds_figure(struct slice label);

struct speed_key_row {
    enum speed_kind kind;
    struct slice name; /* curve or key */
    int64_t bits;
    struct speed_value values[8];
    bool seconds[8]; /* this value is written with an s */
    unsigned count;
};
/* "rsa 2048 bits ...", "256 bits ecdsa (nistp256) ...", "X25519 ..." (the last only when a table
 * of names is expected). */
bool speed_parse_key_row(const char *text, bool names_expected, struct speed_key_row *row);
/* True when `word` is a whole value of a row: "5291.37k", "0.000517s", "1932.3", "infk". */
bool speed_whole_value(struct slice word, bool keys, struct speed_value *value, bool *seconds);
/* Puts two halves of a wrapped line together: with a blank, or without where the break went through
 * a value. */
void speed_join(char *text, size_t room, const char *more, bool keys);

/* --- machine-readable lines (openssl_speed_mr.c) --- */
struct speed_run;
/* A line with '+', or "Got: +... from N". False: none of ours. */
bool speed_mr_line(struct speed_run *run, struct collector *collector, const char *text);

/* --- commands and messages (openssl_speed_facts.c) --- */
enum speed_message {
    MESSAGE_NONE,
    MESSAGE_FACT, /* noted in the facts */
    MESSAGE_ENGINE_SET,
    MESSAGE_ENGINE_FAILED, /* did not load */
    MESSAGE_ENGINE_ERROR,  /* failed while it was used */
    MESSAGE_ERROR,         /* an operation failed */
    MESSAGE_KEY_ERROR,     /* an operation with a key failed */
    MESSAGE_HARMLESS,
};
bool speed_is_command(const char *text);
void speed_read_command(const char *text, struct collector *collector);
enum speed_message speed_read_message(const char *text, struct collector *collector);
bool speed_is_version(const char *text);

/* --- state of a run (openssl_speed.c) --- */
struct speed_run {
    struct speed_count *counts;
    size_t count_count, count_room;
    struct speed_row *rows;
    size_t row_count, row_room;
    struct speed_header *header; /* the latest, on the arena; NULL before the first */
    unsigned key_operation_count;
    enum speed_operation key_operations[4];
    bool key_names; /* the table has names, not bits (keygen columns) */
    unsigned workers;
    bool any_total; /* a row that is not a child's */
    bool any_bulk;  /* and one of the bulk table */
    bool late;      /* sentences came behind the table */
    struct {
        bool elapsed; /* said behind a table: of this run or the next, the next sentence shows */
    } held;
    uint32_t error_line; /* an operation error outside a sentence */
    uint32_t engine_error_line;
    struct {
        enum {
            WAIT_NOTHING,
            WAIT_DOING,
            WAIT_RESULT,
            WAIT_HEADER,
            WAIT_ROW,
            WAIT_KEY_ROW,
            WAIT_MR
        } what;
        char text[SPEED_TEXT_BYTES];
        char tail[256]; /* last line behind a sentence whose result is awaited */
        uint32_t line;
        unsigned lines; /* joined or waited so far */
        size_t count;   /* index of the count awaiting its result */
    } wait;
};

struct speed_count *speed_add_count(struct speed_run *run, struct collector *collector,
                                    const struct speed_doing *doing);
struct speed_row *speed_add_row(struct speed_run *run, struct collector *collector);
struct speed_value *speed_copy_values(struct collector *collector, const struct speed_value *values,
                                      unsigned count);
const struct speed_header *speed_set_header(struct speed_run *run, struct collector *collector,
                                            const struct speed_header *header);

/* Sets rows against counts and adds the readings (openssl_speed_judge.c). */
void speed_judge(struct speed_run *run, struct collector *collector);

const char *speed_operation_name(enum speed_operation operation);

#endif
