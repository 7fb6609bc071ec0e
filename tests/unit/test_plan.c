#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/plan.h"
#include "core/buffer.h"

struct settings {
    struct text_list algorithms;
    struct size_list sizes;
    double target;
    bool quick;
};

static const struct option cipher_options[] = {
    {.name = "algorithm", .kind = OPTION_LIST, .offset = offsetof(struct settings, algorithms)},
    {.name = "sizes", .kind = OPTION_SIZES, .offset = offsetof(struct settings, sizes)},
    {.name = "target",
     .kind = OPTION_RATIO,
     .offset = offsetof(struct settings, target),
     .otherwise = "1%"},
    {.name = "quick", .kind = OPTION_FLAG, .offset = offsetof(struct settings, quick)},
    {.name = "child",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct settings, quick),
     .hidden = true},
};

static const struct option plain_options[] = {
    {.name = "target", .kind = OPTION_RATIO, .offset = offsetof(struct settings, target)},
};

static bool measure_nothing(struct session *session, const void *settings, struct error *error)
{
    (void)session;
    (void)settings;
    (void)error;
    return true;
}

static const struct command command_cipher = {
    .name = "crypto",
    .options = cipher_options,
    .option_count = COUNT_OF(cipher_options),
    .settings_size = sizeof(struct settings),
    .measure = measure_nothing,
};

static const struct command command_plain = {
    .name = "handshake",
    .options = plain_options,
    .option_count = COUNT_OF(plain_options),
    .settings_size = sizeof(struct settings),
    .measure = measure_nothing,
};

static const struct command command_other = {.name = "show"};

/* In place of the program's table. */
const struct command *const commands[] = {&command_cipher, &command_plain, &command_other, NULL};

static void jobs_inherit_from_global(void **state)
{
    (void)state;
    static const char text[] = "; a plan\n"
                               "[ciphers]\n"
                               "instrument = crypto\n"
                               "algorithm = aes-*, \n"
                               "    chacha20-poly1305\n"
                               "\tsha256 ; three of them\n"
                               "quick = true\n"
                               "\n"
                               "[tls]\n"
                               "instrument=handshake\n"
                               "[global]\n"
                               "target = 5%\n"
                               "sizes = 16,1KiB\n";
    struct plan plan;
    struct error error;
    assert_true(plan_read_text(&plan, text, strlen(text), "p.ini", &error));
    assert_int_equal(plan.job_count, 2);

    const struct settings *ciphers = plan.jobs[0].settings;
    assert_string_equal(plan.jobs[0].name, "ciphers");
    assert_int_equal(plan.jobs[0].line, 2);
    assert_ptr_equal(plan.jobs[0].command, &command_cipher);
    assert_int_equal(ciphers->algorithms.count, 3);
    assert_string_equal(ciphers->algorithms.items[1], "chacha20-poly1305");
    assert_string_equal(ciphers->algorithms.items[2], "sha256");
    assert_int_equal(ciphers->sizes.count, 2);
    assert_float_equal(ciphers->target, 0.05, 1e-12);
    assert_true(ciphers->quick);

    const struct settings *tls = plan.jobs[1].settings;
    assert_ptr_equal(plan.jobs[1].command, &command_plain);
    assert_float_equal(tls->target, 0.05, 1e-12); /* "sizes" is nothing to it */
    plan_free(&plan);
}

static void a_job_may_be_empty_and_override(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBF[global]\r\ninstrument = crypto\r\ntarget = 5%\r\n"
                               "[all]\r\n[fine]\r\ntarget = 0.1%";
    struct plan plan;
    struct error error;
    assert_true(plan_read_text(&plan, text, strlen(text), "p.ini", &error));
    assert_int_equal(plan.job_count, 2);
    const struct settings *all = plan.jobs[0].settings;
    const struct settings *fine = plan.jobs[1].settings;
    assert_float_equal(all->target, 0.05, 1e-12);
    assert_float_equal(fine->target, 0.001, 1e-12);
    plan_free(&plan);
}

static void expect_refusal(const char *text, const char *expected)
{
    struct plan plan;
    struct error error;
    assert_false(plan_read_text(&plan, text, strlen(text), "p.ini", &error));
    assert_string_equal(error.text, expected);
    assert_int_equal(plan.job_count, 0);
}

