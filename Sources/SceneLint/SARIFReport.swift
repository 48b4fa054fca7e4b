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

/// Reports in XML.
enum XMLReports {
    static func checkstyle(_ findings: [LintFinding]) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<checkstyle version=\"4.3\">"]
        var path: String?
        for finding in findings {
            if finding.path != path {
                if path != nil { lines.append("  </file>") }
                path = finding.path
                lines.append("  <file name=\"\(escaped(finding.path))\">")
            }
            let severity = finding.level == .note ? "info" : finding.level.rawValue
            lines.append(
                "    <error line=\"\(finding.line)\" severity=\"\(severity)\" message=\"\(escaped(finding.text))\" source=\"scenesync.\(finding.rule.rawValue)\"/>"
            )
        }
        if path != nil { lines.append("  </file>") }
        lines.append("</checkstyle>")
        return lines.joined(separator: "\n")
    }

    static func junit(_ findings: [LintFinding], files: [String]) -> String {
        var byPath: [String: [LintFinding]] = [:]
        for finding in findings { byPath[finding.path, default: []].append(finding) }
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"scenesync lint\">",
        ]
        for path in Set(files).union(byPath.keys).sorted() {
            let own = byPath[path] ?? []
            let name = escaped(path)
            lines.append(
                "  <testsuite name=\"\(name)\" tests=\"\(max(1, own.count))\" failures=\"\(own.count)\">"
            )
            if own.isEmpty { lines.append("    <testcase name=\"\(name)\" classname=\"lint\"/>") }
            for finding in own {
                let rule = finding.rule.rawValue
                let text = escaped(finding.text)
                lines.append(
                    "    <testcase name=\"\(rule) line \(finding.line)\" classname=\"\(name)\"><failure type=\"\(rule)\" message=\"\(text)\"/></testcase>"
                )
            }
            lines.append("  </testsuite>")
        }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n")
    }

    /// Text in an attribute; characters that XML cannot have are replaced.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
