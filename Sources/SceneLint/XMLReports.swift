import Essentials

/// Reports in XML.
enum XMLReports {
    static func checkstyle(_ findings: [LintFinding]) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<checkstyle version=\"4.3\">"]
        var path: String?
        for finding in findings {
            if finding.path != path {
                if path != nil { lines.append("  </file>") }
                path = finding.path
                lines.append("  <file name=\"\(finding.path.escapedForXML)\">")
            }
            let severity = finding.level == .note ? "info" : finding.level.rawValue
            lines.append(
                "    <error line=\"\(finding.line)\" severity=\"\(severity)\" message=\"\(finding.text.escapedForXML)\" source=\"scenesync.\(finding.rule.rawValue)\"/>"
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
            let name = path.escapedForXML
            lines.append(
                "  <testsuite name=\"\(name)\" tests=\"\(max(1, own.count))\" failures=\"\(own.count)\">"
            )
            if own.isEmpty { lines.append("    <testcase name=\"\(name)\" classname=\"lint\"/>") }
            for finding in own {
                let rule = finding.rule.rawValue
                let text = finding.text.escapedForXML
                lines.append(
                    "    <testcase name=\"\(rule) line \(finding.line)\" classname=\"\(name)\"><failure type=\"\(rule)\" message=\"\(text)\"/></testcase>"
                )
            }
            lines.append("  </testsuite>")
        }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n")
    }
}
