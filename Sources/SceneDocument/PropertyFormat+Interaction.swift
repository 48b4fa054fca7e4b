public import JSON
import LayoutValues

// How the keys of `InteractionProperties` are read and written.

extension PropertyFormat<[EventKind]> {
    /// A list of the names of kinds that a view can ask for, none of them twice.
    static var events: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                let nodes = try node.list()
                let names = EventKind.asked.map { $0.rawValue }.joined(separator: ", ")
                guard nodes.count <= EventKind.asked.count else {
                    throw node.error(
                        .badValue, "a list of \(nodes.count)", expected: "each of \(names) once")
                }
                var kinds: [EventKind] = []
                for element in nodes {
                    let kind = try element.choice(EventKind.self)
                    guard EventKind.asked.contains(kind) else {
                        throw element.error(
                            .badValue, "no view asks for \"\(kind.rawValue)\"",
                            expected: "one of \(names)")
                    }
                    guard !kinds.contains(kind) else {
                        throw element.error(.badValue, "\"\(kind.rawValue)\" a second time")
                    }
                    kinds.append(kind)
                }
                return kinds
            }, { .strings($0.map { $0.rawValue }) })
    }
}

extension PropertyFormat<String> {
    /// A text of at most so many bytes.
    static func text(byteMaximum: Int) -> PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try node.text(byteMaximum: byteMaximum) },
            { .string($0) })
    }
}

extension PropertyFormat<ControlValue> {
    /// A flag, a number or a text.
    static var controlValue: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                switch node.value.kind {
                case .bool(let flag): return .flag(flag)
                case .number: return .number(try node.number())
                case .string: return .text(try node.text())
                case .null, .array, .object:
                    throw node.error(
                        .badOp, "found \(node.value.kindName)",
                        expected: "true, false, a number or a text")
                }
            }, { $0.json })
    }
}

extension ControlValue {
    /// The same as JSON.
    public var json: JSONValue {
        switch self {
        case .flag(let flag): .bool(flag)
        case .number(let number): .number(number)
        case .text(let text): .string(text)
        }
    }
}

extension PropertyFormat<[String]> {
    /// The titles of segments.
    static var segments: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                let nodes = try node.list()
                guard nodes.count <= InteractionProperties.segmentMaximum else {
                    throw node.error(
                        .limit,
                        "\(nodes.count) segments, the most are \(InteractionProperties.segmentMaximum)"
                    )
                }
                var titles: [String] = []
                for element in nodes {
                    titles.append(
                        try element.text(byteMaximum: InteractionProperties.segmentByteMaximum))
                }
                return titles
            }, { .strings($0) })
    }
}
