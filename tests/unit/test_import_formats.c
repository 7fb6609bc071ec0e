/* The other tools: lines as they print them, with numbers made for the test. */
#include "import_log.h"

static void test_wolfcrypt(void **state)
{
    (void)state;
    struct log *log = log_read(
        "wolfCrypt Benchmark (block bytes 2048, min 1.0 sec each)\n"
        "AES-128-CBC-enc             20 MiB took 1.000 seconds,   20.000 MiB/s Cycles per byte =  "
        "50.00\n"
        "AES-128-GCM-dec-no_AAD      10 MiB took 1.000 seconds,   10.000 MiB/s\n"
        "SHA-256                      9 KiB took 1.000 seconds,    9.000 KiB/s\n"
        "RSA     2048 private        60 ops took 1.000 sec, avg 16.667 ms, 60.000 ops/sec\n"
        "ECDSA [      SECP256R1]   256 sign         10 ops took 1.010 sec, avg 101.000 ms, 9.901 "
        "ops/sec\n"
        "CURVE  25519 agree         900 ops took 1.000 sec, avg 1.111 ms, 900.000 ops/sec\n"
        "ML-KEM 768   192 encap    1800 ops took 1.000 sec, avg 0.556 ms, 1800.000 ops/sec\n"
        "ECC      256 key gen       600 ops took 1.000 sec, avg 1.667 ms, 6000.000 ops/sec\n");
    assert_near(log_find(log, "aes-128-cbc", "encrypt", 2048)->value, 20 * 1048576.0);
    assert_near(log_nth(log, "aes-128-cbc", "encrypt", 2048, 1)->value, 50);
    assert_int_equal(log_nth(log, "aes-128-cbc", "encrypt", 2048, 1)->metric,
                     METRIC_CYCLES_PER_BYTE);
    assert_string_equal(log_find(log, "aes-128-gcm", "decrypt", 2048)->variant, "no-aad");
    assert_near(log_find(log, "sha256", "digest", 2048)->value, 9 * 1024.0);
    assert_near(log_find(log, "rsa-2048", "decrypt", -1)->value, 60);
    assert_near(log_find(log, "ecdsa-p256", "sign", -1)->value, 9.901);
    assert_near(log_find(log, "x25519", "derive", -1)->value, 900);
    assert_near(log_find(log, "ml-kem-768", "encaps", -1)->value, 1800);
    /* 600 operations in 1.000 s are not 6000 per second */
    const struct kept *wrong = log_find(log, "ecdh-p256", "keygen", -1);
    assert_int_equal(wrong->status, CELL_SALVAGED);
    assert_near(wrong->value, 600);
    free(log);
}

static void test_wolfcrypt_spellings(void **state)
{
    (void)state;
    struct log *log =
        log_read(" wolfSSL version 4.3.0\n"
                 "AES-CCM-Enc          4 MB took 1.000 seconds,    4.000 MB/s\n"
                 "AES-CCM-Dec          3 MB took 1.000 seconds,    3.000 MB/s\n"
                 "3DES enc             2 MB took 1.000 seconds,    2.000 MB/s\n"
                 "SCRYPT              36 ops took 1.000 sec, avg 27.778 ms, 36.000 ops/sec\n"
                 "ECC  256 key generation  50.000 milliseconds, avg over 100 iterations\n"
                 "EC-DHE   key agreement   40.000 milliseconds, avg over 100 iterations\n"
                 "EC-DSA   verify time     80.000 milliseconds, avg over 100 iterations\n");
    assert_near(log_find(log, "aes-ccm", "encrypt", -1)->value, 4 * 1048576.0);
    assert_near(log_find(log, "aes-ccm", "decrypt", -1)->value, 3 * 1048576.0);
    assert_near(log_find(log, "des-ede3-cbc", "encrypt", -1)->value, 2 * 1048576.0);
    assert_near(log_find(log, "scrypt", "kdf", -1)->value, 36);
    assert_near(log_find(log, "ecdh-p256", "keygen", -1)->value, 20);
    assert_near(log_find(log, "ecdh", "derive", -1)->value, 25);
    assert_near(log_find(log, "ecdsa", "verify", -1)->value, 12.5);
    free(log);
    /* the cycles belong to the row before the error, once */
    log =
        log_read("MD5                         10 MiB took 1.000 seconds,   10.000 MiB/s Cycles per "
                 "byte =   9.00\n3069:error:0407006A:rsa routines\n");
    assert_int_equal(log->count, 2);
    free(log);
}

