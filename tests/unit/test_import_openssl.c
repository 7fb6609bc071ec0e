/* openssl speed: each case is a few lines as apps/speed.c of the version named prints them, with
 * numbers made for the test; expected values are computed by hand from them. */
#include "import_log.h"

/* 96000 blocks of 16 bytes in 3 s are 512,000 B/s, 30000 of 1024 in 3 s 10,240,000. */
static const char PLAIN[] =
    "Doing aes-128 cbc for 3s on 16 size blocks: 96000 aes-128 cbc's in 3.00s\n"
    "Doing aes-128 cbc for 3s on 1024 size blocks: 30000 aes-128 cbc's in 3.00s\n"
    "OpenSSL 1.0.2k  26 Jan 2017\n"
    "The 'numbers' are in 1000s of bytes per second processed.\n"
    "type             16 bytes   1024 bytes\n"
    "aes-128 cbc        512.00k    10240.00k\n";

static void test_plain_table(void **state)
{
    (void)state;
    struct log *log = log_read(PLAIN);
    const struct kept *small = log_find(log, "aes-128-cbc", "encrypt", 16);
    assert_int_equal(small->status, CELL_OK);
    assert_int_equal(small->flags, 0);
    assert_near(small->value, 512000);
    assert_int_equal(small->line, 6);
    assert_string_equal(small->variant, "plain");
    assert_near(log_find(log, "aes-128-cbc", "encrypt", 1024)->value, 10240000);
    assert_int_equal(log->worst, VERDICT_TRUST);
    free(log);
}

static void test_values_without_k_are_bytes(void **state)
{
    (void)state;
    struct log *log = log_read("type             16 bytes     64 bytes\n"
                               "sha256            9876.54     39506.16k\n");
    assert_near(log_find(log, "sha256", "digest", 16)->value, 9876.54);
    assert_near(log_find(log, "sha256", "digest", 64)->value, 39506160);
    free(log);
}

static void test_zeros_are_not_measured(void **state)
{
    (void)state;
    struct log *log = log_read("type             16 bytes     64 bytes\n"
                               "md2                  0.00         0.00 \n"
                               "md5              14319.70k    35354.97k\n");
    assert_int_equal(log->count, 2);
    free(log);
}

static void test_cpu_time_of_an_engine(void **state)
{
    (void)state;
    /* 30000 x 8192 / 3 s = 81,920,000 B/s; printed from 0.02 s of CPU */
    struct log *log =
        log_read("engine \"devcrypto\" set.\n"
                 "Doing aes-128-cbc for 3s on 8192 size blocks: 30000 aes-128-cbc's in 0.02s\n"
                 "OpenSSL 1.1.1k  25 Mar 2021\n"
                 "type           8192 bytes\n"
                 "aes-128-cbc  12288000.00k\n");
    const struct kept *cell = log_find(log, "aes-128-cbc", "encrypt", 8192);
    assert_int_equal(cell->status, CELL_SALVAGED);
    assert_int_equal(cell->flags, FLAG_CPU_TIME);
    assert_near(cell->value, 81920000);
    assert_near(cell->printed, 12288000000.0);
    assert_int_equal(log->worst, VERDICT_DO_NOT_USE);
    free(log);
}

static void test_infinite_with_and_without_counts(void **state)
{
    (void)state;
    struct log *log =
        log_read("Doing AES-128-CBC ops for 3s on 16 size blocks: 37500 AES-128-CBC ops in 0.00s\n"
                 "version: 3.2.3\n"
                 "type             16 bytes\n"
                 "AES-128-CBC           infk\n");
    const struct kept *cell = log_find(log, "aes-128-cbc", "encrypt", 16);
    assert_int_equal(cell->status, CELL_SALVAGED);
    assert_int_equal(cell->flags, FLAG_CPU_TIME | FLAG_INFINITE);
    assert_near(cell->value, 200000);
    free(log);
    log = log_read("version: 3.2.3\ntype             16 bytes\nAES-128-CBC           infk\n");
    cell = log_find(log, "aes-128-cbc", "encrypt", 16);
    assert_int_equal(cell->status, CELL_UNKNOWN);
    assert_int_equal(cell->flags, FLAG_INFINITE);
    free(log);
}

