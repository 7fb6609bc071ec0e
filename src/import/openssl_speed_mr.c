/* The machine-readable lines of `openssl speed -mr` and of the children of -multi. */
#include "import/openssl_speed.h"

#include <math.h>
#include <string.h>

enum { MR_FIELDS = SPEED_COLUMNS + 4 };

struct fields {
    struct slice field[MR_FIELDS];
    unsigned count;
};

static void split_fields(struct slice text, struct fields *fields)
{
    fields->count = 0;
    while (fields->count < MR_FIELDS && slice_field(&text, ':', &fields->field[fields->count]))
        fields->count++;
}

/* +H:16:64:256 */
static bool header_line(struct speed_run *run, struct collector *collector,
                        const struct fields *fields)
{
    struct speed_header header = {.count = 0, .line = collector->now_line};
    for (unsigned i = 1; i < fields->count && header.count < SPEED_COLUMNS; i++) {
        int64_t size;
        if (!slice_integer(fields->field[i], &size) || size <= 0)
            return false;
        header.sizes[header.count++] = size;
    }
    return header.count > 0 && speed_set_header(run, collector, &header) != NULL;
}

/* `decimals` is what the tool prints; fewer are the rest of a line that was cut. */
static bool mr_value(struct slice field, int decimals, struct speed_value *value)
{
    bool seconds;
    double number;
    if (slice_number(field, &number)) {
        if (slice_decimals(field) < decimals)
            return false;
        *value = (struct speed_value){FORM_NUMBER, false, number};
        return true;
    }
    return field.length >= 3 && !(field.text[0] >= '0' && field.text[0] <= '9') &&
           speed_whole_value(field, false, value, &seconds);
}

static unsigned mr_values(const struct fields *fields, unsigned first, int decimals,
                          struct speed_value values[SPEED_COLUMNS])
{
    unsigned count = 0;
    for (unsigned i = first; i < fields->count && count < SPEED_COLUMNS; i++) {
        if (!mr_value(fields->field[i], decimals, &values[count]))
            values[count] = (struct speed_value){.form = FORM_CUT, .number = NAN};
        count++;
    }
    return count;
}

/* +F:25:aes-256-cbc:758099040.00:... */
static bool bulk_line(struct speed_run *run, struct collector *collector,
                      const struct fields *fields, int worker)
{
    struct speed_value values[SPEED_COLUMNS];
    if (fields->count < 4 || speed_holds_figure(fields->field[2]))
        return false;
    unsigned count = mr_values(fields, 3, 2, values);
    struct speed_row *row = speed_add_row(run, collector);
    if (row == NULL)
        return true;
    struct name name = name_symmetric(fields->field[2]);
    row->kind = SPEED_BULK;
    row->label = collect_slice(collector, fields->field[2]);
    row->algorithm = collect_text(collector, "%s", name.text);
    row->name_kind = name.kind;
    row->known = name.known;
    row->raw = true;
    row->worker = worker;
    row->count = count;
    row->values = speed_copy_values(collector, values, count);
    row->header = run->header;
    return true;
}

/* Tables by the number behind +F, from OpenSSL 0.9.7 (F2, F3) to 3.4 (F9, F10). */
static const struct {
    const char *tag;
    enum speed_kind kind;
    bool bits, name;
    unsigned operation_count;
    enum speed_operation operations[4];
} KEY_TABLES[] = {
    {"+F2",
     SPEED_RSA,
     true,
     false,
     2,
     {OPERATION_SIGN, OPERATION_VERIFY, OPERATION_ENCRYPT, OPERATION_DECRYPT}},
    {"+F3", SPEED_DSA, true, false, 2, {OPERATION_SIGN, OPERATION_VERIFY}},
    {"+F4", SPEED_ECDSA, true, false, 2, {OPERATION_SIGN, OPERATION_VERIFY}},
    {"+F5", SPEED_ECDH, true, false, 1, {OPERATION_DERIVE}},
    {"+F6", SPEED_EDDSA, true, true, 2, {OPERATION_SIGN, OPERATION_VERIFY}},
    {"+F7", SPEED_SM2, true, true, 2, {OPERATION_SIGN, OPERATION_VERIFY}},
    {"+F8", SPEED_FFDH, true, false, 1, {OPERATION_DERIVE}},
    {"+F9", SPEED_KEM, false, false, 3, {OPERATION_KEYGEN, OPERATION_ENCAPS, OPERATION_DECAPS}},
    {"+F10",
     SPEED_SIGNATURE,
     false,
     false,
     3,
     {OPERATION_KEYGEN, OPERATION_SIGN, OPERATION_VERIFY}},
};

