/*
 * Failures by class: counted, each with the first message of its kind, never averaged in.
 *
 * Classes are what an engineer would do something different about: "refused", "reset", "timed out",
 * "closed", "alert handshake_failure", "verification", "ports exhausted", "files exhausted",
 * "negotiation", "protocol", "other".
 */
#ifndef TLSMETER_HANDSHAKE_FAILURE_H
#define TLSMETER_HANDSHAKE_FAILURE_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum { FAILURE_CLASSES = 24, FAILURE_NAME_BYTES = 48 };

struct failure_class {
    char name[FAILURE_NAME_BYTES];
    uint64_t count;
    struct error first;
};

struct failures {
    struct failure_class classes[FAILURE_CLASSES]; /* in the order of their first */
    size_t class_count;
    uint64_t total;
};

/* The class of an error; `name` is filled. */
void failure_name(const struct error *error, char name[FAILURE_NAME_BYTES]);
void failures_add(struct failures *failures, const struct error *error);

#endif