static void test_wolfcrypt_units_and_devices(void **state)
{
    (void)state;
    /* MB was 1024 * 1024 before the tool knew MiB */
    struct log *log = log_read(" wolfSSL version 4.5.0\n"
                               "SHA                 37 MB took 1.000 seconds,   37.000 MB/s\n");
    assert_near(log_find(log, "sha1", "digest", -1)->value, 37 * 1048576.0);
    free(log);
    /* and is decimal since */
    log = log_read(" wolfSSL version 5.6.0\n"
                   "SHA                 37 MB took 1.000 seconds,   37.000 MB/s\n");
    assert_near(log_find(log, "sha1", "digest", -1)->value, 37e6);
    free(log);
    log = log_read("SHA256 with useDevice:0 and devid:1\n"
                   "SHA-256                     74 MiB took 1.000 seconds,   74.000 MiB/s\n"
                   "SHA256 with useDevice:1 and devid:1\n"
                   "SHA-256                     25 KiB took 25.000 seconds,    1.000 KiB/s\n");
    assert_string_equal(log_nth(log, "sha256", "digest", -1, 0)->variant, "device:0");
    assert_string_equal(log_nth(log, "sha256", "digest", -1, 1)->variant, "device:1");
    assert_int_equal(log_nth(log, "sha256", "digest", -1, 1)->flags, 0);
    free(log);
    log = log_read("RSA 2048 encryption took 0.250 milliseconds, avg over 100 iterations\n");
    assert_near(log_find(log, "rsa-2048", "encrypt", -1)->value, 4000);
    free(log);
}

static void test_mbedtls(void **state)
{
    (void)state;
    struct log *log =
        log_read("  SHA-256                  :      2000 KiB/s,         60 cycles/byte\n"
                 "  AES-GCM-128              :      1000 Kb/s,          0 cycles/byte\n"
                 "  CTR_DRBG (NOPR)          :       100.50 KB/s,   119.07 cycles/byte\n"
                 "  DES                      :  4194304 KiB/s, 9 cycles/byte\n"
                 "  RSA-2048                 :      40 ms/ public\n"
                 "  ECDSA-secp256r1          :      50 sign/s\n"
                 "  ECDHE-brainpoolP256r1    :      0.75 full handshake/s\n"
                 "  ECDH-Curve25519          :     500 ms/handshake\n"
                 "  RSA-4096                 :       0 private/s\n");
    assert_near(log_nth(log, "sha256", "digest", -1, 0)->value, 2000 * 1024.0);
    assert_near(log_nth(log, "sha256", "digest", -1, 1)->value, 60);
    assert_near(log_find(log, "aes-128-gcm", "encrypt", -1)->value, 1024000);
    assert_int_equal(log_nth(log, "aes-128-gcm", "encrypt", -1, 1)->flags, FLAG_BELOW_RESOLUTION);
    assert_near(log_find(log, "ctr-drbg", "random", -1)->value, 102912);
    assert_string_equal(log_find(log, "ctr-drbg", "random", -1)->variant, "nopr");
    const struct kept *saturated = log_find(log, "des-cbc", "encrypt", -1);
    assert_int_equal(saturated->status, CELL_UNKNOWN);
    assert_int_equal(saturated->flags, FLAG_COUNTER_SATURATED);
    assert_near(log_find(log, "rsa-2048", "verify", -1)->value, 25);
    assert_near(log_find(log, "ecdsa-p256", "sign", -1)->value, 50);
    assert_near(log_find(log, "ecdh-brainpoolp256r1", "derive", -1)->value, 0.75);
    assert_near(log_find(log, "x25519", "derive", -1)->value, 2);
    assert_int_equal(log_find(log, "rsa-4096", "sign", -1)->flags, FLAG_BELOW_RESOLUTION);
    free(log);
}

