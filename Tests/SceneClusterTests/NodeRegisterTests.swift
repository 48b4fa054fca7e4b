import SceneCluster
import Testing

@Suite("What a node knows of registrations")
final class NodeRegisterTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let subjects = ClusterSubjects()
    private var register = NodeRegister(
        NodeID(2), address: "ws://own:1", subjects: ClusterSubjects(), at: NodeRegisterTests.start)

    private func after(_ span: Duration) -> MonotonicInstant { Self.start.advanced(by: span) }

    private func messages(_ texts: String...) -> EngineReply {
        .messages(
            texts.map { EngineMessage(subject: "x", sequence: 7, bytes: Array($0.utf8)) },
            isEnd: true)
    }

    private func life(_ node: UInt16, _ life: UInt64 = 1) -> NodeLife {
        NodeLife(node: NodeID(node), life: life)
    }

    private func hears(_ life: NodeLife, at now: MonotonicInstant) -> Bool {
        register.hears(life, at: now)
    }

    @discardableResult
    private func take(
        _ reply: EngineReply, to step: NodeRegister.Step, at now: MonotonicInstant
    ) -> UInt64? {
        register.take(reply, to: step, at: now)
    }

    private func allSteps(at now: MonotonicInstant) -> [NodeRegister.Step] {
        register.takeSteps(at: now)
    }

    /// Takes the steps but that of the node's own address.
    private func steps(at now: MonotonicInstant) -> [NodeRegister.Step] {
        register.takeSteps(at: now).filter { $0 != .own }
    }

    @Test("numbers up to its own are registered; a later one is looked up, one question at a time")
    func strangers() {
        #expect(hears(life(1), at: Self.start))
        #expect(!hears(life(4), at: Self.start))
        #expect(!hears(life(4000), at: Self.start))
        #expect(
            Set(steps(at: Self.start)) == [.registration(NodeID(3)), .address(NodeID(1))])
        #expect(steps(at: Self.start) == [])
        // The numbers between are asked for as well: none is left out when they are given.
        take(messages("n3"), to: .registration(NodeID(3)), at: NodeRegisterTests.start)
        #expect(steps(at: Self.start) == [.registration(NodeID(4))])
        take(messages("n4"), to: .registration(NodeID(4)), at: NodeRegisterTests.start)
        #expect(hears(life(4), at: Self.start))
        #expect(!hears(life(4000), at: Self.start))
        #expect(
            Set(steps(at: Self.start)) == [.registration(NodeID(5)), .address(NodeID(4))])
        take(messages(), to: .registration(NodeID(5)), at: NodeRegisterTests.start)
        // Whoever beats as a stranger has the engine asked once a second.
        for step in 0..<99 {
            #expect(!hears(life(4000), at: after(.milliseconds(step * 10))))
            #expect(steps(at: after(.milliseconds(step * 10))) == [])
        }
        #expect(steps(at: after(.seconds(1))) == [.registration(NodeID(5))])
    }

    @Test("an address is the metadata's, and asked for again where a life begins")
    func addresses() {
        #expect(register.address(of: NodeID(2)) == "ws://own:1")
        _ = hears(life(1), at: NodeRegisterTests.start)
        #expect(register.address(of: NodeID(1)).isEmpty)
        #expect(steps(at: Self.start) == [.address(NodeID(1))])
        let asked = register.request(.address(NodeID(1)))
        #expect(asked == .last(subject: "ss.m.address.1", source: .anyReplica))
        take(messages("ws://a:1"), to: .address(NodeID(1)), at: NodeRegisterTests.start)
        #expect(register.address(of: NodeID(1)) == "ws://a:1")
        // Of another life the address may be another one, which is written a moment later.
        _ = hears(life(1, 2), at: after(.seconds(30)))
        #expect(steps(at: after(.seconds(30))) == [.address(NodeID(1))])
        take(messages("ws://a:1"), to: .address(NodeID(1)), at: after(.seconds(30)))
        #expect(steps(at: after(.seconds(31))) == [.address(NodeID(1))])
        take(messages("ws://a:2"), to: .address(NodeID(1)), at: after(.seconds(31)))
        #expect(register.address(of: NodeID(1)) == "ws://a:2")
        // Beats of ever new lives do not have it asked for at each.
        var count = 0
        for number in 0..<100 {
            let now = after(.milliseconds(40_000 + number * 10))
            _ = hears(life(1, UInt64(number) + 3), at: now)
            for case .address(let node) in steps(at: now) {
                count += 1
                take(messages("ws://a:2"), to: .address(node), at: now)
            }
        }
        #expect(count == 1)
    }

    @Test("its own address is written where another one stands")
    func own() throws {
        #expect(allSteps(at: Self.start) == [.own])
        #expect(take(messages("ws://old:1"), to: .own, at: Self.start) == 7)
        let write = register.request(.write, expectedLast: 7)
        #expect(
            write
                == .publish(
                    subject: "ss.m.address.2", bytes: Array("ws://own:1".utf8), expectedLast: 7))
        // Nobody knows what became of it: it is looked at again.
        take(.unknown("late"), to: .write, at: NodeRegisterTests.start)
        #expect(allSteps(at: Self.start) == [])
        #expect(allSteps(at: after(.seconds(1))) == [.own])
        #expect(take(messages("ws://own:1"), to: .own, at: after(.seconds(1))) == nil)
        #expect(allSteps(at: after(.seconds(9))) == [])
    }
}
