import JSON
import SceneDocument

/// The JSON of a frame body: `{"citesDifferences": false,` `"groups": [{"slot": 3, "deltas": [24]},
/// {"mask": 2, "numbers": [4, 5], "stores": true, "deltas": [24]}],` `"rows": [{"number": 9,
/// "mask": 1, "deltas": [-2]}], "absoluteRows": [{"number": 11, "mask": 2, "values": [0]}]}`.
enum FrameBodyJSON {
    static func json(_ body: FrameBody) -> JSONValue {
        .object([
            JSONMember("citesDifferences", .bool(body.citesDifferences)),
            JSONMember("groups", .array(body.citations.map(json) + body.groups.map(json))),
            JSONMember("rows", .array(body.rows.map { json($0, "deltas") })),
            JSONMember("absoluteRows", .array(body.absoluteRows.map { json($0, "values") })),
        ])
    }

    static func json(_ selection: Selection) -> JSONValue {
        .object(members(selection))
    }

    private static func members(_ selection: Selection) -> [JSONMember] {
        [
            JSONMember("mask", .number(Double(selection.mask.rawValue))),
            JSONMember("numbers", .array(selection.numbers.map { .number(Double($0)) })),
        ]
    }

    private static func json(_ citation: FrameBody.Citation) -> JSONValue {
        .object([
            JSONMember("slot", .number(Double(citation.slot))),
            JSONMember("deltas", deltas(citation.deltas)),
        ])
    }

    private static func json(_ group: FrameBody.Group) -> JSONValue {
        .object(
            members(group.selection) + [
                JSONMember("stores", .bool(group.stores)),
                JSONMember("deltas", deltas(group.deltas)),
            ])
    }

    private static func json(_ row: FrameBody.Row, _ key: String) -> JSONValue {
        .object([
            JSONMember("number", .number(Double(row.number))),
            JSONMember("mask", .number(Double(row.mask.rawValue))),
            JSONMember(key, deltas(row.deltas)),
        ])
    }

    private static func deltas(_ values: FieldDeltas) -> JSONValue {
        .array(values.map { .number(Double($0)) })
    }

    static func selection(
        _ name: String, _ json: JSONValue, limits: Limits
    ) throws(DecodeError) -> Selection {
        var fields = try JSONFieldDecoder(json, name: name, limits: limits)
        let selection = try selection(&fields, json)
        try fields.finish()
        return selection
    }

    private static func selection(
        _ fields: inout JSONFieldDecoder, _ json: JSONValue
    ) throws(DecodeError) -> Selection {
        let mask = try mask(&fields)
        let list = try JSONFieldDecoder.list(
            "numbers", try fields.require("numbers"), maximum: fields.limits.viewMaximum + 1)
        var numbers: [UInt32] = []
        for element in list { numbers.append(try number("numbers", element)) }
        let selection = Selection(mask: mask, numbers: numbers)
        guard selection.isWellFormed else {
            throw JSONFieldDecoder.error("numbers", json, "ascending numbers")
        }
        return selection
    }

    private static func mask(_ fields: inout JSONFieldDecoder) throws(DecodeError) -> FieldMask {
        let mask = try JSONFieldDecoder.integer("mask", try fields.require("mask"), in: 1...15)
        return FieldMask(rawValue: UInt8(truncatingIfNeeded: mask))
    }

    private static func number(_ name: String, _ json: JSONValue) throws(DecodeError) -> UInt32 {
        let number = try JSONFieldDecoder.integer(
            name, json, in: 0...Limits.viewNumberMaximum - 1)
        return UInt32(truncatingIfNeeded: number)
    }

    private static func deltas(
        _ fields: inout JSONFieldDecoder, _ key: String = "deltas"
    ) throws(DecodeError) -> FieldDeltas {
        let list = try JSONFieldDecoder.list(
            key, try fields.require(key), maximum: FieldDeltas.countMaximum)
        return FieldDeltas(try JSONFieldDecoder.int32s(key, list))
    }

