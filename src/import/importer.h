/*
 * The contract of one format.
 *
 * The driver hands every line, cleaned, to the importer that read the last one; when that one does
 * not know it, to the others' probe(). An importer keeps its state in a struct of its own, which
 * the driver allocates once per file and zeroes; it adds readings to the collector and finishes
 * the run when a new one begins or when the driver says so.
 */
#ifndef TLSMETER_IMPORT_IMPORTER_H
#define TLSMETER_IMPORT_IMPORTER_H

#include "import/collect.h"

struct import_line {
    const char *text; /* NUL-terminated, cleaned */
    size_t length;
    uint32_t number;
    bool cut;    /* longer than tlsmeter holds */
    bool last;   /* the file ends with it, without a line end */
    bool stars;  /* a progress line, uncleaned */
    bool kernel; /* a kernel message */
};

struct importer {
    const char *name;        /* "openssl-speed" */
    const char *tool;        /* "openssl speed" */
    const char *description; /* formats and versions, one line */
    size_t state_size;
    /* The line can only be of this format. Reads no state: called for lines of other formats. */
    bool (*probe)(const struct import_line *line);
    /* Reads a line; false when it is none of this format's. */
    bool (*parse)(void *state, struct collector *collector, const struct import_line *line);
    /* The run is over: add what is still held. */
    void (*finish)(void *state, struct collector *collector);
    /* Gives back what the state owns; NULL: nothing. */
    void (*free)(void *state);
};

extern const struct importer importer_openssl_speed;
extern const struct importer importer_wolfcrypt;
extern const struct importer importer_mbedtls_benchmark;
extern const struct importer importer_cryptsetup;
extern const struct importer importer_kcapi;
extern const struct importer importer_s_time;
extern const struct importer importer_securemark;
extern const struct importer importer_curl_w;

#endif
