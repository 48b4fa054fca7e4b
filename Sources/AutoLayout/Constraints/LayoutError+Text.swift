// What people read of an error or a finding: sentences, never the names of Swift's cases.

extension LayoutError: CustomStringConvertible {
    /// A sentence without its full stop.
    public var description: String {
        switch self {
        case .unsatisfiable(let conflict):
            "required constraints contradict one another: " + Names.list(conflict)
        case .tooExpensive: "the layout takes more work than is allowed"
        case .noCommonAncestor(let id): "the items of \"\(id)\" share no ancestor"
        case .badValue(let what), .badDescription(let what), .noSuperview(let what),
            .badFormat(let what):
            what
        case .updateConstraintsLoop(let view):
            "\"\(view)\" asks for its own updateConstraints while it updates constraints or lays out"
        case .layoutFeedbackLoop(let views, let markers):
            Self.loop(of: views, markedBy: markers)
        case .updatePropertiesLoop(let view):
            "updateProperties of \"\(view)\" asks for itself again and again"
        case .traitLoop(let view): "the traits of \"\(view)\" are changed again and again"
        case .hierarchyCycle(let id): "\"\(id)\" would be its own ancestor"
        case .contextExpired(let view):
            "\"\(view)\" drew with a drawing context after the draw that it was made for"
        case .nothingToUpdate(let what): "\(what) was never made, so there is nothing to update"
        }
    }

    private static func loop(of views: [String], markedBy markers: [String]) -> String {
        let who = "the layout does not come to rest: " + Names.list(views)
        guard !markers.isEmpty else {
            // No call marked them: their insets did.
            return who
                + (views.count == 1 ? " is" : " are") + " placed by safe areas or margins that"
                + " follow from the very frames they lead to"
        }
        if markers == views, views.count == 1 { return who + " keeps marking itself" }
        return who + (views.count == 1 ? " is" : " are") + " marked again in each pass by "
            + Names.list(markers)
    }
}

extension LayoutDiagnostic: CustomStringConvertible {
    /// A sentence without its full stop.
    public var description: String {
        switch self {
        case .error(let error): error.description
        case .brokeConstraint(let id, let conflict):
            "\"\(id)\" was given up, as it contradicts "
                + Names.list(conflict.filter { $0 != id })
        case .restoredConstraint(let id): "\"\(id)\" holds again"
        case .markedOutsideSubtree(let view, let marker):
            "\"\(view)\" was marked while \"\(marker)\" was laid out, which does not hold it"
        case .missingSuperCall(let view, let method):
            "\(method) of \"\(view)\" does not call super"
        case .setOscillates(let id):
            "the set \"\(id)\" was switched off: its condition changes as often as it is followed"
        case .nothingAnimated: "the animation block lays nothing out, so nothing is animated"
        }
    }
}

private enum Names {
    /// How many names a sentence has; of chains of thousands, the first.
    private static let maximum = 16

    /// `"a", "b" and "c"`.
    static func list(_ names: [String]) -> String {
        var quoted = names.prefix(maximum).map { "\"\($0)\"" }
        if names.count > maximum { quoted.append("\(names.count - maximum) more") }
        guard let last = quoted.popLast() else { return "itself" }
        return quoted.isEmpty ? last : quoted.joined(separator: ", ") + " and " + last
    }
}
