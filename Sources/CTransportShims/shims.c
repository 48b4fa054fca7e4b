#include "CTransportShims.h"
#include <openssl/ec.h>
#include <openssl/ssl.h>

size_t ss_lws_pre(void) { return LWS_PRE; }

enum lws_write_protocol ss_write_raw(void) { return LWS_WRITE_RAW; }

unsigned long long ss_server_options(int tls) {
    unsigned long long options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                                 LWS_SERVER_OPTION_HTTP_HEADERS_SECURITY_BEST_PRACTICES_ENFORCE;
    if (tls) options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    return options;
}

unsigned long long ss_client_options(void) {
    return LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_VALIDATE_UTF8;
}

long ss_tls_options(void) { return SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_COMPRESSION; }

void ss_kill(struct lws *wsi) { lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC); }

int ss_client_tls_flags(int trusts_any_certificate) {
    int flags = LCCSCF_USE_SSL;
    if (trusts_any_certificate)
        flags |= LCCSCF_ALLOW_SELFSIGNED | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK | LCCSCF_ALLOW_EXPIRED |
                 LCCSCF_ALLOW_INSECURE;
    return flags;
}

void ss_set_log(void (*emit)(int level, const char *line)) { lws_set_log_level(emit ? LLL_ERR | LLL_WARN : 0, emit); }

int ss_listen_port(struct lws_vhost *vhost) { return lws_get_vhost_listen_port(vhost); }

EVP_PKEY *ss_make_p256_key(void) { return EVP_EC_gen("P-256"); }
