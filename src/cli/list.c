#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/list_tables.h"
#include "cli/output.h"
#include "core/attributes.h"
#include "core/table.h"
#include "crypto/crypto.h"
#include "crypto/request.h"

struct list_settings {
    bool csv, markdown;
};

enum { MOST_LIBRARIES = 16, OUTPUT_BYTES = 1 << 20, FIRST_LIBRARY_COLUMN = 2 };

/* The first reason a library gives for not offering any of an algorithm's operations; NULL when it
 * offers at least one. */
static const char *refusal(const struct crypto_library *library,
                           const struct crypto_algorithm *algorithm)
{
    struct crypto_request variants[CRYPTO_MOST_VARIANTS];
    size_t count = crypto_request_variants(algorithm, variants);
    const char *first = library->unavailable();
    if (first != NULL)
        return first;
    for (size_t i = 0; i < count; i++) {
        const char *reason = library->supports(&variants[i]);
        if (reason == NULL)
            return NULL;
        first = first == NULL ? reason : first;
    }
    return first;
}

static void append_operations(const struct crypto_algorithm *algorithm, struct buffer *out)
{
    uint32_t operations = crypto_kind_operations(algorithm->kind);
    for (unsigned i = 0; i < CRYPTO_OPERATION_KINDS; i++)
        if ((operations >> i & 1) != 0)
            buffer_printf(out, "%s%s", out->length == 0 ? "" : ", ",
                          crypto_operation_name((enum crypto_operation_kind)i));
}

static bool render_libraries(const struct table_style *style, struct buffer *out,
                             struct error *error)
{
    static const struct table_column columns[] = {
        {.title = "library", .key = true}, {.title = "version"}, {.title = "without CPU features"}};
    struct table table;
    size_t count;
    const struct crypto_library *const *list = crypto_libraries(&count);
    table_init(&table, columns, COUNT_OF(columns));
    for (size_t i = 0; i < count; i++) {
        const char *unavailable = list[i]->unavailable();
        const char *why = NULL;
        table_row(&table);
        table_set(&table, 0, list[i]->name, NULL, MARK_NONE);
        if (unavailable != NULL) {
            table_span(&table, 1, unavailable, MARK_DIM);
            continue;
        }
        table_set(&table, 1, list[i]->version(), NULL, MARK_NONE);
        const char *setting = list[i]->features_off(&why);
        table_set(&table, 2, setting != NULL ? "--cpu-features off" : why, NULL,
                  setting != NULL ? MARK_NONE : MARK_DIM);
    }
    bool good = table_render(&table, style, out, error);
    table_free(&table);
    return good;
}

void list_keep_reason(struct list_reasons *reasons, const char *library, const char *text)
{
    for (size_t i = 0; i < reasons->count; i++)
        if (strcmp(reasons->items[i].text, text) == 0 &&
            strcmp(reasons->items[i].library, library) == 0)
            return;
    if (reasons->count == COUNT_OF(reasons->items))
        return;
    (void)snprintf(reasons->items[reasons->count].text, sizeof reasons->items[0].text, "%s", text);
    reasons->items[reasons->count++].library = library;
}

static void add_algorithm(struct table *table, const struct crypto_algorithm *algorithm,
                          struct list_reasons *reasons)
{
    struct buffer operations;
    size_t count;
    const struct crypto_library *const *list = crypto_libraries(&count);
    buffer_init(&operations, 256);
    append_operations(algorithm, &operations);
    table_row(table);
    table_set(table, 0, algorithm->name, NULL, MARK_NONE);
    table_set(table, 1, buffer_text(&operations), NULL, MARK_DIM);
    for (size_t i = 1; i < count && i <= MOST_LIBRARIES; i++) { /* after null */
        const char *reason = refusal(list[i], algorithm);
        table_set(table, FIRST_LIBRARY_COLUMN + i - 1, reason == NULL ? "yes" : "-", NULL,
                  reason == NULL ? MARK_NONE : MARK_DIM);
        if (reason != NULL && list[i]->unavailable() == NULL)
            list_keep_reason(reasons, list[i]->name, reason);
    }
    buffer_free(&operations);
}

