import AutoLayout
public import JSON
import LayoutValues
public import SceneDocument

extension MeasuredText {
    /// All that is known, as JSON; `nil` for nothing.
    public var json: JSONValue? { all.json }

    /// Removes and returns what the journal does not have yet; `nil` for nothing.
    public mutating func takeUntoldJSON() -> JSONValue? { takeUntold().json }

    /// Reads the result of `json`.
    ///
    /// - Throws: `DocumentError` for what no journal has.
    public init(_ value: JSONValue) throws(DocumentError) {
        self.init(recorded: try Lengths(JSONCursor(value)))
    }

    /// Takes what another record of the journal says: the result of `takeUntoldJSON`.
    ///
    /// - Throws: `DocumentError` for what no journal has.
    public mutating func add(_ value: JSONValue) throws(DocumentError) {
        add(try Lengths(JSONCursor(value)))
    }
}

/// By weight, `line` as a list of four lengths, and `words` as a list of words that each precede
/// their length: below zero, less one, where it is of a line to be fitted.
extension MeasuredText.Lengths {
    fileprivate var json: JSONValue? {
        guard !isEmpty else { return nil }
        var members: [JSONMember] = []
        // Most records have a word or two of one weight.
        for weight in FontWeight.allCases {
            var parts: [JSONMember] = []
            if !lines.isEmpty, let line = lines[weight] {
                let lengths = [line.ascender, line.descender, line.leading, line.space]
                parts.append(JSONMember("line", .array(lengths.map { .number(Double($0)) })))
            }
            var list: [(String, MeasuredText.Length)] = []
            for (key, length) in words where key.weight == weight {
                list.append((key.word, length))
            }
            if !list.isEmpty {
                list.sort { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
                var values: [JSONValue] = []
                values.reserveCapacity(2 * list.count)
                for (word, length) in list {
                    values.append(.string(word))
                    values.append(.number(Double(length.signed)))
                }
                parts.append(JSONMember("words", .array(values)))
            }
            if !parts.isEmpty { members.append(JSONMember(weight.rawValue, .object(parts))) }
        }
        return .object(members)
    }

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        for (name, part) in try cursor.members() {
            guard let weight = FontWeight(rawValue: name) else {
                throw part.error(.badValue, "a weight \"\(name.prefix(80))\"")
            }
            if let line = part.member("line") {
                let lengths = try line.list()
                guard lengths.count == 4 else { throw line.error(.badValue, "no four lengths") }
                lines[weight] = LineMetrics(
                    ascender: Int(try Self.units(lengths[0])),
                    descender: Int(try Self.units(lengths[1])),
                    leading: Int(try Self.units(lengths[2])),
                    space: Int(try Self.units(lengths[3])))
            }
            guard let list = part.member("words") else { continue }
            let values = try list.list()
            guard values.count.isMultiple(of: 2) else {
                throw list.error(.badValue, "a word without a length")
            }
            for index in stride(from: 0, to: values.count, by: 2) {
                let key = MeasuredText.Key(
                    weight: weight, word: try values[index].text(byteMaximum: .max))
                words[key] = MeasuredText.Length(signed: try Self.units(values[index + 1]))
            }
        }
    }

    private static func units(_ cursor: JSONCursor) throws(DocumentError) -> Int32 {
        try cursor.integer(in: Int32.min...Int32.max)
    }
}
