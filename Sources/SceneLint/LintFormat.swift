import JSON

/// The form of a report.
public enum LintFormat: String, CaseIterable, Sendable {
    /// `path:line: level: text [rule]`, as compilers write.
    case text
    /// A list of findings.
    case json
    /// SARIF 2.1.0, which code scanning of GitHub and others reads.
    case sarif
    /// Checkstyle's XML, which Jenkins and others read.
    case checkstyle
    /// JUnit's XML: a file is a test suite, a finding a failure.
    case junit
    /// Workflow commands of GitHub Actions, which become annotations.
    case github

    /// The report, without a line end at its end.
    public func report(_ findings: [LintFinding], files: [String]) -> String {
        switch self {
        case .text:
            findings.map { finding in
                "\(finding.path):\(finding.line): \(finding.level.rawValue): \(finding.text) [\(finding.rule.rawValue)]"
            }.joined(separator: "\n")
        case .json:
            JSONValue.object([JSONMember("findings", .array(findings.map(Self.json)))])
                .text(pretty: true)
        case .sarif: SARIFReport.text(findings)
        case .checkstyle: XMLReports.checkstyle(findings)
        case .junit: XMLReports.junit(findings, files: files)
        case .github: findings.map(Self.annotation).joined(separator: "\n")
        }
    }

    private static func json(_ finding: LintFinding) -> JSONValue {
        .object([
            JSONMember("rule", .string(finding.rule.rawValue)),
            JSONMember("level", .string(finding.level.rawValue)),
            JSONMember("path", .string(finding.path)),
            JSONMember("line", .number(Double(finding.line))),
            JSONMember("scene", .string(finding.scene)),
            JSONMember("subject", .string(finding.subject)),
            JSONMember("message", .string(finding.message)),
            JSONMember("circumstances", .array(finding.circumstances.map { .string($0) })),
            JSONMember("fingerprint", .string(finding.fingerprint)),
            JSONMember("fixable", .bool(finding.fix != nil)),
        ])
    }

    /// GitHub, "Workflow commands": data and properties are escaped differently.
    private static func annotation(_ finding: LintFinding) -> String {
        func data(_ text: String) -> String {
            text.replacing("%", with: "%25").replacing("\r", with: "%0D")
                .replacing("\n", with: "%0A")
        }
        func property(_ text: String) -> String {
            data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
        }
        let command: String =
            switch finding.level {
            case .error: "error"
            case .warning: "warning"
            case .note, .off: "notice"
            }
        return
            "::\(command) file=\(property(finding.path)),line=\(finding.line),title=\(finding.rule.rawValue)::\(data(finding.text))"
    }
}
