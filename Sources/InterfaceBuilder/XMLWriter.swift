import Essentials

/// Writes elements as Xcode does: four spaces a level, attributes in the order given.
struct XMLWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var open: [String] = []

    private var indent: String { String(repeating: "    ", count: open.count) }

    mutating func element(_ name: String, _ attributes: [(String, String)] = []) {
        text += "\(indent)<\(name)\(Self.text(attributes))/>\n"
    }

    mutating func start(_ name: String, _ attributes: [(String, String)] = []) {
        text += "\(indent)<\(name)\(Self.text(attributes))>\n"
        open.append(name)
    }

    mutating func end() {
        guard let name = open.popLast() else { return }
        text += "\(indent)</\(name)>\n"
    }

    private static func text(_ attributes: [(String, String)]) -> String {
        attributes.map { " \($0.0)=\"\($0.1.escapedForXML)\"" }.joined()
    }

    static func number(_ value: Double) -> String {
        if value == 0 { return "0.0" }
        return value == value.rounded() && value.magnitude < 1e9
            ? String(Int(value)) : String(value)
    }
}