static void test_table_against_counts(void **state)
{
    (void)state;
    struct log *log = log_read("You have chosen to measure elapsed time instead of user CPU time.\n"
                               "Doing sha256 for 3s on 64 size blocks: 60000 sha256's in 3.00s\n"
                               "type             64 bytes\n"
                               "sha256             320.00k\n");
    const struct kept *cell = log_find(log, "sha256", "digest", 64);
    assert_int_equal(cell->status, CELL_SALVAGED);
    assert_int_equal(cell->flags, FLAG_TABLE_DISAGREES);
    assert_near(cell->value, 1280000);
    assert_int_equal(log->worst, VERDICT_DO_NOT_USE);
    free(log);
}

static void test_engine_that_did_not_load(void **state)
{
    (void)state;
    char text[1024];
    snprintf(text, sizeof text, "Invalid engine \"devcrypto\"\n%s", PLAIN);
    struct log *log = log_read(text);
    const struct kept *cell = log_find(log, "aes-128-cbc", "encrypt", 16);
    assert_int_equal(cell->status, CELL_OK);
    assert_int_equal(cell->flags, FLAG_ENGINE_FAILED);
    assert_int_equal(log->worst, VERDICT_DO_NOT_USE);
    free(log);
}

static void test_errors_timed_as_work(void **state)
{
    (void)state;
    struct log *log = log_read(
        "engine \"afalg\" set.\n"
        "You have chosen to measure elapsed time instead of user CPU time.\n"
        "Doing aes-128-cbc for 3s on 16 size blocks: ALG_PERR: e_afalg.c(388): Failed to bind\n"
        "2100000 aes-128-cbc's in 3.00s\n"
        "OpenSSL 1.1.1a  20 Nov 2018\n"
        "type             16 bytes\n"
        "aes-128-cbc      11200.00k\n");
    const struct kept *cell = log_find(log, "aes-128-cbc", "encrypt", 16);
    assert_int_equal(cell->status, CELL_FAILED);
    assert_int_equal(cell->flags, FLAG_ENGINE_FAILED | FLAG_ERRORS_TIMED);
    assert_true(isnan(cell->value));
    free(log);
}

static void test_flat_rates_under_an_engine(void **state)
{
    (void)state;
    struct log *log = log_read("Engine \"devcrypto\" set.\n"
                               "You have chosen to measure elapsed time instead of user CPU time.\n"
                               "version: 3.0.9\n"
                               "type             64 bytes   1024 bytes   8192 bytes\n"
                               "AES-128-CBC       6627.43k     6995.63k     7015.08k\n");
    assert_int_equal(log_find(log, "aes-128-cbc", "encrypt", 64)->flags, FLAG_ENGINE_NOT_USED);
    free(log);
    log = log_read("Engine \"devcrypto\" set.\n"
                   "You have chosen to measure elapsed time instead of user CPU time.\n"
                   "version: 3.0.9\n"
                   "type             64 bytes   1024 bytes   8192 bytes\n"
                   "AES-128-CBC        383.23k     4682.75k    14609.07k\n");
    assert_int_equal(log_find(log, "aes-128-cbc", "encrypt", 64)->flags, 0);
    free(log);
}

static void test_times_far_from_nominal(void **state)
{
    (void)state;
    /* OpenSSL 3.0 alpha divided by 4103 s; 55540 x 1024 / 3 s = 18,957,653.33 B/s */
    struct log *log =
        log_read("Doing aes-128-cbc for 3s on 1024 size blocks: 55540 aes-128-cbc's in 4103.00s\n"
                 "Doing aes-192-cbc for 3s on 1024 size blocks: 2147483647 aes-192-cbc's in 0.00s\n"
                 "version: 3.0.0-alpha2\n"
                 "type           1024 bytes\n"
                 "aes-128-cbc         13.86k\n"
                 "aes-192-cbc          infk\n");
    const struct kept *cell = log_find(log, "aes-128-cbc", "encrypt", 1024);
    assert_int_equal(cell->status, CELL_SALVAGED);
    assert_true(cell->flags & FLAG_DURATION_OFF);
    assert_near(cell->value, 55540.0 * 1024 / 3);
    cell = log_find(log, "aes-192-cbc", "encrypt", 1024);
    assert_int_equal(cell->status, CELL_UNKNOWN);
    assert_true(cell->flags & FLAG_COUNTER_SATURATED);
    free(log);
}

