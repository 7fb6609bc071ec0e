#include <inttypes.h>
#include <string.h>

#include "report/crypto_table_internal.h"

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

/* True when lines of the same library in the group differ in this. */
static bool tells_apart(const struct result *group, const struct result *group_end,
                        const struct result *result, const char *name, size_t name_length)
{
    size_t mine_length = 0;
    const char *mine = variant_find(result->variant, name, name_length, &mine_length);
    for (const struct result *other = group; other < group_end; other++) {
        if (other->library != result->library || other->version != result->version ||
            other->variant == result->variant)
            continue;
        size_t length = 0;
        const char *value = variant_find(other->variant, name, name_length, &length);
        if (length != mine_length || memcmp(value, mine, length) != 0)
            return true;
    }
    return false;
}

static void put_variant_value(const char *name, size_t name_length, const char *value,
                              size_t length, struct buffer *out)
{
    static const char features[] = "cpu_features";
    bool is_features = name_length == strlen(features) && memcmp(name, features, name_length) == 0;
    bool is_none = length == strlen("none") && memcmp(value, "none", length) == 0;
    if (is_features && (is_none || length == 0))
        buffer_append_text(out, ", no CPU features");
    else
        buffer_printf(out, ", %.*s", (int)length, value);
}

void result_put_line_name(const struct result *result, const struct result *group,
                          const struct result *group_end, bool with_machine, struct buffer *out)
{
    result_put_library(result, out);
    const char *variant = result->variant;
    while (variant != NULL && *variant != '\0') {
        size_t name_length = strcspn(variant, "\x1e\x1f");
        const char *end = strchr(variant, VARIANT_END);
        if (end == NULL)
            break;
        const char *value = variant + name_length + 1;
        if (tells_apart(group, group_end, result, variant, name_length))
            put_variant_value(variant, name_length, value, (size_t)(end - value), out);
        variant = end + 1;
    }
    if (with_machine)
        buffer_printf(out, " [%" PRIu32 "]", result->machine + 1);
}
