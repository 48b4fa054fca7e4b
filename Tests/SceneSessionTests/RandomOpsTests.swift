import JSON
import SceneDocument
import SceneTestSupport
import Testing

@Suite("Random ops")
struct RandomOpsTests {
    @Test("every op is drawn, so that a new one is tried with all others")
    func names() throws {
        var source = RandomOps(seed: 1)
        var drawn: Set<String> = []
        for _ in 0..<2000 {
            let op = try JSONReader.read(Array(source.op().utf8))
            if let name = op["op"]?.string { drawn.insert(name) }
        }
        let missing = Set(Op.Name.allCases.map(\.rawValue)).subtracting(drawn)
        // Documents are drawn by `document`, and replace everything. These four requests are not
        // drawn yet; what asks for passes at once, and for properties, is.
        let known: Set = [
            "setScene", "setNeedsUpdateConstraints", "updateConstraintsIfNeeded", "setNeedsLayout",
            "setNeedsDisplay",
        ]
        #expect(missing == known)
    }
}
