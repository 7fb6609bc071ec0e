#include "import/openssl_speed_names.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* --- interface ----------------------------------------------------------------------------- */

/* The major version times 100 plus the minor; 0 when the log does not say. LibreSSL counts as 100,
 * whose labels it kept. */
static int version_of(const char *version)
{
    if (has_prefix(version, "LibreSSL"))
        return 100;
    const char *digit = strpbrk(version, "0123456789");
    if (digit == NULL || digit[1] != '.')
        return 0;
    int major = digit[0] - '0';
    int minor = isdigit((unsigned char)digit[2]) ? digit[2] - '0' : 0;
    return major * 100 + minor;
}

static bool has_upper(const char *text)
{
    for (; *text != '\0'; text++) {
        if (isupper((unsigned char)*text))
            return true;
    }
    return false;
}

/* The command asks for this very algorithm with -evp. */
static bool asked_by_evp(const struct run_facts *facts, const char *label)
{
    const char *option = facts->command;
    while ((option = find_text(option, "-evp ")) != NULL) {
        struct slice rest = slice_of(option + 5), word;
        if (slice_word(&rest, &word) && slice_is_nocase(word, label))
            return true;
        option += 5;
    }
    return false;
}

/* A cipher whose label holds no blank: "aes-128-cbc", "AES-128-CBC". */
static const char *cipher_interface(const struct run_facts *facts, const char *label, int version)
{
    if (has_upper(label))
        return "evp";   /* the names of 3.0 */
    if (version >= 300) /* a harness that kept the version only may have changed the case */
        return facts->built[0] != '\0' ? "plain" : "";
    if (version > 0)
        return "evp";
    return facts->evp_asked && !facts->command_known ? "evp" : "";
}

const char *speed_interface(const struct run_facts *facts, const struct speed_row *row)
{
    const char *label = row->label;
    int version = version_of(facts->version);
    if (asked_by_evp(facts, label))
        return "evp";
    if (strchr(label, ' ') != NULL || strcmp(label, "ghash") == 0)
        return "plain"; /* "aes-128 cbc": the names before 3.0 */
    if (row->name_kind == NAME_CIPHER && strchr(label, '-') != NULL) /* unlike "rc4" */
        return cipher_interface(facts, label, version);
    if (facts->evp_asked && !facts->command_known)
        return "evp";
    return version > 0 || facts->command_known ? "plain" : "";
}

bool speed_offloads(const struct run_facts *facts)
{
    static const char *const OFFLOADING[] = {"devcrypto", "cryptodev", "afalg",  "af_alg", "af-alg",
                                             "caam",      "qat",       "pkcs11", "uadk",   "tpm",
                                             "se05",      "e4crypto",  "nss",    "ibmca",  NULL};
    for (const char *const *name = OFFLOADING; *name != NULL; name++) {
        if (find_nocase(facts->engine, *name) != NULL)
            return true;
    }
    return false;
}

/* --- algorithms ---------------------------------------------------------------------------- */

/* Curves by their index in the table and their bits. The prime curves stand first in every
 * version; the binary ones follow where they are built, then Brainpool with r1 before t1. */
static const char *curve_by_index(int64_t bits, unsigned index)
{
    static const struct {
        int64_t bits;
        unsigned until; /* the last index of this name */
        const char *even, *odd;
    } CURVES[] = {
        {160, UINT_MAX, "secp160r1", "secp160r1"},
        {192, UINT_MAX, "p192", "p192"},
        {224, UINT_MAX, "p224", "p224"},
        {256, 3, "p256", "p256"},
        {256, UINT_MAX, "brainpoolp256r1", "brainpoolp256t1"},
        {384, 4, "p384", "p384"},
        {384, UINT_MAX, "brainpoolp384r1", "brainpoolp384t1"},
        {512, UINT_MAX, "brainpoolp512r1", "brainpoolp512t1"},
        {521, UINT_MAX, "p521", "p521"},
        {253, UINT_MAX, "x25519", "x25519"},
        {448, UINT_MAX, "x448", "x448"},
        {163, 10, "k163", "k163"},
        {163, UINT_MAX, "b163", "b163"},
        {233, 10, "k233", "k233"},
        {233, UINT_MAX, "b233", "b233"},
        {283, 10, "k283", "k283"},
        {283, UINT_MAX, "b283", "b283"},
        {409, 10, "k409", "k409"},
        {409, UINT_MAX, "b409", "b409"},
        {571, 10, "k571", "k571"},
        {571, UINT_MAX, "b571", "b571"},
    };
    for (size_t i = 0; i < COUNT_OF(CURVES); i++) {
        if (CURVES[i].bits == bits && index <= CURVES[i].until)
            return index % 2 == 0 ? CURVES[i].even : CURVES[i].odd;
    }
    return NULL;
}

