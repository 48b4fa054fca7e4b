import JSON

/// Findings that a project has accepted: only others fail a run. JSON:
/// `{"findings": ["misplaced Main.storyboard SCENE VIEW", …]}`.
public struct LintBaseline: Sendable, Hashable {
    private var counts: [String: Int] = [:]

    /// Accepts these findings.
    public init(_ findings: [LintFinding]) {
        for finding in findings { counts[finding.fingerprint, default: 0] += 1 }
    }

    /// Reads a baseline.
    public init(_ bytes: [UInt8]) throws(LintConfigurationError) {
        guard let json = try? JSONReader.read(bytes),
            let list = json["findings"]?.array
        else {
            throw LintConfigurationError(
                text: "the baseline is no object with a list \"findings\"; write it again")
        }
        for element in list {
            guard let text = element.string else {
                throw LintConfigurationError(text: "line \(element.line): a finding is no text")
            }
            counts[text, default: 0] += 1
        }
    }

    /// The baseline as a file.
    public var text: String {
        let list = counts.sorted { $0.key < $1.key }
            .flatMap { Array(repeating: JSONValue.string($0.key), count: $0.value) }
        return JSONValue.object([JSONMember("findings", .array(list))]).text(pretty: true) + "\n"
    }

    /// The findings that are not accepted.
    public func new(_ findings: [LintFinding]) -> [LintFinding] {
        var left = counts
        return findings.filter { finding in
            guard let count = left[finding.fingerprint], count > 0 else { return true }
            left[finding.fingerprint] = count - 1
            return false
        }
    }
}