/* Index of the table a tag names; COUNT_OF(KEY_TABLES) when none. */
static size_t key_table(struct slice tag)
{
    size_t table = 0;
    while (table < COUNT_OF(KEY_TABLES) && !slice_is(tag, KEY_TABLES[table].tag))
        table++;
    return table;
}

static bool key_line(struct speed_run *run, struct collector *collector,
                     const struct fields *fields, int worker)
{
    size_t table = key_table(fields->field[0]);
    int64_t index = 0, bits = -1;
    if (table == COUNT_OF(KEY_TABLES) || fields->count < 3 ||
        !slice_integer(fields->field[1], &index) || index < 0)
        return false;
    unsigned at = 2;
    if (KEY_TABLES[table].bits && !slice_integer(fields->field[at++], &bits))
        return false;
    struct slice name = {"", 0};
    if (KEY_TABLES[table].name && at < fields->count)
        name = fields->field[at++];
    struct speed_value values[SPEED_COLUMNS];
    unsigned count = at < fields->count ? mr_values(fields, at, 6, values) : 0;
    if (count == 0)
        return false;
    struct speed_row *row = speed_add_row(run, collector);
    if (row == NULL)
        return true;
    row->kind = KEY_TABLES[table].kind;
    row->label = collect_slice(collector, name);
    row->bits = bits;
    row->index = (unsigned)index;
    row->raw = true;
    row->worker = worker;
    row->count = count;
    row->values = speed_copy_values(collector, values, count);
    memcpy(row->operations, KEY_TABLES[table].operations, sizeof row->operations);
    row->operation_count = KEY_TABLES[table].operation_count;
    if (row->kind == SPEED_RSA && count == 4)
        row->operation_count = 4;
    return true;
}

/* +DT:<label>:<seconds>:<size> */
static bool doing_line(struct speed_run *run, struct collector *collector,
                       const struct fields *fields)
{
    struct speed_doing doing = {.kind = SPEED_BULK, .operation = OPERATION_BULK};
    if (fields->count < 4 || !slice_number(fields->field[fields->count - 2], &doing.nominal_s) ||
        !slice_integer(fields->field[fields->count - 1], &doing.size))
        return false;
    doing.label = fields->field[1];
    doing.label_words = 1;
    return speed_add_count(run, collector, &doing) != NULL;
}

static bool mr_operation(struct slice word, enum speed_operation *operation)
{
    static const struct {
        const char *word;
        enum speed_operation operation;
    } WORDS[] = {
        {"private", OPERATION_SIGN},    {"private rsa sign", OPERATION_SIGN},
        {"public", OPERATION_VERIFY},   {"sign", OPERATION_SIGN},
        {"signs", OPERATION_SIGN},      {"verify", OPERATION_VERIFY},
        {"encrypt", OPERATION_ENCRYPT}, {"decrypt", OPERATION_DECRYPT},
        {"keygen", OPERATION_KEYGEN},   {"encaps", OPERATION_ENCAPS},
        {"decaps", OPERATION_DECAPS},   {"", OPERATION_DERIVE},
    };
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        if (slice_is(word, WORDS[i].word)) {
            *operation = WORDS[i].operation;
            return true;
        }
    }
    return false;
}

/* "rsa", "rsa sign", "dsa", "ecdsa", "ecdh", "Ed25519", "CurveSM2", "ffdh". */
static bool mr_kind(struct slice word, struct speed_doing *doing)
{
    struct slice rest = word, first, second;
    if (!slice_word(&rest, &first))
        return false;
    static const struct {
        const char *word;
        enum speed_kind kind;
    } KINDS[] = {
        {"rsa", SPEED_RSA},     {"dsa", SPEED_DSA},      {"ecdsa", SPEED_ECDSA},
        {"ecdh", SPEED_ECDH},   {"ffdh", SPEED_FFDH},    {"Ed25519", SPEED_EDDSA},
        {"Ed448", SPEED_EDDSA}, {"CurveSM2", SPEED_SM2}, {"sm2", SPEED_SM2},
    };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (!slice_is(first, KINDS[i].word))
            continue;
        doing->kind = KINDS[i].kind;
        doing->label = first;
        if (slice_word(&rest, &second))
            return mr_operation(second, &doing->operation);
        return true;
    }
    return false;
}

