import SceneWire
import Testing

@testable import SceneSession

@Suite("Those whom a room knows")
struct ClientRegistryTests {
    private func known(_ clients: ClientRegistry, _ count: Int) -> [Int] {
        (0..<count).filter { clients["c\($0)"] != nil }
    }

    @Test("visitors are forgotten some time after they left, and who asked for a change is not")
    func visitors() {
        var clients = ClientRegistry()
        for index in 0..<3 { clients.connect("c\(index)", tick: 0) }
        clients["c1"]?.lastSequence = 1
        clients.disconnect("c0", tick: 100)
        clients.disconnect("c1", tick: 100)
        clients.forget(at: 159, visitorTicks: 60, absentMaximum: 10)
        #expect(known(clients, 3) == [0, 1, 2])
        // Looked for again after a quarter of the time.
        clients.forget(at: 174, visitorTicks: 60, absentMaximum: 10)
        #expect(known(clients, 3) == [1, 2])
        clients.forget(at: 100_000, visitorTicks: 60, absentMaximum: 10)
        #expect(known(clients, 3) == [1, 2])
    }

    @Test("a client is here until its last connection closes")
    func connections() {
        var clients = ClientRegistry()
        clients.connect("c0", tick: 1)
        clients.connect("c0", tick: 2)
        clients.disconnect("c0", tick: 3)
        clients.forget(at: 1000, visitorTicks: 1, absentMaximum: 0)
        #expect(known(clients, 1) == [0])
        clients.disconnect("c0", tick: 1000)
        clients.forget(at: 1001, visitorTicks: 1, absentMaximum: 10)
        #expect(known(clients, 1) == [])
    }

    @Test("one who comes back is no visitor who left")
    func comingBack() {
        var clients = ClientRegistry()
        clients.connect("c0", tick: 0)
        clients.disconnect("c0", tick: 1)
        clients.connect("c0", tick: 50)
        clients.forget(at: 1000, visitorTicks: 60, absentMaximum: 0)
        #expect(known(clients, 1) == [0])
    }

    @Test("where too many are absent, those who left first are forgotten, and nobody who is here")
    func tooMany() {
        var clients = ClientRegistry()
        for index in 0..<20 {
            clients.connect("c\(index)", tick: 0)
            clients["c\(index)"]?.lastSequence = 1
        }
        // The higher ones first, two in each tick, of which the one that came up first goes first.
        for index in (4..<20).reversed() {
            clients.disconnect("c\(index)", tick: UInt64(20 - index) / 2)
        }
        clients.forget(at: 10, visitorTicks: 60, absentMaximum: 16)
        #expect(known(clients, 20) == Array(0..<20))
        clients.disconnect("c0", tick: 10)
        // 17 are absent; 14 of them stay: an eighth of 16 fewer than may.
        clients.forget(at: 10, visitorTicks: 60, absentMaximum: 16)
        #expect(known(clients, 20) == Array(0..<17))
        clients.disconnect("c1", tick: 11)
        clients.disconnect("c2", tick: 11)
        clients.forget(at: 11, visitorTicks: 60, absentMaximum: 16)
        #expect(known(clients, 20) == Array(0..<17))
    }

    @Test("names are in the order in which clients came up")
    func order() {
        var clients = ClientRegistry()
        let names = (0..<50).map { "c\($0 * 17 % 50)" }
        for name in names { clients.know(name, tick: 0) }
        clients.connect(names[0], tick: 9)
        #expect(clients.names == names)
    }

    @Test("large results are remembered in short, and many of them are forgotten early")
    func results() {
        var history = ClientHistory()
        func result(_ sequence: UInt64, parts: Int) -> OpsResult {
            var result = OpsResult()
            var commit = Commit()
            commit.removedConstraints = (0..<parts).map { "c\($0)" }
            result.clientSequence = sequence
            result.outcome = .committed(commit)
            return result
        }
        history.remember(result(1, parts: 10_000), isJournalled: true)
        #expect(history.results.map(\.outcome) == [.committed(Commit())])
        for sequence in 2...20 as ClosedRange<UInt64> {
            history.remember(result(sequence, parts: 999), isJournalled: true)
        }
        // Two of a thousand parts each fit.
        #expect(history.results.map(\.clientSequence) == [19, 20])
        #expect(history.committed.count == 20)
    }
}
