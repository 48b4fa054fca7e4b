import Essentials
public import JSON

/// The finding of a case.
public enum Verdict: String, Sendable, CaseIterable {
    /// As the specification wants it.
    case ok = "OK"
    /// Against a SHOULD, or a fault that does no harm.
    case nonStrict = "NON-STRICT"
    /// Against a MUST.
    case failed = "FAILED"
    /// Nothing to judge: an optional part, or something worth knowing.
    case informational = "INFORMATIONAL"
}

/// One case's result.
public struct CaseResult: Sendable, Equatable {
    /// The case's number: the section of SPEC.md, a dash, and a count within it.
    public var id: String
    /// The behaviour that is tried.
    public var title: String
    /// The finding, as a sentence for people.
    public var verdict: Verdict
    /// Why, in words; empty for `ok`.
    public var detail: String

    /// Makes a result.
    public init(id: String, title: String, verdict: Verdict, detail: String) {
        self.id = id
        self.title = title
        self.verdict = verdict
        self.detail = detail
    }
}

/// All results of a run.
public struct ConformanceReport: Sendable {
    /// The subject: a server's address, or `client`.
    public var subject: String
    /// In the order of the cases.
    public var results: [CaseResult]

    /// Makes a report.
    public init(subject: String, results: [CaseResult]) {
        self.subject = subject
        self.results = results
    }

    /// How many cases ended so.
    public func count(_ verdict: Verdict) -> Int { results.count { $0.verdict == verdict } }

    /// Whether nothing failed, and there was something to fail.
    public var passed: Bool { count(.failed) == 0 && count(.ok) > 0 }

    /// `N OK, N NON-STRICT, N FAILED, N INFORMATIONAL`
    public var summary: String {
        Verdict.allCases.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    /// For programs.
    public var json: JSONValue {
        .object([
            JSONMember("subject", .string(subject)),
            JSONMember(
                "counts",
                .object(
                    Verdict.allCases.map {
                        JSONMember($0.rawValue, .number(Double(count($0))))
                    })),
            JSONMember(
                "cases",
                .array(
                    results.map { result in
                        .object([
                            JSONMember("id", .string(result.id)),
                            JSONMember("title", .string(result.title)),
                            JSONMember("verdict", .string(result.verdict.rawValue)),
                            JSONMember("detail", .string(result.detail)),
                        ])
                    })),
        ])
    }

    /// For people: one page without scripts or outside resources.
    public var html: String {
        let rows = results.map { result in
            """
            <tr class="\(result.verdict.rawValue)"><td>\(result.id.escapedForXML)</td>\
            <td>\(result.title.escapedForXML)</td><td>\(result.verdict.rawValue)</td>\
            <td>\(result.detail.escapedForXML)</td></tr>
            """
        }
        return """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>SceneSync conformance</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
            table { border-collapse: collapse; width: 100%; }
            td, th { border-bottom: 1px solid #ccc; padding: .25rem .5rem; text-align: left; vertical-align: top; }
            .OK td:nth-child(3) { color: #176f2c; }
            .FAILED td:nth-child(3) { color: #b00020; font-weight: bold; }
            .NON-STRICT td:nth-child(3) { color: #8a5a00; }
            </style>
            <h1>SceneSync conformance</h1>
            <p>\(subject.escapedForXML): \(summary)</p>
            <table><thead><tr><th>Case</th><th>What is tried</th><th>Verdict</th><th>Why</th></tr></thead><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></html>

            """
    }
}

/// A case as a list of all shows it.
public struct CatalogueEntry: Sendable {
    /// The case's number.
    public let id: String
    /// Whether other cases mean nothing where this one fails.
    public let isEssential: Bool
    /// The behaviour that is tried.
    public let title: String
}

/// The cases that a person chose: `6.3-1`, or a section and all below it, as `3.*` or `6.3-*`.
public struct CaseChoice: Sendable {
    private let only: [String]
    private let without: [String]
    private let essentialAlone: Bool

    /// Takes patterns that end in `*`, or name a case.
    ///
    /// - Parameters:
    ///   - only: The cases to run; none for all.
    ///   - without: The cases to leave out.
    ///   - essentialAlone: Whether to run none but the essential ones.
    public init(only: [String] = [], without: [String] = [], essentialAlone: Bool = false) {
        self.only = only
        self.without = without
        self.essentialAlone = essentialAlone
    }

    /// Whether a case is to run.
    public func takes(_ id: String, isEssential: Bool = false) -> Bool {
        (only.isEmpty || Self.matches(id, only)) && !Self.matches(id, without)
            && (isEssential || !essentialAlone)
    }

    private static func matches(_ id: String, _ patterns: [String]) -> Bool {
        patterns.contains { pattern in
            pattern.hasSuffix("*") ? id.hasPrefix(pattern.dropLast()) : id == pattern
        }
    }
}
