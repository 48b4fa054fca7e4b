import Dispatch
import Foundation

/// The floor: handshakes, then one `send` for each frame and client, and nothing else. A byte from
/// the first client begins a round, or `--rate` rounds a second go by themselves.
struct RawServer {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() {
        let count = arguments.number("clients", 1000)
        let frames = arguments.number("frames", 1)
        let rate = arguments.number("rate", 0)
        let frame = Frames.frame(arguments.number("bytes", 200))
        let (listener, port) = Sockets.listen()
        print("listening on \(port)")
        fflush(nil)
        var clients: [Int32] = []
        while clients.count < count {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { continue }
            Sockets.setNoDelay(client)
            Sockets.answerHandshake(client)
            clients.append(client)
        }
        guard let first = clients.first else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        if rate > 0 { _ = recv(first, &buffer, buffer.count, 0) }
        let begin = DispatchTime.now().uptimeNanoseconds
        var round: UInt64 = 0
        while true {
            if rate > 0 {
                round += 1
                let due = begin + round * 1_000_000_000 / UInt64(rate)
                let now = DispatchTime.now().uptimeNanoseconds
                if due > now { usleep(UInt32((due - now) / 1000)) }
            } else {
                guard recv(first, &buffer, buffer.count, 0) > 0 else { return }
            }
            for client in clients {
                for _ in 0..<frames {
                    let sent = send(client, frame, frame.count, Int32(MSG_NOSIGNAL))
                    if sent < 0 { return }
                }
            }
        }
    }
}
