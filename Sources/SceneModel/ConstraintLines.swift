import ConstraintLanguage
import JSON
public import SceneDocument

/// In which lines of a document its constraints stand.
public struct ConstraintLines {
    private var lines: [String: Int] = [:]

    /// Takes the lines of constraints, by their names.
    public init(_ lines: [String: Int]) { self.lines = lines }

    /// Reads a document again, for its places alone; one that is no JSON has none.
    ///
    /// - Complexity: O(bytes).
    public init(_ bytes: [UInt8]) {
        guard let json = try? JSONReader.read(bytes) else { return }
        note(json["constraints"], set: nil)
        guard let sets = json["sets"]?.members else { return }
        for set in sets { note(set.value["constraints"], set: set.key) }
    }

    /// Constraints as a document has them, each with its place; those of visual formats by the
    /// format's text.
    public func quoted(_ ids: [String], in document: SceneDocument) -> String {
        var texts: [String: String] = [:]
        func note(_ specs: [ConstraintSpec], set: String?) {
            for (index, spec) in specs.enumerated() {
                let text =
                    switch spec.body {
                    case .rule(let rule): rule.description
                    case .visualFormat(let format, _): format.source
                    }
                texts[spec.resolvedID(index: index, set: set)] = text
            }
        }
        note(document.constraints, set: nil)
        for set in document.sets { note(set.constraints, set: set.id) }
        return ids.map { id in
            let text = texts[id] ?? id.lastIndex(of: ".").flatMap { texts[String(id[..<$0])] }
            let place = place(of: id).map { ", \($0)" } ?? ""
            return text.map { "\"\($0)\" (\(id)\(place))" } ?? "\"\(id)\""
        }.joined(separator: "; ")
    }

    /// "line 12"; nil where it is not known. A rule of a visual format stands where the format
    /// does.
    public func place(of id: String) -> String? { line(of: id).map { "line \($0)" } }

    /// The line of a constraint, from 1; nil where it is not known.
    public func line(of id: String) -> Int? {
        if let line = lines[id] { return line }
        guard let dot = id.lastIndex(of: ".") else { return nil }
        return lines[String(id[..<dot])]
    }

    private mutating func note(_ list: JSONValue?, set: String?) {
        guard let nodes = list?.array else { return }
        for (index, node) in nodes.enumerated() where node.line > 0 {
            var id: String?
            if let text = node["id"]?.string { id = text }
            lines[id ?? "\(set ?? "")#\(index)"] = node.line
        }
    }
}
