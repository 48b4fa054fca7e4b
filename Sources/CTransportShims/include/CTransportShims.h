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

// SSL_set_tlsext_host_name is a macro with casts, and the reason of a failure is in two places. Shakes hands as a client over a
// socket that blocks, and verifies the certificate for a host name or address; NULL and the reason where that fails.
// Freed with SSL_free, which leaves the socket open.
SSL *ss_tls_connect(SSL_CTX *context, int descriptor, const char *host, char *reason, int size);

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

// SSL_CTX_set1_verify_cert_store and the options are macros with casts. Has a server's context ask for certificates that those of
// a PEM file signed, and end handshakes without one where they are required. Nothing of a session is kept, so that each handshake
// verifies. 1 when that worked.
int ss_tls_ask(SSL_CTX *context, const char *authorities, int requires);

// The name in the verified certificate of a connection's other end: its first URI, else its first e-mail address, else its first
// DNS name, else its common name, as UTF-8. The bytes of it, or 0 where there is no certificate or no such name that fits: then the
// buffer is not read. OpenSSL has this in stacks of unions.
int ss_tls_peer_name(struct lws *wsi, char *name, int size);

// SSL_CTX_use_certificate_chain_file and its like set an error queue. Has a client's context present a certificate; 1 when that worked.
int ss_tls_present(SSL_CTX *context, const char *certificate, const char *key);

// When the first certificate of a PEM file ends, in seconds since 1970, or 0: ASN1_TIME_to_tm fills a struct tm.
long long ss_tls_certificate_end(const char *path);

// Enumerators that are to be combined: a socket that speaks HTTP, through TLS if the virtual host does and it is allowed.
lws_adoption_type ss_adoption_type(int allows_tls);

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
