import AutoLayout
import Cassowary
import SceneTestSupport
import SeededRandom
import Testing

@Suite("Layouts against an independent linear programme")
struct LayoutOraclePropertyTests {
    private static let blocks = 8

    /// A layout of the engine beside the constraints that it took in, as the oracle sees them.
    private struct Laid {
        let layout: RandomLayout
        let window: Window
        let views: [View]
        var active: [(constraint: LayoutConstraint, plain: PlainConstraint)] = []

        init(seed: UInt64, viewMaximum: Int, checksRefusals: Bool) throws {
            layout = RandomLayout(seed: seed, viewMaximum: viewMaximum)
            (window, views) = try layout.makeViews()
            for rule in layout.rules {
                let constraint = layout.constraint(rule, window, views)
                let plain = layout.plain(rule)
                do throws(LayoutError) {
                    try constraint.activate()
                    active.append((constraint, plain))
                } catch {
                    guard checksRefusals else { continue }
                    let required = (active.map(\.plain) + [plain]).filter(\.strength.isRequired)
                    let fits = Oracle(
                        isNonNegative: layout.isNonNegative, constraints: required
                    ).isFeasible
                    #expect(!fits, "seed \(seed): \(rule) was refused")
                }
            }
        }

        func oracle(without left: Int? = nil) -> Oracle {
            let rows = active.enumerated().filter { $0.offset != left }.map(\.element.plain)
            return Oracle(
                isNonNegative: layout.isNonNegative, constraints: layout.contentConstraints + rows)
        }
    }

    /// The one place of each view in its superview, or `nil` where there are several.
    private func unique(_ oracle: Oracle, _ layout: RandomLayout) -> [Rect?] {
        let values = (0..<4 * layout.views.count).map { variable -> Double? in
            let range = oracle.range(of: variable)
            guard let least = range.least, let greatest = range.greatest, greatest - least < 1e-6
            else { return nil }
            return least
        }
        return layout.views.enumerated().map { index, view in
            let own = values[4 * index..<4 * index + 4].compactMap(\.self)
            guard own.count == 4 else { return nil }
            guard let parent = view.parent else {
                return Rect(x: own[0], y: own[1], width: own[2], height: own[3])
            }
            guard let left = values[4 * parent], let top = values[4 * parent + 1] else {
                return nil
            }
            return Rect(x: own[0] - left, y: own[1] - top, width: own[2], height: own[3])
        }
    }

    private func distance(_ a: Rect, _ b: Rect) -> Double {
        max(
            abs(a.minX - b.minX), abs(a.minY - b.minY), abs(a.width - b.width),
            abs(a.height - b.height))
    }

    @Test(
        "[CON-12] frames with one answer are those of the programme, within a millionth; so are refusals",
        arguments: 0..<blocks)
    func frames(block: Int) throws {
        // A thousand layouts in which every view has one place, an eighth of them here; the others
        // count for what they have.
        var whole = 0
        for index in 0..<4000 * Soak.factor where whole < 125 * Soak.factor {
            let seed = UInt64(block + index * Self.blocks)
            let laid = try Laid(seed: seed, viewMaximum: 6, checksRefusals: true)
            var oracle = laid.oracle()
            #expect(oracle.isFeasible, "seed \(seed)")
            _ = oracle.violations()
            laid.window.layoutIfNeeded()
            let expected = unique(oracle, laid.layout)
            if !expected.contains(where: { $0 == nil }) { whole += 1 }
            for (view, expected) in zip(laid.views, expected) {
                guard let expected else { continue }
                #expect(
                    distance(view.frame, expected) <= 1e-6,
                    "seed \(seed): \(view.identifier) is \(view.frame), not \(expected)")
                #expect(!view.hasAmbiguousLayout, "seed \(seed): \(view.identifier)")
            }
        }
        #expect(whole == 125 * Soak.factor)
    }

    @Test(
        "[CON-12] the verdict on ambiguity is the programme's, with any one constraint left out",
        arguments: 0..<blocks)
    func ambiguity(block: Int) throws {
        var ambiguous = 0
        for index in 0..<12 * Soak.factor {
            let seed = UInt64(100_000 + block + index * Self.blocks)
            let laid = try Laid(seed: seed, viewMaximum: 2, checksRefusals: false)
            for left in laid.active.indices {
                laid.active[left].constraint.deactivate()
                defer { laid.active[left].constraint.activateBreaking() }
                var oracle = laid.oracle(without: left)
                _ = oracle.violations()
                for (position, view) in laid.views.enumerated() {
                    // The engine asks about the place in the superview, which can be fixed though
                    // that one's is not.
                    let hasOneAnswer = isUnique(position, oracle, laid.layout)
                    if !hasOneAnswer { ambiguous += 1 }
                    #expect(
                        view.hasAmbiguousLayout == !hasOneAnswer,
                        "seed \(seed), without \(left): \(view.identifier)")
                }
            }
        }
        #expect(ambiguous > 20)
    }

    /// Whether a view's place in its superview is the same in all optimal answers.
    private func isUnique(_ view: Int, _ oracle: Oracle, _ layout: RandomLayout) -> Bool {
        let count = 4 * layout.views.count
        return (0..<4).allSatisfy { offset in
            var row = [Double](repeating: 0, count: count)
            row[4 * view + offset] = 1
            if offset < 2, let parent = layout.views[view].parent { row[4 * parent + offset] = -1 }
            let range = oracle.range(of: row)
            guard let least = range.least, let greatest = range.greatest else { return false }
            return greatest - least < 1e-6
        }
    }

    @Test(
        "[CON-12] any order of insertion gives the same frames where there is one answer",
        arguments: 0..<blocks)
    func insertionOrder(block: Int) throws {
        var compared = 0
        for index in 0..<125 * Soak.factor {
            let seed = UInt64(200_000 + block + index * Self.blocks)
            let first = try Laid(seed: seed, viewMaximum: 6, checksRefusals: false)
            first.window.layoutIfNeeded()
            var random = SplitMix64(seed: seed)
            for _ in 0..<3 {
                let (window, views) = try first.layout.makeViews()
                // Only what was taken in: of rules that contradict one another the order decides
                // which stays.
                let taken = first.layout.rules.filter { rule in
                    let plain = first.layout.plain(rule)
                    return first.active.contains {
                        $0.plain.coefficients == plain.coefficients
                            && $0.plain.constant == plain.constant
                            && $0.plain.relation == plain.relation
                            && $0.plain.strength == plain.strength
                    }
                }
                for rule in taken.shuffled(using: &random) {
                    try first.layout.constraint(rule, window, views).activate()
                }
                window.layoutIfNeeded()
                for (old, new) in zip(first.views, views) {
                    #expect(old.hasAmbiguousLayout == new.hasAmbiguousLayout, "seed \(seed)")
                    guard !old.hasAmbiguousLayout else { continue }
                    compared += 1
                    #expect(
                        distance(old.frame, new.frame) <= 1e-9,
                        "seed \(seed): \(old.identifier) \(old.frame), shuffled \(new.frame)")
                }
            }
        }
        #expect(compared > 300)
    }
}
