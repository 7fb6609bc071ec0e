#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/attributes.h"
#include "report/result_table_internal.h"

/* Numbers within names by value (aes-128 before aes-1024), absent texts first. */
static int compare_text(const char *a, const char *b)
{
    if (a == b)
        return 0;
    if (a == NULL || b == NULL)
        return a == NULL ? -1 : 1;
    return strverscmp(a, b);
}

static int compare_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* In the order in which a key lives. */
static uint64_t operation_rank(const char *operation)
{
    static const char *const names[] = {"keygen", "encrypt", "decrypt", "digest",      "mac",
                                        "kdf",    "random",  "sign",    "verify",      "derive",
                                        "encaps", "decaps",  "parse",   "verify-chain"};
    for (size_t i = 0; operation != NULL && i < COUNT_OF(names); i++)
        if (strcmp(names[i], operation) == 0)
            return i;
    return COUNT_OF(names);
}

/* The harness's own cost comes last. */
static bool is_harness(const struct result *result)
{
    return result->library != NULL && strcmp(result->library, "null") == 0;
}

static int compare_section(const struct result *a, const struct result *b)
{
    int order = compare_number(a->kind, b->kind);
    if (order == 0)
        order = compare_text(a->instrument, b->instrument);
    if (order == 0 && a->kind == RESULT_BYTES)
        order = compare_text(a->mode, b->mode);
    return order;
}

static int compare_group(const struct result *a, const struct result *b)
{
    int order = compare_text(a->algorithm, b->algorithm);
    if (order == 0)
        order = compare_number(operation_rank(a->operation), operation_rank(b->operation));
    if (order == 0)
        order = compare_text(a->operation, b->operation);
    if (order == 0)
        order = compare_text(a->mode, b->mode);
    if (order == 0)
        order = compare_text(a->detail, b->detail);
    return order;
}

static int compare_line(const struct result *a, const struct result *b)
{
    int order = compare_number(is_harness(a), is_harness(b));
    if (order == 0)
        order = compare_text(a->library, b->library);
    if (order == 0)
        order = compare_text(a->version, b->version);
    if (order == 0)
        order = compare_text(a->variant, b->variant);
    if (order == 0)
        order = compare_number(a->machine, b->machine);
    return order;
}

int result_compare(const void *a, const void *b)
{
    const struct result *first = a;
    const struct result *second = b;
    int order = compare_section(first, second);
    if (order == 0)
        order = compare_group(first, second);
    if (order == 0)
        order = compare_line(first, second);
    if (order == 0)
        order = compare_number(first->size_bytes, second->size_bytes);
    if (order == 0)
        order = compare_number(first->order, second->order);
    return order;
}

bool result_same_section(const struct result *a, const struct result *b)
{
    return compare_section(a, b) == 0;
}

bool result_same_group(const struct result *a, const struct result *b)
{
    return result_same_section(a, b) && compare_group(a, b) == 0;
}

bool result_same_line(const struct result *a, const struct result *b)
{
    return result_same_group(a, b) && compare_line(a, b) == 0;
}

double result_rate(const struct result *result)
{
    if (result->kind == RESULT_OTHER)
        return NAN;
    return result->kind == RESULT_BYTES ? result->bytes_per_s : result->operations_per_s;
}

/* The rate at another value of the metric: of a time, the shorter is the faster. */
static double rate_at(const struct result *result, double value)
{
    double rate = result_rate(result);
    if (!isfinite(value) || result->metric == NULL)
        return rate;
    return strcmp(result->metric, "wall_ns") == 0 ? rate * result->value / value : value;
}

double result_rate_low(const struct result *result)
{
    return fmin(rate_at(result, result->low), rate_at(result, result->high));
}

double result_rate_high(const struct result *result)
{
    return fmax(rate_at(result, result->low), rate_at(result, result->high));
}

bool result_might_rank(const struct result *result)
{
    return isfinite(result_rate(result)) && !is_harness(result);
}

bool result_can_rank(const struct result *result)
{
    return result->status == CELL_OK && result->flags == NULL && result_might_rank(result);
}

double result_half_interval(const struct result *result)
{
    return (result->high - result->low) / 2 / result->value;
}
