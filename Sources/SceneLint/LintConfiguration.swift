import InterfaceBuilder
import JSON
public import LayoutValues

/// What is checked, and how. JSON, `.scenesync-lint.json`.
public struct LintConfiguration: Sendable, Hashable {
    /// Levels that differ from the standard ones.
    public var levels: [LintRule: LintLevel] = [:]
    /// Names of folders and files that are passed over.
    public var excluded = ["Pods", "Carthage", ".build", "DerivedData", "node_modules", ".git"]
    /// The devices' names.
    public var devices = StandardDevice.all.map(\.id)
    /// Whether devices are laid on their side as well.
    public var turnsDevices = true
    /// Whether the other reading direction is tried.
    public var mirrors = true
    /// The text sizes besides the standard one.
    public var textSizes: [ContentSizeCategory] = [
        .extraSmall, .accessibilityExtraExtraExtraLarge,
    ]
    /// The languages; `nil` for all with strings beside the file.
    public var languages: [String]?
    /// The smallest side of a control, in points.
    public var touchTarget = 44.0
    /// The largest difference of a stored frame, in points. Xcode calls less not misplaced.
    public var tolerance = 1.0

    /// Creates the standard configuration.
    public init() {}

    /// The level of a rule.
    public func level(_ rule: LintRule) -> LintLevel { levels[rule] ?? rule.standardLevel }

    /// Reads a configuration.
    ///
    /// - Throws: `LintConfigurationError` for an unknown key, rule, level, device or text size.
    public init(_ bytes: [UInt8]) throws(LintConfigurationError) {
        let json: JSONValue
        do throws(JSONError) { json = try JSONReader.read(bytes) } catch {
            throw LintConfigurationError(text: "\(error)")
        }
        guard let members = json.members else {
            throw LintConfigurationError(text: "expected an object")
        }
        for member in members { try read(member.key, member.value) }
    }

    private mutating func read(_ key: String, _ value: JSONValue) throws(LintConfigurationError) {
        switch key {
        case "rules":
            guard let rules = value.members else { throw Self.error(key, "an object") }
            for rule in rules {
                guard let known = LintRule(rawValue: rule.key) else {
                    throw LintConfigurationError(
                        text: "unknown rule \"\(rule.key)\"; the rules are "
                            + LintRule.allCases.map(\.rawValue).joined(separator: ", "))
                }
                guard let name = rule.value.string,
                    let level = LintLevel(rawValue: name)
                else { throw Self.error(rule.key, "off, note, warning or error") }
                levels[known] = level
            }
        case "exclude": excluded += try Self.texts(key, value)
        case "devices":
            devices = try Self.texts(key, value)
            let known = StandardDevice.all.map(\.id)
            if let other = devices.first(where: { !known.contains($0) }) {
                throw LintConfigurationError(
                    text: "unknown device \"\(other)\"; the devices are "
                        + known.joined(separator: ", "))
            }
        case "landscape": turnsDevices = try Self.flag(key, value)
        case "mirror": mirrors = try Self.flag(key, value)
        case "textSizes":
            textSizes = []
            for name in try Self.texts(key, value) {
                guard let size = ContentSizeCategory(rawValue: name) else {
                    throw Self.error(key, "names such as extraSmall")
                }
                textSizes.append(size)
            }
        case "languages": languages = try Self.texts(key, value)
        case "touchTarget": touchTarget = try Self.number(key, value, 0...1000)
        case "tolerance": tolerance = try Self.number(key, value, 0...1000)
        default:
            throw LintConfigurationError(
                text: "unknown key \"\(key)\"; the keys are rules, exclude, devices, landscape, "
                    + "mirror, textSizes, languages, touchTarget, tolerance")
        }
    }

    private static func error(_ key: String, _ expected: String) -> LintConfigurationError {
        LintConfigurationError(text: "\"\(key)\": expected \(expected)")
    }

    private static func texts(
        _ key: String, _ value: JSONValue
    ) throws(LintConfigurationError) -> [String] {
        guard let list = value.array else { throw error(key, "a list of texts") }
        var result: [String] = []
        for element in list {
            guard let text = element.string else { throw error(key, "a list of texts") }
            result.append(text)
        }
        return result
    }

    private static func flag(
        _ key: String, _ value: JSONValue
    ) throws(LintConfigurationError) -> Bool {
        guard let flag = value.bool else { throw error(key, "true or false") }
        return flag
    }

    private static func number(
        _ key: String, _ value: JSONValue, _ range: ClosedRange<Double>
    ) throws(LintConfigurationError) -> Double {
        guard let number = value.number, range.contains(number) else {
            throw error(key, "a number of \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }
}

/// The reason why a configuration or a baseline cannot be read.
public struct LintConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence.
    public var text: String
    /// The sentence.
    public var description: String { text }
}
