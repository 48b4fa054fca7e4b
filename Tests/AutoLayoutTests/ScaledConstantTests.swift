import AutoLayout
import ConstraintLanguage
import Testing

/// Constants that follow the size of text. A cell is 8 × 16 at `large` and 13 × 26 at
/// `accessibilityMedium`.
@Suite("Scaled constants")
struct ScaledConstantTests {
    let window = Window(size: Size(width: 300, height: 200))
    let view = View(identifier: "view")

    private func width(_ constant: Double) -> LayoutConstraint {
        LayoutConstraint(
            item: view, attribute: .width, constant: constant, scalesConstant: true,
            identifier: "width")
    }

    @Test("[TRA-37] they follow the traits of the view, whether these came before or after them")
    func follow() throws {
        let width = width(40)
        try width.activate()
        view.traitOverrides.preferredContentSizeCategory = .accessibilityMedium
        try window.addSubview(view)
        try window.runCycle()
        #expect(view.frame.width == 65)
        view.traitOverrides.preferredContentSizeCategory = nil
        try window.runCycle()
        #expect(view.frame.width == 40)
        window.screenTraits.contentSizeCategory = .accessibilityMedium
        try window.runCycle()
        #expect(view.frame.width == 65)
        width.constant = 80
        try window.runCycle()
        #expect(view.frame.width == 130)
        #expect(width.constant == 80)
        window.textMetrics = TextMetrics(cell: Size(width: 8, height: 32))
        try window.runCycle()
        // 32 times 28 / 17 is 52.7, a cell of 53 points.
        #expect(view.frame.width == 265)
    }

    @Test(
        "[TRA-37] one that no longer fits gives way and comes back; a change that does not fit is refused"
    )
    func conflict() throws {
        try window.addSubview(view)
        let most = view.widthAnchor.constraint(lessThanOrEqualToConstant: 60)
        most.identifier = "most"
        try most.activate()
        let width = width(40)
        try width.activate()
        try window.runCycle()
        window.screenTraits.contentSizeCategory = .accessibilityMedium
        try window.runCycle()
        #expect(width.isBroken)
        window.screenTraits.contentSizeCategory = .large
        try window.runCycle()
        #expect(!width.isBroken)
        #expect(view.frame.width == 40)
        #expect(throws: LayoutError.unsatisfiable(conflict: ["most", "width"])) {
            try width.setConstant(61)
        }
        #expect(width.constant == 40)
    }
}
