/// One version of a file for a merge: its elements by what they are, whichever place they have.
struct MergeSide {
    /// An element in a version.
    struct Item {
        let element: XMLElement
        /// The identity of the element around it; `nil` for the document.
        let parent: String?
        /// Where the element before it ends, or the start tag of the one around it.
        let gapStart: Int
        /// The identities of the elements directly inside, in order.
        var children: [String] = []
    }

    /// Attributes that tell elements of one name apart where they have no id.
    /// Bytes of an identity.
    private static let identityByteMaximum = 1024
    private static let keys = ["key", "reference", "keyPath", "identifier", "property"]

    let bytes: [UInt8]
    private(set) var items: [String: Item] = [:]
    private(set) var root = ""
    /// How many elements would have an identity, were they not numbered.
    private var counts: [String: Int] = [:]

    /// - Parameter name: What people call the version.
    /// - Throws: `InterfaceError`, with the name of the version.
    init(_ bytes: [UInt8], _ name: String) throws(InterfaceError) {
        self.bytes = bytes
        do throws(InterfaceError) {
            try add(try XMLParsing.tree(of: bytes).root)
        } catch {
            throw InterfaceError(line: error.line, "\(name): \(error.text)")
        }
    }

    private mutating func add(_ document: XMLElement) throws(InterfaceError) {
        root = try add(document, in: nil, behind: 0)
        var open = [(element: document, identity: root)]
        while let (element, identity) = open.popLast() {
            var (names, end) = ([String](), element.tag.upperBound)
            for child in element.children {
                let name = try add(child, in: identity, behind: end)
                end = child.bytes.upperBound
                names.append(name)
                open.append((child, name))
            }
            items[identity]?.children = names
        }
    }

    /// An element is identified by its id; one without, by the nearest id around it and the path
    /// from there.
    private mutating func add(
        _ element: XMLElement, in parent: String?, behind gapStart: Int
    ) throws(InterfaceError) -> String {
        var identity: String
        if let id = element["id"] ?? element["sceneID"] {
            identity = "#\(id)"
        } else {
            let key = Self.keys.lazy.compactMap { name in element[name].map { "\(name)=\($0)" } }
                .first
            let name = parent?.hasSuffix("/resources") == true ? element["name"] : nil
            identity = "\(parent ?? "")/\(element.name)" + (key ?? name).map { "[\($0)]" }.orEmpty
        }
        guard identity.utf8.count <= Self.identityByteMaximum else {
            throw InterfaceError(
                line: element.line,
                "elements without an id are nested too deep to be matched; no file of Xcode has such"
            )
        }
        // Elements that nothing tells apart, by their order.
        let count = counts[identity, default: 0] + 1
        counts[identity] = count
        if count > 1 { identity += "~\(count)" }
        items[identity] = Item(element: element, parent: parent, gapStart: gapStart)
        return identity
    }

    // MARK: Bytes

    /// The bytes between an element and what is before it in the element around it.
    func gap(before identity: String) -> ArraySlice<UInt8> {
        guard let item = items[identity] else { return [] }
        return bytes[item.gapStart..<max(item.gapStart, item.element.bytes.lowerBound)]
    }

    /// The bytes between the last element inside an element and its end tag.
    func tail(of identity: String) -> ArraySlice<UInt8> {
        guard let item = items[identity], let last = item.children.last.flatMap({ items[$0] })
        else { return [] }
        let end = endTag(of: item.element).startIndex
        return bytes[last.element.bytes.upperBound..<max(last.element.bytes.upperBound, end)]
    }

    /// The end tag of an element; empty for one without.
    func endTag(of element: XMLElement) -> ArraySlice<UInt8> {
        guard element.bytes.upperBound > element.tag.upperBound,
            let start = bytes[element.tag.upperBound..<element.bytes.upperBound]
                .lastIndex(of: UInt8(ascii: "<"))
        else { return bytes[element.bytes.upperBound..<element.bytes.upperBound] }
        return bytes[start..<element.bytes.upperBound]
    }

    /// The bytes between the tags of an element without others inside.
    func content(of element: XMLElement) -> ArraySlice<UInt8> {
        bytes[element.tag.upperBound..<endTag(of: element).startIndex]
    }

    // MARK: Comparing

    /// Whether an element and all inside say the same as in another version, wherever it stands.
    ///
    /// - Complexity: O(elements inside).
    func isSame(_ identity: String, as other: MergeSide) -> Bool {
        var open = [identity]
        while let name = open.popLast() {
            guard let mine = items[name], let theirs = other.items[name],
                mine.children == theirs.children,
                mine.element.attributes.elementsEqual(theirs.element.attributes, by: ==),
                !mine.children.isEmpty || mine.element.text == theirs.element.text
            else { return false }
            open += mine.children
        }
        return true
    }
}

extension Optional<String> {
    fileprivate var orEmpty: String { self ?? "" }
}