static void test_mbedtls_against_the_clock(void **state)
{
    (void)state;
    /* 1000 KiB/s at 100 cycles per byte are 102.4 MHz */
    struct log *log =
        log_read("CPU Frequency 100000000 Hz\n"
                 "  SHA-256                  :      1000 KiB/s,        100 cycles/byte\n"
                 "  SHA-512                  :      9000 KiB/s,        100 cycles/byte\n");
    assert_int_equal(log_find(log, "sha256", "digest", -1)->status, CELL_OK);
    assert_int_equal(log_find(log, "sha512", "digest", -1)->status, CELL_UNKNOWN);
    assert_int_equal(log_find(log, "sha512", "digest", -1)->flags, FLAG_TABLE_DISAGREES);
    free(log);
}

static void test_cryptsetup(void **state)
{
    (void)state;
    struct log *log = log_read("PBKDF2-sha256      73000 iterations per second for 256-bit key\n"
                               "PBKDF2-whirlpool     N/A\n"
                               "#  Algorithm | Key |  Encryption |  Decryption\n"
                               "     aes-cbc   128b    12.5 MiB/s    14.5 MiB/s\n"
                               " serpent-cbc   128b           N/A           N/A\n"
                               "     aes-xts   256b    10.0 MiB/s    11.0 MiB/s\n");
    assert_near(log_find(log, "pbkdf2-sha256", "kdf", -1)->value, 73000);
    assert_int_equal(log_find(log, "pbkdf2-whirlpool", "kdf", -1)->status, CELL_UNAVAILABLE);
    assert_near(log_find(log, "aes-128-cbc", "decrypt", -1)->value, 14.5 * 1048576);
    assert_int_equal(log_find(log, "serpent-128-cbc", "encrypt", -1)->status, CELL_UNAVAILABLE);
    /* a key of XTS is two keys */
    assert_near(log_find(log, "aes-128-xts", "encrypt", -1)->value, 10485760);
    free(log);
}

static void test_kcapi(void **state)
{
    (void)state;
    /* 1000 operations of 4096 bytes are 4,096,000 B/s: 4.10 MB decimal, 3.91 MiB, and 3 MiB plus
     * 95 * 10000 bytes in the oldest notation ("3.95") */
    struct log *log =
        log_read("$ kcapi-speed -a\n"
                 "SHA-256(G)              |d|    4096 bytes|                4.10 MB/s|1000 ops/s\n"
                 "SHA-1(G)                |d|    4096 bytes|                3.91 MB/s|1000 ops/s\n"
                 "MD5(G)                  |d|    4096 bytes|                3.95 MB/s|1000 ops/s\n"
                 "SM3(G)                  |d|    4096 bytes|                9.95 MB/s|1000 ops/s\n"
                 "AES(G) CBC(G) 128,e,16,1600000,100000\n");
    assert_near(log_find(log, "sha256", "digest", 4096)->value, 4100000);
    assert_near(log_find(log, "sha1", "digest", 4096)->value, 3.91 * 1048576);
    assert_int_equal(log_find(log, "md5", "digest", 4096)->status, CELL_SALVAGED);
    assert_true(fabs(log_find(log, "md5", "digest", 4096)->value - 4096000) < 8000);
    assert_int_equal(log_find(log, "sm3", "digest", 4096)->status, CELL_SALVAGED);
    assert_near(log_find(log, "aes-128-cbc", "encrypt", 16)->value, 1600000);
    free(log);
}

