/* The table of algorithms: vocabulary, sizes, the requests there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "crypto/crypto.h"
#include "crypto/request.h"

static const struct crypto_algorithm *find(const char *name)
{
    const struct crypto_algorithm *algorithm = crypto_algorithm_find(name);
    if (algorithm == NULL)
        fail_msg("no algorithm %s", name);
    return algorithm;
}

static void names_are_unique(void **state)
{
    (void)state;
    size_t count;
    const struct crypto_algorithm *all = crypto_algorithms(&count);
    assert_true(count >= 50);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(crypto_algorithm_find(all[i].name), &all[i]);
    assert_null(crypto_algorithm_find("aes-192-xts")); /* not in IEEE Std 1619 */
    assert_null(crypto_algorithm_find(""));
}

static void the_vocabulary_is_there(void **state)
{
    (void)state;
    static const char *const named[] = {
        "aes-128-gcm",     "chacha20-poly1305", "sha256",
        "sha3-256",        "hmac-sha256",       "aes-128-cmac",
        "rsa-2048",        "ecdsa-p256",        "ecdh-p256",
        "x25519",          "ed25519",           "ecdsa-brainpoolp256r1",
        "ffdhe2048",       "ml-kem-768",        "ml-dsa-65",
        "x509-ecdsa-p256",
    };
    for (size_t i = 0; i < COUNT_OF(named); i++)
        (void)find(named[i]);
}

/* Lengths of the standards: FIPS 180-4 figure 1, FIPS 202 table 3, RFC 5116 section 5. */
static void lengths_are_those_of_the_standards(void **state)
{
    (void)state;
    assert_int_equal(find("sha1")->tag_bytes, 20);
    assert_int_equal(find("sha256")->tag_bytes, 32);
    assert_int_equal(find("sha384")->tag_bytes, 48);
    assert_int_equal(find("sha512")->tag_bytes, 64);
    assert_int_equal(find("sha3-256")->tag_bytes, 32);
    assert_int_equal(find("aes-128-gcm")->nonce_bytes, 12);
    assert_int_equal(find("aes-128-gcm")->tag_bytes, 16);
    assert_int_equal(find("aes-192-ccm")->key_bits, 192);
    assert_int_equal(find("ecdsa-p521")->key_bits, 521);
}

static void sizes_are_refused_with_the_rule(void **state)
{
    (void)state;
    char reason[128];
    assert_string_equal(crypto_size_refusal(find("aes-128-cbc"), 20, reason),
                        "aes-128-cbc takes multiples of 16 bytes");
    assert_non_null(crypto_size_refusal(find("aes-128-cbc"), 5, reason));
    assert_non_null(strstr(reason, "16 bytes"));
    assert_non_null(crypto_size_refusal(find("sha256"), 0, reason));
    assert_non_null(
        crypto_size_refusal(find("sha256"), (uint64_t)CRYPTO_LARGEST_BYTES + 1, reason));
    assert_non_null(crypto_size_refusal(find("aes-256-xts"), 15, reason));
    assert_null(crypto_size_refusal(find("rsa-2048"), 0, reason));
    assert_null(crypto_size_refusal(find("aes-128-cbc"), 16384, reason));
    assert_null(crypto_size_refusal(find("aes-128-ctr"), 5, reason));
    assert_null(crypto_size_refusal(find("aes-256-xts"), 17, reason));
}

/* A 12-byte nonce leaves CCM 3 bytes for the length: 2^24 - 1 bytes at most (RFC 3610 section 2).
 */
static void ccm_ends_where_its_length_field_does(void **state)
{
    (void)state;
    char reason[128];
    assert_null(crypto_size_refusal(find("aes-128-ccm"), 16777215, reason));
    assert_non_null(crypto_size_refusal(find("aes-128-ccm"), 16777216, reason));
}

static size_t variants_of(const char *name)
{
    struct crypto_request variants[CRYPTO_MOST_VARIANTS];
    return crypto_request_variants(find(name), variants);
}

/* By hand: RSA signs with two paddings (2) and verifies with two and two kinds of key (4),
 * encrypts, decrypts, makes keys (3); a curve signs, verifies twice, makes keys; agreement twice
 * and keys. */
static void all_variants_once(void **state)
{
    (void)state;
    assert_int_equal(variants_of("rsa-2048"), 9);
    assert_int_equal(variants_of("ecdsa-p256"), 4);
    assert_int_equal(variants_of("x25519"), 3);
    assert_int_equal(variants_of("aes-128-gcm"), 2);
    assert_int_equal(variants_of("sha256"), 1);
    assert_int_equal(variants_of("ml-kem-768"), 3);
    assert_int_equal(variants_of("x509-rsa-2048"), 2);
}

static void names_of_values(void **state)
{
    (void)state;
    assert_string_equal(crypto_operation_name(CRYPTO_VERIFY_CHAIN), "verify-chain");
    assert_string_equal(crypto_operation_name(CRYPTO_AUTHENTICATE), "mac");
    assert_string_equal(crypto_operation_name(CRYPTO_EXPAND), "kdf");
    assert_string_equal(crypto_mode_name(CRYPTO_MODE_OPENSSL_SPEED), "openssl-speed");
    assert_string_equal(crypto_padding_name(CRYPTO_OAEP), "oaep");
    assert_string_equal(crypto_peer_key_name(CRYPTO_PEER_FRESH), "fresh");
    assert_true(crypto_kind_has_size(CRYPTO_AEAD));
    assert_true(crypto_kind_has_size(CRYPTO_RANDOM));
    assert_false(crypto_kind_has_size(CRYPTO_KDF));
    assert_false(crypto_kind_has_size(CRYPTO_RSA));
}

static void libraries_are_found(void **state)
{
    (void)state;
    size_t count;
    const struct crypto_library *const *libraries = crypto_libraries(&count);
    assert_string_equal(libraries[0]->name, "null");
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(crypto_library_find(libraries[i]->name), libraries[i]);
    assert_null(crypto_library_find("nosuch"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(the_vocabulary_is_there),
        cmocka_unit_test(lengths_are_those_of_the_standards),
        cmocka_unit_test(sizes_are_refused_with_the_rule),
        cmocka_unit_test(ccm_ends_where_its_length_field_does),
        cmocka_unit_test(all_variants_once),
        cmocka_unit_test(names_of_values),
        cmocka_unit_test(libraries_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
