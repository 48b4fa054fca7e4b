import SeededRandom
import Testing

@testable import AutoLayout
@testable import Cassowary

/// In which order views take what a solve has found, however they come and however far apart they
/// are.
@Suite("The order of the views that a solve has moved")
struct ChangedViewsOrderTests {
    let window = Window(size: Size(width: 300, height: 200))
    /// All views of the window, in preorder.
    let views: [View]
    let guide = LayoutGuide(identifier: "guide")

    init() throws {
        var open: [View] = [window]
        var made = 1
        while made < 4000 {
            let parent = open.removeFirst()
            for _ in 0..<7 {
                let view = View()
                try parent.addSubview(view)
                open.append(view)
                made += 1
            }
        }
        views = window.preorder
        views[17].addLayoutGuide(guide)
        window.engine?.numberPreorder()
    }

    /// The places in preorder that come out for those that go in.
    private func sorted(_ places: [Int], withGuide: Bool = false) -> [Int] {
        var changes = ChangedViews()
        for place in places { changes.items.append(LayoutItemReference(views[place])) }
        if withGuide { changes.items.append(LayoutItemReference(guide)) }
        changes.sort()
        return changes.items.indices.map { Int(changes.items[$0].item.preorderIndex) }
    }

    @Test("views that lie close, far apart, twice, in order and in reverse")
    func byHand() {
        #expect(sorted([]) == [])
        #expect(sorted([5]) == [5])
        #expect(sorted([1, 2, 2, 3]) == [1, 2, 3])
        #expect(sorted([3, 1, 3, 2, 1], withGuide: true) == [1, 2, 3])
        #expect(sorted([64, 63, 128, 127, 0, 63]) == [0, 63, 64, 127, 128])
        // So far apart that they are compared.
        #expect(sorted([3900, 7, 3900]) == [7, 3900])
        #expect(sorted(Array((0..<4000).reversed())) == Array(0..<4000))
    }

    @Test("any views: each once, in preorder")
    func anyViews() {
        var generator = SplitMix64(seed: 51)
        for _ in 0..<500 {
            let first = generator.below(3000)
            let span = [3, 70, 900][generator.below(3)]
            let places = (0..<generator.below(60)).map { _ in first + generator.below(span) }
            #expect(
                sorted(places, withGuide: generator.below(2) == 0) == Set(places).sorted())
        }
    }

    @Test("memory that was used is as good as new")
    func again() {
        var changes = ChangedViews()
        for places in [[300, 200, 100], [900, 3, 899], [4, 2], [3999, 1]] {
            for place in places { changes.items.append(LayoutItemReference(views[place])) }
            changes.sort()
            let found = changes.items.indices.map { Int(changes.items[$0].item.preorderIndex) }
            #expect(found == places.sorted())
            changes.removeAll()
        }
    }
}
