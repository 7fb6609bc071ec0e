#include "crypto/selection.h"

#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "core/buffer.h"
#include "core/text.h"
#include "crypto/request.h"

enum { MOST_NAMES = 128 };

static const uint64_t default_sizes[] = {16, 64, 256, 1024, 1420, 8192, 16384};

const uint64_t *crypto_default_sizes(size_t *count)
{
    *count = COUNT_OF(default_sizes);
    return default_sizes;
}

void crypto_targets_free(struct crypto_targets *targets)
{
    free(targets->items);
    *targets = (struct crypto_targets){.items = NULL};
}

/* Whether one of the patterns matches; an empty list matches all. */
static bool matches(const struct crypto_names *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (text_glob(patterns->items[i], name))
            return true;
    return patterns->count == 0;
}

static bool named_exactly(const struct crypto_names *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (!text_has_glob(patterns->items[i]) && text_glob(patterns->items[i], name))
            return true;
    return false;
}

/* Every pattern must match one of the known names. */
static bool check_names(const struct crypto_names *patterns, const char *const *known, size_t count,
                        const char *what, struct error *error)
{
    for (size_t i = 0; i < patterns->count; i++) {
        bool found = false;
        for (size_t j = 0; !found && j < count; j++)
            found = text_glob(patterns->items[i], known[j]);
        if (found)
            continue;
        struct buffer near;
        buffer_init(&near, 256);
        text_nearest(patterns->items[i], known, count, &near);
        if (near.length > 0)
            (void)error_set(error, ERROR_USAGE, "no %s is called \"%s\"; near are: %s", what,
                            patterns->items[i], buffer_text(&near));
        else
            (void)error_set(error, ERROR_USAGE, "no %s is called \"%s\"; see `tlsmeter list`", what,
                            patterns->items[i]);
        buffer_free(&near);
        return false;
    }
    return true;
}

static bool check_algorithms(const struct crypto_names *patterns, struct error *error)
{
    const char *known[MOST_NAMES];
    size_t count;
    const struct crypto_algorithm *list = crypto_algorithms(&count);
    for (size_t i = 0; i < count && i < MOST_NAMES; i++)
        known[i] = list[i].name;
    return check_names(patterns, known, count, "algorithm", error);
}

static bool check_libraries(const struct crypto_names *patterns, struct error *error)
{
    const char *known[MOST_NAMES];
    size_t count;
    const struct crypto_library *const *list = crypto_libraries(&count);
    for (size_t i = 0; i < count && i < MOST_NAMES; i++)
        known[i] = list[i]->name;
    return check_names(patterns, known, count, "library", error);
}

static bool check_enumerated(const struct crypto_names *patterns, size_t count,
                             const char *(*name)(int value), const char *what, struct error *error)
{
    const char *known[MOST_NAMES];
    for (size_t i = 0; i < count; i++)
        known[i] = name((int)i);
    return check_names(patterns, known, count, what, error);
}

static const char *operation_name(int value)
{
    return crypto_operation_name((enum crypto_operation_kind)value);
}

static const char *mode_name(int value)
{
    return crypto_mode_name((enum crypto_mode)value);
}

static const char *padding_name(int value)
{
    return crypto_padding_name((enum crypto_padding)value);
}

static const char *peer_key_name(int value)
{
    return crypto_peer_key_name((enum crypto_peer_key)value);
}

static bool check_all(const struct crypto_selection *selection, struct error *error)
{
    return check_libraries(&selection->libraries, error) &&
           check_algorithms(&selection->algorithms, error) &&
           check_enumerated(&selection->operations, CRYPTO_OPERATION_KINDS, operation_name,
                            "operation", error) &&
           check_enumerated(&selection->modes, CRYPTO_MODE_OPENSSL_SPEED + 1, mode_name, "mode",
                            error) &&
           check_enumerated(&selection->paddings, CRYPTO_OAEP + 1, padding_name, "padding",
                            error) &&
           check_enumerated(&selection->peer_keys, CRYPTO_PEER_KNOWN + 1, peer_key_name, "peer key",
                            error);
}

