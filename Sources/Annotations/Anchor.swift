import JSON
public import LayoutValues
import SceneDocument

/// What a thread is about.
public enum Anchor: Sendable, Equatable {
    /// A view; the place is in shares of its size from its top left corner, 0...1.
    case view(String, place: Point?)
    /// A constraint.
    case constraint(String)
    /// A point of the picture of a device, in points; the main device has an empty name.
    case point(device: String, Point)

    init(_ fields: inout JSONFields) throws(DocumentError) {
        let view = fields.take("view")
        let place = fields.take("place")
        let constraint = fields.take("constraint")
        let device = fields.take("device")
        let point = fields.take("point")
        switch (view, constraint, point) {
        case (let view?, nil, nil) where device == nil:
            var share: Point?
            if let place {
                let numbers = try place.numbers(2, "[x, y], each 0 to 1", in: 0...1)
                share = Point(x: numbers[0], y: numbers[1])
            }
            self = .view(try view.identifier(), place: share)
        case (nil, let constraint?, nil) where device == nil && place == nil:
            self = .constraint(try constraint.constraintID())
        case (nil, nil, let point?) where place == nil:
            self = .point(device: try device?.text(byteMaximum: 64) ?? "", try point.point())
        default:
            throw fields.node.error(
                .badOp, "a thread is about one thing",
                expected:
                    "\"view\" with an optional \"place\", \"constraint\", or \"point\" with an optional \"device\""
            )
        }
    }

    /// The members of a JSON object that say it.
    var members: [JSONMember] {
        func pair(_ point: Point) -> JSONValue { .array([.number(point.x), .number(point.y)]) }
        switch self {
        case .view(let id, let place):
            return [JSONMember("view", .string(id))]
                + (place.map { [JSONMember("place", pair($0))] } ?? [])
        case .constraint(let id): return [JSONMember("constraint", .string(id))]
        case .point(let device, let point):
            return (device.isEmpty ? [] : [JSONMember("device", .string(device))])
                + [JSONMember("point", pair(point))]
        }
    }
}
