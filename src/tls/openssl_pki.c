#include "tls/openssl_pki.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

#include "core/buffer.h"

enum { MOST_CERTIFICATES = 3, PEM_BYTES = 64 * 1024 };

struct key_type {
    const char *name;
    const char *algorithm; /* of EVP_PKEY_Q_keygen */
    size_t rsa_bits;
    const char *curve; /* OpenSSL's own spelling */
    const char *digest;
};

/* Digests match the curve's strength (RFC 5758, RFC 5639, SEC 1); EdDSA signs without one. */
static const struct key_type key_types[] = {
    {"rsa-2048", "RSA", 2048, NULL, "SHA256"},
    {"rsa-3072", "RSA", 3072, NULL, "SHA256"},
    {"rsa-4096", "RSA", 4096, NULL, "SHA256"},
    {"ecdsa-p256", "EC", 0, "P-256", "SHA256"},
    {"ecdsa-p384", "EC", 0, "P-384", "SHA384"},
    {"ecdsa-p521", "EC", 0, "P-521", "SHA512"},
    {"ecdsa-brainpoolp256r1", "EC", 0, "brainpoolP256r1", "SHA256"},
    {"ecdsa-brainpoolp384r1", "EC", 0, "brainpoolP384r1", "SHA384"},
    {"ecdsa-brainpoolp512r1", "EC", 0, "brainpoolP512r1", "SHA512"},
    {"ed25519", "ED25519", 0, NULL, NULL},
    {"ed448", "ED448", 0, NULL, NULL},
};

/* Seconds since 1970: 2024-01-01, 2054-01-01, and the bounds of the two flaws in time. */
enum { YEAR_2024 = 1704067200, YEAR_2025 = 1735689600 };
static const time_t year_2053 = 2619302400;
static const time_t year_2054 = 2650838400;

struct identity {
    EVP_PKEY *key;
    X509 *certificate;
};

enum certificate_role { ROLE_CA, ROLE_SERVER, ROLE_CLIENT };

static bool openssl_failed(struct error *error, const char *what)
{
    unsigned long code = ERR_get_error();
    const char *reason = ERR_reason_error_string(code);
    ERR_clear_error();
    return error_set_library(error, ORIGIN_OPENSSL, (int64_t)code, "%s: %s", what,
                             reason == NULL ? "no reason given" : reason);
}

static const struct key_type *find_key_type(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(key_types); i++)
        if (strcmp(key_types[i].name, name) == 0)
            return &key_types[i];
    return NULL;
}

static EVP_PKEY *make_key(const struct key_type *type)
{
    if (type->rsa_bits != 0)
        return EVP_PKEY_Q_keygen(NULL, NULL, type->algorithm, type->rsa_bits);
    if (type->curve != NULL)
        return EVP_PKEY_Q_keygen(NULL, NULL, type->algorithm, type->curve);
    return EVP_PKEY_Q_keygen(NULL, NULL, type->algorithm);
}

static bool add_extension(X509 *certificate, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (extension == NULL)
        return false;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added == 1;
}

struct extension_row {
    int nid;
    const char *value;
};

static bool add_extensions(X509 *certificate, X509 *issuer, enum certificate_role role,
                           enum pki_flaw flaw)
{
    const char *names = flaw == PKI_WRONG_NAME ? "DNS:other.example"
                                               : "DNS:localhost,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1";
    const struct extension_row ca[] = {{NID_basic_constraints, "critical,CA:TRUE"},
                                       {NID_key_usage, "critical,keyCertSign,cRLSign"},
                                       {NID_subject_key_identifier, "hash"}};
    const struct extension_row server[] = {
        {NID_basic_constraints, "critical,CA:FALSE"},
        {NID_key_usage, "critical,digitalSignature,keyEncipherment"},
        {NID_ext_key_usage, "serverAuth"},
        {NID_subject_alt_name, names},
        {NID_authority_key_identifier, "keyid"}};
    const struct extension_row client[] = {{NID_basic_constraints, "critical,CA:FALSE"},
                                           {NID_key_usage, "critical,digitalSignature"},
                                           {NID_ext_key_usage, "clientAuth"},
                                           {NID_authority_key_identifier, "keyid"}};
    const struct extension_row *const tables[] = {ca, server, client};
    const size_t counts[] = {COUNT_OF(ca), COUNT_OF(server), COUNT_OF(client)};
    for (size_t i = 0; i < counts[role]; i++)
        if (!add_extension(certificate, issuer, tables[role][i].nid, tables[role][i].value))
            return false;
    return true;
}