static bool add(struct crypto_targets *targets, const struct crypto_target *target,
                struct error *error)
{
    if (targets->count == targets->capacity) {
        size_t capacity = targets->capacity == 0 ? 64 : 2 * targets->capacity;
        struct crypto_target *items = realloc(targets->items, capacity * sizeof *items);
        if (items == NULL)
            return error_set(error, ERROR_MEMORY, "no memory for the list of cells");
        targets->items = items;
        targets->capacity = capacity;
    }
    targets->items[targets->count++] = *target;
    return true;
}

/* The variant with every library, so that libraries stand side by side in a group. */
static bool add_libraries(const struct crypto_selection *selection,
                          const struct crypto_request *request, struct crypto_targets *targets,
                          struct error *error)
{
    size_t count;
    const struct crypto_library *const *list = crypto_libraries(&count);
    for (size_t i = 0; i < count; i++) {
        bool chosen =
            named_exactly(&selection->libraries, list[i]->name) ||
            (strcmp(list[i]->name, "null") != 0 && matches(&selection->libraries, list[i]->name));
        struct crypto_target target = {
            list[i], *request,
            named_exactly(&selection->libraries, list[i]->name) &&
                named_exactly(&selection->algorithms, request->algorithm->name)};
        if (chosen && !add(targets, &target, error))
            return false;
    }
    return true;
}

static bool add_sizes(const struct crypto_selection *selection, struct crypto_request request,
                      struct crypto_targets *targets, struct error *error)
{
    char reason[128];
    if (!crypto_kind_has_size(request.algorithm->kind))
        return add_libraries(selection, &request, targets, error);
    size_t count = COUNT_OF(default_sizes);
    const uint64_t *sizes = default_sizes;
    if (selection->size_count > 0) {
        count = selection->size_count;
        sizes = selection->sizes;
    }
    for (size_t i = 0; i < count; i++) {
        const char *refusal = crypto_size_refusal(request.algorithm, sizes[i], reason);
        if (refusal != NULL && selection->sizes_named)
            return error_set(error, ERROR_USAGE, "size %llu: %s", (unsigned long long)sizes[i],
                             refusal);
        if (refusal != NULL) {
            targets->sizes_left_out++;
            continue;
        }
        request.size_bytes = (uint32_t)sizes[i];
        if (!add_libraries(selection, &request, targets, error))
            return false;
    }
    return true;
}

static bool add_modes(const struct crypto_selection *selection, struct crypto_request request,
                      struct crypto_targets *targets, struct error *error)
{
    enum crypto_kind kind = request.algorithm->kind;
    bool has_modes = crypto_kind_has_size(kind) && kind != CRYPTO_RANDOM;
    for (int mode = 0; mode <= CRYPTO_MODE_OPENSSL_SPEED; mode++) {
        bool chosen = selection->modes.count == 0 || !has_modes
                          ? mode == CRYPTO_MODE_RECORD
                          : matches(&selection->modes, mode_name(mode));
        request.mode = (enum crypto_mode)mode;
        if (chosen && !add_sizes(selection, request, targets, error))
            return false;
    }
    return true;
}

static bool is_chosen(const struct crypto_selection *selection,
                      const struct crypto_request *request)
{
    return matches(&selection->operations, crypto_operation_name(request->operation)) &&
           (request->padding == CRYPTO_PADDING_NONE ||
            matches(&selection->paddings, crypto_padding_name(request->padding))) &&
           (request->peer_key == CRYPTO_PEER_NONE ||
            matches(&selection->peer_keys, crypto_peer_key_name(request->peer_key)));
}

bool crypto_select(const struct crypto_selection *selection, struct crypto_targets *targets,
                   struct error *error)
{
    size_t algorithms;
    const struct crypto_algorithm *list = crypto_algorithms(&algorithms);
    *targets = (struct crypto_targets){.items = NULL};
    bool good = check_all(selection, error);
    for (size_t i = 0; good && i < algorithms; i++) {
        struct crypto_request variants[CRYPTO_MOST_VARIANTS];
        if (!matches(&selection->algorithms, list[i].name))
            continue;
        size_t count = crypto_request_variants(&list[i], variants);
        for (size_t j = 0; good && j < count; j++)
            good = !is_chosen(selection, &variants[j]) ||
                   add_modes(selection, variants[j], targets, error);
    }
    if (good && targets->count == 0)
        good = error_set(error, ERROR_USAGE, "no cell fits this selection; see `tlsmeter list`");
    if (!good)
        crypto_targets_free(targets);
    return good;
}
