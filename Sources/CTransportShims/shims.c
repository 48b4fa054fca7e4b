#define _GNU_SOURCE
#include "CTransportShims.h"
#include <ev.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

// OpenSSL would free itself in `exit`, under the event loops' threads, which may still be freeing their contexts: then
// the process ends by a signal although its work is done. Only the first initialisation may say so, hence before `main`.
// OPENSSL_init_crypto(3), OPENSSL_INIT_NO_ATEXIT.
__attribute__((constructor)) static void keep_openssl_until_the_end(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

size_t ss_lws_pre(void) { return LWS_PRE; }

enum lws_write_protocol ss_write_raw(void) { return LWS_WRITE_RAW; }

unsigned long long ss_server_options(int tls) {
    // Without the library's own policies: each response has one, and two would be joined to the stricter of both.
    unsigned long long options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    if (tls) options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    return options;
}

unsigned long long ss_client_options(int tls) {
    return LWS_SERVER_OPTION_VALIDATE_UTF8 | (tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0);
}

long ss_tls_options(void) { return SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_COMPRESSION; }

SSL_CTX *ss_tls_trust(const char *certificates, int trusts_any_certificate) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context) return NULL;
    SSL_CTX_set_options(context, ss_tls_options());
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    // Without certificates of the system, as in a small container, those of the file are the only ones.
    SSL_CTX_set_default_verify_paths(context);
    SSL_CTX_set_verify(context, trusts_any_certificate ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, NULL);
    int done = !certificates || SSL_CTX_load_verify_locations(context, certificates, NULL) == 1;
    ERR_clear_error();
    if (done) return context;
    SSL_CTX_free(context);
    return NULL;
}

void ss_tls_forget(SSL_CTX *context) { SSL_CTX_free(context); }

SSL *ss_tls_connect(SSL_CTX *context, int descriptor, const char *host, char *reason, int size) {
    SSL *connection = SSL_new(context);
    int ready = connection && SSL_set_fd(connection, descriptor) == 1;
    X509_VERIFY_PARAM *rules = connection ? SSL_get0_param(connection) : NULL;
    ERR_clear_error();
    if (ready && X509_VERIFY_PARAM_set1_ip_asc(rules, host) != 1)
        ready = SSL_set1_host(connection, host) == 1 && SSL_set_tlsext_host_name(connection, host) == 1;
    ERR_clear_error();
    if (ready && SSL_connect(connection) == 1) return connection;
    long verdict = connection ? SSL_get_verify_result(connection) : X509_V_OK;
    const char *text = verdict != X509_V_OK ? X509_verify_cert_error_string(verdict)
                                            : ERR_reason_error_string(ERR_peek_last_error());
    snprintf(reason, (size_t)size, "%s", text ? text : "the TLS handshake failed");
    ERR_clear_error();
    SSL_free(connection);
    return NULL;
}

void ss_kill(struct lws *wsi) { lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC); }

int ss_client_tls_flags(int trusts_any_certificate) {
    int flags = LCCSCF_USE_SSL;
    if (trusts_any_certificate)
        flags |= LCCSCF_ALLOW_SELFSIGNED | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK | LCCSCF_ALLOW_EXPIRED |
                 LCCSCF_ALLOW_INSECURE;
    return flags;
}

void ss_set_log(void (*emit)(int level, const char *line)) { lws_set_log_level(emit ? LLL_ERR | LLL_WARN : 0, emit); }

EVP_PKEY *ss_make_p256_key(void) { return EVP_EC_gen("P-256"); }

void ss_tls_prepare(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    // An idle connection keeps no buffers, a finished one no session.
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

SSL_CTX *ss_tls_load(const char *certificate, const char *key) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (!context) return NULL;
    if (SSL_CTX_use_certificate_chain_file(context, certificate) == 1 &&
        SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 && SSL_CTX_check_private_key(context) == 1)
        return context;
    ERR_clear_error();
    SSL_CTX_free(context);
    return NULL;
}

int ss_tls_adopt(SSL_CTX *target, SSL_CTX *source) {
    STACK_OF(X509) *chain = NULL;
    SSL_CTX_get0_chain_certs(source, &chain);
    int done = SSL_CTX_use_cert_and_key(target, SSL_CTX_get0_certificate(source), SSL_CTX_get0_privatekey(source), chain, 1);
    ERR_clear_error();
    return done;
}

