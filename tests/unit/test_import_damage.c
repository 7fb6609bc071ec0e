/* Properties of reading damaged logs: what mail, terminals and loggers do to a log does not change
 * what is read from it; a log that is cut, or two that are merged, never gives a figure with status
 * ok that the whole log does not give. The logs are those of tests/import. */
#include "import_log.h"

#include <dirent.h>

static char *file_bytes(const char *name, size_t *length)
{
    char path[512];
    snprintf(path, sizeof path, "%s/import/%s", TEST_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(LOG_BYTES);
    assert_non_null(bytes);
    *length = fread(bytes, 1, LOG_BYTES - 1, file);
    bytes[*length] = '\0';
    fclose(file);
    return bytes;
}

struct text {
    char bytes[LOG_BYTES];
    size_t length;
};

static void put(struct text *text, const char *bytes, size_t length)
{
    if (text->length + length >= LOG_BYTES)
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

typedef void damage_line(struct text *out, const char *line, size_t length);

static void prefixed(struct text *out, const char *prefix, const char *line, size_t length)
{
    put(out, prefix, strlen(prefix));
    put(out, line, length);
    put(out, "\n", 1);
}

static void quoted(struct text *out, const char *line, size_t length)
{
    prefixed(out, "> > ", line, length);
}

static void commented(struct text *out, const char *line, size_t length)
{
    prefixed(out, "# ", line, length);
}

static void logcat(struct text *out, const char *line, size_t length)
{
    prefixed(out, "10-24 12:34:56.789  1234  5678 I bench   : ", line, length);
}

static void stamped(struct text *out, const char *line, size_t length)
{
    prefixed(out, "2024-10-24T12:34:56.123Z ", line, length);
}

static void from_serial_line(struct text *out, const char *line, size_t length)
{
    prefixed(out, "I (12345) bench: ", line, length);
}

static void with_carriage_return(struct text *out, const char *line, size_t length)
{
    put(out, line, length);
    put(out, "  \r\n", 4);
}

static void with_escapes(struct text *out, const char *line, size_t length)
{
    put(out, "\033[0;32m", 7);
    put(out, line, length);
    put(out, "\033[0m\n", 5);
}

static void with_blank_lines(struct text *out, const char *line, size_t length)
{
    put(out, line, length);
    put(out, "\n\n", 2);
}

static void collapsed(struct text *out, const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line[i] != ' ' || i + 1 == length || line[i + 1] != ' ')
            put(out, line + i, 1);
    }
    put(out, "\n", 1);
}

/* As a mail program wraps: at the last blank before the column. */
static void wrapped(struct text *out, const char *line, size_t length)
{
    while (length > 72) {
        size_t at = 72;
        while (at > 0 && line[at] != ' ')
            at--;
        size_t first = strspn(line, " ");
        if (at <= first)
            break;
        put(out, line, at);
        put(out, "\n", 1);
        line += at + 1;
        length -= at + 1;
    }
    put(out, line, length);
    put(out, "\n", 1);
}

/* As a terminal wraps: anywhere. */
static void broken(struct text *out, const char *line, size_t length)
{
    while (length > 80) {
        put(out, line, 80);
        put(out, "\n", 1);
        line += 80;
        length -= 80;
    }
    put(out, line, length);
    put(out, "\n", 1);
}

static void damage(struct text *out, const char *bytes, damage_line *each)
{
    out->length = 0;
    while (*bytes != '\0') {
        size_t length = strcspn(bytes, "\n");
        each(out, bytes, length);
        bytes += length + (bytes[length] == '\n');
    }
}

static bool holds(const struct log *log, const struct kept *wanted)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct kept *kept = &log->readings[i];
        if (strcmp(kept->algorithm, wanted->algorithm) == 0 &&
            strcmp(kept->operation, wanted->operation) == 0 &&
            strcmp(kept->variant, wanted->variant) == 0 && kept->size_bytes == wanted->size_bytes &&
            kept->metric == wanted->metric && kept->status == wanted->status &&
            log_same(kept->value, wanted->value))
            return true;
    }
    return false;
}

static void require_all(const struct log *log, const struct log *whole, const char *name,
                        const char *what)
{
    for (size_t i = 0; i < whole->count; i++) {
        if (!holds(log, &whole->readings[i]))
            fail_msg("%s, %s: %s %s %lld is lost", name, what, whole->readings[i].algorithm,
                     whole->readings[i].operation, (long long)whole->readings[i].size_bytes);
    }
}

/* No reading has status ok with a value that the undamaged log does not have. Its size may have
 * been lost with the title that said it. */
static void require_nothing_new(const struct log *log, const struct log *whole, const char *name,
                                const char *what)
{
    for (size_t i = 0; i < log->count; i++) {
        struct kept kept = log->readings[i];
        bool known = false;
        for (size_t j = 0; j < whole->count && !known; j++) {
            const struct kept *other = &whole->readings[j];
            bool same = strcmp(kept.algorithm, other->algorithm) == 0 ||
                        strcmp(kept.algorithm, "transfer") == 0; /* http or https is not known */
            known = same && strcmp(kept.operation, other->operation) == 0 &&
                    (kept.size_bytes == other->size_bytes || kept.size_bytes < 0) &&
                    kept.metric == other->metric &&
                    (log_same(kept.value, other->value) || log_same(kept.value, other->printed));
        }
        if (kept.status == CELL_OK && !known)
            fail_msg("%s, %s: %s %s %lld = %g is new", name, what, kept.algorithm, kept.operation,
                     (long long)kept.size_bytes, kept.value);
    }
}

