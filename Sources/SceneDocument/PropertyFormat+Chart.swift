import JSON

extension PropertyFormat<ChartSpec> {
    /// An object; what is left out of it is not written.
    static var chart: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in try ChartSpec(node) }, { $0.json })
    }
}

extension ChartSpec {
    fileprivate init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        let values = try fields.require("values")
        let nodes = try values.list()
        guard nodes.count <= Self.valueMaximum else {
            throw values.error(
                .badValue, "a chart of \(nodes.count) values",
                expected: "at most \(Self.valueMaximum)")
        }
        var numbers: [Double] = []
        for node in nodes { numbers.append(try node.number()) }
        self.init(values: numbers)
        if let value = fields.take("style") { style = try value.choice(ChartStyle.self) }
        minimum = try fields.take("minimum")?.number()
        maximum = try fields.take("maximum")?.number()
        color = try fields.take("color")?.dynamicColor()
        if let value = fields.take("lineWidth") {
            lineWidth = try value.number(in: 0...Limits.blurMaximum)
        }
        if let value = fields.take("gridLines") {
            gridLines = try value.integer(in: 0...Self.gridLineMaximum)
        }
        try fields.finish()
    }

    fileprivate var json: JSONValue {
        var list = JSONMembers()
        list.add("values", JSONValue.array(values.map { JSONValue.number($0) }))
        if style != .line { list.add("style", style.rawValue) }
        list.add("minimum", minimum)
        list.add("maximum", maximum)
        list.add("color", color?.text)
        if lineWidth != 2 { list.add("lineWidth", lineWidth) }
        if gridLines != 0 { list.add("gridLines", gridLines) }
        return list.json
    }
}
