#include <inttypes.h>
#include <string.h>

#include "report/result_table_internal.h"

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

void result_put_group(const struct result *result, struct buffer *out)
{
    if (result->algorithm == NULL)
        buffer_append_text(out, or_empty(result->instrument));
    else
        buffer_append_text(out, result->algorithm);
    if (result->operation != NULL)
        buffer_printf(out, " %s", result->operation);
    if (result->kind != RESULT_BYTES && result->mode != NULL)
        buffer_printf(out, ", %s", result->mode);
    if (result->detail != NULL)
        buffer_printf(out, ", %s", result->detail);
}

/* "3.0.22" of "OpenSSL 3.0.22 7 Jul 2026": the words up to the first number, without the name that
 * stands before it already. */
static void put_version(const char *library, const char *version, struct buffer *out)
{
    size_t word = strcspn(version, " ");
    bool is_repeated = version[word] == ' ' && strncasecmp(library, version, word) == 0;
    if (is_repeated)
        version += word + 1;
    size_t end = strcspn(version, "0123456789");
    end += strcspn(version + end, " ");
    buffer_printf(out, " %.*s", (int)end, version);
}

void result_put_library(const struct result *result, struct buffer *out)
{
    const char *library = result->library == NULL ? "?" : result->library;
    buffer_append_text(out, library);
    if (result->version != NULL)
        put_version(library, result->version, out);
}

/* The value of a name in a variant; *length is 0 when it has none. */
static const char *variant_find(const char *variant, const char *name, size_t name_length,
                                size_t *length)
{
    *length = 0;
    while (variant != NULL && *variant != '\0') {
        const char *is = strchr(variant, VARIANT_IS);
        const char *end = strchr(variant, VARIANT_END);
        if (is == NULL || end == NULL)
            break;
        if ((size_t)(is - variant) == name_length && memcmp(variant, name, name_length) == 0) {
            *length = (size_t)(end - is - 1);
            return is + 1;
        }
        variant = end + 1;
    }
    return "";
}

static bool is_none(const char *value, size_t length)
{
    return length == 0 || (length == strlen("none") && memcmp(value, "none", length) == 0);
}

/* One name and value of a line's variant. */
struct property {
    const char *name, *value;
    size_t name_length, value_length;
    bool is_features;
};

/* True when another line of the same library in the group differs in this, and nothing else says
 * so: lists of CPU features are long, and which machine or that the others have none says enough.
 */
static bool tells_apart(const struct result *group, const struct result *group_end,
                        const struct result *result, const struct property *mine)
{
    bool has_features = mine->is_features && !is_none(mine->value, mine->value_length);
    for (const struct result *other = group; other < group_end; other++) {
        if (other->library != result->library || other->version != result->version ||
            other->variant == result->variant)
            continue;
        size_t length = 0;
        const char *value = variant_find(other->variant, mine->name, mine->name_length, &length);
        if (length == mine->value_length && memcmp(value, mine->value, length) == 0)
            continue;
        if (has_features && (other->machine != result->machine || is_none(value, length)))
            continue;
        return true;
    }
    return false;
}

void result_put_line_name(const struct result *result, const struct result *group,
                          const struct result *group_end, bool with_machine, struct buffer *out)
{
    static const char features[] = "cpu_features";
    result_put_library(result, out);
    for (const char *rest = result->variant; rest != NULL && *rest != '\0';) {
        const char *is = strchr(rest, VARIANT_IS);
        const char *end = strchr(rest, VARIANT_END);
        if (is == NULL || end == NULL || end < is)
            break;
        struct property mine = {.name = rest,
                                .name_length = (size_t)(is - rest),
                                .value = is + 1,
                                .value_length = (size_t)(end - is - 1)};
        mine.is_features = mine.name_length == strlen(features) &&
                           memcmp(mine.name, features, mine.name_length) == 0;
        if (tells_apart(group, group_end, result, &mine) && mine.is_features &&
            is_none(mine.value, mine.value_length))
            buffer_append_text(out, ", no CPU features");
        else if (tells_apart(group, group_end, result, &mine))
            buffer_printf(out, ", %.*s", (int)mine.value_length, mine.value);
        rest = end + 1;
    }
    if (with_machine)
        buffer_printf(out, " [%" PRIu32 "]", result->machine + 1);
}
