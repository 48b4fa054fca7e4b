import Foundation
import Logging
import Testing
import Threads

@testable import SceneServer

@Suite("Rooms that the server died in")
struct QuarantineTests {
    private let directory: String
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws {
        directory = NSTemporaryDirectory() + "quarantine-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    /// Has a process begin that leaves its threads as a body does.
    private func process(_ body: (StepRecord) -> Void) throws {
        let record = try StepRecord(path: Quarantine.recordPath(directory), threads: 2)
        body(record)
    }

    private func quarantine() -> Quarantine {
        Quarantine(directory: directory, logger: logger)
    }

    @Test("a step at work or at rest is no trace; one that was late, or died, is one")
    func traces() throws {
        let path = Quarantine.recordPath(directory)
        try process { record in
            record.slot(0).begin(in: "busy")
            record.slot(1).begin(in: "done")
            record.slot(1).rest()
        }
        #expect(StepRecord.traces(at: path) == [])
        try process { record in
            record.slot(0).begin(in: "before")
            record.slot(0).begin(in: String(repeating: "x", count: 64))
            record.slot(0).noteLateness()
            record.slot(1).noteLateness()
        }
        #expect(
            StepRecord.traces(at: path) == [
                .init(room: String(repeating: "x", count: 64), cause: .late)
            ])
    }

    @Test("a file that is none, is cut, or says what no file says has no traces")
    func rubbish() throws {
        let path = Quarantine.recordPath(directory)
        #expect(StepRecord.traces(at: path) == [])
        var slot = Data(repeating: 0xFF, count: 256)
        slot[0] = 3
        slot.replaceSubrange(1..<4, with: [0, 0, 0])
        for data in [
            Data(), Data("SCNSTEP1".utf8), Data(repeating: 3, count: 700),
            Data("SCNSTEP1".utf8) + Data(repeating: 0, count: 248) + slot,
        ] {
            try data.write(to: URL(fileURLWithPath: path))
            #expect(StepRecord.traces(at: path) == [])
        }
    }

    @Test("one death in a room is noted; two put it aside, until it is released")
    func twice() throws {
        let dying = { (record: StepRecord) in
            record.slot(0).begin(in: "bad")
            record.slot(0).noteLateness()
        }
        try process(dying)
        #expect(quarantine().all.isEmpty)
        // A restart with nothing new counts nothing again.
        try process { _ in }
        #expect(quarantine().all.isEmpty)
        try process(dying)
        let second = quarantine()
        #expect(second.all.map(\.room) == ["bad"])
        guard case .crashes = second.reason(for: "bad") else {
            Issue.record("\(second.all)")
            return
        }
        #expect(second.reason(for: "good") == nil)
        try process { _ in }
        #expect(quarantine().reason(for: "bad") != nil)
        #expect(second.release("bad"))
        #expect(second.reason(for: "bad") == nil)
        #expect(!second.release("bad"))
        #expect(quarantine().all.isEmpty)
        // It begins anew.
        try process(dying)
        #expect(quarantine().all.isEmpty)
    }

    @Test("two deaths that are more than a day apart put nothing aside")
    func apart() {
        var ledger = CrashLedger()
        let trace = StepRecord.Trace(room: "a", cause: .signal(SIGSEGV))
        ledger.note([trace], at: 1_000_000)
        ledger.note([trace], at: 1_000_000 + 86_400)
        #expect(ledger.putAside.isEmpty)
        ledger.note([trace], at: 1_000_000 + 86_401)
        #expect(ledger.putAside.count == 1)
        #expect(ledger.putAside["a"]?.contains("signal 11") == true)
    }

    @Test("a room that is too dear is put aside for as long as the server runs")
    func tooDear() throws {
        let now = quarantine()
        now.putAside("dear", .tooDear("it takes too much"))
        #expect(now.reason(for: "dear") == .tooDear("it takes too much"))
        #expect(quarantine().all.isEmpty)
    }

    @Test("a ledger that cannot be read is moved away and kept; crashes are counted anew")
    func damagedLedger() throws {
        let path = Quarantine.ledgerPath(directory)
        let damaged = Data("{\"rooms\":7}".utf8)
        try damaged.write(to: URL(fileURLWithPath: path))
        #expect(quarantine().all.isEmpty)
        #expect(FileManager.default.contents(atPath: path + ".unreadable") == damaged)
        for _ in 0..<2 {
            try process { record in
                record.slot(0).begin(in: "bad")
                record.slot(0).noteLateness()
            }
            _ = quarantine()
        }
        #expect(quarantine().reason(for: "bad") != nil)
    }
}
