#include "handshake/failure.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "tls/endpoint.h"

static const char *kernel_class(int64_t number)
{
    static const struct {
        int number;
        const char *name;
    } classes[] = {{ECONNREFUSED, "refused"},
                   {ECONNRESET, "reset"},
                   {EPIPE, "reset"},
                   {ETIMEDOUT, "timed out"},
                   {EADDRNOTAVAIL, "ports exhausted"},
                   {EMFILE, "files exhausted"},
                   {ENFILE, "files exhausted"},
                   {EHOSTUNREACH, "unreachable"},
                   {ENETUNREACH, "unreachable"}};
    for (size_t i = 0; i < COUNT_OF(classes); i++)
        if (classes[i].number == number)
            return classes[i].name;
    return "kernel";
}

void failure_name(const struct error *error, char name[FAILURE_NAME_BYTES])
{
    const char *text = "other";
    if (error->code == ERROR_TIMEOUT)
        text = "timed out";
    else if (error->origin == ORIGIN_KERNEL)
        text = kernel_class(error->origin_code);
    else if (strstr(error->text, "certificate is refused") != NULL)
        text = "verification";
    else if (tls_is_closed(error))
        text = "closed";
    else if (error->code == ERROR_PEER && error->origin == ORIGIN_TLSMETER)
        text = "negotiation";
    else if (error->code == ERROR_LIBRARY)
        text = "protocol";
    if (error->origin != ORIGIN_PEER) {
        (void)snprintf(name, FAILURE_NAME_BYTES, "%s", text);
        return;
    }
    const char *alert = tls_alert_name(error->origin_code);
    if (alert != NULL)
        (void)snprintf(name, FAILURE_NAME_BYTES, "alert %s", alert);
    else
        (void)snprintf(name, FAILURE_NAME_BYTES, "alert %d", (int)error->origin_code);
}

void failures_add(struct failures *failures, const struct error *error)
{
    char name[FAILURE_NAME_BYTES];
    failure_name(error, name);
    failures->total++;
    for (size_t i = 0; i < failures->class_count; i++) {
        if (strcmp(failures->classes[i].name, name) != 0)
            continue;
        failures->classes[i].count++;
        return;
    }
    if (failures->class_count == FAILURE_CLASSES)
        return; /* in the total; alerts beyond these are one of a kind */
    struct failure_class *added = &failures->classes[failures->class_count++];
    (void)snprintf(added->name, sizeof added->name, "%s", name);
    added->count = 1;
    added->first = *error;
}
