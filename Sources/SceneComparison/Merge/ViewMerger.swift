import JSON
import SceneDocument

/// Which views the merged document has, where they are, and what they are.
struct ViewMerger {
    private let versions: Versions<VersionContent>
    /// The superview of each view that the merged document has.
    private var parents: [String: String] = [:]
    /// The views that they removed and that stay, as we changed something there.
    private(set) var restored: Set<String> = []

    /// The names of the merged document's views, with `root`.
    var names: Set<String> { Set(parents.keys).union(["root"]) }

    init(_ versions: Versions<VersionContent>, _ log: inout ConflictLog) {
        self.versions = versions
        let removed = removedViews(&log)
        place(removed, &log)
        untie(&log)
    }

    // MARK: Which

    /// The views that a version removed and the merged document lacks. What was removed as a whole,
    /// a view and all in it, goes or stays as a whole.
    private mutating func removedViews(_ log: inout ConflictLog) -> Set<String> {
        let mentions = versions.map { $0.mentions() }
        let byThem = removals(
            from: versions.theirs, in: versions.ours, mentions.base, mentions.ours)
        var removed: Set<String> = []
        for removal in byThem {
            if removal.isChanged {
                log.note(
                    "view", removal.top,
                    "view \"\(removal.top)\" is changed here and removed there")
                restored.formUnion(removal.views)
            } else {
                removed.formUnion(removal.views)
            }
        }
        let byUs = removals(
            from: versions.ours, in: versions.theirs, mentions.base, mentions.theirs)
        for removal in byUs {
            if removal.isChanged {
                log.note(
                    "view", removal.top,
                    "view \"\(removal.top)\" is removed here and changed there")
            }
            removed.formUnion(removal.views)
        }
        return removed
    }

    private struct Removal {
        var top: String
        var views: Set<String>
        /// Whether the other version changed anything in it.
        var isChanged: Bool
    }

    /// What one version removed, and whether the other changed it.
    private func removals(
        from remover: VersionContent, in other: VersionContent, _ before: [String: Mentions],
        _ after: [String: Mentions]
    ) -> [Removal] {
        let base = versions.base
        func isRemoved(_ id: String) -> Bool {
            base.viewValues[id] != nil && remover.viewValues[id] == nil
        }
        var result: [Removal] = []
        for (id, _) in other.views where isRemoved(id) {
            guard !isRemoved(other.parents[id] ?? "root") else { continue }
            var removal = Removal(top: id, views: [], isChanged: false)
            var stack = [id]
            while let view = stack.popLast() {
                guard isRemoved(view) else {
                    // One that was there before was taken out by who removed the rest; one that is
                    // new there, or was moved in, keeps what it lies in.
                    if other.parents[view] != base.parents[view] { removal.isChanged = true }
                    continue
                }
                removal.views.insert(view)
                if other.viewValues[view] != base.viewValues[view]
                    || (after[view] ?? Mentions()).say(moreThan: before[view] ?? Mentions())
                {
                    removal.isChanged = true
                }
                stack += other.children[view] ?? []
            }
            result.append(removal)
        }
        return result
    }

    // MARK: Where

    /// Gives each view its superview: the one of the version that moved it.
    private mutating func place(_ removed: Set<String>, _ log: inout ConflictLog) {
        let ids = uniqued(versions.ours.views.map(\.id) + versions.theirs.views.map(\.id))
        for id in ids where !removed.contains(id) {
            let of = versions.map { $0.parents[id] }
            guard let ours = of.ours, let theirs = of.theirs else {
                parents[id] = of.ours ?? of.theirs
                continue
            }
            parents[id] = log.value(
                "view", id, "superview of view \"\(id)\"",
                Versions(base: of.base ?? "", ours: ours, theirs: theirs)
            ) { "\"\($0)\"" }
        }
        // What lies in a removed view goes back to where it was here, or goes too.
        var isSettled = false
        while !isSettled {
            isSettled = true
            for id in ids {
                guard let parent = parents[id], parent != "root", parents[parent] == nil else {
                    continue
                }
                isSettled = false
                log.note(
                    "view", id,
                    "view \"\(id)\" is in \"\(parent)\" there, which is removed here")
                let ours = versions.ours.parents[id]
                parents[id] = ours == parent ? "root" : ours
            }
        }
    }

    /// Takes our superviews where the moves of both versions would have views lie in themselves.
    private mutating func untie(_ log: inout ConflictLog) {
        // Each circle has a move of theirs, so there are at most as many as those.
        while let circle = firstCircle() {
            for id in circle where parents[id] != versions.ours.parents[id] {
                log.note(
                    "view", id,
                    "view \"\(id)\" is moved there, which a move here excludes")
                let ours = versions.ours.parents[id] ?? "root"
                parents[id] = parents[ours] == nil ? "root" : ours
            }
        }
    }

    private func firstCircle() -> ArraySlice<String>? {
        var isOutside: Set<String> = ["root"]
        for (start, _) in versions.ours.views + versions.theirs.views where parents[start] != nil {
            var path: [String] = []
            var onPath: Set<String> = []
            var view = start
            while !isOutside.contains(view) {
                guard onPath.insert(view).inserted else {
                    return path[(path.firstIndex(of: view) ?? 0)...]
                }
                path.append(view)
                view = parents[view] ?? "root"
            }
            isOutside.formUnion(path)
        }
        return nil
    }

    // MARK: What

