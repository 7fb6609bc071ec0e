/* Verdicts and the comparison of two logs; expected figures computed by hand from the lines. */
#include "import_log.h"

#include "import/versus.h"

struct judged {
    enum verdict verdict;
    char reasons[8][32];
    unsigned reason_count;
    char instead[256];
    uint32_t first_line;
};

static bool keep_verdict(void *context, const struct import_run *run, struct error *error)
{
    struct judged *judged = context;
    struct arena arena = {0};
    struct verdict_report report;
    bool done = verdict_judge(run, &arena, &report, error);
    if (done) {
        judged->verdict = report.verdict;
        judged->reason_count = report.reason_count;
        for (unsigned i = 0; i < report.reason_count && i < 8; i++)
            snprintf(judged->reasons[i], sizeof judged->reasons[i], "%s", report.reasons[i].name);
        snprintf(judged->instead, sizeof judged->instead, "%s", report.instead);
        judged->first_line = report.reason_count > 0 ? report.reasons[0].lines[0] : 0;
    }
    arena_free(&arena);
    return done;
}

static struct judged judge(const char *text)
{
    struct judged judged = {.verdict = VERDICT_TRUST};
    struct import_sink sink = {.context = &judged, .run = keep_verdict};
    struct import_result result;
    struct error error = {0};
    assert_true(import_memory(text, strlen(text), "test.log", &sink, &result, &error));
    return judged;
}

static const char SOFTWARE[] = "You have chosen to measure elapsed time instead of user CPU time.\n"
                               "version: 3.0.9\n"
                               "type             64 bytes   1024 bytes   8192 bytes\n"
                               "AES-128-CBC       8000.00k     8000.00k     8000.00k\n"
                               "Percent of CPU this job got: 100%\n";

static void test_reasons_are_named_and_placed(void **state)
{
    (void)state;
    struct judged judged =
        judge("$ openssl speed -evp aes-128-cbc -engine devcrypto\n"
              "Doing aes-128-cbc for 3s on 16 size blocks: 37500 aes-128-cbc's in 0.10s\n"
              "OpenSSL 1.1.1k  25 Mar 2021\n"
              "type             16 bytes\n"
              "aes-128-cbc       6000.00k\n");
    assert_int_equal(judged.verdict, VERDICT_DO_NOT_USE);
    assert_string_equal(judged.reasons[0], "cpu-time");
    assert_int_equal(judged.first_line, 5);
    assert_string_equal(judged.instead,
                        "openssl speed -elapsed -evp aes-128-cbc -engine devcrypto");
}

static void test_weightiest_reason_first(void **state)
{
    (void)state;
    struct judged judged = judge("version: 3.0.9\n"
                                 "type             16 bytes\n"
                                 "md5              14319.70k\n"
                                 "md5              28639.40k\n"
                                 "sha1                  infk\n");
    assert_int_equal(judged.verdict, VERDICT_DO_NOT_USE);
    assert_int_equal(judged.reason_count, 2);
    assert_string_equal(judged.reasons[0], "infinite");
    assert_string_equal(judged.reasons[1], "duplicate");
}

static void test_software_run_on_a_shared_core(void **state)
{
    (void)state;
    struct judged judged = judge("Doing sha256 for 3s on 64 size blocks: 60000 sha256's in 2.00s\n"
                                 "version: 3.0.9\n"
                                 "type             64 bytes\n"
                                 "sha256            1920.00k\n");
    assert_int_equal(judged.verdict, VERDICT_CARE);
    assert_string_equal(judged.reasons[0], "shared-core");
}

static void test_nothing_to_say(void **state)
{
    (void)state;
    struct judged judged = judge(SOFTWARE);
    assert_int_equal(judged.verdict, VERDICT_TRUST);
    assert_int_equal(judged.reason_count, 0);
}

static void collect(struct versus_side *side, const char *text)
{
    struct import_sink sink = {.context = side, .run = versus_collect};
    struct import_result result;
    struct error error = {0};
    assert_non_null(side);
    assert_true(import_memory(text, strlen(text), "test.log", &sink, &result, &error));
}

static struct versus compare(struct arena *arena, const char *software, const char *accelerated)
{
    struct versus versus;
    struct error error = {0};
    struct versus_side *first = versus_side_new(arena), *second = versus_side_new(arena);
    collect(first, software);
    collect(second, accelerated);
    assert_true(versus_compare(first, second, arena, &versus, &error));
    return versus;
}

static void test_crossover_and_cpu(void **state)
{
    (void)state;
    /* 3 s nominal: 40000 x 64 -> 853,333 B/s, 20000 x 8192 -> 54,613,333 B/s with 0.3 s of 3 s CPU
     */
    struct arena arena = {0};
    struct versus versus =
        compare(&arena, SOFTWARE,
                "engine \"devcrypto\" set.\n"
                "Doing aes-128-cbc for 3s on 64 size blocks: 40000 aes-128-cbc's in 0.60s\n"
                "Doing aes-128-cbc for 3s on 1024 size blocks: 15000 aes-128-cbc's in 0.30s\n"
                "Doing aes-128-cbc for 3s on 8192 size blocks: 20000 aes-128-cbc's in 0.30s\n"
                "OpenSSL 1.1.1k  25 Mar 2021\n"
                "type             64 bytes   1024 bytes   8192 bytes\n"
                "aes-128-cbc       4266.67k    51200.00k   546133.33k\n");
    assert_int_equal(versus.answer, HARDWARE_USED);
    assert_int_equal(versus.pair_count, 1);
    const struct versus_pair *pair = &versus.pairs[0];
    assert_int_equal(pair->size_count, 3);
    assert_int_equal(pair->crossover.kind, CROSSOVER_ONCE);
    assert_int_equal(pair->crossover.crossings[0].below_bytes, 1024);
    assert_int_equal(pair->crossover.crossings[0].above_bytes, 8192);
    assert_near(pair->sizes[2].accelerated, 20000.0 * 8192 / 3);
    /* a tenth of the CPU: ten times the rate per CPU second */
    assert_near(pair->sizes[2].accelerated_mb_cpu_s, 20000.0 * 8192 / 3 * 10 / 1e6);
    assert_near(pair->sizes[2].software_mb_cpu_s, 8.0);
    arena_free(&arena);
}

static void test_same_rates_are_no_hardware(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct versus versus = compare(&arena, SOFTWARE, SOFTWARE);
    assert_int_equal(versus.answer, HARDWARE_NOT_USED);
    versus = compare(&arena, SOFTWARE, "version: 3.0.9\ntype     16 bytes\nmd5   14319.70k\n");
    assert_int_equal(versus.answer, HARDWARE_UNCLEAR);
    assert_int_equal(versus.pair_count, 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reasons_are_named_and_placed),
        cmocka_unit_test(test_weightiest_reason_first),
        cmocka_unit_test(test_software_run_on_a_shared_core),
        cmocka_unit_test(test_nothing_to_say),
        cmocka_unit_test(test_crossover_and_cpu),
        cmocka_unit_test(test_same_rates_are_no_hardware),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
