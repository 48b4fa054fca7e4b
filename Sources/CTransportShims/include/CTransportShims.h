#pragma once
#include <libwebsockets.h>
#include <openssl/evp.h>
#include <stddef.h>

// What Swift cannot import from libwebsockets and OpenSSL: macros with casts or arithmetic, variadic functions, and
// structures whose shape differs between versions. Each is here for that reason alone.

// LWS_PRE: a macro with a computed value. The bytes that lws_write may overwrite before the payload.
size_t ss_lws_pre(void);

// LWS_WRITE_RAW: an alias of an enumerator made by a macro. Bytes go out as they are, through TLS if there is any.
enum lws_write_protocol ss_write_raw(void);

// Context options are macros of shifted casts, which import with differing types between versions.
unsigned long long ss_server_options(int tls);
unsigned long long ss_client_options(void);

// SSL_OP_NO_* are macros with casts. Leaves TLS 1.2 and newer.
long ss_tls_options(void);

// A time-out that ends a connection at once: LWS_TO_KILL_ASYNC is a macro for a negative number.
void ss_kill(struct lws *wsi);

// LCCSCF_* are enumerators that are to be combined; the result depends on what may be trusted.
int ss_client_tls_flags(int trusts_any_certificate);

// Routes the library's own log lines, errors and warnings only, to a function; NULL drops them.
void ss_set_log(void (*emit)(int level, const char *line));

// The port that a virtual host listens on, also when it was asked for port 0.
int ss_listen_port(struct lws_vhost *vhost);

// EVP_EC_gen is a macro around a variadic function. A new P-256 key, or NULL; freed with EVP_PKEY_free.
EVP_PKEY *ss_make_p256_key(void);
