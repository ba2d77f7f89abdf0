#pragma once
#include <errno.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

// Wrappers of OpenSSL's macros, which Swift does not import.

// The process or the system lacks memory or descriptors.
static inline int apns_error_lacks_resources(unsigned long code) {
    if (!ERR_SYSTEM_ERROR(code)) return ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
    int reason = ERR_GET_REASON(code);
    return reason == EMFILE || reason == ENFILE || reason == ENOMEM;
}

static inline int apns_ctx_set_minimum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version) == 1;
}

static inline int apns_ctx_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

static inline void apns_ctx_disable_session_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

// A client's sessions are only passed to the callback; OpenSSL does not cache them.
static inline void apns_ctx_hand_over_sessions(
    SSL_CTX *context, int (*callback)(SSL *, SSL_SESSION *)) {
    SSL_CTX_set_session_cache_mode(
        context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, callback);
}

static inline void apns_ssl_set_data(SSL *session, void *data) { SSL_set_app_data(session, data); }

static inline void *apns_ssl_data(const SSL *session) { return SSL_get_app_data(session); }

static inline int apns_ssl_set_server_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name) == 1;
}

static inline size_t apns_bio_data(BIO *bio, const unsigned char **data) {
    char *start = NULL;
    long length = BIO_get_mem_data(bio, &start);
    *data = (const unsigned char *)start;
    return length > 0 ? (size_t)length : 0;
}

static inline int apns_chain_count(const STACK_OF(X509) *chain) {
    return chain == NULL ? 0 : sk_X509_num(chain);
}

static inline X509 *apns_chain_at(const STACK_OF(X509) *chain, int index) {
    return sk_X509_value(chain, index);
}

// Selects deterministic signatures (RFC 6979): 1 if the library supports them, 0 if it does not, -1
// on failure. The parameter's name is a literal because older headers do not define it.
static inline int apns_sign_without_chance(EVP_PKEY_CTX *signing) {
    const OSSL_PARAM *known = EVP_PKEY_CTX_settable_params(signing);
    if (known == NULL || OSSL_PARAM_locate_const(known, "nonce-type") == NULL) return 0;
    unsigned int type = 1;
    OSSL_PARAM wanted[2] = {OSSL_PARAM_construct_uint("nonce-type", &type),
                            OSSL_PARAM_construct_end()};
    return EVP_PKEY_CTX_set_params(signing, wanted) == 1 ? 1 : -1;
}

// ECDSA on P-256 with SHA-256 and the nonce of RFC 6979, for libraries that do not support it.

typedef struct {
    unsigned char key[32];
    unsigned char value[32];
} apns_nonce;

static inline int apns_nonce_hash(apns_nonce *nonce, unsigned char *out, const unsigned char *bytes,
                                  size_t count) {
    unsigned int length = 32;
    return HMAC(EVP_sha256(), nonce->key, 32, bytes, count, out, &length) != NULL;
}

// RFC 6979, section 3.2, steps d to g; `count` is 0 without further input.
static inline int apns_nonce_update(apns_nonce *nonce, unsigned char step,
                                    const unsigned char *input, size_t count) {
    unsigned char block[32 + 1 + 64];
    memcpy(block, nonce->value, 32);
    block[32] = step;
    if (count > 0) memcpy(block + 33, input, count);
    int done = apns_nonce_hash(nonce, nonce->key, block, 33 + count)
        && apns_nonce_hash(nonce, nonce->value, nonce->value, 32);
    OPENSSL_cleanse(block, sizeof block);
    return done;
}

// Steps a to g: `input` is the private key followed by the digest modulo the order.
static inline int apns_nonce_start(apns_nonce *nonce, const BIGNUM *scalar, const BIGNUM *order,
                                   const unsigned char digest[32], BN_CTX *numbers) {
    unsigned char input[64];
    BIGNUM *number = BN_CTX_get(numbers);
    memset(nonce->key, 0, 32);
    memset(nonce->value, 1, 32);
    int done = number != NULL && BN_bin2bn(digest, 32, number) != NULL
        && BN_nnmod(number, number, order, numbers) && BN_bn2binpad(scalar, input, 32) == 32
        && BN_bn2binpad(number, input + 32, 32) == 32
        && apns_nonce_update(nonce, 0, input, 64) && apns_nonce_update(nonce, 1, input, 64);
    OPENSSL_cleanse(input, sizeof input);
    return done;
}

