/// The elements of an XML file, each with its place in the file.
///
/// Elements lie in one array in the order of their start tags, so that subtrees are ranges and
/// nothing recurses over the depth of a file.
public final class XMLTree: Sendable {
    struct Node: Sendable {
        var name: String
        var attributes: [(name: String, value: String)]
        var text: String
        var parent: Int
        /// The index after the last element inside.
        var end: Int
        var line: Int
        /// The bytes of the start tag.
        var tag: Range<Int>
        /// The bytes from the start tag to the end of the end tag.
        var bytes: Range<Int>
    }

    let nodes: [Node]

    init(nodes: [Node]) { self.nodes = nodes }

    /// The element that holds all others.
    public var root: XMLElement { XMLElement(tree: self, index: 0) }
}

/// An element of a tree.
public struct XMLElement: Sendable, Hashable {
    let tree: XMLTree
    let index: Int

    /// Whether both are the same element of the same tree.
    public static func == (left: XMLElement, right: XMLElement) -> Bool {
        left.index == right.index && left.tree === right.tree
    }

    /// Hashes the place in the tree.
    public func hash(into hasher: inout Hasher) { hasher.combine(index) }

    private var node: XMLTree.Node { tree.nodes[index] }

    /// The element's name.
    public var name: String { node.name }
    /// The text directly inside, without that of elements inside.
    public var text: String { node.text }
    /// The line of the start tag, from 1.
    public var line: Int { node.line }
    /// The bytes of the start tag.
    public var tag: Range<Int> { node.tag }
    /// The bytes of the whole element.
    public var bytes: Range<Int> { node.bytes }
    /// The attributes in the order of the file.
    public var attributes: [(name: String, value: String)] { node.attributes }

    /// An attribute's value.
    public subscript(name: String) -> String? {
        for attribute in tree.nodes[index].attributes where attribute.name == name {
            return attribute.value
        }
        return nil
    }

    /// Whether an attribute is `YES`.
    public func isYes(_ name: String) -> Bool { self[name] == "YES" }

    /// An attribute's number; `nil` for none, and for one that is no finite number within ±10^6.
    public func number(_ name: String) -> Double? { self[name].flatMap(Self.number) }

    static func number(_ text: String) -> Double? {
        guard let value = Double(text), value.magnitude <= 1e6 else { return nil }
        return value
    }

    /// The element around this one.
    public var parent: XMLElement? {
        let parent = tree.nodes[index].parent
        return parent < 0 ? nil : XMLElement(tree: tree, index: parent)
    }

    /// The elements directly inside, in order.
    public var children: [XMLElement] {
        var result: [XMLElement] = []
        var next = index + 1
        let end = tree.nodes[index].end
        while next < end {
            result.append(XMLElement(tree: tree, index: next))
            next = tree.nodes[next].end
        }
        return result
    }

    /// The elements directly inside with a name.
    public func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The first element directly inside with a name.
    public func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The first element directly inside with a key.
    public func child(_ name: String? = nil, key: String) -> XMLElement? {
        children.first { (name == nil || $0.name == name) && $0["key"] == key }
    }

    /// This element and all elements inside, in the order of the file.
    public var subtree: some Sequence<XMLElement> {
        (index..<tree.nodes[index].end).lazy.map { XMLElement(tree: tree, index: $0) }
    }
}