int ss_tls_ask(SSL_CTX *context, const char *authorities, int requires) {
    X509_STORE *store = X509_STORE_new();
    STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(authorities);
    int done = store && names && sk_X509_NAME_num(names) > 0 && X509_STORE_load_locations(store, authorities, NULL) == 1;
    if (done) {
        SSL_CTX_set1_verify_cert_store(context, store);
        SSL_CTX_set_client_CA_list(context, names);
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (requires ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), NULL);
        SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
        SSL_CTX_set_num_tickets(context, 0);
    } else {
        sk_X509_NAME_pop_free(names, X509_NAME_free);
    }
    X509_STORE_free(store);
    ERR_clear_error();
    return done;
}

// Copies a name; 0 where it is empty, does not fit, or has a byte of 0, which would end it early elsewhere.
static int copy_name(const unsigned char *bytes, int length, char *name, int size) {
    if (!bytes || length <= 0 || length > size || memchr(bytes, 0, (size_t)length)) return 0;
    memcpy(name, bytes, (size_t)length);
    return length;
}

static int alternative_name(X509 *certificate, char *name, int size) {
    GENERAL_NAMES *all = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    const int kinds[] = {GEN_URI, GEN_EMAIL, GEN_DNS};
    int length = 0;
    for (int kind = 0; kind < 3 && !length; kind++)
        for (int index = 0; index < sk_GENERAL_NAME_num(all) && !length; index++) {
            const GENERAL_NAME *one = sk_GENERAL_NAME_value(all, index);
            // The three have the same type, IA5String.
            if (one->type == kinds[kind])
                length = copy_name(ASN1_STRING_get0_data(one->d.ia5), ASN1_STRING_length(one->d.ia5), name, size);
        }
    GENERAL_NAMES_free(all);
    return length;
}

static int common_name(X509 *certificate, char *name, int size) {
    X509_NAME *subject = X509_get_subject_name(certificate);
    int index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    if (index < 0) return 0;
    unsigned char *bytes = NULL;
    int length = ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)));
    int copied = copy_name(bytes, length, name, size);
    OPENSSL_free(bytes);
    return copied;
}

int ss_tls_peer_name(struct lws *wsi, char *name, int size) {
    SSL *connection = lws_get_ssl(wsi);
    X509 *certificate = connection ? SSL_get_peer_certificate(connection) : NULL;
    if (!certificate) return 0;
    int length = 0;
    if (SSL_get_verify_result(connection) == X509_V_OK) {
        length = alternative_name(certificate, name, size);
        if (!length) length = common_name(certificate, name, size);
    }
    X509_free(certificate);
    ERR_clear_error();
    return length;
}

int ss_tls_present(SSL_CTX *context, const char *certificate, const char *key) {
    int done = SSL_CTX_use_certificate_chain_file(context, certificate) == 1 &&
               SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 && SSL_CTX_check_private_key(context) == 1;
    ERR_clear_error();
    return done;
}

long long ss_tls_certificate_end(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    X509 *certificate = PEM_read_X509(file, NULL, NULL, NULL);
    fclose(file);
    if (!certificate) return 0;
    struct tm end;
    long long seconds = ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) == 1 ? timegm(&end) : 0;
    X509_free(certificate);
    return seconds;
}

lws_adoption_type ss_adoption_type(int allows_tls) {
    return LWS_ADOPT_HTTP | LWS_ADOPT_SOCKET | (allows_tls ? LWS_ADOPT_ALLOW_SSL : 0);
}

int ss_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int ss_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void *ss_loop_new(void) { return ev_loop_new(EVFLAG_AUTO | EVFLAG_NOENV); }

void ss_loop_run(void *loop) { ev_run(loop, 0); }

void ss_loop_break(void *loop) { ev_break(loop, EVBREAK_ALL); }

void ss_loop_free(void *loop) { ev_loop_destroy(loop); }

unsigned long long ss_libev_option(void) { return LWS_SERVER_OPTION_LIBEV; }