static bool set_validity(X509 *certificate, enum pki_flaw flaw)
{
    time_t from = flaw == PKI_NOT_YET_VALID ? year_2053 : YEAR_2024;
    time_t until = flaw == PKI_EXPIRED ? YEAR_2025 : year_2054;
    return ASN1_TIME_set(X509_getm_notBefore(certificate), from) != NULL &&
           ASN1_TIME_set(X509_getm_notAfter(certificate), until) != NULL;
}

static bool set_serial(X509 *certificate)
{
    unsigned char serial[8];
    if (RAND_bytes(serial, sizeof serial) != 1)
        return false;
    serial[0] = (unsigned char)((serial[0] & 0x3f) | 0x40); /* positive, full length */
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof serial; i++)
        value = value << 8 | serial[i];
    return ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), value) == 1;
}

static bool set_names(X509 *certificate, const struct identity *issuer, const char *name)
{
    X509_NAME *subject = X509_get_subject_name(certificate);
    if (X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1,
                                   -1, 0) != 1)
        return false;
    X509_NAME *issued_by =
        issuer->certificate == NULL ? subject : X509_get_subject_name(issuer->certificate);
    return X509_set_issuer_name(certificate, issued_by) == 1;
}

/* Fills `out`; an issuer without a certificate means self-signed. */
static bool make_identity(const struct key_type *type, const struct identity *issuer,
                          const char *name, enum certificate_role role, enum pki_flaw flaw,
                          struct identity *out)
{
    out->key = make_key(type);
    out->certificate = X509_new();
    if (out->key == NULL || out->certificate == NULL)
        return false;
    EVP_PKEY *signer = issuer->key == NULL ? out->key : issuer->key;
    X509 *issued_by = issuer->certificate == NULL ? out->certificate : issuer->certificate;
    const EVP_MD *digest = type->digest == NULL ? NULL : EVP_get_digestbyname(type->digest);
    return X509_set_version(out->certificate, X509_VERSION_3) == 1 &&
           set_serial(out->certificate) && set_validity(out->certificate, flaw) &&
           set_names(out->certificate, issuer, name) &&
           X509_set_pubkey(out->certificate, out->key) == 1 &&
           add_extensions(out->certificate, issued_by, role, flaw) &&
           X509_sign(out->certificate, signer, digest) > 0;
}

static void identity_free(struct identity *identity)
{
    EVP_PKEY_free(identity->key);
    X509_free(identity->certificate);
    *identity = (struct identity){NULL, NULL};
}

/* The BIO's contents as text in the arena; NULL when there are none. */
static const char *take_text(BIO *bio, struct arena *arena)
{
    char *bytes = NULL;
    long length = BIO_get_mem_data(bio, &bytes);
    return length <= 0 || length > PEM_BYTES ? NULL : arena_copy(arena, bytes, (size_t)length);
}

static const char *certificates_text(X509 *const *certificates, size_t count, struct arena *arena)
{
    BIO *bio = BIO_new(BIO_s_mem());
    bool written = bio != NULL;
    for (size_t i = 0; written && i < count; i++)
        written = PEM_write_bio_X509(bio, certificates[i]) == 1;
    const char *text = written ? take_text(bio, arena) : NULL;
    BIO_free(bio);
    return text;
}

/* EC keys in the form of RFC 5915, which names the curve inside: wolfSSL 5.5 strips PKCS#8's outer
 * layer and then guesses the curve from the size, wrongly for Brainpool. */
static const char *key_text(EVP_PKEY *key, struct arena *arena)
{
    BIO *bio = BIO_new(BIO_s_secmem());
    const char *text = NULL;
    int written = 0;
    if (bio != NULL)
        written = EVP_PKEY_is_a(key, "EC")
                      ? PEM_write_bio_PrivateKey_traditional(bio, key, NULL, NULL, 0, NULL, NULL)
                      : PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL);
    if (written == 1)
        text = take_text(bio, arena);
    BIO_free(bio);
    return text;
}