static const char *with_curve(struct collector *collector, enum speed_kind kind, const char *curve)
{
    bool whole = strcmp(curve, "x25519") == 0 || strcmp(curve, "x448") == 0 ||
                 strcmp(curve, "ed25519") == 0 || strcmp(curve, "ed448") == 0 ||
                 strcmp(curve, "sm2") == 0;
    if (whole)
        return collect_text(collector, "%s", curve);
    return collect_text(collector, "%s-%s", kind == SPEED_ECDH ? "ecdh" : "ecdsa", curve);
}

enum { NAMES = 128 };

/* The names an operation was measured with, each once, in the order of the log. */
static size_t measured_names(const struct speed_run *run, enum speed_operation operation,
                             const char *names[NAMES])
{
    size_t count = 0;
    for (size_t i = 0; i < run->count_count && count < NAMES; i++) {
        const struct speed_count *one = &run->counts[i];
        if (one->doing.operation != operation || one->doing.size >= 0 ||
            one->doing.kind < SPEED_KEM)
            continue;
        size_t seen = 0;
        while (seen < count && strcmp(names[seen], one->algorithm) != 0)
            seen++;
        if (seen == count)
            names[count++] = one->algorithm;
    }
    return count;
}

/* Rows of names in -mr carry an index only; the names stand in the +DTP lines, in the same order.
 */
static const char *name_by_order(const struct speed_run *run, const struct speed_row *row)
{
    enum speed_operation operation = row->kind == SPEED_KEM ? OPERATION_ENCAPS : OPERATION_SIGN;
    size_t order = 0, rows = 0;
    for (size_t i = 0; i < run->row_count && i < 512; i++) {
        if (run->rows[i].kind != row->kind || run->rows[i].worker != row->worker)
            continue;
        order += &run->rows[i] < row;
        rows++;
    }
    const char *names[NAMES];
    size_t count = measured_names(run, operation, names);
    return rows == count && order < count ? names[order] : "";
}

const char *speed_row_algorithm(struct speed_run *run, struct collector *collector,
                                const struct speed_row *row)
{
    struct slice label = slice_of(row->label);
    const char *curve;
    switch (row->kind) {
    case SPEED_RSA:
        return collect_text(collector, "rsa-%lld", (long long)row->bits);
    case SPEED_DSA:
        return collect_text(collector, "dsa-%lld", (long long)row->bits);
    case SPEED_FFDH:
        return collect_text(collector, "ffdhe%lld", (long long)row->bits);
    case SPEED_ECDSA:
    case SPEED_ECDH:
    case SPEED_EDDSA:
    case SPEED_SM2:
        if (label.length > 0) {
            struct name name = name_curve(label);
            return with_curve(collector, row->kind, name.text);
        }
        curve = curve_by_index(row->bits, row->index);
        return curve != NULL ? with_curve(collector, row->kind, curve) : "";
    default:
        if (label.length == 0)
            return name_by_order(run, row);
        return collect_text(collector, "%s", name_key(label).text);
    }
}

/* Sentences about curves name their bits only: the n-th of the same bits is the n-th curve. */
static const char *curve_by_occurrence(const struct speed_run *run, const struct speed_count *count)
{
    unsigned before = 0;
    for (const struct speed_count *one = run->counts; one < count && before < 3; one++)
        before += one->doing.kind == count->doing.kind && one->doing.size == count->doing.size &&
                  one->doing.operation == count->doing.operation;
    int64_t bits = count->doing.size;
    if (bits == 256 || bits == 384)
        return curve_by_index(bits, before == 0 ? 3 : before == 1 ? 16 : 17);
    if (bits == 512)
        return curve_by_index(bits, before == 0 ? 16 : 17);
    return curve_by_index(bits, before == 0 ? 6 : 11);
}