static void test_tables_of_keys(void **state)
{
    (void)state;
    struct log *log = log_read(
        "version: 3.2.1\n"
        "                   sign    verify    encrypt   decrypt   sign/s verify/s  encr./s  "
        "decr./s\n"
        "rsa  2048 bits 0.000500s 0.000020s 0.000025s 0.000510s   2000.1  50000.2  40000.3   "
        "1960.4\n"
        "                              sign    verify    sign/s verify/s\n"
        " 256 bits ecdsa (nistp256)   0.0000s   0.0001s  25000.5   9000.6\n"
        " 256 bits ecdsa (brainpoolP256r1)   0.0005s   0.0005s   2000.7   2100.8\n"
        " 253 bits EdDSA (Ed25519)   0.0001s   0.0002s  14000.1   5000.2\n"
        " 256 bits SM2 (CurveSM2)   0.0005s   0.0005s   2000.3   2000.4\n"
        "                              op      op/s\n"
        " 253 bits ecdh (X25519)   0.0001s  12000.9\n"
        "2048 bits ffdh   0.0005s   2000.5\n"
        "                               keygen    encaps    decaps keygens/s  encaps/s  decaps/s\n"
        "                    rsa2048 0.100000s 0.000033s 0.001000s      10.0   30000.6    1000.7\n"
        "             X25519MLKEM768 0.000125s 0.000200s 0.000250s    8000.1    5000.2    4000.3\n"
        "                               keygen     signs    verify keygens/s    sign/s  verify/s\n"
        "                   mldsa65 0.000200s 0.000500s 0.000250s    5000.4    2000.5    4000.6\n");
    assert_near(log_find(log, "rsa-2048", "sign", -1)->value, 2000.1);
    assert_near(log_find(log, "rsa-2048", "encrypt", -1)->value, 40000.3);
    assert_near(log_find(log, "rsa-2048", "encaps", -1)->value, 30000.6);
    assert_string_equal(log_find(log, "rsa-2048", "encaps", -1)->variant, "kem");
    assert_near(log_find(log, "ecdsa-p256", "verify", -1)->value, 9000.6);
    assert_near(log_find(log, "ecdsa-brainpoolp256r1", "sign", -1)->value, 2000.7);
    assert_near(log_find(log, "ed25519", "verify", -1)->value, 5000.2);
    assert_near(log_find(log, "sm2", "sign", -1)->value, 2000.3);
    assert_near(log_find(log, "x25519", "derive", -1)->value, 12000.9);
    assert_near(log_find(log, "ffdhe2048", "derive", -1)->value, 2000.5);
    assert_near(log_find(log, "x25519mlkem768", "decaps", -1)->value, 4000.3);
    assert_near(log_find(log, "ml-dsa-65", "sign", -1)->value, 2000.5);
    for (size_t i = 0; i < log->count; i++)
        assert_int_equal(log->readings[i].status, CELL_OK);
    free(log);
}

static void test_failed_and_tiny_key_rates(void **state)
{
    (void)state;
    struct log *log = log_read("OpenSSL 1.1.0f  25 May 2017\n"
                               "                  sign    verify    sign/s verify/s\n"
                               "rsa  512 bits 0.000583s -9.990000s   1715.4     -0.1\n"
                               "rsa 15360 bits 7.500000s 0.010000s      0.1    100.0\n"
                               " 253 bit ecdsa (X25519)   0.0000s   0.0000s      inf      inf\n");
    assert_int_equal(log_find(log, "rsa-512", "verify", -1)->status, CELL_FAILED);
    const struct kept *tiny = log_find(log, "rsa-15360", "sign", -1);
    assert_int_equal(tiny->status, CELL_SALVAGED);
    assert_int_equal(tiny->flags, FLAG_BELOW_RESOLUTION);
    assert_near(tiny->value, 1 / 7.5);
    const struct kept *infinite = log_find(log, "x25519", "sign", -1);
    assert_int_equal(infinite->status, CELL_FAILED);
    assert_int_equal(infinite->flags, FLAG_INFINITE);
    free(log);
}

