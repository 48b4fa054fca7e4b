import AutoLayout
import Testing

/// What people read of errors and findings.
@Suite("Sentences about errors")
struct FindingTextTests {
    @Test(
        "every error and finding is a sentence without the names of Swift's cases",
        arguments: [
            (
                LayoutDiagnostic.error(.unsatisfiable(conflict: ["a", "b", "c"])),
                "required constraints contradict one another: \"a\", \"b\" and \"c\""
            ),
            (
                .error(.layoutFeedbackLoop(views: ["a"], markedBy: [])),
                "the layout does not come to rest: \"a\" is placed by safe areas or margins that follow from the very frames they lead to"
            ),
            (
                .error(.layoutFeedbackLoop(views: ["a"], markedBy: ["a"])),
                "the layout does not come to rest: \"a\" keeps marking itself"
            ),
            (
                .error(.layoutFeedbackLoop(views: ["a", "b"], markedBy: ["b", "c"])),
                "the layout does not come to rest: \"a\" and \"b\" are marked again in each pass by \"b\" and \"c\""
            ),
            (
                .brokeConstraint("w", conflict: ["w", "v"]),
                "\"w\" was given up, as it contradicts \"v\""
            ),
            (
                .brokeConstraint("w", conflict: ["w"]),
                "\"w\" was given up, as it contradicts itself"
            ),
            (.restoredConstraint("w"), "\"w\" holds again"),
        ])
    func sentences(finding: LayoutDiagnostic, sentence: String) {
        #expect(finding.description == sentence)
        #expect("\(finding)" == sentence)
    }

    @Test("of a conflict of thousands the first are named")
    func many() {
        let names = (0..<1000).map { "c\($0)" }
        let text = LayoutError.unsatisfiable(conflict: names).description
        #expect(text.hasSuffix("\"c14\", \"c15\" and 984 more"))
    }
}