/* +DTP:<bits>:<operation>:<key>:<seconds>, +DTP:<name>:<operation>:<seconds> */
static bool key_doing_line(struct speed_run *run, struct collector *collector,
                           const struct fields *fields)
{
    struct speed_doing doing = {.size = -1, .label_words = 1};
    if (fields->count == 5) {
        if (!slice_integer(fields->field[1], &doing.size) ||
            !slice_number(fields->field[4], &doing.nominal_s) ||
            !mr_operation(fields->field[2], &doing.operation) || !mr_kind(fields->field[3], &doing))
            return false;
    } else {
        if (fields->count != 4 || !slice_number(fields->field[3], &doing.nominal_s) ||
            !mr_operation(fields->field[2], &doing.operation))
            return false;
        bool kem = doing.operation == OPERATION_ENCAPS || doing.operation == OPERATION_DECAPS;
        doing.kind = kem ? SPEED_KEM : SPEED_SIGNATURE;
        doing.label = fields->field[1];
    }
    return speed_add_count(run, collector, &doing) != NULL;
}

/* +R:<count>:<label>:<seconds>, +R1:<count>:<bits>[:<name>]:<seconds>. What was measured, the +DT
 * or +DTP line before it says: the numbers behind +R changed their meaning between 3.0 and 3.2.
 * With several children the lines of all stand mixed, so the label has to agree. */
static bool result_line(struct speed_run *run, const struct fields *fields)
{
    int64_t count;
    double seconds;
    if (fields->count < 4 || !slice_integer(fields->field[1], &count) ||
        !slice_number(fields->field[fields->count - 1], &seconds))
        return false;
    for (size_t i = run->count_count; i-- > 0 && run->count_count - i <= 64;) {
        struct speed_count *waiting = &run->counts[i];
        if (waiting->finished)
            continue;
        bool bulk = slice_is(fields->field[0], "+R");
        int64_t bits = -1;
        if (bulk != (waiting->doing.kind == SPEED_BULK))
            continue;
        if (!bulk && slice_integer(fields->field[2], &bits) && bits != waiting->doing.size)
            continue;
        waiting->count = (double)count;
        waiting->counted_s = seconds;
        waiting->finished = true;
        waiting->exact = bulk;
        return true;
    }
    return true;
}

/* "Got: <line> from <worker>" -> the line; -1 when it is no such. */
static bool from_child(const char *text, struct slice *line, int *worker)
{
    const char *got = find_text(text, "Got: +");
    if (got == NULL)
        return false;
    const char *from = NULL;
    for (const char *next = got; (next = find_text(next, " from ")) != NULL; next++)
        from = next;
    int64_t number;
    if (from == NULL || !slice_integer(slice_trim(slice_of(from + 6)), &number) || number < 0 ||
        number > 100000)
        return false;
    *line = (struct slice){got + 5, (size_t)(from - got - 5)};
    *worker = (int)number;
    return true;
}

bool speed_mr_line(struct speed_run *run, struct collector *collector, const char *text)
{
    struct slice line = slice_trim(slice_of(text));
    int worker = -1;
    if (find_text(text, "Got: ") != NULL) {
        if (!from_child(text, &line, &worker))
            return false;
        if ((unsigned)worker + 1 > run->workers)
            run->workers = (unsigned)worker + 1;
    }
    struct fields fields;
    split_fields(line, &fields);
    if (fields.count < 2)
        return false;
    struct slice tag = fields.field[0];
    if (slice_is(tag, "+H"))
        return header_line(run, collector, &fields);
    if (slice_is(tag, "+F"))
        return bulk_line(run, collector, &fields, worker);
    if (slice_starts(tag, "+F"))
        return key_line(run, collector, &fields, worker);
    if (slice_is(tag, "+DT"))
        return doing_line(run, collector, &fields);
    if (slice_is(tag, "+DTP"))
        return key_doing_line(run, collector, &fields);
    if (slice_starts(tag, "+R"))
        return result_line(run, &fields);
    return slice_is(tag, "+DN") || slice_is(tag, "+DNP");
}
