#include <string.h>

#include "core/attributes.h"
#include "report/result_table_internal.h"

/* A value, and the words around it. */
struct part {
    const char *name, *before, *behind;
};

static void put_parts(const struct run *run, const struct part *parts, size_t count,
                      struct buffer *out)
{
    char scratch[32];
    for (size_t i = 0; i < count; i++) {
        const char *value = attributes_text(&run->machine, parts[i].name, scratch);
        if (value != NULL && *value != '\0' && strcmp(value, "none") != 0)
            buffer_printf(out, "%s%s%s%s", out->length == 0 ? "" : ", ", parts[i].before, value,
                          parts[i].behind);
    }
}

/* An imported log: its file, what wrote it, and how. */
static void put_log(const struct run *run, const char *file, struct buffer *out)
{
    static const struct part parts[] = {
        {"platform", "", ""},
        {"log.version", "", ""},
        {"log.command", "", ""},
    };
    const char *slash = strrchr(file, '/');
    buffer_append_text(out, slash == NULL ? file : slash + 1);
    if (attributes_integer(&run->machine, "log.run", 1) > 1)
        buffer_printf(out, " run %d", (int)attributes_integer(&run->machine, "log.run", 1));
    put_parts(run, parts, COUNT_OF(parts), out);
}

void machine_summary(const struct run *run, struct buffer *out)
{
    static const struct part parts[] = {
        {"board.model", "", ""},          {"cpu.model", "", ""},
        {"cpu.cores", "", " cores"},      {"cpu.governor", "governor ", ""},
        {"virtualisation", "", " guest"}, {"kernel", "Linux ", ""},
    };
    char scratch[32];
    const char *file = attributes_text(&run->machine, "log.file", scratch);
    if (file != NULL) {
        put_log(run, file, out);
        return;
    }
    put_parts(run, parts, COUNT_OF(parts), out);
    if (run->tool_version != NULL)
        buffer_printf(out, "%stlsmeter %s", out->length == 0 ? "" : "; ", run->tool_version);
}