static bool render_algorithms(const struct table_style *style, struct buffer *out,
                              struct list_reasons *reasons, struct error *error)
{
    struct table_column columns[FIRST_LIBRARY_COLUMN + MOST_LIBRARIES] = {
        {.title = "algorithm", .key = true}, {.title = "operations", .flexible = true}};
    struct table table;
    size_t libraries;
    size_t algorithms;
    const struct crypto_library *const *list = crypto_libraries(&libraries);
    const struct crypto_algorithm *all = crypto_algorithms(&algorithms);
    size_t column_count = FIRST_LIBRARY_COLUMN;
    for (size_t i = 1; i < libraries && i <= MOST_LIBRARIES; i++)
        columns[column_count++].title = list[i]->name;
    table_init(&table, columns, column_count);
    for (size_t i = 0; i < algorithms; i++)
        add_algorithm(&table, &all[i], reasons);
    bool good = table_render(&table, style, out, error);
    table_free(&table);
    return good;
}

static bool render_crypto(const struct table_style *style, struct buffer *out,
                          struct list_reasons *reasons, struct error *error)
{
    bool csv = style->format == TABLE_CSV;
    bool good = csv || render_libraries(style, out, error);
    if (good && !csv)
        buffer_append_char(out, '\n');
    return good && render_algorithms(style, out, reasons, error);
}

static const struct {
    const char *name;
    bool (*render)(const struct table_style *style, struct buffer *out,
                   struct list_reasons *reasons, struct error *error);
} parts[] = {{"crypto", render_crypto}, {"tls", list_tls}};

/* One part, or (NULL) each that the form has room for: CSV is one table. */
static bool render(const char *part, const struct table_style *style, struct buffer *out,
                   struct error *error)
{
    bool known = part == NULL;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        struct list_reasons reasons = {.count = 0};
        if (part == NULL ? style->format == TABLE_CSV && i > 0 : strcmp(part, parts[i].name) != 0)
            continue;
        if (known && i > 0)
            buffer_append_char(out, '\n');
        known = true;
        if (!parts[i].render(style, out, &reasons, error))
            return false;
        for (size_t j = 0; style->format != TABLE_CSV && j < reasons.count; j++)
            buffer_printf(out, "%s- %s: %s\n", j == 0 ? "\n" : "", reasons.items[j].library,
                          reasons.items[j].text);
    }
    return known || error_set(error, ERROR_USAGE, "there is no part '%s': crypto or tls", part);
}

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    const struct list_settings *own = settings;
    struct buffer out;
    struct error error;
    if (own->csv && own->markdown)
        return output_error("list", "--csv and --markdown exclude each other", EXIT_WRONG_USE);
    struct table_style style = output_style(own->csv, own->markdown);
    buffer_init(&out, OUTPUT_BYTES);
    bool good = render(operand_count == 0 ? NULL : operands[0], &style, &out, &error);
    if (good)
        output_buffer(&out);
    buffer_free(&out);
    if (good)
        return EXIT_DONE;
    return output_error("list", error.text,
                        error.code == ERROR_USAGE ? EXIT_WRONG_USE : EXIT_NOT_MEASURED);
}

static const struct option options[] = {
    OPTION_CSV(struct list_settings, csv),
    OPTION_MARKDOWN(struct list_settings, markdown),
};

static const char *const examples[] = {
    "tlsmeter list",
    "What can be measured here, and what cannot, because ...",
    "tlsmeter list tls",
    "Versions, ciphers, groups and keys of the TLS libraries.",
    NULL,
};

const struct command command_list = {
    .name = "list",
    .summary = "list libraries, algorithms and TLS features; what is unavailable, and why",
    .operands = "[crypto|tls]",
    .maximum_operands = 1,
    .description =
        "Prints the libraries with their versions, what each has of every algorithm, and "
        "what each can negotiate in which version of TLS and DTLS (d1.2). Reasons for "
        "what is missing stand below. As CSV: crypto, or the part named.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct list_settings),
    .run = run,
};