// Step h: the next nonce between 1 and the order; returns 0 if the library fails.
static inline int apns_nonce_next(apns_nonce *nonce, const BIGNUM *order, BIGNUM *number) {
    for (int try = 0; try < 100; try++) {
        if (try > 0 && !apns_nonce_update(nonce, 0, NULL, 0)) return 0;
        if (!apns_nonce_hash(nonce, nonce->value, nonce->value, 32)) return 0;
        if (BN_bin2bn(nonce->value, 32, number) == NULL) return 0;
        if (!BN_is_zero(number) && BN_cmp(number, order) < 0) return 1;
    }
    return 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// Computes the signature from key and nonce: r and s, 32 bytes each.
static inline int apns_sign_with_nonce(const BIGNUM *scalar, const BIGNUM *number,
                                       const EC_GROUP *group, const unsigned char digest[32],
                                       unsigned char signature[64], BN_CTX *numbers) {
    const BIGNUM *order = EC_GROUP_get0_order(group);
    EC_POINT *point = EC_POINT_new(group);
    EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *r = BN_CTX_get(numbers), *inverse = BN_CTX_get(numbers), *two = BN_CTX_get(numbers);
    ECDSA_SIG *made = NULL;
    // Fermat: the inverse modulo a prime, without branches that depend on the nonce.
    int done = point != NULL && key != NULL && two != NULL && BN_set_word(two, 2)
        && EC_POINT_mul(group, point, number, NULL, NULL, numbers)
        && EC_POINT_get_affine_coordinates(group, point, r, NULL, numbers)
        && BN_nnmod(r, r, order, numbers) && !BN_is_zero(r) && BN_sub(two, order, two)
        && BN_mod_exp_mont_consttime(inverse, number, two, order, numbers, NULL)
        && EC_KEY_set_private_key(key, scalar)
        && (made = ECDSA_do_sign_ex(digest, 32, inverse, r, key)) != NULL
        && BN_bn2binpad(ECDSA_SIG_get0_r(made), signature, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(made), signature + 32, 32) == 32;
    if (inverse != NULL) BN_clear(inverse);
    ECDSA_SIG_free(made);
    EC_KEY_free(key);
    EC_POINT_clear_free(point);
    return done;
}

#pragma GCC diagnostic pop

// Signs a SHA-256 digest with a P-256 private key; `signature` receives r and s.
static inline int apns_sign_rfc6979(const EVP_PKEY *key, const unsigned char digest[32],
                                    unsigned char signature[64]) {
    apns_nonce nonce;
    BN_CTX *numbers = BN_CTX_secure_new();
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *scalar = NULL, *number = NULL;
    if (numbers != NULL) {
        BN_CTX_start(numbers);
        number = BN_CTX_get(numbers);
    }
    int done = number != NULL && group != NULL
        && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &scalar)
        && apns_nonce_start(&nonce, scalar, EC_GROUP_get0_order(group), digest, numbers);
    if (done) {
        BN_set_flags(number, BN_FLG_CONSTTIME);
        done = apns_nonce_next(&nonce, EC_GROUP_get0_order(group), number)
            && apns_sign_with_nonce(scalar, number, group, digest, signature, numbers);
    }
    if (number != NULL) BN_clear(number);
    if (numbers != NULL) BN_CTX_end(numbers);
    BN_CTX_free(numbers);
    BN_clear_free(scalar);
    EC_GROUP_free(group);
    OPENSSL_cleanse(&nonce, sizeof nonce);
    return done;
}

static inline STACK_OF(X509) *apns_chain_new(void) { return sk_X509_new_null(); }

static inline int apns_chain_append(STACK_OF(X509) *chain, X509 *certificate) {
    return X509_add_cert(chain, certificate, X509_ADD_FLAG_UP_REF);
}

static inline void apns_chain_free(STACK_OF(X509) *chain) { sk_X509_pop_free(chain, X509_free); }

static inline EVP_PKEY *apns_generate_p256(void) { return EVP_EC_gen("P-256"); }

static inline void apns_ctx_set_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}

static inline uint64_t apns_no_ticket(void) { return SSL_OP_NO_TICKET; }

static inline int apns_print_name(BIO *bio, const X509_NAME *name) {
    return X509_NAME_print_ex(bio, name, 0, XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
}

static inline int apns_add_extension(X509 *certificate, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    if (extension == NULL) return 0;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

// Negotiates TLS 1.2 with a client that offers it, and 1.3 only with one that offers nothing else.
static inline int apns_choose_tls12(SSL *session, int *alert, void *data) {
    (void)alert;
    (void)data;
    const unsigned char *versions = NULL;
    size_t length = 0;
    if (!SSL_client_hello_get0_ext(session, TLSEXT_TYPE_supported_versions, &versions, &length))
        return SSL_CLIENT_HELLO_SUCCESS;
    for (size_t place = 1; place + 1 < length; place += 2)
        if (versions[place] == 3 && versions[place + 1] == 3)
            (void)SSL_set_max_proto_version(session, TLS1_2_VERSION);
    return SSL_CLIENT_HELLO_SUCCESS;
}

static inline void apns_ctx_prefer_tls12(SSL_CTX *context) {
    SSL_CTX_set_client_hello_cb(context, apns_choose_tls12, NULL);
}