static const struct {
    const char *name;
    damage_line *each;
} DAMAGES[] = {
    {"quoted", quoted},
    {"commented", commented},
    {"logcat", logcat},
    {"stamped", stamped},
    {"from a serial line", from_serial_line},
    {"carriage returns", with_carriage_return},
    {"escapes", with_escapes},
    {"blank lines", with_blank_lines},
    {"collapsed", collapsed},
    {"wrapped", wrapped},
    {"broken", broken},
};

typedef void each_log(const char *name, const char *bytes, size_t length);

static void for_each_log(each_log *each)
{
    char path[512];
    snprintf(path, sizeof path, "%s/import", TEST_SOURCE_DIR);
    DIR *directory = opendir(path);
    assert_non_null(directory);
    unsigned logs = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        size_t length, name = strlen(entry->d_name);
        if (name < 4 || strcmp(entry->d_name + name - 4, ".log") != 0)
            continue;
        char *bytes = file_bytes(entry->d_name, &length);
        each(entry->d_name, bytes, length);
        free(bytes);
        logs++;
    }
    closedir(directory);
    assert_true(logs >= 10);
}

static void keeps_everything(const char *name, const char *bytes, size_t length)
{
    struct log *whole = log_read_bytes(bytes, length);
    assert_true(whole->count > 0);
    struct text *text = calloc(1, sizeof *text);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof DAMAGES / sizeof DAMAGES[0]; i++) {
        damage(text, bytes, DAMAGES[i].each);
        struct log *log = log_read_bytes(text->bytes, text->length);
        require_all(log, whole, name, DAMAGES[i].name);
        require_nothing_new(log, whole, name, DAMAGES[i].name);
        assert_int_equal(log->count, whole->count);
        free(log);
    }
    free(text);
    free(whole);
}

static void test_surroundings_change_nothing(void **state)
{
    (void)state;
    for_each_log(keeps_everything);
}

/* Cut at every 7th byte, at either end. */
static void invents_nothing(const char *name, const char *bytes, size_t length)
{
    struct log *whole = log_read_bytes(bytes, length);
    for (size_t cut = 0; cut < length; cut += 7) {
        struct log *head = log_read_bytes(bytes, cut);
        require_nothing_new(head, whole, name, "cut at the end");
        free(head);
        struct log *tail = log_read_bytes(bytes + cut, length - cut);
        require_nothing_new(tail, whole, name, "cut at the start");
        free(tail);
    }
    free(whole);
}

static void test_cutting_invents_nothing(void **state)
{
    (void)state;
    for_each_log(invents_nothing);
}

static void merges(const char *name, const char *bytes, size_t length)
{
    size_t other_length;
    char *other = file_bytes("openssl-1.0.2-plain.log", &other_length);
    struct log *first = log_read_bytes(bytes, length);
    struct log *second = log_read_bytes(other, other_length);
    struct text *text = calloc(1, sizeof *text);
    assert_non_null(text);
    put(text, bytes, length);
    put(text, "And the other board:\n\n", 22);
    put(text, other, other_length);
    struct log *both = log_read_bytes(text->bytes, text->length);
    require_all(both, first, name, "merged");
    require_all(both, second, name, "merged");
    assert_int_equal(both->count, first->count + second->count);
    free(both);
    free(first);
    free(second);
    free(text);
    free(other);
}

static void test_logs_in_one_file_stay_apart(void **state)
{
    (void)state;
    for_each_log(merges);
}

/* Sentences (standard error) behind tables (standard output), as a harness stores them. */
static void test_standard_error_after_standard_output(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"openssl-1.0.2-plain.log", "openssl-1.1.1-software.log",
                                        "libressl-3.3.log"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        size_t length;
        char *bytes = file_bytes(NAMES[i], &length);
        struct log *whole = log_read_bytes(bytes, length);
        struct text *text = calloc(1, sizeof *text);
        assert_non_null(text);
        for (int pass = 0; pass < 2; pass++) {
            for (const char *line = bytes; *line != '\0';) {
                size_t line_length = strcspn(line, "\n") + 1;
                bool error = strncmp(line, "Doing", 5) == 0 || strncmp(line, "You have", 8) == 0;
                if (error == (pass == 1))
                    put(text, line, line_length);
                line += line_length;
            }
        }
        struct log *log = log_read_bytes(text->bytes, text->length);
        require_all(log, whole, NAMES[i], "standard error last");
        assert_int_equal(log->count, whole->count);
        free(log);
        free(whole);
        free(text);
        free(bytes);
    }
}

/* Any byte may be changed: nothing crashes, and memory and time stay bounded. */
static void survives(const char *name, const char *bytes, size_t length)
{
    (void)name;
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    uint32_t seed = 12345;
    for (int round = 0; round < 50; round++) {
        memcpy(copy, bytes, length);
        for (int i = 0; i < 20; i++) {
            seed = seed * 1664525u + 1013904223u;
            copy[(seed >> 8) % length] = (char)(seed >> 24);
        }
        free(log_read_bytes(copy, length));
    }
    free(copy);
}

static void test_any_bytes_are_safe(void **state)
{
    (void)state;
    for_each_log(survives);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surroundings_change_nothing),
        cmocka_unit_test(test_cutting_invents_nothing),
        cmocka_unit_test(test_logs_in_one_file_stay_apart),
        cmocka_unit_test(test_standard_error_after_standard_output),
        cmocka_unit_test(test_any_bytes_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
