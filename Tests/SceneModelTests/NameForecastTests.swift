import SceneDocument
import SceneModel
import SceneTestSupport
import Testing

@testable import SceneModel

@Suite("Mistakes in names are found before anything is applied")
struct NameForecastTests {
    private static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "a"}, {"id": "b", "parent": "a"}], "guides": [{"id": "g"}],
         "constraints": [{"id": "w", "rule": "a.width == 10"}], "sets": {"s": {"constraints": []}}}
        """

    @Test(
        "each is refused as it would be when it is applied",
        arguments: [
            (#"{"op":"setView","id":"gone","opacity":1}"#, RefusalCode.unknownView),
            (#"{"op":"addView","id":"b"}"#, .duplicateID),
            (#"{"op":"addView","id":"g"}"#, .duplicateID),
            (#"{"op":"addView","id":"n"}"#, .duplicateID),
            (#"{"op":"addView","id":"c","parent":"gone"}"#, .unknownView),
            (#"{"op":"addGuide","id":"a"}"#, .duplicateID),
            (#"{"op":"addConstraint","id":"w","rule":"a.width == 3"}"#, .duplicateID),
            (#"{"op":"addConstraint","id":"x","rule":"a.width == gone.width"}"#, .unknownView),
            (
                #"{"op":"addConstraint","id":"x","rule":"a.width == 3","set":"none"}"#,
                .unknownSet
            ),
            (#"{"op":"setConstraint","id":"gone","constant":3}"#, .unknownConstraint),
            (#"{"op":"removeConstraint","id":"gone"}"#, .unknownConstraint),
            (#"{"op":"removeView","id":"gone"}"#, .unknownView),
            (#"{"op":"activateSet","id":"gone"}"#, .unknownSet),
        ])
    func mistakes(op: String, code: RefusalCode) throws {
        let list = try ops(
            #"[{"op":"addView","id":"n"},{"op":"addConstraint","id":"m","rule":"n.width == a.width"},\#(op)]"#
        )
        let model = try scene(Self.document)
        let found = try #require(model.refusalOfNames(in: list))
        #expect(found.code == code && found.opIndex == 2)
        let other = try scene(Self.document)
        other.isReplaying = true
        #expect(other.apply(list, atomic: true).refusals == [found])
        // Nothing of it was applied, so there is nothing to go back from.
        model.restoresRefused = false
        #expect(model.apply(list, atomic: true).refusals == [found])
        #expect(!model.isSpoiled && !model.contains(.view("n")))
    }

    @Test("an animation's ops are looked at too")
    func animation() throws {
        let model = try scene(Self.document)
        model.restoresRefused = false
        let list = try ops(
            #"[{"op":"animate","duration":1,"ops":[{"op":"setConstraint","id":"w","constant":5},{"op":"layoutIfNeeded","id":"gone"}]}]"#
        )
        #expect(model.apply(list).refusals.map(\.code) == [.unknownView])
        #expect(!model.isSpoiled)
    }

    @Test("what is found is what applying would have found", arguments: 0..<200)
    func random(seed: Int) throws {
        var source = RandomOps(seed: seed)
        let document = try SceneDocument.parse(Array(Self.document.utf8))
        source.known = ["a", "b"]
        var list: [Op] = []
        while list.count < 6 {
            let text = source.op()
            if let op = try? Op.parseList(Array("[\(text)]".utf8)).first { list.append(op) }
        }
        let (model, other) = (try SceneModel(document), try SceneModel(document))
        guard let found = model.refusalOfNames(in: list) else { return }
        other.isReplaying = true
        #expect(other.apply(list, atomic: true).refusals == [found], "\(list)")
    }
}
