/* Networks: every preset is sound, and what is wrong in a file is named with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/network.h"
#include "core/attributes.h"

static void every_preset_is_read(void **state)
{
    (void)state;
    struct link_settings settings;
    struct error error;
    unsigned count = 0;
    for (const struct network_preset *preset = network_presets; preset->name != NULL; preset++) {
        if (!network_read(preset->name, &settings, &error))
            fail_msg("%s", error.text);
        count++;
    }
    assert_true(count >= 5);
    assert_true(network_read("10base-t1s", &settings, &error));
    assert_int_equal(settings.rate_bit_per_s, 10000000);
    assert_true(settings.is_half_duplex);
    assert_true(network_read("100base-t1", &settings, &error));
    assert_false(settings.is_half_duplex);
    assert_true(settings.duty_cycle == 1.0);
}

static bool read_text(const char *text, struct link_settings *settings, struct error *error)
{
    char path[] = "/tmp/network-XXXXXX.ini";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    (void)close(fd);
    bool good = network_read(path, settings, error);
    (void)unlink(path);
    return good;
}

static void a_file_is_read(void **state)
{
    (void)state;
    struct link_settings settings;
    struct error error;
    assert_true(read_text("rate_bit_per_s = 5000\nrate_bit_per_s_source = a data sheet\n"
                          "loss = 0.25\nloss_source = assumed\nduty_cycle = 0.01\n"
                          "duty_cycle_source = ETSI EN 300 220\n",
                          &settings, &error));
    assert_int_equal(settings.rate_bit_per_s, 5000);
    assert_true(settings.loss == 0.25 && settings.duty_cycle == 0.01);
    assert_int_equal(settings.frame_payload_bytes, 1500);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"rate_bit_per_s = 5000\n", "rate_bit_per_s has no rate_bit_per_s_source"},
        {"loss = 0.1\nloss_source = x\n", "rate_bit_per_s is missing"},
        {"rate_bit_per_s = 1\nloss = 2\n", ".ini:2: loss: a number from 0 to 1"},
        {"rate_bit_per_s = fast\n", ".ini:1: rate_bit_per_s"},
        {"duplex = both\n", ".ini:1: duplex: full or half"},
        {"speed = 5\n", ".ini:1: speed: a network has no such key"},
        {"rate_bit_per_s = 5\nrate_bit_per_s = 6\n",
         ".ini:2: rate_bit_per_s: it stands here twice"},
        {"\n\nnonsense\n", ".ini:3: KEY = VALUE"},
        {"rate_bit_per_s = 0\nrate_bit_per_s_source = x\n", "rate"},
        {"", "rate_bit_per_s is missing"},
    };
    struct link_settings settings;
    struct error error;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_false(read_text(cases[i].text, &settings, &error));
        if (strstr(error.text, cases[i].expected) == NULL)
            fail_msg("'%s' does not say '%s'", error.text, cases[i].expected);
    }
    assert_false(network_read("no-such-network", &settings, &error));
    assert_int_equal(error.code, ERROR_USAGE);
    assert_non_null(strstr(error.text, "100base-t1, 10base-t1s"));
    assert_false(network_read("/nonexistent/file.ini", &settings, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_is_read),
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
