import Essentials

/// An element that a file gets.
struct NewElement: Equatable {
    var name: String
    var attributes: [(name: String, value: String)] = []
    var text: String?
    var children: [NewElement] = []

    init(_ name: String, _ attributes: [(String, String)] = [], text: String? = nil) {
        self.name = name
        self.attributes = attributes
        self.text = text
    }

    static func == (left: NewElement, right: NewElement) -> Bool {
        left.isLike(right) && left.text == right.text && left.children == right.children
    }

    /// Whether both have the same name and attributes.
    func isLike(_ other: NewElement) -> Bool {
        name == other.name && attributes.elementsEqual(other.attributes, by: ==)
    }

    /// Whether an element of the file is the one that is meant: it has the same name and key.
    func isMeant(by element: XMLElement) -> Bool {
        element.name == name
            && element["key"] == attributes.first { $0.name == "key" }?.value
    }

    /// The element as Xcode writes it.
    ///
    /// - Parameter indent: The white space before its start tag.
    func text(indent: String, newline: String) -> String {
        let tag =
            "<\(name)\(attributes.map { " \($0.name)=\"\($0.value.escapedForXML)\"" }.joined())"
        if let text { return "\(tag)>\(Self.escaped(text))</\(name)>" }
        guard !children.isEmpty else { return "\(tag)/>" }
        let inner = indent + "    "
        let lines = children.map { inner + $0.text(indent: inner, newline: newline) + newline }
        return "\(tag)>\(newline)\(lines.joined())\(indent)</\(name)>"
    }

    /// A text between tags, in which line ends stay as they are.
    static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).escapedForXML }.joined(separator: "\n")
    }
}
