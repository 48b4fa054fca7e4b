import JSON
import LayoutValues

extension JSONCursor {
    /// A literal colour or the name of a system colour.
    func dynamicColor() throws(DocumentError) -> DynamicColor {
        let name = try text()
        guard let result = DynamicColor(name) else {
            throw error(
                .badValue, "\"\(name.prefix(80))\" is not a colour",
                expected: "#rrggbb, #rrggbbaa or a name such as label, systemBackground or tint")
        }
        return result
    }
}

extension PropertyFormat<DynamicColor> {
    static var color: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try node.dynamicColor() }, { .string($0.text) })
    }
}

extension PropertyFormat<CornerMask> {
    /// A list of the names of corners.
    static var corners: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                var mask: CornerMask = []
                for element in try node.list() {
                    let name = try element.text()
                    guard let match = CornerMask.named.first(where: { $0.name == name }) else {
                        let names = CornerMask.named.map { $0.name }.joined(separator: ", ")
                        throw element.error(
                            .badValue, "unknown corner \"\(name.prefix(80))\"",
                            expected: "one of \(names)")
                    }
                    mask.insert(match.corner)
                }
                return mask
            }, { .strings($0.names) })
    }
}

extension PropertyFormat<ShadowSpec> {
    /// An object, of which what is left out is as Core Animation has it.
    static var shadow: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                var fields = try node.object()
                var shadow = ShadowSpec()
                if let value = fields.take("color") { shadow.color = try value.dynamicColor() }
                if let value = fields.take("offset") { shadow.offset = try value.point() }
                if let value = fields.take("radius") {
                    shadow.radius = try value.number(in: 0...Limits.blurMaximum)
                }
                if let value = fields.take("opacity") {
                    shadow.opacity = try value.number(in: 0...1)
                }
                try fields.finish()
                return shadow
            },
            { shadow in
                var list = JSONMembers()
                list.add("color", shadow.color.text)
                list.add("offset", JSONValue.of(shadow.offset))
                list.add("radius", shadow.radius)
                list.add("opacity", shadow.opacity)
                return list.json
            })
    }
}

extension PropertyFormat<TransformSpec> {
    /// An object of which each part may be left out; a single factor scales both ways.
    static var transform: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                var fields = try node.object()
                var transform = TransformSpec()
                if let value = fields.take("rotation") { transform.rotation = try value.number() }
                if let value = fields.take("scale") {
                    transform.scale = try Self.scale(value)
                }
                if let value = fields.take("translation") {
                    transform.translation = try value.point()
                }
                try fields.finish()
                return transform
            },
            { transform in
                var list = JSONMembers()
                let (scale, translation) = (transform.scale, transform.translation)
                if transform.rotation != 0 { list.add("rotation", transform.rotation) }
                if scale.x != scale.y {
                    list.add("scale", JSONValue.of(scale))
                } else if scale.x != 1 {
                    list.add("scale", scale.x)
                }
                if translation != .zero { list.add("translation", JSONValue.of(translation)) }
                return list.json
            })
    }

    private static func scale(_ node: JSONCursor) throws(DocumentError) -> Point {
        let range = -Limits.factorMaximum...Limits.factorMaximum
        if case .number = node.value.kind {
            let factor = try node.number(in: range)
            return Point(x: factor, y: factor)
        }
        let factors = try node.numbers(2, "a factor or [x, y]", in: range)
        return Point(x: factors[0], y: factors[1])
    }
}

extension PropertyFormat<ImageSpec> {
    /// A hash, or an object with more.
    static var image: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try ImageSpec(node) }, { $0.json })
    }
}

extension PropertyFormat<SymbolName> {
    /// A name of the set.
    static var symbol: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                let text = try node.text()
                guard let name = SymbolName(text) else {
                    let near = SymbolName.closest(to: text).joined(separator: ", ")
                    throw node.error(
                        .badValue, "unknown symbol \"\(text.prefix(80))\"",
                        expected: near.isEmpty
                            ? "one of the \(SymbolName.all.count) names of symbols in protocol/names.json"
                            : "a name of the set, such as \(near)")
                }
                return name
            }, { .string($0.text) })
    }
}

extension ImageSpec {
    fileprivate init(_ node: JSONCursor) throws(DocumentError) {
        if case .string = node.value.kind {
            self.init(hash: try Self.hash(node))
            return
        }
        var fields = try node.object()
        self.init(hash: try Self.hash(try fields.require("hash")))
        if let value = fields.take("scale") { scale = try value.number(in: Limits.scaleRange) }
        if let value = fields.take("width") { width = try value.integer(in: 1...Self.sideMaximum) }
        if let value = fields.take("height") {
            height = try value.integer(in: 1...Self.sideMaximum)
        }
        if let value = fields.take("type") { type = try value.text(byteMaximum: 64) }
        try fields.finish()
    }

    private static func hash(_ node: JSONCursor) throws(DocumentError) -> String {
        let text = try node.text()
        guard text.utf8.count == 64, text.utf8.allSatisfy(isDigit) else {
            throw node.error(
                .badValue, "\"\(text.prefix(80))\" is not the hash of a file",
                expected: "64 hexadecimal digits in lower case")
        }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    fileprivate var json: JSONValue {
        guard scale != 1 || width > 0 || height > 0 || !type.isEmpty else { return .string(hash) }
        var list = JSONMembers()
        list.add("hash", hash)
        if scale != 1 { list.add("scale", scale) }
        if width > 0 { list.add("width", width) }
        if height > 0 { list.add("height", height) }
        if !type.isEmpty { list.add("type", type) }
        return list.json
    }
}

extension PropertyFormat<GradientSpec> {
    /// An object; its colours stand evenly unless it has their locations.
    static var gradient: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try GradientSpec(node) },
            { gradient in
                var list = JSONMembers()
                list.add("colors", JSONValue.strings(gradient.colors.map { $0.text }))
                list.add(
                    "locations",
                    gradient.locations.map { JSONValue.array($0.map { JSONValue.number($0) }) })
                list.add("startPoint", JSONValue.of(gradient.startPoint))
                list.add("endPoint", JSONValue.of(gradient.endPoint))
                return list.json
            })
    }
}

extension GradientSpec {
    fileprivate init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        let colors = try fields.require("colors")
        let nodes = try colors.list()
        guard Self.countRange.contains(nodes.count) else {
            throw colors.error(
                .badValue, "a gradient of \(nodes.count) colours",
                expected: "\(Self.countRange.lowerBound) to \(Self.countRange.upperBound)")
        }
        var list: [DynamicColor] = []
        for node in nodes { list.append(try node.dynamicColor()) }
        self.init(colors: list)
        if let value = fields.take("locations") {
            let numbers = try value.numbers(list.count, "one location a colour", in: 0...1)
            guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 <= $1 }) else {
                throw value.error(
                    .badValue, "a location before the one that it follows",
                    expected: "locations in order")
            }
            locations = numbers
        }
        if let value = fields.take("startPoint") { startPoint = try value.point() }
        if let value = fields.take("endPoint") { endPoint = try value.point() }
        try fields.finish()
    }
}