static void test_machine_readable_keys(void **state)
{
    (void)state;
    /* 3.0: rates, and for ECDH rate and seconds; 1500 / 0.60 s = 2500 */
    struct log *log = log_read("+DTP:2048:private:rsa:1\n+R1:1500:2048:0.60\n"
                               "+DTP:2048:public:rsa:1\n+R2:30000:2048:0.60\n"
                               "+DTP:256::ecdh:1\n+R7:9000:256:0.60\n"
                               "+F2:2:2048:2500.000000:50000.000000\n"
                               "+F5:3:256:15000.000000:0.000067\n");
    assert_near(log_find(log, "rsa-2048", "sign", -1)->value, 2500);
    assert_near(log_find(log, "ecdh-p256", "derive", -1)->value, 15000);
    free(log);
    /* 1.0.2: seconds, and for ECDH seconds and rate */
    log = log_read("+F2:2:2048:0.000400:0.000020\n+F4:3:256:0.000040:0.000100\n"
                   "+F5:3:256:0.000080:12500.000000\n");
    assert_near(log_find(log, "rsa-2048", "sign", -1)->value, 2500);
    assert_near(log_find(log, "ecdsa-p256", "verify", -1)->value, 10000);
    assert_near(log_find(log, "ecdh-p256", "derive", -1)->value, 12500);
    free(log);
}

static void test_children_and_totals(void **state)
{
    (void)state;
    struct log *log = log_read("Forked child 0\nForked child 1\n"
                               "Got: +H:16:64 from 0\n"
                               "Got: +F:25:sha256:100.00:400.00 from 0\n"
                               "Got: +H:16:64 from 1\n"
                               "Got: +F:25:sha256:110.00:420.00 from 1\n"
                               "+H:16:64\n+F:25:sha256:210.00:820.00\n");
    assert_int_equal(log->count, 6);
    assert_string_equal(log_nth(log, "sha256", "digest", 16, 0)->variant, "worker:0");
    const struct kept *total = log_nth(log, "sha256", "digest", 16, 2);
    assert_string_equal(total->variant, "total");
    assert_int_equal(total->flags, FLAG_TOTAL_OF_WORKERS);
    assert_near(total->value, 210);
    free(log);
    /* a single child is not counted twice, and its total is no total of several */
    log = log_read("Forked child 0\nGot: +H:16 from 0\nGot: +F:25:sha256:100.00 from 0\n"
                   "+H:16\n+F:25:sha256:100.00\n");
    assert_int_equal(log->count, 1);
    assert_int_equal(log->readings[0].flags, 0);
    free(log);
}

static void test_children_without_a_total(void **state)
{
    (void)state;
    struct log *log = log_read("Got: +F6:0:253:Ed25519:1000.000000:400.000000 from 0\n"
                               "Got: +F6:0:253:Ed25519:1100.000000:420.000000 from 1\n");
    const struct kept *total = log_nth(log, "ed25519", "sign", -1, 2);
    assert_int_equal(total->status, CELL_SALVAGED);
    assert_near(total->value, 2100);
    assert_int_equal(log->worst, VERDICT_CARE);
    free(log);
}

static void test_evp_beside_plain(void **state)
{
    (void)state;
    struct log *log = log_read("$ openssl speed -evp aes-128-gcm aes-128-cbc sha256\n"
                               "OpenSSL 1.1.1f  31 Mar 2020\n"
                               "type             16 bytes\n"
                               "aes-128 cbc      54788.71k\n"
                               "aes-128-gcm      80253.96k\n"
                               "sha256           48842.17k\n");
    assert_string_equal(log_find(log, "aes-128-cbc", "encrypt", 16)->variant, "plain");
    assert_string_equal(log_find(log, "aes-128-gcm", "encrypt", 16)->variant, "evp");
    assert_string_equal(log_find(log, "sha256", "digest", 16)->variant, "plain");
    free(log);
}

