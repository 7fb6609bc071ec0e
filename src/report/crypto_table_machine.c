#include <inttypes.h>
#include <string.h>

#include "report/crypto_table_internal.h"

/* The machine in a line: what a reader of figures asks first. Names as `tlsmeter machine` records
 * them. */
void machine_summary(const struct run *run, struct buffer *out)
{
    static const struct {
        const char *name, *before, *behind;
    } parts[] = {
        {"cpu.model", "", ""},      {"cpu.cores", "", " cores"}, {"cpu.governor", "governor ", ""},
        {"virtualisation", "", ""}, {"kernel", "Linux ", ""},
    };
    char scratch[32];
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        const char *value = attributes_text(&run->machine, parts[i].name, scratch);
        if (value != NULL && *value != '\0')
            buffer_printf(out, "%s%s%s%s", out->length == 0 ? "" : ", ", parts[i].before, value,
                          parts[i].behind);
    }
    if (run->tool_version != NULL)
        buffer_printf(out, "%stlsmeter %s", out->length == 0 ? "" : "; ", run->tool_version);
}
