import Essentials

/// The bytes of a start tag, with the place of each attribute.
struct StartTag {
    private struct Attribute {
        var name: String
        /// From the white space before the name to the closing quote.
        var bytes: [UInt8]
    }

    private var head: [UInt8]
    private var attributes: [Attribute] = []
    private var tail: [UInt8]

    /// Takes a start tag apart that a parser has accepted.
    init(_ bytes: ArraySlice<UInt8>) {
        var place = bytes.startIndex
        func isSpace(_ byte: UInt8) -> Bool { byte <= 32 }
        while place < bytes.endIndex, !isSpace(bytes[place]), bytes[place] != UInt8(ascii: ">"),
            bytes[place] != UInt8(ascii: "/")
        {
            place += 1
        }
        head = Array(bytes[..<place])
        while true {
            let start = place
            while place < bytes.endIndex, isSpace(bytes[place]) { place += 1 }
            let name = place
            while place < bytes.endIndex, bytes[place] != UInt8(ascii: "="),
                !isSpace(bytes[place]), bytes[place] != UInt8(ascii: ">"),
                bytes[place] != UInt8(ascii: "/")
            {
                place += 1
            }
            guard place > name else {
                tail = Array(bytes[start...])
                return
            }
            let text = String(decoding: bytes[name..<place], as: UTF8.self)
            while place < bytes.endIndex, bytes[place] != UInt8(ascii: "\""),
                bytes[place] != UInt8(ascii: "'")
            {
                place += 1
            }
            guard place < bytes.endIndex else {
                tail = Array(bytes[start...])
                return
            }
            let quote = bytes[place]
            place += 1
            while place < bytes.endIndex, bytes[place] != quote { place += 1 }
            place = min(place + 1, bytes.endIndex)
            attributes.append(Attribute(name: text, bytes: Array(bytes[start..<place])))
        }
    }

    /// The tag.
    var bytes: [UInt8] { head + attributes.flatMap(\.bytes) + tail }

    /// Gives an attribute a value, or removes it. New ones come before the id, as Xcode has them.
    mutating func set(_ name: String, _ value: String?) {
        let place = attributes.firstIndex { $0.name == name }
        guard let value else {
            if let place { attributes.remove(at: place) }
            return
        }
        let attribute = Attribute(
            name: name, bytes: Array(" \(name)=\"\(value.escapedForXML)\"".utf8))
        if let place {
            attributes[place] = attribute
        } else {
            let end = attributes.firstIndex { $0.name == "id" } ?? attributes.endIndex
            attributes.insert(attribute, at: end)
        }
    }

    /// Gives an attribute what it has in another tag: a value, or no place at all.
    mutating func take(_ name: String, from other: StartTag) {
        let place = attributes.firstIndex { $0.name == name }
        guard let source = other.attributes.firstIndex(where: { $0.name == name }) else {
            if let place { attributes.remove(at: place) }
            return
        }
        let attribute = other.attributes[source]
        if let place {
            attributes[place] = attribute
            return
        }
        // Behind the last attribute that is before it there too.
        let earlier = Set(other.attributes[..<source].map(\.name))
        let before = attributes.lastIndex { earlier.contains($0.name) }
        attributes.insert(attribute, at: before.map { $0 + 1 } ?? 0)
    }
}
