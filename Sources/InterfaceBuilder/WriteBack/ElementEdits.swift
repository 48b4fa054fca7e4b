import Essentials

/// Changes of elements of a file. Bytes of all other elements stay as they are.
struct ElementEdits {
    private let bytes: [UInt8]
    private let newline: String
    private var tags: [XMLElement: StartTag] = [:]
    private var removed: Set<XMLElement> = []
    private var replaced: [XMLElement: NewElement] = [:]
    private var texts: [XMLElement: String] = [:]
    private var added: [XMLElement: [NewElement]] = [:]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let line = bytes.firstIndex(of: 10) ?? 0
        newline = line > 0 && bytes[line - 1] == 13 ? "\r\n" : "\n"
    }

    // MARK: Changes

    /// Gives an attribute a value, or removes it.
    mutating func set(_ name: String, _ value: String?, of element: XMLElement) {
        guard element[name] != value || tags[element] != nil else { return }
        tags[element, default: StartTag(bytes[element.tag])].set(name, value)
    }

    /// Removes an element, and what is around it if nothing else is left there.
    mutating func remove(_ element: XMLElement) { removed.insert(element) }

    /// Writes another element in the place of one.
    mutating func replace(_ element: XMLElement, with new: NewElement) { replaced[element] = new }

    /// Changes the text between the tags of an element without others inside.
    mutating func setText(_ text: String, of element: XMLElement) { texts[element] = text }

    /// Adds an element.
    ///
    /// - Parameter path: The containers of the new element, outermost first. Missing containers are
    ///   added.
    mutating func add(_ new: NewElement, to element: XMLElement, in path: [NewElement] = []) {
        var outer = element
        var rest = path[...]
        while let step = rest.first, let next = outer.children.first(where: step.isMeant) {
            outer = next
            rest = rest.dropFirst()
        }
        let whole = rest.reversed().reduce(new) { inner, step in
            var step = step
            step.children = [inner]
            return step
        }
        Self.merge(whole, into: &added[outer, default: []], depth: rest.count)
    }

    private static func merge(_ new: NewElement, into list: inout [NewElement], depth: Int) {
        guard depth > 0, let inner = new.children.first,
            let index = list.firstIndex(where: { $0.isLike(new) && $0.text == nil })
        else { return list.append(new) }
        merge(inner, into: &list[index].children, depth: depth - 1)
    }

    // MARK: The result

    private struct Patch {
        var range: Range<Int>
        var bytes: [UInt8]
    }

    /// The bytes of the file with all changes.
    ///
    /// - Complexity: O(bytes + changes · log changes).
    func apply() -> [UInt8] {
        var gone: Set<XMLElement> = []
        for element in removed { gone.insert(outermost(element)) }
        var patches: [Patch] = gone.map { Patch(range: line(of: $0), bytes: []) }
        for (element, new) in replaced {
            let text = new.text(indent: indent(of: element), newline: newline)
            patches.append(Patch(range: element.bytes, bytes: Array(text.utf8)))
        }
        for element in Set(tags.keys).union(texts.keys).union(added.keys) {
            patches += self.patches(of: element, gone)
        }
        patches.sort {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = 0
        // What lies in an element that goes, or that another takes the place of, goes with it.
        for patch in patches where patch.range.lowerBound >= place {
            result += bytes[place..<patch.range.lowerBound]
            result += patch.bytes
            place = patch.range.upperBound
        }
        return result + bytes[place...]
    }

    /// The outermost element that is empty once an element has gone.
    private func outermost(_ element: XMLElement) -> XMLElement {
        var element = element
        while let parent = element.parent, Self.containers.contains(parent.name),
            added[parent] == nil, parent.attributes.allSatisfy({ $0.name == "key" }),
            parent.children.allSatisfy({ $0 == element || removed.contains($0) })
        {
            element = parent
        }
        return element
    }

    /// Elements that Xcode writes only around others.
    private static let containers: Set<String> = [
        "constraints", "mask", "variation", "userDefinedRuntimeAttributes",
    ]

    private func patches(of element: XMLElement, _ gone: Set<XMLElement>) -> [Patch] {
        var tag = tags[element]?.bytes ?? Array(bytes[element.tag])
        let isClosed = element.bytes.upperBound == element.tag.upperBound
        var patches: [Patch] = []
        var behind = ""
        if let text = texts[element] {
            let end = endTag(of: element)
            if isClosed {
                behind = NewElement.escaped(text) + "</\(element.name)>"
            } else {
                patches.append(
                    Patch(
                        range: element.tag.upperBound..<end,
                        bytes: Array(NewElement.escaped(text).utf8)))
            }
        }
        if let list = added[element] {
            let outer = indent(of: element)
            let inner = outer + "    "
            var places: [(place: Int, text: String)] = []
            for new in list {
                let place = self.place(of: new, in: element, gone)
                let text = newline + inner + new.text(indent: inner, newline: newline)
                if let last = places.indices.last, places[last].place == place {
                    places[last].text += text
                } else {
                    places.append((place, text))
                }
            }
            if isClosed {
                behind = places.map(\.text).joined() + newline + outer + "</\(element.name)>"
            } else {
                if element.children.isEmpty, !hasLineEnd(element) {
                    places[places.count - 1].text += newline + outer
                }
                patches += places.map {
                    Patch(range: $0.place..<$0.place, bytes: Array($0.text.utf8))
                }
            }
        }
        if isClosed, !behind.isEmpty, let slash = tag.lastIndex(of: UInt8(ascii: "/")) {
            tag.remove(at: slash)
            tag += behind.utf8
        }
        if tag != Array(bytes[element.tag]) {
            patches.append(Patch(range: element.tag, bytes: tag))
        }
        return patches
    }

    private func hasLineEnd(_ element: XMLElement) -> Bool {
        bytes[element.tag.upperBound..<endTag(of: element)].contains(10)
    }

    private func endTag(of element: XMLElement) -> Int {
        bytes[element.tag.upperBound..<element.bytes.upperBound].lastIndex(of: UInt8(ascii: "<"))
            ?? element.bytes.upperBound
    }

    /// Where a new element comes: behind the last one that Xcode writes before it.
    private func place(of new: NewElement, in element: XMLElement, _ gone: Set<XMLElement>) -> Int {
        let rank = Self.rank(new.name)
        let before = element.children.last { Self.rank($0.name) <= rank && !gone.contains($0) }
        return before?.bytes.upperBound ?? element.tag.upperBound
    }

    /// The order in which Xcode writes the elements of a view.
    private static func rank(_ name: String) -> Int {
        order.firstIndex(of: name) ?? middle
    }

    private static let order = [
        "rect", "autoresizingMask", "subviews", "viewLayoutGuide", "color", "accessibility",
        "gestureRecognizers", "constraints", "fontDescription", "", "edgeInsets",
        "directionalEdgeInsets", "inset", "state", "buttonConfiguration",
        "userDefinedRuntimeAttributes", "variation", "connections",
    ]
    private static let middle = order.firstIndex(of: "") ?? 0

    /// The white space at the beginning of an element's line.
    private func indent(of element: XMLElement) -> String {
        var start = element.tag.lowerBound
        while start > 0, bytes[start - 1] == 32 || bytes[start - 1] == 9 { start -= 1 }
        return String(decoding: bytes[start..<element.tag.lowerBound], as: UTF8.self)
    }

    /// An element with its line, if nothing else stands there.
    private func line(of element: XMLElement) -> Range<Int> {
        var start = element.bytes.lowerBound
        var end = element.bytes.upperBound
        while start > 0, bytes[start - 1] == 32 || bytes[start - 1] == 9 { start -= 1 }
        if end < bytes.count, bytes[end] == 13 { end += 1 }
        guard start == 0 || bytes[start - 1] == 10, end < bytes.count, bytes[end] == 10 else {
            return element.bytes
        }
        return start..<end + 1
    }
}