static void test_duplicates_and_runs(void **state)
{
    (void)state;
    struct log *log = log_read("type             16 bytes\nmd5              14319.70k\n"
                               "md5              14320.70k\n"
                               "type             16 bytes\nmd5              14321.70k\n");
    assert_int_equal(log->runs, 2);
    assert_int_equal(log_nth(log, "md5", "digest", 16, 0)->flags, FLAG_DUPLICATE);
    assert_int_equal(log_nth(log, "md5", "digest", 16, 1)->flags, FLAG_DUPLICATE);
    assert_int_equal(log_nth(log, "md5", "digest", 16, 2)->flags, 0);
    assert_int_equal(log_nth(log, "md5", "digest", 16, 2)->run, 2);
    free(log);
}

static void test_counts_without_a_table(void **state)
{
    (void)state;
    struct log *log =
        log_read("Doing sha256 for 3s on 64 size blocks: 60000 sha256's in 3.00s\n"
                 "Doing 2048 bits private rsa's for 10s: 5000 2048 bits private RSA's in 10.00s\n");
    const struct kept *cell = log_find(log, "sha256", "digest", 64);
    assert_int_equal(cell->status, CELL_SALVAGED);
    assert_int_equal(cell->flags, FLAG_TRUNCATED);
    assert_near(cell->value, 1280000);
    assert_near(log_find(log, "rsa-2048", "sign", -1)->value, 500);
    free(log);
}

static void test_missing_values(void **state)
{
    (void)state;
    /* no columns to go by: nobody can say which value is missing */
    struct log *log = log_read("type 16 bytes 64 bytes 256 bytes\n"
                               "md5 14319.70k 35354.97k\n"
                               "sha1 100.00k 200.00k 300.00k\n");
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(log->readings[i].status, CELL_UNKNOWN);
    assert_near(log_find(log, "sha1", "digest", 256)->value, 300000);
    free(log);
    /* the columns of the real layout say it */
    log = log_read("type             16 bytes     64 bytes    256 bytes\n"
                   "md5              14319.70k                 63737.09k\n"
                   "sha1            100000.00k   200000.00k   300000.00k\n");
    assert_near(log_find(log, "md5", "digest", 256)->value, 63737090);
    assert_int_equal(log_find(log, "md5", "digest", 16)->status, CELL_OK);
    free(log);
    /* the file ends in the row: what is whole is certain, the last value is not */
    log = log_read("type             16 bytes     64 bytes    256 bytes\n"
                   "md5              14319.70k    353");
    assert_int_equal(log_find(log, "md5", "digest", 16)->status, CELL_OK);
    assert_int_equal(log_find(log, "md5", "digest", 64)->status, CELL_UNKNOWN);
    assert_int_equal(log_find(log, "md5", "digest", 64)->flags, FLAG_TRUNCATED);
    free(log);
}

static void test_standard_error_behind_the_table(void **state)
{
    (void)state;
    struct log *log = log_read("version: 3.0.9\n"
                               "type             16 bytes     64 bytes\n"
                               "SHA256             512.00k     2048.00k\n"
                               "You have chosen to measure elapsed time instead of user CPU time.\n"
                               "Doing SHA256 for 3s on 16 size blocks: 96000 SHA256's in 3.00s\n"
                               "Doing SHA256 for 3s on 64 size blocks: 96000 SHA256's in 3.00s\n");
    assert_int_equal(log->count, 2);
    assert_int_equal(log->readings[0].status, CELL_OK);
    free(log);
}

static void test_absurd_rate(void **state)
{
    (void)state;
    /* AES-128-CBC cannot exceed 16 bytes per 20 cycles: 5.2 GB/s at 6.5 GHz */
    struct log *log = log_read("version: 3.0.9\n"
                               "type           8192 bytes\nAES-128-CBC   9765405.01k\n");
    assert_int_equal(log->readings[0].status, CELL_UNKNOWN);
    assert_int_equal(log->readings[0].flags, FLAG_EXCEEDS_CLOCK);
    assert_int_equal(log->worst, VERDICT_DO_NOT_USE);
    free(log);
}

