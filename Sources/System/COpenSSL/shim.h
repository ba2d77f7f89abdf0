#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// What OpenSSL offers as macros, which Swift cannot see.

static inline int apns_ctx_set_minimum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version) == 1;
}

static inline int apns_ctx_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

static inline void apns_ctx_disable_session_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

// A client's sessions are handed to the callback alone; OpenSSL keeps none itself.
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

// Asks for the signature of RFC 6979: 1 where the library knows it, 0 where it does not, -1 where it
// fails. The parameter's name is written out because older headers do not have it.
static inline int apns_sign_without_chance(EVP_PKEY_CTX *signing) {
    const OSSL_PARAM *known = EVP_PKEY_CTX_settable_params(signing);
    if (known == NULL || OSSL_PARAM_locate_const(known, "nonce-type") == NULL) return 0;
    unsigned int type = 1;
    OSSL_PARAM wanted[2] = {OSSL_PARAM_construct_uint("nonce-type", &type),
                            OSSL_PARAM_construct_end()};
    return EVP_PKEY_CTX_set_params(signing, wanted) == 1 ? 1 : -1;
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

// Agrees on TLS 1.2 with a client that offers it, and on 1.3 only with one that offers nothing else.
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