static void test_s_time(void **state)
{
    (void)state;
    struct log *log =
        log_read("Collecting connection statistics for 10 seconds\n"
                 "****************\n\n"
                 "330 connections in 1.10s; 300.00 connections/user sec, bytes read 0\n"
                 "330 connections in 11 real seconds, 0 bytes read per connection\n"
                 "Now timing with session id reuse.\nstarting\n"
                 "rrrrrrrrrrrrrrrr\n"
                 "990 connections in 1.10s; 900.00 connections/user sec, bytes read 0\n"
                 "990 connections in 11 real seconds, 0 bytes read per connection\n");
    assert_int_equal(log->count, 2);
    assert_int_equal(log->readings[0].status, CELL_SALVAGED);
    assert_int_equal(log->readings[0].flags, FLAG_CPU_TIME);
    assert_near(log->readings[0].value, 30);
    assert_near(log->readings[1].value, 90);
    assert_string_equal(log->readings[1].variant, "reuse");
    free(log);
    log = log_read("Now timing with session id reuse.\nstarting\n> ****************\n"
                   "320 connections in 1.10s; 290.91 connections/user sec, bytes read 0\n"
                   "320 connections in 11 real seconds, 0 bytes read per connection\n");
    assert_int_equal(log->readings[0].status, CELL_FAILED);
    assert_true(log->readings[0].flags & FLAG_NOT_RESUMED);
    assert_int_equal(log->worst, VERDICT_DO_NOT_USE);
    free(log);
}

static void test_securemark(void **state)
{
    (void)state;
    struct log *log = log_read("Component #02 ips=     633161.500 crc=0x998a expected_crc=0x998a\n"
                               "Component #07 ips=        344.500 crc=0x3a47 expected_crc=0x3a48\n"
                               "SecureMark-TLS Score is 112677.500 marks\n");
    assert_near(log_find(log, "aes-128-ecb", "encrypt", 320)->value, 633161.5);
    assert_int_equal(log_find(log, "ecdsa-p256", "verify", -1)->status, CELL_FAILED);
    assert_int_equal(log_find(log, "securemark-tls", "score", -1)->status, CELL_FAILED);
    free(log);
}

static void test_curl(void **state)
{
    (void)state;
    struct log *log = log_read("curl -w @f https://a.example/\n"
                               "time_namelookup: 0.010\ntime_connect: 0.020\n"
                               "time_appconnect: 0,050\ntime_starttransfer: 0.060s\n"
                               "time_total: 0.070\n");
    assert_near(log_find(log, "https", "appconnect", -1)->value, 0.05);
    assert_near(log_find(log, "https", "starttransfer", -1)->value, 0.06);
    free(log);
    log = log_read("{\"time_connect\":0.020,\"time_appconnect\":0.900,\"time_total\":0.070}\n");
    assert_int_equal(log_find(log, "https", "appconnect", -1)->status, CELL_UNKNOWN);
    assert_int_equal(log_find(log, "https", "appconnect", -1)->flags, FLAG_DURATION_OFF);
    assert_int_equal(log_find(log, "https", "connect", -1)->status, CELL_OK);
    free(log);
    log = log_read("curl -w @f http://a.example/\ntime_connect: 0.020\ntime_appconnect: 0.000\n"
                   "time_total: 0.070\n");
    assert_int_equal(log_find(log, "http", "appconnect", -1)->status, CELL_UNAVAILABLE);
    free(log);
}

