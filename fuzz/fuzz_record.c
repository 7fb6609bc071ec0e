/* Any bytes as a record file: no crash, no leak, bounded; what is read can be written and keyed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/reader.h"
#include "record/writer.h"

static bool on_cell(void *context, const struct cell *cell, struct error *error)
{
    struct record_writer *writer = context;
    struct buffer key;
    buffer_init(&key, 1 << 20);
    cell_key(cell, &key);
    buffer_free(&key);
    return record_write_cell(writer, cell, error);
}

static bool on_run(void *context, const struct run *run, struct error *error)
{
    return record_write_run(context, run, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct record_writer writer = {.fd = -1};
    struct record_read_result result;
    struct error error;
    if (writer.fd < 0 && !record_writer_open(&writer, "/dev/null", &error))
        abort();
    for (int samples = 0; samples < 2; samples++) {
        FILE *stream = size == 0 ? NULL : fmemopen((void *)(uintptr_t)data, size, "r");
        struct record_handlers handlers = {
            .context = &writer, .run = on_run, .cell = on_cell, .want_samples = samples != 0};
        if (stream == NULL)
            return 0;
        (void)record_read_stream(stream, "fuzz", &handlers, &result, &error);
        (void)fclose(stream);
    }
    return 0;
}
