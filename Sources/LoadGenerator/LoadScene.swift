import JSON
import SceneWire

/// The scene of a load.
enum LoadScene {
    /// A device besides the main one, each narrower than the one before.
    static func device(_ number: Int) -> DeviceRequest {
        var request = DeviceRequest()
        request.viewport = .object([JSONMember("width", .number(Double(640 - number)))])
        return request
    }

    /// A divider, and rows on both sides of it.
    static func document(views: Int) -> JSONValue {
        var list = ["left", "right"].map { JSONValue.object([JSONMember("id", .string($0))]) }
        var rules = [
            "left.leading == root.leading", "right.leading == left.trailing",
            "right.trailing == root.trailing", "V:|[left]|", "V:|[right]|",
        ].map { JSONValue.string($0) }
        rules.append(
            .object([
                JSONMember("id", .string("divider")),
                JSONMember("rule", .string("left.width == 200 @750")),
            ]))
        for number in 0..<max(0, views - 2) {
            let side = number % 2 == 0 ? "left" : "right"
            list.append(
                .object([
                    JSONMember("id", .string("row\(number)")), JSONMember("parent", .string(side)),
                ]))
            rules.append(.string("H:|-[row\(number)]-|"))
            rules.append(.string("row\(number).top == \(side).top + \(number / 2 * 12)"))
            rules.append(.string("row\(number).height == 10"))
        }
        return .object([
            JSONMember("op", .string("setScene")), JSONMember("scene", .number(1)),
            JSONMember(
                "viewport",
                .object([JSONMember("width", .number(640)), JSONMember("height", .number(400))])),
            JSONMember("views", .array(list)), JSONMember("constraints", .array(rules)),
        ])
    }
}
