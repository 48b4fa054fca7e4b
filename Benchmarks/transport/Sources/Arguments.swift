/// `COMMAND --name value …`.
struct Arguments {
    let command: String
    private var values: [String: String] = [:]

    init(_ list: ArraySlice<String>) {
        command = list.first ?? ""
        var rest = list.dropFirst()
        while let name = rest.popFirst(), let value = rest.popFirst() {
            values[String(name.drop { $0 == "-" })] = value
        }
    }

    func number(_ name: String, _ standard: Int) -> Int {
        values[name].flatMap { Int($0) } ?? standard
    }

    func text(_ name: String) -> String? { values[name] }
}
