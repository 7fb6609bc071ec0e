/* Any bytes as a log: all importers and all verdicts. */
#include <stddef.h>
#include <stdint.h>

#include "import/import.h"
#include "import/verdict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool judge(void *context, const struct import_run *run, struct error *error)
{
    struct verdict_report report;
    struct arena arena = {0};
    (void)context;
    bool judged = verdict_judge(run, &arena, &report, error);
    arena_free(&arena);
    return judged;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct import_sink sink = {.run = judge};
    struct import_result result;
    struct error error;
    (void)!import_memory(data, size, "fuzz", &sink, &result, &error);
    return 0;
}
