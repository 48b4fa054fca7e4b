// The server that one would write for this alone: it holds the frames of the views, takes new ones from whoever sends some, and
// publishes what changed at once, over uWebSockets, in MessagePack: one flat list of numbers, five for each view (number, x, y,
// width, height). Whoever joins gets all views. It lays nothing out, checks nothing, and keeps nothing.
//
//   deltas_server VIEWS    prints the port that it listens on
#include <App.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Member {};
using Frame = std::array<int32_t, 4>;

void write(std::string &text, uint8_t mark, uint32_t value, int bytes) {
    text += char(mark);
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += char(value >> shift);
}

void writeInteger(std::string &text, int32_t value) {
    if (value >= -32 && value < 128) text += char(value);
    else if (value >= 0 && value < 256) write(text, 0xCC, uint32_t(value), 1);
    else if (value >= 0 && value < 65536) write(text, 0xCD, uint32_t(value), 2);
    else if (value >= -128 && value < 0) write(text, 0xD0, uint32_t(value), 1);
    else if (value >= -32768 && value < 0) write(text, 0xD1, uint32_t(value), 2);
    else write(text, 0xD2, uint32_t(value), 4);
}

void writeListHead(std::string &text, size_t count) {
    if (count < 16) text += char(0x90 | count);
    else if (count < 65536) write(text, 0xDC, uint32_t(count), 2);
    else write(text, 0xDD, uint32_t(count), 4);
}

// Reads integers, and counts of lists.
struct Reader {
    std::string_view text;
    bool isBroken = false;

    uint32_t bytes(size_t count) {
        if (text.size() < count) {
            isBroken = true;
            return 0;
        }
        uint32_t value = 0;
        for (size_t index = 0; index < count; index++) value = value << 8 | uint8_t(text[index]);
        text.remove_prefix(count);
        return value;
    }

    int32_t integer() {
        auto mark = bytes(1);
        switch (mark) {
        case 0xCC: return int32_t(bytes(1));
        case 0xCD: return int32_t(bytes(2));
        case 0xCE: return int32_t(bytes(4));
        case 0xD0: return int8_t(bytes(1));
        case 0xD1: return int16_t(bytes(2));
        case 0xD2: return int32_t(bytes(4));
        default:
            if (mark < 0x80) return int32_t(mark);
            if (mark >= 0xE0) return int8_t(mark);
            isBroken = true;
            return 0;
        }
    }

    size_t listHead() {
        auto mark = bytes(1);
        if ((mark & 0xF0) == 0x90) return mark & 0x0F;
        if (mark == 0xDC) return bytes(2);
        if (mark == 0xDD) return bytes(4);
        isBroken = true;
        return 0;
    }
};

}  // namespace

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: deltas_server VIEWS\n");
        return 64;
    }
    std::vector<Frame> frames(size_t(atoi(words[1])));
    auto encode = [&](const std::vector<size_t> &views) {
        std::string text;
        writeListHead(text, 5 * views.size());
        for (auto view : views) {
            writeInteger(text, int32_t(view));
            for (auto number : frames[view]) writeInteger(text, number);
        }
        return text;
    };
    uWS::App app;
    app.ws<Member>("/*", {.compression = uWS::DISABLED,
                          .maxPayloadLength = 1 << 20,
                          .idleTimeout = 0,
                          .open =
                              [&](auto *member) {
                                  std::vector<size_t> all;
                                  for (size_t view = 0; view < frames.size(); view++) all.push_back(view);
                                  member->send(encode(all), uWS::OpCode::BINARY);
                                  member->subscribe("room");
                              },
                          .message =
                              [&](auto *, std::string_view message, uWS::OpCode) {
                                  Reader reader{message};
                                  std::vector<size_t> changed;
                                  for (size_t left = reader.listHead() / 5; left > 0 && !reader.isBroken; left--) {
                                      auto view = size_t(reader.integer());
                                      Frame frame;
                                      for (auto &number : frame) number = reader.integer();
                                      if (reader.isBroken || view >= frames.size() || frame == frames[view]) continue;
                                      frames[view] = frame;
                                      changed.push_back(view);
                                  }
                                  if (!changed.empty()) app.publish("room", encode(changed), uWS::OpCode::BINARY, false);
                              }})
        .listen("127.0.0.1", 0,
                [](us_listen_socket_t *socket) {
                    if (socket == nullptr) exit(1);
                    printf("listening on %d\n", us_socket_local_port(0, reinterpret_cast<us_socket_t *>(socket)));
                    fflush(stdout);
                })
        .run();
}