/* Root, then intermediates in issuing order; returns whether all could be made. */
static bool make_authorities(const struct key_type *type, unsigned chain_length,
                             struct identity authorities[MOST_CERTIFICATES])
{
    static const char *const names[MOST_CERTIFICATES] = {"tlsmeter test root", "tlsmeter test CA 1",
                                                         "tlsmeter test CA 2"};
    struct identity issuer = {NULL, NULL};
    for (unsigned i = 0; i < chain_length; i++) {
        if (!make_identity(type, &issuer, names[i], ROLE_CA, PKI_SOUND, &authorities[i]))
            return false;
        issuer = authorities[i];
    }
    return true;
}

static bool make_pieces(const struct key_type *type, const struct pki_request *request,
                        enum pki_flaw flaw, struct identity authorities[MOST_CERTIFICATES],
                        struct identity leaves[2], struct arena *arena, struct pki_pieces *pieces)
{
    unsigned length = request->chain_length;
    if (!make_authorities(type, length, authorities) ||
        !make_identity(type, &authorities[length - 1], "localhost", ROLE_SERVER, flaw,
                       &leaves[0]) ||
        !make_identity(type, &authorities[length - 1], "tlsmeter test client", ROLE_CLIENT, flaw,
                       &leaves[1]))
        return false;
    X509 *chain[MOST_CERTIFICATES] = {NULL};
    for (unsigned i = 1; i < length; i++)
        chain[i] = authorities[length - i].certificate;
    chain[0] = leaves[0].certificate;
    pieces->server_chain = certificates_text(chain, length, arena);
    chain[0] = leaves[1].certificate;
    pieces->client_chain = certificates_text(chain, length, arena);
    pieces->server_key = key_text(leaves[0].key, arena);
    pieces->client_key = key_text(leaves[1].key, arena);
    pieces->root = certificates_text(&authorities[0].certificate, 1, arena);
    return pieces->server_chain != NULL && pieces->client_chain != NULL &&
           pieces->server_key != NULL && pieces->client_key != NULL && pieces->root != NULL;
}

bool openssl_pki_generate(const struct pki_request *request, enum pki_flaw flaw,
                          struct arena *arena, struct pki_pieces *pieces, struct error *error)
{
    const struct key_type *type = find_key_type(request->key);
    if (type == NULL)
        return error_set(error, ERROR_USAGE, "no test certificate can be made with key \"%s\"",
                         request->key);
    if (request->chain_length < 1 || request->chain_length > MOST_CERTIFICATES)
        return error_set(error, ERROR_USAGE, "chain length %u: 1 to %d are possible",
                         request->chain_length, MOST_CERTIFICATES);
    struct identity authorities[MOST_CERTIFICATES] = {{NULL, NULL}};
    struct identity leaves[2] = {{NULL, NULL}};
    bool made = make_pieces(type, request, flaw, authorities, leaves, arena, pieces);
    if (made && flaw == PKI_OTHER_ROOT) {
        struct identity other = {NULL, NULL};
        made = make_identity(type, &other, "another test root", ROLE_CA, PKI_SOUND, &other) &&
               (pieces->root = certificates_text(&other.certificate, 1, arena)) != NULL;
        identity_free(&other);
    }
    for (size_t i = 0; i < MOST_CERTIFICATES; i++)
        identity_free(&authorities[i]);
    identity_free(&leaves[0]);
    identity_free(&leaves[1]);
    return made ? true : openssl_failed(error, "making test certificates");
}

bool openssl_pki_check_pair(const char *chain, const char *key, struct error *error)
{
    BIO *chain_bio = BIO_new_mem_buf(chain, -1);
    BIO *key_bio = BIO_new_mem_buf(key, -1);
    X509 *certificate = PEM_read_bio_X509(chain_bio, NULL, NULL, NULL);
    EVP_PKEY *private_key = PEM_read_bio_PrivateKey(key_bio, NULL, NULL, NULL);
    bool fits = false;
    if (certificate == NULL)
        (void)openssl_failed(error, "no certificate in PEM found");
    else if (private_key == NULL)
        (void)openssl_failed(error, "no unencrypted private key in PEM found");
    else if (X509_check_private_key(certificate, private_key) != 1)
        (void)openssl_failed(error, "key and certificate do not belong together");
    else
        fits = true;
    X509_free(certificate);
    EVP_PKEY_free(private_key);
    BIO_free(chain_bio);
    BIO_free(key_bio);
    return fits;
}
