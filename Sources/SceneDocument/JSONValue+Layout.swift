import JSON
import LayoutValues

extension JSONValue {
    static func of(_ point: Point) -> JSONValue { .numbers(point.x, point.y) }
    static func of(_ rect: Rect) -> JSONValue {
        .numbers(rect.minX, rect.minY, rect.width, rect.height)
    }
    static func of(_ priorities: PriorityByAxis) -> JSONValue {
        .numbers(priorities.horizontal.rawValue, priorities.vertical.rawValue)
    }
}