static void refusals_say_where_and_what(void **state)
{
    (void)state;
    expect_refusal("[a]\ninstrument = crypto\nalgoritm = x\n",
                   "p.ini:3: unknown key algoritm; did you mean algorithm?");
    expect_refusal("[a]\ninstrument = cryptto\n",
                   "p.ini:2: there is no instrument \"cryptto\"; did you mean crypto?");
    expect_refusal("[a]\ninstrument = show\n", "p.ini:2: there is no instrument \"show\"; choose "
                                               "from crypto, handshake");
    expect_refusal("\n[a]\nsizes = 16\n",
                   "p.ini:2: the job has no \"instrument =\", and [global] has none");
    expect_refusal("[a]\ninstrument = crypto\nsizes = 16,x\n",
                   "p.ini:3: sizes: \"x\" is not a size: give bytes or KiB, MiB, GiB, like 1420 or "
                   "16KiB");
    expect_refusal("[a]\ninstrument = crypto\nchild = true\n",
                   "p.ini:3: child may not stand in a plan");
    expect_refusal("[a]\ninstrument = crypto\n[b]\n[a]\n", "p.ini:4: [a] stands in line 1 already");
    expect_refusal("[a]\ninstrument = crypto\nsizes = 16\nsizes = 32\n",
                   "p.ini:4: sizes stands in line 3 already");
    expect_refusal("[a]\ninstrument = crypto\n  sizes = 16\n",
                   "p.ini:3: an indented line goes on with the value above; keys start a line");
    expect_refusal("sizes = 16\n", "p.ini:1: a key stands before the first [section]");
    expect_refusal("[a\n", "p.ini:1: a section is [NAME]: the ] is missing");
    expect_refusal("[]\n", "p.ini:1: a section's name has 1 to 48 characters");
    expect_refusal("[a]\ninstrument = crypto\nquick\n",
                   "p.ini:3: expected [section], key = value, or a ; comment");
    expect_refusal("[global]\ninstrument = crypto\n",
                   "p.ini: the plan has no job; a job is a [section] with \"instrument =\"");
    expect_refusal("", "p.ini: the plan has no job; a job is a [section] with \"instrument =\"");
    /* Of [global] every key must be known to one of the instruments. */
    expect_refusal("[global]\nsizse = 16\n[a]\ninstrument = crypto\n",
                   "p.ini:2: unknown key sizse; did you mean sizes?");
    expect_refusal("[global]\nsizes = 16\n[a]\ninstrument = handshake\n",
                   "p.ini:2: unknown key sizes; see tlsmeter handshake --help");
    expect_refusal("[global]\ntarget = 0\n[a]\ninstrument = crypto\n",
                   "p.ini:2: target: \"0\" is out of range: above 0%, at most 100%");
}

static void sizes_of_a_plan_are_bounded(void **state)
{
    (void)state;
    struct plan plan;
    struct error error;
    struct buffer text;
    buffer_init(&text, PLAN_BYTES_MAXIMUM + 10);
    for (unsigned i = 0; i <= PLAN_JOBS_MAXIMUM + 1; i++)
        buffer_printf(&text, "[job %u]\ninstrument = crypto\n", i);
    assert_false(plan_read_text(&plan, text.data, text.length, "p.ini", &error));
    assert_string_equal(error.text, "p.ini:131: a plan has at most 64 jobs");

    buffer_clear(&text);
    for (unsigned i = 0; i <= PLAN_JOBS_MAXIMUM; i++)
        buffer_printf(&text, "[job %u]\ninstrument = crypto\n", i);
    assert_false(plan_read_text(&plan, text.data, text.length, "p.ini", &error));
    assert_string_equal(error.text, "p.ini:129: a plan has at most 64 jobs");

    buffer_clear(&text);
    while (text.length <= PLAN_BYTES_MAXIMUM)
        buffer_append_text(&text, ";");
    assert_false(plan_read_text(&plan, text.data, text.length, "p.ini", &error));
    assert_string_equal(error.text, "p.ini: a plan has at most 256 KiB");
    assert_false(plan_read_text(&plan, "[a]\n\0", 5, "p.ini", &error));
    assert_string_equal(error.text, "p.ini:2: a zero byte: this is no plan");
    buffer_free(&text);
}

static void a_file_that_is_not_there(void **state)
{
    (void)state;
    struct plan plan;
    struct error error;
    assert_false(plan_read_file(&plan, "/nowhere/plan.ini", &error));
    assert_string_equal(error.text, "cannot open /nowhere/plan.ini: No such file or directory");
    assert_int_equal(error.code, ERROR_SYSTEM);
}

static int forget(void **state)
{
    (void)state;
    options_forget();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(jobs_inherit_from_global, forget),
        cmocka_unit_test_teardown(a_job_may_be_empty_and_override, forget),
        cmocka_unit_test_teardown(refusals_say_where_and_what, forget),
        cmocka_unit_test_teardown(sizes_of_a_plan_are_bounded, forget),
        cmocka_unit_test(a_file_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
