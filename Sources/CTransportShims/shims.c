#define _GNU_SOURCE
#include "CTransportShims.h"
#include <ev.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <stdio.h>
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

lws_adoption_type ss_adoption_type(void) { return LWS_ADOPT_HTTP | LWS_ADOPT_SOCKET | LWS_ADOPT_ALLOW_SSL; }

int ss_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int ss_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void *ss_loop_new(void) { return ev_loop_new(EVFLAG_AUTO | EVFLAG_NOENV); }

void ss_loop_run(void *loop) { ev_run(loop, 0); }

void ss_loop_break(void *loop) { ev_break(loop, EVBREAK_ALL); }

void ss_loop_free(void *loop) { ev_loop_destroy(loop); }

unsigned long long ss_libev_option(void) { return LWS_SERVER_OPTION_LIBEV; }
