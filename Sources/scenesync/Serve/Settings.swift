import ArgumentParser
import FoundationEssentials
import JSON

/// The source of a setting's value; the first with a value takes precedence.
enum SettingSource: String {
    case flag
    case environment
    case file
    case standard = "default"
}

/// The reason why a setting is invalid.
struct SettingError: Error, CustomStringConvertible {
    var description: String
}

/// Settings by name, from flags, the environment (`SCENESYNC_…`) and a file, with their sources.
struct Settings {
    private let environment: [String: String]
    private let file: [JSONMember]
    private let path: String
    private(set) var resolved: [(name: String, value: JSONValue, source: SettingSource)] = []

    /// Reads the file, if there is one.
    ///
    /// - Throws: `SettingError` if it is unreadable or not a JSON object.
    init(file path: String?, environment: [String: String]) throws(SettingError) {
        self.environment = environment
        self.path = path ?? ""
        guard let path else {
            file = []
            return
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingError(description: "\(path): cannot be read")
        }
        let value: JSONValue
        do {
            value = try JSONReader.read([UInt8](data))
        } catch {
            throw SettingError(description: "\(path): \(error)")
        }
        guard let members = value.members else {
            throw SettingError(description: "\(path): not an object of settings")
        }
        file = members
    }

    /// The environment variable of a setting: `max-rooms` is `SCENESYNC_MAX_ROOMS`.
    static func variable(_ name: String) -> String {
        "SCENESYNC_" + name.uppercased().replacing("-", with: "_")
    }

    /// Resolves one setting.
    ///
    /// - Parameters:
    ///   - flag: The command line's value, if any.
    ///   - parse: Parses a text from the environment.
    ///   - read: Reads a value from the file; `nil` if it has the wrong type.
    private mutating func resolve<Value>(
        _ name: String, _ flag: Value?, _ standard: Value, parse: (String) -> Value?,
        read: (JSONValue) -> Value?, show: (Value) -> JSONValue, expected: String
    ) throws(SettingError) -> Value {
        let value: Value
        let source: SettingSource
        if let flag {
            (value, source) = (flag, .flag)
        } else if let text = environment[Self.variable(name)] {
            guard let parsed = parse(text) else {
                throw SettingError(
                    description: "\(Self.variable(name)) is \"\(text)\", expected \(expected)")
            }
            (value, source) = (parsed, .environment)
        } else if let member = file.first(where: { $0.key == name }) {
            guard let found = read(member.value) else {
                throw SettingError(
                    description:
                        "\(path), line \(member.value.line): \(name) is \(member.value.kindName), expected \(expected)"
                )
            }
            (value, source) = (found, .file)
        } else {
            (value, source) = (standard, .standard)
        }
        resolved.append((name, show(value), source))
        return value
    }

    mutating func text(
        _ name: String, _ flag: String?, _ standard: String
    ) throws(SettingError) -> String {
        try resolve(
            name, flag, standard, parse: { $0 }, read: \.string, show: { .string($0) },
            expected: "a text")
    }

    /// An optional text.
    mutating func optionalText(
        _ name: String, _ flag: String?
    ) throws(SettingError) -> String? {
        try resolve(
            name, flag.map { .some($0) }, nil, parse: { .some($0.isEmpty ? nil : $0) },
            read: { $0.string.map { .some($0) } },
            show: { $0.map { .string($0) } ?? .null }, expected: "a text")
    }

    /// A text with a fixed set of values.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ flag: String?, _ standard: Choice
    ) throws(SettingError) -> Choice {
        let value = try text(name, flag, standard.rawValue)
        guard let choice = Choice(rawValue: value) else {
            let names = Choice.allCases.map(\.rawValue)
            throw unusable(
                name, "\"\(value)\"",
                expected: names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""))
        }
        return choice
    }

    /// A number within a range.
    mutating func integer(
        _ name: String, _ flag: Int?, _ standard: Int, in range: ClosedRange<Int>
    ) throws(SettingError) -> Int {
        let value = try integer(name, flag, standard)
        guard range.contains(value) else {
            throw unusable(
                name, "\(value)", expected: "\(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// The error for an invalid value, with its source.
    private func unusable(_ name: String, _ value: String, expected: String) -> SettingError {
        let given =
            switch resolved.last(where: { $0.name == name })?.source {
            case .environment: Self.variable(name)
            case .file: "\(path): \(name)"
            case .flag, .standard, nil: "--\(name)"
            }
        return SettingError(description: "\(given) is \(value), expected \(expected)")
    }

    mutating func integer(
        _ name: String, _ flag: Int?, _ standard: Int
    ) throws(SettingError) -> Int {
        try resolve(
            name, flag, standard, parse: { Int($0) },
            read: { value in
                value.number.flatMap { Int(exactly: $0) }
            }, show: { .number(Double($0)) }, expected: "a whole number")
    }

    /// A Boolean; a flag can only enable it.
    mutating func isOn(_ name: String, _ flag: Bool) throws(SettingError) -> Bool {
        try resolve(
            name, flag ? true : nil, false,
            parse: { ["1": true, "true": true, "0": false, "false": false][$0] },
            read: \.bool,
            show: { .bool($0) }, expected: "true or false")
    }

    /// A list of texts; separated by commas in the environment.
    mutating func texts(
        _ name: String, _ flag: [String]
    ) throws(SettingError) -> [String] {
        try resolve(
            name, flag.isEmpty ? nil : flag, [],
            parse: { $0.split(separator: ",").map(String.init) },
            read: { value in
                guard let elements = value.array else { return nil }
                let texts = elements.compactMap(\.string)
                return texts.count == elements.count ? texts : nil
            }, show: { .array($0.map { .string($0) }) }, expected: "a list of texts")
    }

    /// Whether a resolved setting has an explicit value.
    func isGiven(_ name: String) -> Bool {
        resolved.contains { $0.name == name && $0.source != .standard }
    }

    /// Refuses names in the file that are not settings.
    func checkNames() throws(SettingError) {
        let known = Set(resolved.map(\.name))
        if let stray = file.first(where: { !known.contains($0.key) }) {
            throw SettingError(
                description: "\(path), line \(stray.value.line): there is no setting \(stray.key)")
        }
    }

    /// All settings with their values and sources.
    var json: JSONValue {
        .object(
            resolved.map { entry in
                JSONMember(
                    entry.name,
                    .object([
                        JSONMember("value", entry.value),
                        JSONMember("from", .string(entry.source.rawValue)),
                    ]))
            })
    }
}