    /// The guides, without those of removed views.
    func guides(_ log: inout ConflictLog) -> [GuideSpec] {
        let specs = versions.map { version in
            Dictionary(
                version.guides.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let ids = uniqued(versions.ours.guides.map(\.id) + versions.theirs.guides.map(\.id))
        return ids.compactMap { id in
            let of = specs.map { $0[id] }
            let isRestored =
                of.theirs == nil && of.ours.map { restored.contains($0.parent) } == true
            guard isRestored || log.keeps("guide", id, of), var guide = of.ours ?? of.theirs
            else { return nil }
            if of.ours != nil, of.theirs != nil {
                guide.parent =
                    log.value(
                        "guide", id, "view of guide \"\(id)\"", of.map { $0?.parent }
                    ) { "\"\($0 ?? "")\"" } ?? guide.parent
            }
            guard parents[id] == nil else {
                log.note("guide", id, "guide \"\(id)\" has the name of a view in one version")
                return nil
            }
            guard guide.parent == "root" || parents[guide.parent] != nil else {
                if guide != of.base {
                    log.note(
                        "guide", id,
                        "guide \"\(id)\" is in \"\(guide.parent)\", which is removed")
                }
                return nil
            }
            return guide
        }
    }

    /// The views in their order.
    func views(_ log: inout ConflictLog) -> [JSONValue] {
        inOrder(&log).map { id in
            let of = versions.map { $0.viewValues[id]?.members }
            guard let ours = of.ours, let theirs = of.theirs else {
                return fitted(id, of.ours ?? of.theirs ?? [])
            }
            let merged = log.members(
                "view", id, Versions(base: of.base ?? [], ours: ours, theirs: theirs),
                leavingOut: ["id", "parent", "arranged", "frame", "frameIn"])
            return fitted(id, merged + frame(id, of, &log) + arranged(id, of, &log))
        }
    }

    /// A frame and the view that it is relative to, which mean nothing without each other.
    private func frame(
        _ id: String, _ versions: Versions<[JSONMember]?>, _ log: inout ConflictLog
    ) -> [JSONMember] {
        let frames = versions.map { members in
            (members ?? []).filter { $0.key == "frame" || $0.key == "frameIn" }
        }
        return log.value("view", id, "frame of view \"\(id)\"", frames) { members in
            members.isEmpty ? "none" : members.map { $0.value.text() }.joined(separator: " in ")
        }
    }

    /// The explicit order of a stack's views, merged as that of subviews is.
    private func arranged(
        _ id: String, _ versions: Versions<[JSONMember]?>, _ log: inout ConflictLog
    ) -> [JSONMember] {
        let of = versions.map { members in members?.first { $0.key == "arranged" }?.value }
        guard let ours = of.ours?.array, let theirs = of.theirs?.array else {
            return log.value("view", id, "arranged of view \"\(id)\"", of)
                .map { [JSONMember("arranged", $0)] } ?? []
        }
        let names = Versions(
            base: of.base?.array ?? [], ours: ours, theirs: theirs
        ).map { $0.compactMap(\.string) }
        // A name that one version took out is not put back from the other.
        let before = Set(names.base)
        let (mine, other) = (Set(names.ours), Set(names.theirs))
        let gone = before.filter { !mine.contains($0) || !other.contains($0) }
        let order = ConflictLog.order(
            names.map { $0.filter { !gone.contains($0) } },
            onConflict: {
                log.note("view", id, "both versions change the order of arranged of view \"\(id)\"")
            })
        return [JSONMember("arranged", .array(order.map { .string($0) }))]
    }

    /// A view with its name and superview, and without what it says of views that lie elsewhere
    /// now.
    private func fitted(_ id: String, _ members: [JSONMember]) -> JSONValue {
        func hasLeft(_ name: String) -> Bool {
            let wasInside = versions.ours.parents[name] == id || versions.theirs.parents[name] == id
            return wasInside && parents[name] != id
        }
        var result = [JSONMember("id", .string(id))]
        if let parent = parents[id], parent != "root" {
            result.append(JSONMember("parent", .string(parent)))
        }
        for member in members where member.key != "id" && member.key != "parent" {
            switch member.key {
            case "arranged":
                let kept = (member.value.array ?? []).filter { !hasLeft($0.string ?? "") }
                result.append(JSONMember(member.key, .array(kept)))
            case "customSpacing":
                let kept = (member.value.members ?? []).filter { !hasLeft($0.key) }
                result.append(JSONMember(member.key, .object(kept)))
            default: result.append(member)
            }
        }
        return .object(result)
    }

    // MARK: In which order

    /// All views, in our document's order with theirs among them, and each view's subviews in the
    /// order of the version that changed it.
    private func inOrder(_ log: inout ConflictLog) -> [String] {
        var list = ConflictLog.inserting(
            versions.theirs.views.map(\.id).filter { parents[$0] != nil },
            into: versions.ours.views.map(\.id).filter { parents[$0] != nil })
        var places: [String: [Int]] = [:]
        for (place, id) in list.enumerated() {
            places[parents[id] ?? "", default: []].append(place)
        }
        for (parent, places) in places.sorted(by: { $0.key < $1.key }) {
            let inside = places.map { list[$0] }
            let present = Set(inside)
            var order = ConflictLog.order(
                versions.map { ($0.children[parent] ?? []).filter(present.contains) },
                onConflict: {
                    log.note(
                        "view", parent,
                        "both versions change the order of the subviews of \"\(parent)\"")
                })
            // Those that found no other place are among the children of no version.
            order = uniqued(order + inside)
            for (place, id) in zip(places, order) { list[place] = id }
        }
        return list
    }
}
