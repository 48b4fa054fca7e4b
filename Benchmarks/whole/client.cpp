// One editor and many watchers of a room, of any of the servers compared: what they have in common is WebSocket. Prints a line of
// JSON: milliseconds from the sending of an edit to its arrival at a watcher, over all edits and watchers; bytes that a watcher got
// for an edit; the server's processor time for a second of edits, and its memory.
//
//   whole_client KIND PORT SCRIPT WATCHERS RATE SECONDS SERVER_PID
//
// SCRIPT holds two numbers, how many messages greet the server and how many are edits, and then the messages, each with its length
// before it (all u32): the same edits for all servers, in each one's own format, made by scripts.py. A watcher finds out no more
// than which edit a message brings, so that it costs the same whatever is sent:
//
//   scenesync   by the tick that a frame leads to, as the result of each edit names the tick that it shows in. Frames are
//               acknowledged as the protocol has it, every eighth, which the others do not have.
//   yjs         by counting, as there is one update for each edit
//   deltas      the same
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

enum class Kind { sceneSync, yjs, deltas };

constexpr uint64_t framesPerAcknowledgement = 8;
// Edits before those that count.
constexpr size_t warmUp = 60;

[[noreturn]] void fail(const std::string &text) {
    fprintf(stderr, "whole_client: %s\n", text.c_str());
    exit(1);
}

double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

