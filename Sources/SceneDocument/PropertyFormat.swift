import JSON

/// How the value of a property is read from JSON and written to it.
struct PropertyFormat<Value> {
    let read: (JSONCursor) throws(DocumentError) -> Value
    let write: (Value) -> JSONValue

    init(
        _ read: @escaping (JSONCursor) throws(DocumentError) -> Value,
        _ write: @escaping (Value) -> JSONValue
    ) {
        self.read = read
        self.write = write
    }
}

extension PropertyFormat where Value: RawRepresentable<String> & CaseIterable {
    /// One of the names of an enumeration.
    static func choice() -> PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try node.choice(Value.self) },
            { .string($0.rawValue) })
    }
}

extension PropertyFormat<String> {
    static var text: PropertyFormat {
        PropertyFormat({ (node) throws(DocumentError) in try node.text() }, { .string($0) })
    }
}

extension PropertyFormat<Bool> {
    static var bool: PropertyFormat {
        PropertyFormat({ (node) throws(DocumentError) in try node.bool() }, { .bool($0) })
    }
}

extension PropertyFormat<Int> {
    static func integer(_ range: ClosedRange<Int>) -> PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try node.integer(in: range) }, { .number(Double($0)) }
        )
    }
}

extension PropertyFormat<Double> {
    static func number(_ range: ClosedRange<Double>) -> PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try node.number(in: range) }, { .number($0) })
    }

    static var anyNumber: PropertyFormat {
        .number(-Limits.numberMaximum...Limits.numberMaximum)
    }
}

extension PropertyFormat<Point> {
    static var point: PropertyFormat {
        PropertyFormat({ (node) throws(DocumentError) in try node.point() }, { .of($0) })
    }
}

extension PropertyFormat<Size> {
    static var size: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                let numbers = try node.numbers(2, "[width, height]", in: 0...Limits.numberMaximum)
                return Size(width: numbers[0], height: numbers[1])
            }, { .numbers($0.width, $0.height) })
    }

    /// A size of which −1 means none.
    static var intrinsicSize: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                let numbers = try node.numbers(2, "[width, height]", in: -1...Limits.numberMaximum)
                guard numbers.allSatisfy({ $0 == -1 || $0 >= 0 }) else {
                    throw node.error(.badValue, "a size below zero", expected: "−1 for none")
                }
                return Size(width: numbers[0], height: numbers[1])
            }, { .numbers($0.width, $0.height) })
    }
}

extension PropertyFormat<Rect> {
    /// A rectangle whose extent is not below zero.
    static var frame: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                let rect = try node.rect()
                guard rect.width >= 0, rect.height >= 0 else {
                    throw node.error(
                        .badValue, "a size below zero", expected: "[x, y, width, height]")
                }
                return rect
            }, { .of($0) })
    }
}

extension PropertyFormat<EdgeInsets> {
    static var insets: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try node.insets() },
            { .numbers($0.top, $0.leading, $0.bottom, $0.trailing) })
    }
}

extension PropertyFormat<PriorityByAxis> {
    static var priorities: PropertyFormat {
        PropertyFormat({ (node) throws(DocumentError) in try node.priorities() }, { .of($0) })
    }
}

extension PropertyFormat<BaselineOffsets> {
    static var baseline: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                let numbers = try node.numbers(2, "[fromTop, fromBottom]")
                return BaselineOffsets(fromTop: numbers[0], fromBottom: numbers[1])
            }, { .numbers($0.fromTop, $0.fromBottom) })
    }
}

extension PropertyFormat<Collapse> {
    /// `"width"`, `"height"`, `true` for both, `false` for neither.
    static var collapse: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                switch node.value.kind {
                case .bool(let both): return Collapse(width: both, height: both)
                case .string("width"): return Collapse(width: true, height: false)
                case .string("height"): return Collapse(width: false, height: true)
                case .string(let text):
                    throw node.error(
                        .badValue, "unknown value \"\(text.prefix(80))\"",
                        expected: "width, height, true or false")
                case .null, .number, .array, .object:
                    throw node.error(
                        .badOp, "found \(node.value.kindName)",
                        expected: "width, height, true or false")
                }
            },
            { collapse in
                collapse.width == collapse.height
                    ? .bool(collapse.width) : .string(collapse.width ? "width" : "height")
            })
    }
}

extension PropertyFormat<AutoresizingMask> {
    /// A list of the names of flags.
    static var autoresizing: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                var mask: AutoresizingMask = []
                for element in try node.list() {
                    let name = try element.text()
                    guard let match = AutoresizingMask.all.first(where: { $0.name == name }) else {
                        let names = AutoresizingMask.all.map { $0.name }.joined(separator: ", ")
                        throw element.error(
                            .badValue, "unknown flag \"\(name.prefix(80))\"",
                            expected: "one of \(names)")
                    }
                    mask.insert(match.flag)
                }
                return mask
            }, { .strings($0.names) })
    }
}

extension PropertyFormat<[CustomSpacing]> {
    /// An object with the gap after each view by the view's name.
    static var customSpacing: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                var fields = try node.object()
                var result: [CustomSpacing] = []
                for (id, value) in fields.takeAll() {
                    result.append(CustomSpacing(id: id, value: try value.number()))
                }
                return result
            }, { .object($0.map { JSONMember($0.id, .number($0.value)) }) })
    }
}

extension PropertyFormat<[String]> {
    static var identifiers: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try node.identifiers() }, { .strings($0) })
    }
}
