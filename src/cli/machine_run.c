#include "cli/machine_run.h"

#include <stdio.h>
#include <string.h>

#include "crypto/crypto.h"

enum { NAME_BYTES = 128, DOTTED_BYTES = 160 };

static void set_unavailable(struct run *run, const char *name, const char *reason)
{
    char dotted[DOTTED_BYTES];
    (void)snprintf(dotted, sizeof dotted, "unavailable.%s", name);
    run_set_text(run, dotted, reason);
}

void machine_into_run(const struct machine *machine, struct run *run)
{
    for (const struct machine_fact *fact = machine->facts; fact != NULL; fact = fact->next) {
        if (fact->unavailable != NULL) {
            set_unavailable(run, fact->name, fact->unavailable);
            continue;
        }
        switch (fact->kind) {
        case FACT_TEXT:
            run_set_text(run, fact->name, fact->text);
            break;
        case FACT_INTEGER:
            run_set_integer(run, fact->name, fact->integer);
            break;
        case FACT_REAL:
            run_set_real(run, fact->name, fact->real);
            break;
        case FACT_BOOLEAN:
            run_set_boolean(run, fact->name, fact->boolean);
            break;
        }
    }
}

void libraries_into_run(struct run *run)
{
    size_t count;
    const struct crypto_library *const *libraries = crypto_libraries(&count);
    for (size_t i = 0; i < count; i++) {
        char name[NAME_BYTES];
        const char *reason = libraries[i]->unavailable();
        if (strcmp(libraries[i]->name, "null") == 0)
            continue; /* measures the harness; no library */
        (void)snprintf(name, sizeof name, "library.%s", libraries[i]->name);
        if (reason != NULL)
            set_unavailable(run, name, reason);
        else
            run_set_text(run, name, libraries[i]->version());
    }
}