    static func body(
        _ name: String, _ json: JSONValue, limits: Limits
    ) throws(DecodeError) -> FrameBody {
        var fields = try JSONFieldDecoder(json, name: name, limits: limits)
        let maximum = limits.viewMaximum + 1
        var body = FrameBody()
        try fields.bool("citesDifferences", &body.citesDifferences)
        var budget = maximum
        var nextSlot = 0
        for element in try JSONFieldDecoder.list(
            "groups", try fields.require("groups"), maximum: maximum)
        {
            if let citation = try citation(element, limits) {
                guard Int(citation.slot) >= nextSlot else {
                    throw JSONFieldDecoder.error(
                        "groups", element, "citations first, in the order of their slots")
                }
                nextSlot = Int(citation.slot) + 1
                body.citations.append(citation)
            } else {
                nextSlot = SelectionRing.slotCount
                body.groups.append(try group(element, &budget, limits))
            }
        }
        guard !body.citesDifferences || !body.citations.isEmpty else {
            throw JSONFieldDecoder.error("citesDifferences", json, "false without citations")
        }
        body.rows = try rows("rows", "deltas", &fields)
        body.absoluteRows = try rows("absoluteRows", "values", &fields)
        try fields.finish()
        return body
    }

    private static func rows(
        _ name: String, _ key: String, _ fields: inout JSONFieldDecoder
    ) throws(DecodeError) -> [FrameBody.Row] {
        var rows: [FrameBody.Row] = []
        var next: UInt32 = 0
        for element in try JSONFieldDecoder.list(
            name, try fields.require(name), maximum: fields.limits.viewMaximum + 1)
        {
            let row = try row(element, key, fields.limits)
            guard row.number >= next else {
                throw JSONFieldDecoder.error(name, element, "rows in the order of their numbers")
            }
            next = row.number + 1
            rows.append(row)
        }
        return rows
    }

    /// - Returns: nil for what is no citation.
    private static func citation(
        _ json: JSONValue, _ limits: Limits
    ) throws(DecodeError) -> FrameBody.Citation? {
        var fields = try JSONFieldDecoder(json, name: "groups", limits: limits)
        guard let slot = fields.take("slot") else { return nil }
        let index = try JSONFieldDecoder.integer("slot", slot, in: 0...SelectionRing.slotCount - 1)
        let deltas = try deltas(&fields)
        try fields.finish()
        guard !deltas.isEmpty else {
            throw JSONFieldDecoder.error("deltas", json, "a delta for each bit of the mask")
        }
        return FrameBody.Citation(slot: UInt8(truncatingIfNeeded: index), deltas: deltas)
    }

    private static func group(
        _ json: JSONValue, _ budget: inout Int, _ limits: Limits
    ) throws(DecodeError) -> FrameBody.Group {
        var fields = try JSONFieldDecoder(json, name: "groups", limits: limits)
        let selection = try selection(&fields, json)
        budget -= selection.numbers.count
        var stores = false
        try fields.bool("stores", &stores)
        let deltas = try deltas(&fields)
        try fields.finish()
        guard deltas.count == selection.mask.count else {
            throw JSONFieldDecoder.error("deltas", json, "a delta for each bit of the mask")
        }
        guard budget >= 0 else {
            throw JSONFieldDecoder.error("groups", json, "each view at most once")
        }
        return FrameBody.Group(selection, stores: stores, deltas: deltas)
    }

    private static func row(
        _ json: JSONValue, _ key: String, _ limits: Limits
    ) throws(DecodeError) -> FrameBody.Row {
        var fields = try JSONFieldDecoder(json, name: "rows", limits: limits)
        let number = try number("number", try fields.require("number"))
        let mask = try mask(&fields)
        let deltas = try deltas(&fields, key)
        try fields.finish()
        guard deltas.count == mask.count else {
            throw JSONFieldDecoder.error(key, json, "a delta for each bit of the mask")
        }
        return FrameBody.Row(number: number, mask: mask, deltas: deltas)
    }
}
