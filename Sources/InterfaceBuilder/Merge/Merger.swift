/// Puts two versions together, element by element, beginning with the document.
final class Merger {
    let base: MergeSide
    let ours: MergeSide
    let theirs: MergeSide
    private(set) var conflicts: [InterfaceMerge.Conflict] = []
    /// The frames that both versions changed.
    private(set) var staleFrames: Set<String> = []
    private var written: Set<String> = []
    /// Where elements are in the merged file, as far as that was asked for.
    private var places: [String: Place] = [:]
    /// By the outermost element that their version removed with others inside, whether ours changed
    /// any of them.
    private var changes: [String: Bool] = [:]

    private enum Place: Equatable {
        /// It is being found out.
        case pending
        /// Not in the merged file.
        case none
        /// The document.
        case root
        /// In an element.
        case within(String)
    }

    init(base: MergeSide, ours: MergeSide, theirs: MergeSide) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
    }

    /// The merged file.
    func merge() -> [UInt8] {
        guard ours.root == theirs.root, let root = ours.items[ours.root]?.element else {
            note("", "the files are of different kinds")
            return ours.bytes
        }
        let merged =
            ours.bytes[..<root.bytes.lowerBound] + text(of: ours.root)
            + ours.bytes[root.bytes.upperBound...]
        // Where moves of both versions depend on one another, an element may have found no place.
        let lost = ours.items.keys.filter {
            $0.hasPrefix("#") && isWanted($0) && !written.contains($0)
        }
        if let first = lost.min() {
            note(
                first,
                "the versions move \(words(first)) in ways that exclude each other; this file is ours"
            )
            return ours.bytes
        }
        findDangling()
        return Array(merged)
    }

    /// Registers a conflict.
    func note(_ identity: String, _ text: String) {
        var name = identity
        while !name.hasPrefix("#"), let parent = item(name)?.parent { name = parent }
        conflicts.append(
            InterfaceMerge.Conflict(
                id: name.hasPrefix("#") ? String(name.dropFirst()) : "", text: text))
    }

    private func item(_ identity: String) -> MergeSide.Item? {
        ours.items[identity] ?? theirs.items[identity] ?? base.items[identity]
    }

    /// Registers a frame that both versions changed.
    func note(staleFrame identity: String) { staleFrames.insert(identity) }

    // MARK: Which elements, and where

    /// Whether the merged file has an element.
    private func isPresent(_ identity: String) -> Bool {
        switch place(of: identity) {
        case .pending, .none: false
        case .root, .within: true
        }
    }

    private func place(of identity: String) -> Place {
        if let place = places[identity] { return place }
        places[identity] = .pending
        let place = foundPlace(of: identity)
        places[identity] = place
        return place
    }

    private func foundPlace(of identity: String) -> Place {
        if identity == ours.root { return .root }
        guard isWanted(identity) else { return .none }
        let (mine, other) = (ours.items[identity]?.parent, theirs.items[identity]?.parent)
        let isMovedThere = other != base.items[identity]?.parent
        let wanted = isMovedThere ? [other, mine] : [mine, other]
        var isFirst = true
        for parent in wanted.compactMap({ $0 }) {
            if isPresent(parent) {
                if !isFirst {
                    note(identity, "the new place of \(words(identity)) is not there any more")
                }
                return .within(parent)
            }
            isFirst = false
        }
        return .none
    }

    /// Whether the merged file should have an element, wherever.
    private func isWanted(_ identity: String) -> Bool {
        guard base.items[identity] != nil, theirs.items[identity] == nil else {
            // Not in ours, it was removed here, or is new there.
            return ours.items[identity] != nil || base.items[identity] == nil
        }
        // Removed there: it goes, unless something in what was removed with it was changed here.
        var top = identity
        while let parent = ours.items[top]?.parent, base.items[parent] != nil,
            theirs.items[parent] == nil
        {
            top = parent
        }
        guard ours.items[identity] != nil else { return false }
        if let isChanged = changes[top] { return isChanged }
        let isChanged = !ours.isSame(top, as: base)
        changes[top] = isChanged
        return isChanged
    }

    /// The elements in an element of the merged file, in order.
    private func children(of identity: String) -> [String] {
        func there(_ list: [String]?) -> [String] {
            (list ?? []).filter { place(of: $0) == .within(identity) }
        }
        let mine = there(ours.items[identity]?.children)
        let other = there(theirs.items[identity]?.children)
        var merged = ours.items[identity] == nil ? other : mine
        let common = Set(mine).intersection(other)
        let (inMine, inOther) = (mine.filter(common.contains), other.filter(common.contains))
        if inMine != inOther {
            let before = (base.items[identity]?.children ?? []).filter(common.contains)
            let known = Set(before)
            if inMine.filter(known.contains) == before {
                // Ours kept the order, so theirs counts, in the positions of the common elements.
                var next = inOther.makeIterator()
                merged = merged.map { common.contains($0) ? next.next() ?? $0 : $0 }
            } else if inOther.filter(known.contains) != before,
                item(identity)?.element.name == "subviews"
            {
                note(
                    identity, "both versions change the order of the subviews of \(words(identity))"
                )
            }
        }
        // What only they have comes behind what is before it there.
        let taken = Set(merged)
        var followers: [String?: [String]] = [:]
        var last: String?
        for name in other {
            if taken.contains(name) {
                last = name
            } else {
                followers[last, default: []].append(name)
            }
        }
        return (followers[nil] ?? []) + merged.flatMap { [$0] + (followers[$0] ?? []) }
    }

    // MARK: Writing

    /// An element of the merged file with all inside.
    private func text(of identity: String) -> [UInt8] {
        written.insert(identity)
        let source = ours.items[identity] == nil ? theirs : ours
        guard let item = source.items[identity] else { return [] }
        var tag = tag(of: identity, item.element, source)
        let children = children(of: identity)
        guard !children.isEmpty || !item.children.isEmpty else {
            let content = content(of: identity, item.element, source)
            let end = source.endTag(of: item.element)
            if content.isEmpty, end.isEmpty { return tag }
            return open(&tag) + content
                + (end.isEmpty ? Array("</\(item.element.name)>".utf8) : Array(end))
        }
        var inner: [UInt8] = []
        for child in children {
            let before = conflicts.count
            let text = text(of: child)
            let gap = (ours.items[child]?.parent == identity ? ours : theirs).gap(before: child)
            for conflict in conflicts[before...] where child == "#\(conflict.id)" {
                inner += gap + Self.comment(conflict.text)
            }
            inner += gap + text
        }
        inner += removals(in: identity)
        let end = source.endTag(of: item.element)
        var tail = Array(source.tail(of: identity))
        if tail.isEmpty, item.children.isEmpty { tail = lineStart(of: identity, source) }
        return open(&tag) + inner + tail
            + (end.isEmpty ? Array("</\(item.element.name)>".utf8) : Array(end))
    }

    /// Notes elements that one version removed and the other changed.
    ///
    /// - Returns: The comments on them.
    private func removals(in identity: String) -> [UInt8] {
        guard let mine = ours.items[identity], let other = theirs.items[identity] else { return [] }
        var comments: [UInt8] = []
        for child in mine.children
        where theirs.items[child] == nil && base.items[child] != nil && isPresent(child) {
            let text = "\(words(child)) was removed there and changed here; it is kept"
            note(child, text)
            comments += ours.gap(before: child) + Self.comment(text)
        }
        for child in other.children
        where ours.items[child] == nil && base.items[child] != nil
            && !theirs.isSame(child, as: base)
        {
            let text = "\(words(child)) was removed here and changed there; it stays removed"
            note(child, text)
            comments += theirs.gap(before: child) + Self.comment(text)
        }
        return comments
    }

    /// A start tag that is no end at the same time.
    private func open(_ tag: inout [UInt8]) -> [UInt8] {
        guard tag.suffix(2) == Array("/>".utf8)[...] else { return tag }
        tag.removeLast(2)
        return tag + [UInt8(ascii: ">")]
    }

    /// A line feed and the indentation of an element.
    private func lineStart(of identity: String, _ source: MergeSide) -> [UInt8] {
        let gap = source.gap(before: identity)
        guard let start = gap.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return Array(gap[start...])
    }

    /// The bytes between the tags of an element without others inside.
    private func content(
        of identity: String, _ element: XMLElement, _ source: MergeSide
    ) -> [UInt8] {
        let mine = Array(source.content(of: element))
        guard let other = theirs.items[identity]?.element, ours.items[identity] != nil else {
            return mine
        }
        let before = base.items[identity]?.element.text
        guard other.text != element.text, other.text != before else { return mine }
        guard element.text == before else {
            note(
                identity,
                "the text of \(words(identity)) is \(Self.quoted(element.text)) here and \(Self.quoted(other.text)) there"
            )
            return mine
        }
        return Array(theirs.content(of: other))
    }

    // MARK: References

    /// Finds what names an element that the other version removed.
    private func findDangling() {
        let references = ["firstItem", "secondItem", "destination", "target"]
        for identity in written.sorted() {
            guard let element = item(identity)?.element else { continue }
            for name in references {
                guard let id = element[name], !written.contains("#\(id)"),
                    ours.items["#\(id)"] != nil || theirs.items["#\(id)"] != nil
                else { continue }
                note(
                    identity,
                    "\(words(identity)) names \(words("#\(id)")), which the other version removed")
            }
        }
    }

    // MARK: Words

    func words(_ identity: String) -> String {
        guard let element = item(identity)?.element else { return identity }
        if let label = element["userLabel"] { return Self.quoted(label) }
        guard element["id"] == nil else { return "\(element.name) \(element["id"] ?? "")" }
        guard let parent = item(identity)?.parent else { return element.name }
        let key = element["key"].map { " \($0)" } ?? ""
        return "\(element.name)\(key) of \(words(parent))"
    }

    static func quoted(_ text: String) -> String {
        "\"\(text.count > 60 ? "\(text.prefix(60))…" : text)\""
    }

    /// A comment; its text must not have two hyphens in a row.
    private static func comment(_ text: String) -> [UInt8] {
        var words = ""
        for character in text {
            if character == "-", words.last == "-" { words += " " }
            words.append(character)
        }
        return Array("<!-- merge conflict: \(words) -->".utf8)
    }
}
