import JSON
import SceneComparison
import SceneDocument
import SceneModel
import SceneTestSupport
import SeededRandom
import Testing

@Suite("Merges of random documents")
struct DocumentMergePropertyTests {
    /// A document by its parts, whatever the order of those that do not depend on one another.
    private struct Parts {
        var views: [String: String] = [:]
        var children: [String: [String]] = [:]
        var guides: [String: String] = [:]
        var constraints: [String]
        var rest: String

        init(_ document: SceneDocument) {
            for view in document.views {
                var alone = SceneDocument(viewport: document.viewport, views: [view])
                alone.devices = []
                views[view.id] = alone.json["views"]?.text()
                children[view.parent, default: []].append(view.id)
            }
            for guide in document.guides { guides[guide.id] = guide.parent }
            let lists =
                [document.json["constraints"]?.array ?? []]
                + (document.json["sets"]?.members ?? []).map {
                    $0.value["constraints"]?.array ?? []
                }
            constraints = lists.flatMap { $0.map { $0.text() } }.sorted()
            rest =
                (document.json["viewport"]?.text() ?? "") + (document.json["devices"]?.text() ?? "")
                + (document.json["faces"]?.text() ?? "") + "\(document.sets.map(\.id).sorted())"
        }
    }

    private func expectEqual(_ merged: Parts, _ expected: Parts, _ place: Comment) {
        for (id, view) in expected.views where merged.views[id] != view {
            Issue.record("\(place): \(id) is \(merged.views[id] ?? "gone"), not \(view)")
        }
        #expect(merged.views.count == expected.views.count, place)
        #expect(merged.children == expected.children, place)
        #expect(merged.guides == expected.guides, place)
        #expect(merged.constraints == expected.constraints, place)
        #expect(merged.rest == expected.rest, place)
    }

    /// Random ops on a scene; what is refused is left out.
    private func changed(
        _ document: SceneDocument, _ source: inout RandomOps, ops: Int
    ) throws -> SceneDocument {
        let model = try SceneModel(document)
        for _ in 0..<ops {
            source.known = model.viewIDs.filter { $0 != "root" }
            let text = source.below(3) == 0 ? source.addition() : source.op()
            guard let value = try? JSONReader.read(Array(text.utf8)),
                let op = try? Op.parse(value)
            else { continue }
            if case .setScene = op { continue }
            _ = model.apply([op])
        }
        return model.document()
    }

    @Test(
        "a version beside an unchanged one is that version, and two are a valid document",
        arguments: 0..<40 * Soak.factor)
    func merges(block: Int) throws {
        var compared = 0
        for seed in (block * 25)..<(block * 25 + 25) {
            var source = RandomOps(seed: seed)
            let text = source.document()
            guard let parsed = try? SceneDocument.parse(Array(text.utf8)),
                let base = try? changed(parsed, &source, ops: 12),
                // A scene whose constraints contradict one another now is not read back.
                let ours = try? changed(base, &source, ops: 6),
                let theirs = try? changed(base, &source, ops: 6)
            else { continue }
            compared += 1
            func merge(_ mine: SceneDocument, _ other: SceneDocument) throws -> DocumentMerge {
                try DocumentMerge(base: base, ours: mine, theirs: other)
            }
            let place: Comment = "seed \(seed)"
            for (mine, other, expected) in [
                (ours, base, ours), (base, theirs, theirs), (ours, ours, ours),
            ] {
                let alone = try merge(mine, other)
                expectEqual(Parts(alone.document), Parts(expected), place)
                #expect(alone.conflicts.isEmpty, place)
            }
            let both = try merge(ours, theirs)
            let back = try SceneDocument.parse(Array(both.document.json().utf8))
            #expect(back == both.document, place)
            // Of two versions without a conflict it does not matter which is whose.
            let mirrored = try merge(theirs, ours)
            #expect(both.conflicts.isEmpty == mirrored.conflicts.isEmpty, place)
            if both.conflicts.isEmpty {
                #expect(
                    Set(both.document.views.map(\.id)) == Set(mirrored.document.views.map(\.id)),
                    place)
                #expect(Parts(both.document).guides == Parts(mirrored.document).guides, place)
            }
        }
        #expect(compared >= 10)
    }
}
