#pragma once
#include <libwebsockets.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <stddef.h>
#include <sys/socket.h>

// What Swift cannot import from libwebsockets and OpenSSL: macros with casts or arithmetic, variadic functions, and
// structures whose shape differs between versions. Each is here for that reason alone.

// LWS_PRE: a macro with a computed value. The bytes that lws_write may overwrite before the payload.
size_t ss_lws_pre(void);

// LWS_WRITE_RAW: an alias of an enumerator made by a macro. Bytes go out as they are, through TLS if there is any.
enum lws_write_protocol ss_write_raw(void);

// A builtin of the compiler. Fetches the start of a connection into the cache, where the library keeps what every write looks at.
static inline void ss_prefetch(const struct lws *wsi) {
    for (int line = 0; line < 10; line++) __builtin_prefetch((const char *)wsi + 64 * line);
}

// Context options are macros of shifted casts, which import with differing types between versions.
unsigned long long ss_server_options(int tls);
unsigned long long ss_client_options(int tls);

// SSL_OP_NO_* are macros with casts. Leaves TLS 1.2 and newer.
long ss_tls_options(void);

// SSL_CTX_set_* are macros with casts. A client's context that trusts the system's certificates and those of a PEM file,
// if one is named, or all that there are, or NULL; freed with ss_tls_forget, which is SSL_CTX_free, so that callers need OpenSSL's module for nothing.
SSL_CTX *ss_tls_trust(const char *certificates, int trusts_any_certificate);
void ss_tls_forget(SSL_CTX *context);

// A time-out that ends a connection at once: LWS_TO_KILL_ASYNC is a macro for a negative number.
void ss_kill(struct lws *wsi);

// LCCSCF_* are enumerators that are to be combined; the result depends on what may be trusted.
int ss_client_tls_flags(int trusts_any_certificate);

// Routes the library's own log lines, errors and warnings only, to a function; NULL drops them.
void ss_set_log(void (*emit)(int level, const char *line));

// EVP_EC_gen is a macro around a variadic function. A new P-256 key, or NULL; freed with EVP_PKEY_free.
EVP_PKEY *ss_make_p256_key(void);

// SSL_CTX_set_* and SSL_CTX_get0_chain_certs are macros with casts. TLS 1.2 and newer, and little memory for a
// connection that is idle.
void ss_tls_prepare(SSL_CTX *context);

// A context with a certificate chain and its key from PEM files, or NULL; freed with SSL_CTX_free.
SSL_CTX *ss_tls_load(const char *certificate, const char *key);

// Copies certificate, chain and key from one context to another; 1 when that worked.
int ss_tls_adopt(SSL_CTX *target, SSL_CTX *source);

// When the first certificate of a PEM file ends, in seconds since 1970, or 0: ASN1_TIME_to_tm fills a struct tm.
long long ss_tls_certificate_end(const char *path);

// Enumerators that are to be combined: a socket that speaks HTTP, through TLS if the virtual host does.
lws_adoption_type ss_adoption_type(void);

// accept4 is a GNU extension, which the C library's module leaves out. The socket does not block and is not inherited.
int ss_accept(int listener, struct sockaddr *address, socklen_t *length);

// eventfd is not in the C library's module. A descriptor to wake a poll with, which does not block.
int ss_eventfd(void);

// libev's loop, which is declared through macros that depend on how libev was built; NULL when there is none to be had.
void *ss_loop_new(void);
void ss_loop_run(void *loop);
void ss_loop_break(void *loop);
void ss_loop_free(void *loop);

// LWS_SERVER_OPTION_LIBEV: a macro of a shifted cast.
unsigned long long ss_libev_option(void);
