import Testing

@testable import JSON
@testable import SceneDocument

@Suite("Members of an object, taken one by one")
struct JSONFieldsTests {
    private static func fields(_ count: Int) throws -> JSONFields {
        let members = (0..<count).map { JSONMember("k\($0)", .number(Double($0))) }
        return try JSONCursor(.object(members)).object()
    }

    @Test("each of many is known as taken or left", arguments: [1, 64, 65, 200])
    func many(count: Int) throws {
        var all = try Self.fields(count)
        for index in 0..<count {
            #expect(!all.isExhausted)
            #expect(all.take("k\(index)")?.value == .number(Double(index)))
        }
        #expect(all.isExhausted)
        try all.finish()
        for left in Set([0, count / 2, count - 1]) {
            var most = try Self.fields(count)
            for index in 0..<count where index != left { _ = most.take("k\(index)") }
            let error = #expect(throws: DocumentError.self) { try most.finish() }
            #expect(error?.message == "unknown key \"k\(left)\"")
            #expect(most.takeAll().map(\.key) == ["k\(left)"])
        }
    }
}
