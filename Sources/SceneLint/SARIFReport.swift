import JSON

/// SARIF 2.1.0, OASIS.
enum SARIFReport {
    static func text(_ findings: [LintFinding]) -> String {
        let rules = LintRule.allCases.map { rule in
            JSONValue.object([
                JSONMember("id", .string(rule.rawValue)),
                JSONMember("shortDescription", message(rule.summary)),
                JSONMember(
                    "defaultConfiguration",
                    .object([JSONMember("level", .string(level(rule.standardLevel)))])),
            ])
        }
        let driver = JSONValue.object([
            JSONMember("name", .string("scenesync lint")), JSONMember("rules", .array(rules)),
        ])
        let run = JSONValue.object([
            JSONMember("tool", .object([JSONMember("driver", driver)])),
            JSONMember("results", .array(findings.map(result))),
        ])
        return JSONValue.object([
            JSONMember("version", .string("2.1.0")),
            JSONMember(
                "$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
            JSONMember("runs", .array([run])),
        ]).text(pretty: true)
    }

    private static func result(_ finding: LintFinding) -> JSONValue {
        let region = JSONValue.object([JSONMember("startLine", .number(Double(finding.line)))])
        let artifact = JSONValue.object([JSONMember("uri", .string(uri(finding.path)))])
        let place = JSONValue.object([
            JSONMember("artifactLocation", artifact), JSONMember("region", region),
        ])
        let location = JSONValue.object([JSONMember("physicalLocation", place)])
        let fingerprint = JSONMember("scenesync/v1", .string(finding.fingerprint))
        return .object([
            JSONMember("ruleId", .string(finding.rule.rawValue)),
            JSONMember("level", .string(level(finding.level))),
            JSONMember("message", message(finding.text)),
            JSONMember("locations", .array([location])),
            JSONMember("partialFingerprints", .object([fingerprint])),
        ])
    }

    private static func message(_ text: String) -> JSONValue {
        .object([JSONMember("text", .string(text))])
    }

    private static func level(_ level: LintLevel) -> String {
        level == .off ? "none" : level.rawValue
    }

    /// A path as a relative reference: everything but what RFC 3986 allows is escaped.
    private static func uri(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case 65...90, 97...122, 48...57, 45...47, 95, 126:
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text.append("%")
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 15)])
            }
        }
        return text
    }
}
