import CEpoll
import Dispatch
import Foundation
import LoadGenerator
import Synchronization

/// Many connections that take what comes as cheaply as can be. When all of a round has arrived
/// everywhere, the first asks for the next. Prints how many frames came in how long, and what the
/// server spent meanwhile.
struct DrainClient {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() {
        let count = arguments.number("clients", 1000)
        let frames = arguments.number("frames", 1)
        let rounds = arguments.number("rounds", 100)
        let size = Frames.frame(arguments.number("bytes", 200)).count
        let server = arguments.number("server", 0)
        var clients: [Int32] = []
        for _ in 0..<count {
            guard let client = Sockets.connect(arguments.number("port", 0)),
                Sockets.shakeHands(client)
            else {
                FileHandle.standardError.write(Data("a connection failed\n".utf8))
                exit(1)
            }
            clients.append(client)
        }
        let poll = epoll_create1(0)
        for client in clients {
            Sockets.setNonBlocking(client)
            var event = epoll_event()
            event.events = UInt32(EPOLLIN.rawValue)
            event.data.fd = client
            epoll_ctl(poll, EPOLL_CTL_ADD, client, &event)
        }
        if arguments.number("hold", 0) > 0 {
            print("memory \(ProcessUsage.residentBytes(server))")
            return
        }
        let span = arguments.number("seconds", 0)
        if span > 0 { return drain(poll, clients, server, seconds: span, size) }
        let expected = count * frames * size
        // A few rounds to warm up, which are not counted.
        for _ in 0..<5 { round(poll, clients[0], expected) }
        let processor = ProcessUsage.seconds(server)
        let begin = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<rounds { round(poll, clients[0], expected) }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        let spent = ProcessUsage.seconds(server) - processor
        print("\(count * frames * rounds) \(seconds) \(spent)")
    }

    /// Takes what comes by itself for some seconds, after a first word. Prints in addition how long
    /// a round took from its first arrival to its last, in milliseconds: half of the rounds, and 99
    /// of 100, took less.
    private func drain(
        _ poll: Int32, _ clients: [Int32], _ server: Int, seconds: Int, _ size: Int
    ) {
        let go: [UInt8] = [0x82, 0x81, 0, 0, 0, 0, 0x67]
        _ = send(clients[0], go, go.count, Int32(MSG_NOSIGNAL))
        let processor = ProcessUsage.seconds(server)
        let begin = DispatchTime.now().uptimeNanoseconds
        let end = begin + UInt64(seconds) * 1_000_000_000
        var bytes = 0
        let roundBytes = clients.count * size
        var roundBegan = begin
        var spreads: [UInt64] = []
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        while DispatchTime.now().uptimeNanoseconds < end {
            let ready = epoll_wait(poll, &events, Int32(events.count), 100)
            for event in events[..<Int(max(ready, 0))] {
                let got = recv(event.data.fd, nil, 1 << 20, Int32(MSG_TRUNC) | Int32(MSG_DONTWAIT))
                guard got > 0 else { continue }
                let now = DispatchTime.now().uptimeNanoseconds
                if bytes % roundBytes == 0 { roundBegan = now }
                bytes += got
                if bytes % roundBytes == 0 { spreads.append(now - roundBegan) }
            }
        }
        spreads.sort()
        let quantiles = [50, 99].map { percent in
            spreads.isEmpty ? 0 : Double(spreads[spreads.count * percent / 100]) / 1e6
        }
        let spent = ProcessUsage.seconds(server) - processor
        let elapsed = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        print("\(bytes / size) \(elapsed) \(spent) \(quantiles[0]) \(quantiles[1])")
    }

    private func round(_ poll: Int32, _ first: Int32, _ expected: Int) {
        // "g", masked with zeros.
        let go: [UInt8] = [0x82, 0x81, 0, 0, 0, 0, 0x67]
        _ = send(first, go, go.count, Int32(MSG_NOSIGNAL))
        var missing = expected
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        while missing > 0 {
            let ready = epoll_wait(poll, &events, Int32(events.count), 10_000)
            guard ready > 0 else {
                FileHandle.standardError.write(Data("\(missing) bytes did not come\n".utf8))
                exit(1)
            }
            for event in events[..<Int(ready)] {
                // The kernel throws the bytes away: what a client does with them is not measured.
                let got = recv(event.data.fd, nil, 1 << 20, Int32(MSG_TRUNC) | Int32(MSG_DONTWAIT))
                guard got != 0 else { exit(1) }
                if got > 0 { missing -= got }
            }
        }
    }
}
