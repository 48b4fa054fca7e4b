// uWebSockets itself: everybody is subscribed to a topic, and any message publishes a round to it.
//
//   uws_server FRAMES BYTES    prints the port that it listens on

#include <App.h>

#include <cstdio>
#include <cstdlib>
#include <string>

struct Member {};

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: uws_server FRAMES BYTES\n");
        return 64;
    }
    int frames = atoi(words[1]);
    std::string payload(size_t(atoi(words[2])), 'U');
    uWS::App app;
    app.ws<Member>("/*", {.compression = uWS::DISABLED,
                          .idleTimeout = 0,
                          .open = [](auto *member) { member->subscribe("room"); },
                          .message =
                              [&](auto *, std::string_view, uWS::OpCode) {
                                  for (int frame = 0; frame < frames; frame++)
                                      app.publish("room", payload, uWS::OpCode::BINARY, false);
                              }})
        .listen("127.0.0.1", 0,
                [](us_listen_socket_t *socket) {
                    if (socket == nullptr) exit(1);
                    printf("listening on %d\n", us_socket_local_port(0, reinterpret_cast<us_socket_t *>(socket)));
                    fflush(stdout);
                })
        .run();
}