/* "4.5 ms" is not 4.5 s, with or without the blank. */
static void test_curl_units(void **state)
{
    (void)state;
    struct log *log = log_read("curl -w @f https://a.example/\n"
                               "time_namelookup: 4.5 ms\ntime_connect: 22.5ms\n"
                               "time_appconnect: 90000 us\ntime_pretransfer: 91000 \xc2\xb5s\n"
                               "time_starttransfer: 150 milliseconds\ntime_total: 0.160 seconds\n");
    assert_near(log_find(log, "https", "namelookup", -1)->value, 0.0045);
    assert_near(log_find(log, "https", "connect", -1)->value, 0.0225);
    assert_near(log_find(log, "https", "appconnect", -1)->value, 0.09);
    assert_near(log_find(log, "https", "pretransfer", -1)->value, 0.091);
    assert_near(log_find(log, "https", "starttransfer", -1)->value, 0.15);
    assert_near(log_find(log, "https", "total", -1)->value, 0.16);
    assert_int_equal(log->worst, VERDICT_TRUST);
    free(log);
    /* a script multiplied: microseconds, or what? */
    log = log_read("{\"time_connect\":22500,\"time_total\":160000}\n");
    assert_int_equal(log_find(log, "transfer", "total", -1)->status, CELL_UNKNOWN);
    free(log);
    /* the file ends before the unit */
    static const char *const ENDS[] = {"", " ", " m"};
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        char text[80];
        snprintf(text, sizeof text, "time_namelookup: 4.5 ms\ntime_connect: 22.5%s", ENDS[i]);
        log = log_read(text);
        assert_int_equal(log_find(log, "transfer", "connect", -1)->status, CELL_UNKNOWN);
        free(log);
    }
}

/* "4 x Cortex-A53 @ 1500 MHz" is no clock of 4 MHz, which every rate would exceed. */
static void test_stated_clock(void **state)
{
    (void)state;
    static const char *const CLOCKS[] = {"CPU: 4 x Cortex-A53 @ 1500 MHz, temp 51 C",
                                         "CPU max MHz: 1500.0000", "CPU Frequency 1500000000 Hz",
                                         "8 cores, cpu clock 1.5 GHz"};
    for (size_t i = 0; i < COUNT_OF(CLOCKS); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "%s\ntype             16 bytes     64 bytes   8192 bytes\n"
                 "aes-128-cbc     100000.00k   200000.00k   400000.00k\n"
                 "md5              90000.00k   300000.00k   600000.00k\n",
                 CLOCKS[i]);
        struct log *log = log_read(text);
        assert_near(log_find(log, "aes-128-cbc", "encrypt", 8192)->value, 400e6);
        /* 0.4 bytes per cycle of 1.5 GHz, above the bound of MD5 */
        assert_int_equal(log_find(log, "md5", "digest", 8192)->status, CELL_UNKNOWN);
        free(log);
    }
}

static void test_several_tools_in_one_file(void **state)
{
    (void)state;
    struct log *log =
        log_read("type             16 bytes\nmd5              14319.70k\n"
                 "  SHA-256                  :      2000 KiB/s,         60 cycles/byte\n"
                 "     aes-cbc   128b    12.5 MiB/s    14.5 MiB/s\n");
    assert_int_equal(log->runs, 3);
    assert_int_equal(log->count, 5);
    free(log);
}

static void test_no_log(void **state)
{
    (void)state;
    struct log *log = log_read("It was 12 degrees and 5.00 people ran 3.00s.\n\n\n");
    assert_int_equal(log->runs, 0);
    free(log);
    log = log_read("");
    assert_int_equal(log->runs, 0);
    free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wolfcrypt),
        cmocka_unit_test(test_wolfcrypt_units_and_devices),
        cmocka_unit_test(test_mbedtls),
        cmocka_unit_test(test_mbedtls_against_the_clock),
        cmocka_unit_test(test_cryptsetup),
        cmocka_unit_test(test_kcapi),
        cmocka_unit_test(test_s_time),
        cmocka_unit_test(test_securemark),
        cmocka_unit_test(test_curl_units),
        cmocka_unit_test(test_stated_clock),
        cmocka_unit_test(test_wolfcrypt_spellings),
        cmocka_unit_test(test_curl),
        cmocka_unit_test(test_several_tools_in_one_file),
        cmocka_unit_test(test_no_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
