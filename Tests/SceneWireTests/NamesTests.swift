import Foundation
import Testing

@testable import SceneDocument
@testable import SceneWire

/// `protocol/names.json` lists every name that a client needs; the tests of the clients in other
/// languages hold theirs against the same file. So a name that is added here alone, or there alone,
/// fails a test.
@Suite("Names of the protocol")
struct NamesTests {
    private struct Names: Decodable {
        var ops: [String]
        var viewKeys: [String]
        var symbols: [String]
        var clientMessages: [String: UInt8]
        var serverMessages: [String: UInt8]
        var capabilityBits: [String: Int]
        var refusalCodes: [String]
        var closeCodes: [String: UInt16]
        var retryableCloseCodes: [String]
    }

    private let names: Names

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../protocol/names.json")
        names = try JSONDecoder().decode(Names.self, from: Data(contentsOf: file))
    }

    @Test("ops and the keys of views are those that other languages are told of, in their order")
    func opsAndKeys() {
        #expect(Op.Name.allCases.map(\.rawValue) == names.ops)
        #expect(ViewKey.allCases.map(\.rawValue) == names.viewKeys)
    }

    @Test("the symbols are those that other languages are told of, each once and in order")
    func symbols() {
        #expect(SymbolName.all == names.symbols)
        #expect(SymbolName.all == Set(names.symbols).sorted())
        #expect(SymbolName.all.allSatisfy { $0.utf8.count <= SymbolName.byteMaximum })
        #expect(SymbolName.all.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+(\.[a-z0-9]+)*/) != nil })
    }

    @Test("a stored property for each key, and no other")
    func storedProperties() {
        func labels(_ value: Any) -> [String] {
            Mirror(reflecting: value).children.compactMap(\.label)
        }
        // Those of interaction, and those that few views have, are kept together.
        let kept = labels(ViewProperties()).filter { !$0.hasPrefix("shared") }
        let own = kept + labels(RareProperties()) + labels(LookProperties())
        let people = labels(InteractionProperties())
        #expect(kept.count == labels(ViewProperties()).count - 3)
        #expect(Set(own) == Set(ViewKey.allCases.filter { !$0.isOfInteraction }.map(\.rawValue)))
        #expect(Set(people) == Set(ViewKey.allCases.filter(\.isOfInteraction).map(\.rawValue)))
        #expect(own.count + people.count == ViewKey.allCases.count)
    }

    @Test("messages have the type bytes that other languages are told of")
    func messages() {
        func table<Kind: MessageType>(_ type: Kind.Type) -> [String: UInt8] {
            Dictionary(uniqueKeysWithValues: type.allCases.map { ($0.name, $0.rawValue) })
        }
        #expect(table(ClientType.self) == names.clientMessages)
        #expect(table(ServerType.self) == names.serverMessages)
    }

    @Test("codes are those that other languages are told of")
    func codes() {
        // `other` stands for what a later version may say, and is never sent.
        let refusals = RefusalCode.allCases.filter { $0 != .other }.map(\.rawValue)
        #expect(refusals == names.refusalCodes)
        let codes = CloseCode.allCases.map { ("\($0)", $0.rawValue) }
        #expect(Dictionary(uniqueKeysWithValues: codes) == names.closeCodes)
        let retryable = CloseCode.allCases.filter(\.isRetryable).map { "\($0)" }
        #expect(retryable == names.retryableCloseCodes)
    }

    @Test("capabilities have the bits that other languages are told of")
    func capabilities() {
        let bits: [(String, UInt64)] = [
            ("diagnostics", Capability.diagnostics), ("animations", Capability.animations),
            ("undo", Capability.undo), ("subscribe", Capability.subscribe),
            ("seek", Capability.seek), ("trace", Capability.trace),
            ("keyframes", Capability.keyframes), ("mergedResume", Capability.mergedResume),
            ("inspect", Capability.inspect), ("devices", Capability.devices),
            ("events", Capability.events), ("fitting", Capability.fitting),
            ("insets", Capability.insets), ("annotations", Capability.annotations),
            ("suggestions", Capability.suggestions),
            ("follow", Capability.follow),
        ]
        #expect(
            Dictionary(uniqueKeysWithValues: bits)
                == names.capabilityBits.mapValues { UInt64(1) << UInt64($0) })
    }
}
