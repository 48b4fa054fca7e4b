import Dispatch
import Glibc
import SceneClient
import Synchronization

/// How many events a second go through one room to one program that handles them at once; senders
/// and program are in this process, the server is another one.
///
///     events-bench ws://127.0.0.1:7070/room [senders] [seconds]
///
/// Prints the rate. Each sender has a number of events on their way, and sends another one for each
/// that was handled.

/// Events of one sender on their way; the protocol lets 256 wait.
private let depth = 200

private final class Bench: Sendable {
    let handled = Atomic<UInt64>(0)
    let lost = Atomic<UInt64>(0)
    let isOver = Atomic<Bool>(false)
}

private func fail(_ text: String) -> Never {
    print(text)
    exit(1)
}

/// A client whose events go to a body that is given the client itself.
private func client(
    _ url: String, _ role: Role, ready: DispatchSemaphore,
    _ body: @escaping @Sendable (SceneClient, SceneClient.Event) -> Void
) throws -> SceneClient {
    var options = SceneClient.Options(url: url)
    options.role = role
    options.capabilities = Capability.events
    let box = Mutex<SceneClient?>(nil)
    let isReady = Atomic<Bool>(false)
    let made = try SceneClient(options) { event in
        if case .ended(let code, let text, _) = event { fail("ended: \(code ?? 0) \(text)") }
        guard let client = box.withLock({ $0 }) else { return }
        if case .updated = event, !isReady.exchange(true, ordering: .relaxed) { ready.signal() }
        body(client, event)
    }
    box.withLock { $0 = made }
    made.connect()
    return made
}

let arguments = CommandLine.arguments
guard arguments.count > 1 else { fail("usage: events-bench URL [senders] [seconds]") }
let url = arguments[1]
let senderCount = arguments.count > 2 ? Int(arguments[2]) ?? 4 : 4
let seconds = arguments.count > 3 ? Double(arguments[3]) ?? 4 : 4
private let bench = Bench()
private let ready = DispatchSemaphore(value: 0)
private let committed = DispatchSemaphore(value: 0)

private let program = try client(url, .editor, ready: ready) { client, event in
    switch event {
    case .event(let event): client.answer(event)
    case .result: committed.signal()
    default: break
    }
}
ready.wait()
var document = SceneDocument(viewport: Viewport(width: 400, height: 300))
document.views = [ViewSpec(id: "add", properties: NewView.button("Add").properties)]
program.handle(["root"])
// Its answer says that the server knows of the subtree.
program.send(.array([Op.setScene(document).json]))
committed.wait()

private var tap = UserEvent()
tap.view = "add"
private let senders = try (0..<senderCount).map { [tap] _ in
    try client(url, .participant, ready: ready) { client, event in
        guard case .eventResult(let result) = event else { return }
        if result.outcome == .handled {
            bench.handled.wrappingAdd(1, ordering: .relaxed)
        } else {
            bench.lost.wrappingAdd(1, ordering: .relaxed)
        }
        if !bench.isOver.load(ordering: .relaxed) { client.send(tap) }
    }
}
for _ in senders { ready.wait() }
private let began = DispatchTime.now().uptimeNanoseconds
for sender in senders { for _ in 0..<depth { sender.send(tap) } }
_ = DispatchSemaphore(value: 0).wait(timeout: .now() + seconds)
private let count = bench.handled.load(ordering: .relaxed)
private let elapsed = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
bench.isOver.store(true, ordering: .relaxed)
guard bench.lost.load(ordering: .relaxed) == 0 else { fail("events were lost") }
print(Int(Double(count) / elapsed))
exit(0)