/* The parent of -multi prints "evp" for what its children name. */
static void test_evp_total_has_its_name(void **state)
{
    (void)state;
    struct log *log = log_read("Forked child 0\nForked child 1\n"
                               "Got: +H:16 from 0\nGot: +F:22:aes-128-gcm:320000000.00 from 0\n"
                               "Got: +H:16 from 1\nGot: +F:22:aes-128-gcm:300000000.00 from 1\n"
                               "OpenSSL 1.1.1f  31 Mar 2020\n"
                               "type             16 bytes\nevp             620000.00k\n");
    const struct kept *total = log_nth(log, "aes-128-gcm", "encrypt", 16, 2);
    assert_string_equal(total->variant, "total");
    assert_near(total->value, 620e6);
    assert_int_equal(log->count, 3);
    free(log);
}

/* +F2 of 1.0.x holds seconds with six decimals: 51000 per second is printed as 0.000020. */
static void test_mr_seconds_are_rounded(void **state)
{
    (void)state;
    struct log *log = log_read("+DTP:2048:private:rsa:10\n+R1:15000:2048:10.00\n"
                               "+DTP:2048:public:rsa:10\n+R2:510000:2048:10.00\n"
                               "+F2:2:2048:0.000667:0.000020\n");
    const struct kept *verify = log_find(log, "rsa-2048", "verify", -1);
    assert_near(verify->value, 51000);
    assert_int_equal(verify->status, CELL_SALVAGED);
    assert_int_equal(verify->flags, FLAG_BELOW_RESOLUTION);
    assert_int_not_equal(log->worst, VERDICT_DO_NOT_USE);
    free(log);
}

/* The file ends in "6200.90": 6.2 kB/s or, with its k, 6.2 MB/s, that cannot be known. */
static void test_last_figure_of_a_cut_row(void **state)
{
    (void)state;
    struct log *log = log_read("type             16 bytes     64 bytes    256 bytes\n"
                               "aes-128 cbc      6100.75k     6200.90");
    assert_near(log_find(log, "aes-128-cbc", "encrypt", 16)->value, 6100750);
    assert_int_equal(log_find(log, "aes-128-cbc", "encrypt", 64)->status, CELL_UNKNOWN);
    free(log);
}

/* Bytes are missing inside the row: its figures are no label. */
static void test_figures_are_no_label(void **state)
{
    (void)state;
    struct log *log = log_read("type             16 bytes     64 bytes\n"
                               "aes-128-cbc      6100.75k-14378 23000.10k    25000.20k\n");
    for (size_t i = 0; i < log->count; i++)
        assert_int_not_equal(log->readings[i].status, CELL_OK);
    free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evp_total_has_its_name),
        cmocka_unit_test(test_mr_seconds_are_rounded),
        cmocka_unit_test(test_figures_are_no_label),
        cmocka_unit_test(test_last_figure_of_a_cut_row),
        cmocka_unit_test(test_plain_table),
        cmocka_unit_test(test_values_without_k_are_bytes),
        cmocka_unit_test(test_zeros_are_not_measured),
        cmocka_unit_test(test_cpu_time_of_an_engine),
        cmocka_unit_test(test_infinite_with_and_without_counts),
        cmocka_unit_test(test_table_against_counts),
        cmocka_unit_test(test_engine_that_did_not_load),
        cmocka_unit_test(test_errors_timed_as_work),
        cmocka_unit_test(test_flat_rates_under_an_engine),
        cmocka_unit_test(test_times_far_from_nominal),
        cmocka_unit_test(test_tables_of_keys),
        cmocka_unit_test(test_failed_and_tiny_key_rates),
        cmocka_unit_test(test_machine_readable_keys),
        cmocka_unit_test(test_children_and_totals),
        cmocka_unit_test(test_children_without_a_total),
        cmocka_unit_test(test_evp_beside_plain),
        cmocka_unit_test(test_duplicates_and_runs),
        cmocka_unit_test(test_counts_without_a_table),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_standard_error_behind_the_table),
        cmocka_unit_test(test_absurd_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
