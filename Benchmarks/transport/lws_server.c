// libwebsockets in its own event loop, as its examples broadcast: any message asks for a write to everybody, and each writes its
// frames when it is told that it can.
//
//   lws_server FRAMES BYTES    prints the port that it listens on

#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct member {
    struct member *next, **place;
    int owed;
};

static struct member *members;
static int frames;
static size_t size;
static unsigned char *message;

static int call(struct lws *connection, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    struct member *member = user;
    (void)in;
    (void)length;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        member->owed = 0;
        member->next = members;
        member->place = &members;
        if (members) members->place = &member->next;
        members = member;
        break;
    case LWS_CALLBACK_CLOSED:
        *member->place = member->next;
        if (member->next) member->next->place = member->place;
        break;
    case LWS_CALLBACK_RECEIVE:
        for (struct member *each = members; each; each = each->next) each->owed += frames;
        lws_callback_on_writable_all_protocol(lws_get_context(connection), lws_get_protocol(connection));
        break;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        if (member->owed == 0) break;
        if (lws_write(connection, message + LWS_PRE, size, LWS_WRITE_BINARY) < (int)size) return -1;
        if (--member->owed > 0) lws_callback_on_writable(connection);
        break;
    default: break;
    }
    return 0;
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: lws_server FRAMES BYTES\n");
        return 64;
    }
    frames = atoi(words[1]);
    size = (size_t)atoi(words[2]);
    message = malloc(LWS_PRE + size);
    if (!message) return 1;
    memset(message + LWS_PRE, 'L', size);
    static const struct lws_protocols protocols[] = {
        {.name = "bench", .callback = call, .per_session_data_size = sizeof(struct member)}, {.name = NULL}};
    struct lws_context_creation_info info = {.port = 0, .iface = "127.0.0.1", .protocols = protocols, .gid = -1, .uid = -1,
                                             .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS};
    lws_set_log_level(LLL_ERR, NULL);
    struct lws_context *context = lws_create_context(&info);
    struct lws_vhost *host = context ? lws_create_vhost(context, &info) : NULL;
    if (!host) return 1;
    printf("listening on %d\n", lws_get_vhost_listen_port(host));
    fflush(stdout);
    while (lws_service(context, 0) >= 0) continue;
    return 0;
}