const char *speed_count_algorithm(struct speed_run *run, struct collector *collector,
                                  const struct speed_count *count)
{
    struct speed_row row = {.kind = count->doing.kind, .bits = count->doing.size, .label = ""};
    const char *curve;
    switch (count->doing.kind) {
    case SPEED_ECDSA:
    case SPEED_ECDH:
        curve = curve_by_occurrence(run, count);
        return curve != NULL ? with_curve(collector, count->doing.kind, curve) : "";
    case SPEED_EDDSA:
    case SPEED_SM2:
        return with_curve(collector, count->doing.kind, name_curve(count->doing.label).text);
    case SPEED_KEM:
    case SPEED_SIGNATURE:
        return count->algorithm;
    default:
        return speed_row_algorithm(run, collector, &row);
    }
}

/* --- +F lines ------------------------------------------------------------------------------ */

enum speed_mr_meaning speed_mr_meaning(const struct speed_run *run)
{
    double largest = 0;
    for (size_t i = 0; i < run->row_count && i < 512; i++) {
        const struct speed_row *row = &run->rows[i];
        for (unsigned j = 0; row->raw && row->kind != SPEED_BULK && j < row->operation_count &&
                             j < row->count && row->operation_count != 1;
             j++)
            largest = fmax(largest, row->values[j].number);
    }
    if (largest > 100)
        return MR_RATES;
    return largest > 0 && largest < 1 ? MR_SECONDS : MR_UNKNOWN;
}

/* --- "evp" ------------------------------------------------------------------------------------ */

/* The one algorithm that all children measured; NULL: several, or none. */
static const struct speed_row *sole_child_row(const struct speed_run *run)
{
    const struct speed_row *sole = NULL;
    for (size_t i = 0; i < run->row_count; i++) {
        const struct speed_row *row = &run->rows[i];
        if (row->kind != SPEED_BULK || row->worker < 0)
            continue;
        if (sole != NULL && strcmp(sole->algorithm, row->algorithm) != 0)
            return NULL;
        sole = row;
    }
    return sole;
}

void speed_name_evp_totals(struct speed_run *run)
{
    const struct speed_row *child = sole_child_row(run);
    for (size_t i = 0; i < run->row_count && child != NULL; i++) {
        struct speed_row *row = &run->rows[i];
        if (row->kind != SPEED_BULK || row->worker >= 0 || strcmp(row->algorithm, "evp") != 0)
            continue;
        row->algorithm = child->algorithm;
        row->name_kind = child->name_kind;
    }
}

/* --- totals -------------------------------------------------------------------------------- */

enum { SUMMED_READINGS = 2048 };

static bool same_thing(const struct reading *a, const struct reading *b)
{
    return a->size_bytes == b->size_bytes && strcmp(a->algorithm, b->algorithm) == 0 &&
           strcmp(a->operation, b->operation) == 0;
}

void speed_sum_workers(struct speed_run *run, struct collector *collector)
{
    size_t count = collector->reading_count;
    collect_finding_text(collector, FINDING_NO_SUMMARY, run->rows[0].line,
                         "%u children and no total in the log; the totals are their sums",
                         run->workers);
    if (count > SUMMED_READINGS)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct reading *first = &collector->readings[i];
        if (strcmp(first->variant, "worker:0") != 0)
            continue;
        double sum = 0;
        unsigned found = 0;
        for (size_t j = 0; j < count; j++) {
            if (!same_thing(first, &collector->readings[j]))
                continue;
            sum += collector->readings[j].value;
            found++;
        }
        struct reading copy = *first;
        struct reading *total = collect_reading(collector, copy.line);
        if (total == NULL)
            return;
        *total = copy;
        total->variant = "total";
        total->flags = FLAG_TOTAL_OF_WORKERS;
        total->printed = NAN;
        total->status = found == run->workers && isfinite(sum) ? CELL_SALVAGED : CELL_UNKNOWN;
        total->value = total->status == CELL_SALVAGED ? sum : NAN;
    }
}