// Seconds of processor time that a process has used.
double processorTime(int process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    auto end = text.rfind(')');
    unsigned long user = 0, system = 0;
    if (end == std::string::npos ||
        sscanf(text.c_str() + end + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        fail("the server is gone");
    return double(user + system) / double(sysconf(_SC_CLK_TCK));
}

double residentBytes(int process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/statm");
    double pages = 0;
    file >> pages >> pages;
    return pages * double(sysconf(_SC_PAGESIZE));
}

uint64_t varint(const uint8_t *&place, const uint8_t *end) {
    uint64_t value = 0;
    for (int shift = 0; place < end && shift < 64; shift += 7) {
        uint8_t byte = *place++;
        value |= uint64_t(byte & 0x7F) << shift;
        if (byte < 0x80) break;
    }
    return value;
}

struct Member {
    int descriptor = -1;
    bool isEditor = false, hasState = false;
    // The last tick that came, or the number of updates.
    uint64_t last = 0;
    uint64_t unacknowledged = 0;
    std::string incoming;
    // What came when.
    std::vector<std::pair<uint64_t, double>> arrivals;
};

struct Client {
    explicit Client(Kind kind) : kind(kind) {}

    Kind kind;
    int poll = epoll_create1(0);
    std::vector<std::unique_ptr<Member>> members;
    std::vector<char> buffer = std::vector<char>(1 << 18);
    uint64_t bytes = 0;
    // By SceneSync's sequence numbers, which begin with 1: the scene's, then those of edits.
    std::vector<uint64_t> resultTicks;
    size_t refused = 0;
    double lastArrival = 0;

    void send(Member &member, const std::string &payload, uint8_t opcode = 2) {
        // Masked with zeros, which leaves it as it is.
        std::string frame(1, char(0x80 | opcode));
        if (payload.size() < 126) {
            frame += char(0x80 | payload.size());
        } else if (payload.size() < 65536) {
            frame += char(0xFE);
            for (int shift = 8; shift >= 0; shift -= 8) frame += char(payload.size() >> shift);
        } else {
            frame += char(0xFF);
            for (int shift = 56; shift >= 0; shift -= 8) frame += char(uint64_t(payload.size()) >> shift);
        }
        frame.append(4, '\0');
        frame += payload;
        size_t sent = 0;
        while (sent < frame.size()) {
            auto count = ::send(member.descriptor, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
            if (count > 0) sent += size_t(count);
            else if (errno == EAGAIN) pump(1);
            else fail("a connection was dropped");
        }
    }

    void acknowledge(Member &member) {
        member.unacknowledged = 0;
        std::string ack = "\x02";
        for (uint64_t tick = member.last;; tick >>= 7) {
            if (tick < 0x80) {
                ack += char(tick);
                break;
            }
            ack += char(tick | 0x80);
        }
        ack += '\0';
        send(member, ack);
    }

    void arrived(Member &member, double time) {
        member.arrivals.push_back({member.last, time});
        lastArrival = time;
    }

    void take(Member &member, const uint8_t *place, const uint8_t *end, double time) {
        if (place == end) return;
        uint8_t type = *place++;
        switch (kind) {
        case Kind::deltas:
            // The first is the whole scene.
            if (member.hasState) member.last++, arrived(member, time);
            member.hasState = true;
            return;
        case Kind::yjs:
            // Synchronisation, of which there are a question for our state, an answer with the server's, and updates.
            if (type != 0 || place == end) return;
            if (*place == 1) member.hasState = true;
            if (*place == 2) member.last++, arrived(member, time);
            return;
        case Kind::sceneSync: break;
        }
        if (type == 0x42) {
            varint(place, end);
            member.last = varint(place, end);
            auto index = varint(place, end), count = varint(place, end);
            if (index + 1 == count) {
                member.hasState = true;
                acknowledge(member);
            }
        } else if (type == 0x43 && place < end) {
            // The low bits of the tick that it leads to; no two are 256 apart here.
            uint64_t tick = (member.last & ~uint64_t(0xFF)) | *place;
            if (tick <= member.last) tick += 256;
            member.last = tick;
            arrived(member, time);
            if (++member.unacknowledged >= framesPerAcknowledgement) acknowledge(member);
        } else if (type == 0x48) {
            auto sequence = varint(place, end), tick = varint(place, end);
            if (place == end || *place != 0) refused++;
            if (resultTicks.size() <= sequence) resultTicks.resize(sequence + 1);
            resultTicks[sequence] = tick;
        } else if (type == 0x49) {
            fail("the server says that something is wrong");
        }
    }

    void receive(Member &member) {
        for (;;) {
            auto count = recv(member.descriptor, buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
            if (count <= 0) fail("a connection was dropped");
            double time = now();
            if (!member.isEditor) bytes += uint64_t(count);
            // Mostly a whole message and nothing before it, which needs no copy.
            if (member.incoming.empty()) {
                size_t used = parse(member, reinterpret_cast<uint8_t *>(buffer.data()), size_t(count), time);
                member.incoming.assign(buffer.data() + used, size_t(count) - used);
            } else {
                member.incoming.append(buffer.data(), size_t(count));
                size_t used = parse(member, reinterpret_cast<const uint8_t *>(member.incoming.data()), member.incoming.size(), time);
                member.incoming.erase(0, used);
            }
            if (size_t(count) < buffer.size()) return;
        }
    }

    size_t parse(Member &member, const uint8_t *bytes, size_t count, double time) {
        size_t start = 0;
        while (count - start >= 2) {
            const uint8_t *frame = bytes + start;
            uint64_t length = frame[1] & 0x7F, header = 2;
            if (length >= 126) {
                header = length == 126 ? 4 : 10;
                if (count - start < header) break;
                length = 0;
                for (size_t index = 2; index < header; index++) length = length << 8 | frame[index];
            }
            if (count - start < header + length) break;
            auto payload = frame + header;
            switch (frame[0] & 0x0F) {
            case 8: fail("the server closed a connection");
            case 9: send(member, std::string(reinterpret_cast<const char *>(payload), length), 10); break;
            case 2: take(member, payload, payload + length, time); break;
            default: break;
            }
            start += header + length;
        }
        return start;
    }

    void pump(int milliseconds) {
        epoll_event events[512];
        int ready = epoll_wait(poll, events, 512, milliseconds);
        for (int index = 0; index < ready; index++) receive(*static_cast<Member *>(events[index].data.ptr));
    }

    // Until nothing has come for a while, or for too long.
    void settle(double quiet, double most) {
        double begin = now();
        lastArrival = begin;
        while (now() - lastArrival < quiet && now() - begin < most) pump(10);
    }

    Member &connect(int port, bool isEditor) {
        auto member = std::make_unique<Member>();
        member->isEditor = isEditor;
        member->descriptor = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(uint16_t(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(member->descriptor, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) fail("cannot connect");
        int yes = 1;
        setsockopt(member->descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        std::string request = "GET /whole HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
        if (kind == Kind::sceneSync) request += "Sec-WebSocket-Protocol: scenesync.v1.bin\r\n";
        request += "\r\n";
        ::send(member->descriptor, request.data(), request.size(), MSG_NOSIGNAL);
        std::string head;
        char byte;
        while (!head.ends_with("\r\n\r\n") && recv(member->descriptor, &byte, 1, 0) == 1) head += byte;
        if (!head.starts_with("HTTP/1.1 101")) fail("no handshake: " + head);
        fcntl(member->descriptor, F_SETFL, fcntl(member->descriptor, F_GETFL) | O_NONBLOCK);
        epoll_event event = {};
        event.events = EPOLLIN;
        event.data.ptr = member.get();
        epoll_ctl(poll, EPOLL_CTL_ADD, member->descriptor, &event);
        members.push_back(std::move(member));
        return *members.back();
    }

    // Whether each watcher has what the edit led to.
    bool haveAll(uint64_t tick) const {
        return std::all_of(members.begin(), members.end(),
                           [&](auto &member) { return member->isEditor || member->last >= tick; });
    }
};

struct Script {
    std::vector<std::string> greetings, edits;
    // What a watcher greets with.
    std::string watcher;
};

Script readScript(const char *name) {
    std::ifstream file(name, std::ios::binary);
    auto number = [&] {
        uint32_t value = 0;
        file.read(reinterpret_cast<char *>(&value), 4);
        return value;
    };
    auto text = [&] {
        std::string value(number(), '\0');
        file.read(value.data(), long(value.size()));
        return value;
    };
    Script script;
    auto greetings = number(), edits = number();
    script.watcher = text();
    for (uint32_t index = 0; index < greetings; index++) script.greetings.push_back(text());
    for (uint32_t index = 0; index < edits; index++) script.edits.push_back(text());
    if (!file) fail("the script is not whole");
    return script;
}

double quantile(const std::vector<float> &sorted, size_t percent) {
    return sorted.empty() ? 0 : double(sorted[std::min(sorted.size() - 1, sorted.size() * percent / 100)]);
}

}  // namespace

int main(int count, char **words) {
    if (count != 8) {
        fprintf(stderr, "usage: whole_client scenesync|yjs|deltas PORT SCRIPT WATCHERS RATE SECONDS SERVER_PID\n");
        return 64;
    }
    rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    Client client(!strcmp(words[1], "scenesync") ? Kind::sceneSync : !strcmp(words[1], "yjs") ? Kind::yjs : Kind::deltas);
    int port = atoi(words[2]), watchers = atoi(words[4]), rate = atoi(words[5]), seconds = atoi(words[6]), server = atoi(words[7]);
    Script script = readScript(words[3]);
    if (script.edits.size() < warmUp + size_t(rate * seconds)) fail("the script has too few edits");

    Member &editor = client.connect(port, true);
    for (auto &greeting : script.greetings) {
        client.send(editor, greeting);
        client.settle(0.3, 5);
    }
    for (int index = 0; index < watchers; index++) {
        Member &watcher = client.connect(port, false);
        if (!script.watcher.empty()) client.send(watcher, script.watcher);
        // As if they had come one after another, not all acknowledge the same frames.
        watcher.unacknowledged = uint64_t(index) % framesPerAcknowledgement;
        client.pump(0);
    }
    auto isReady = [&] {
        return std::all_of(client.members.begin(), client.members.end(), [](auto &each) { return each->hasState; });
    };
    for (double begin = now(); !isReady() && now() - begin < 60;) client.pump(10);
    if (!isReady()) fail("not everybody has the scene");
    client.settle(0.3, 5);
    if (client.kind != Kind::sceneSync)
        for (auto &member : client.members) member->last = 0;

    std::vector<double> sentAt(script.edits.size());
    size_t next = 0;
    uint64_t random = 1;
    // Sends edits, each at any time of its interval: at equal distances, they would meet all ticks at the same moment.
    auto edit = [&](size_t upTo) {
        double begin = now();
        for (size_t first = next; next < upTo; next++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double due = begin + (double(next - first) + double(random >> 11) / 0x1p53) / rate;
            for (double left; (left = due - now()) > 0;) client.pump(left > 0.002 ? 1 : 0);
            sentAt[next] = now();
            client.send(editor, script.edits[next]);
        }
    };
    // The tick, or the number of updates, that brings an edit; 0 while the server has not said so.
    auto bringing = [&](size_t edit) -> uint64_t {
        if (client.kind != Kind::sceneSync) return edit + 1;
        return edit + 2 < client.resultTicks.size() ? client.resultTicks[edit + 2] : 0;
    };
    auto drain = [&](double most) {
        double begin = now();
        while (now() - begin < most && (bringing(next - 1) == 0 || !client.haveAll(bringing(next - 1)))) client.pump(1);
    };
    edit(warmUp);
    drain(60);
    if (!bringing(next - 1) || !client.haveAll(bringing(next - 1))) fail("the first edits did not come in a minute");
    client.settle(0.2, 1);

    for (auto &member : client.members) member->arrivals.clear();
    client.bytes = 0;
    size_t first = next, last = warmUp + size_t(rate * seconds);
    double processor = processorTime(server), own = processorTime(getpid());
    edit(last);
    double end = now();
    drain(1);
    // What has come a second after the last edit was sent has come in time.
    double inTime = now();
    drain(20);
    double spent = processorTime(server) - processor, ownSpent = processorTime(getpid()) - own;
    double wall = now() - end + seconds;
    if (client.refused) fail("edits were refused");

    std::vector<float> latencies;
    size_t punctual = 0;
    for (auto &member : client.members) {
        if (member->isEditor) continue;
        size_t arrival = 0;
        for (size_t edit = first; edit < last; edit++) {
            auto tick = bringing(edit);
            while (tick && arrival < member->arrivals.size() && member->arrivals[arrival].first < tick) arrival++;
            if (!tick || arrival == member->arrivals.size()) break;
            latencies.push_back(float((member->arrivals[arrival].second - sentAt[edit]) * 1000));
            punctual += member->arrivals[arrival].second <= inTime;
        }
    }
    std::sort(latencies.begin(), latencies.end());
    double pairs = double(last - first) * watchers, came = double(std::max<size_t>(latencies.size(), 1));
    printf("{\"median\": %.4f, \"p99\": %.4f, \"bytes\": %.3f, \"cpu\": %.3f, \"memory\": %.0f, \"inTime\": %.4f, \"arrived\": %.4f, "
           "\"client\": %.3f}\n",
           quantile(latencies, 50), quantile(latencies, 99), double(client.bytes) / came, spent * 1000 / seconds,
           residentBytes(server), double(punctual) / pairs, double(latencies.size()) / pairs, ownSpent / wall);
}
