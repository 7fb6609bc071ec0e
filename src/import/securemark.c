/*
 * SecureMark-TLS, self-hosted (EEMBC securemark-tls 1.0).
 *
 *   Component #05 ips=        499.762 crc=0xb659 expected_crc=0xb659
 *   SecureMark-TLS Score is 112677.812 marks
 *
 * What the components are stands in the table of its main program (selfhosted/main.c).
 */
#include <math.h>
#include <string.h>

#include "import/importer.h"

struct securemark {
    bool row;
};

static const struct {
    const char *algorithm, *operation;
    int64_t size_bytes;
} COMPONENTS[] = {
    {"aes-128-ecb", "encrypt", 144}, {"aes-128-ecb", "encrypt", 224},
    {"aes-128-ecb", "encrypt", 320}, {"aes-128-ccm", "encrypt", 52},
    {"aes-128-ccm", "decrypt", 168}, {"ecdh-p256", "derive", -1},
    {"ecdsa-p256", "sign", -1},      {"ecdsa-p256", "verify", -1},
    {"sha256", "digest", 23},        {"sha256", "digest", 57},
    {"sha256", "digest", 384},       {"sha256-contexts", "digest", -1},
    {"sha256", "digest", 4224},      {"aes-128-ecb", "encrypt", 2048},
};

static void begin(struct collector *collector)
{
    if (collector->run.format[0] == '\0')
        collect_begin(collector, importer_securemark.name, importer_securemark.tool);
}

/* "crc=0xc7b0" and "expected_crc=0xc7b0" hold the same digits. */
static bool checks_agree(const char *text)
{
    const char *expected = find_text(text, "expected_crc=");
    const char *actual = find_text(text, " crc=");
    if (expected == NULL || actual == NULL)
        return true;
    actual += 5;
    expected += 13;
    size_t length = strcspn(actual, " ");
    return strncmp(actual, expected, length) == 0 && strcspn(expected, " ") == length &&
           find_text(text, "did not match") == NULL;
}

/* "Component #05 ips= 499.762 crc=... expected_crc=0x...", as a whole. */
static bool component_parts(const char *text, double *number, double *rate)
{
    const char *ips = find_text(text, "ips=");
    return scan_number(slice_of(text + 11), number) > 0 && ips != NULL &&
           find_text(ips, "expected_crc=0x") != NULL &&
           scan_number(slice_trim(slice_of(ips + 4)), rate) > 0;
}

static bool component(struct collector *collector, const struct import_line *line)
{
    const char *text = find_text(line->text, "Component #");
    if (text == NULL)
        return false;
    double number, rate;
    if (!component_parts(text, &number, &rate)) {
        begin(collector);
        collect_finding(collector, line->last ? FINDING_CUT : FINDING_UNREAD, line->number, text);
        return true;
    }
    begin(collector);
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    const size_t components = COUNT_OF(COMPONENTS);
    bool known = number >= 0 && number < (double)components;
    size_t index = known ? (size_t)number : 0;
    reading->label = collect_text(collector, "component %02.0f", number);
    reading->algorithm = known ? COMPONENTS[index].algorithm : reading->label;
    reading->operation = known ? COMPONENTS[index].operation : "";
    reading->size_bytes = known ? COMPONENTS[index].size_bytes : -1;
    reading->metric = METRIC_OPS_PER_S;
    reading->printed = rate;
    if (!checks_agree(text)) {
        reading->status = CELL_FAILED;
        reading->flags = FLAG_ERRORS_TIMED;
        collect_finding(collector, FINDING_OPERATION_ERROR, line->number, text);
    } else if (known && rate > 0) {
        reading->value = rate;
    } else {
        reading->status = CELL_UNKNOWN;
    }
    return true;
}

static bool score(struct collector *collector, const struct import_line *line)
{
    const char *at = find_text(line->text, "SecureMark-TLS Score is ");
    double marks;
    if (at == NULL || scan_number(slice_of(at + 24), &marks) == 0 ||
        find_text(at, " marks") == NULL)
        return false;
    begin(collector);
    bool failed = false;
    for (size_t i = 0; i < collector->reading_count; i++)
        failed = failed || collector->readings[i].status == CELL_FAILED;
    struct reading *reading = collect_reading(collector, line->number);
    if (reading == NULL)
        return true;
    reading->algorithm = "securemark-tls";
    reading->operation = "score";
    reading->label = "SecureMark-TLS Score";
    reading->metric = METRIC_MARKS;
    reading->printed = marks;
    if (failed) {
        reading->status = CELL_FAILED;
        reading->flags = FLAG_ERRORS_TIMED;
    } else if (marks > 0) {
        reading->value = marks;
    } else {
        reading->status = CELL_UNKNOWN;
    }
    return true;
}

static bool probe(const struct import_line *line)
{
    return (find_text(line->text, "Component #") != NULL &&
            find_text(line->text, "ips=") != NULL) ||
           find_text(line->text, "SecureMark-TLS Score is ") != NULL ||
           has_prefix(line->text, "Running each primitive for at least ");
}

static void finish(void *memory, struct collector *collector)
{
    struct securemark *state = memory;
    collect_finish(collector);
    state->row = false;
}

static bool parse(void *memory, struct collector *collector, const struct import_line *line)
{
    struct securemark *state = memory;
    if (line->stars)
        return false;
    bool title = has_prefix(line->text, "Running each primitive for at least ");
    bool first = find_text(line->text, "Component #00") != NULL;
    if ((title || first) && state->row)
        finish(state, collector);
    if (title) {
        begin(collector);
        return true;
    }
    bool read = component(collector, line) || score(collector, line);
    state->row = state->row || read;
    return read;
}

const struct importer importer_securemark = {
    .name = "securemark-tls",
    .tool = "SecureMark-TLS",
    .description = "SecureMark-TLS 1.0, self-hosted",
    .state_size = sizeof(struct securemark),
    .probe = probe,
    .parse = parse,
    .finish = finish,
};
