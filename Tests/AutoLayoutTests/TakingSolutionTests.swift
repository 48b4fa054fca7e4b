import Cassowary
import SeededRandom
import Testing

@testable import AutoLayout

/// What views take over from a solve is the same whether somebody listens, for whom marks come in
/// preorder, or nobody does.
@Suite("Views that take a solution, listened to or not")
struct TakingSolutionTests {
    /// A hierarchy whose views were made in another order than they stand in, so that a solve tells
    /// of them in no order.
    private final class Scene {
        let window = Window(size: Size(width: 900, height: 400))
        private(set) var views: [View] = []
        private var lengths: [LayoutConstraint] = []
        private(set) var marks = 0

        init(isTraced: Bool) {
            views = [window]
            if isTraced { window.traceHandler = { [unowned self] _ in marks += 1 } }
        }

        /// Adds a view at a place among its superview's subviews.
        func add(to parent: Int, at place: Int, guided: Bool) throws {
            let view = View(identifier: "\(views.count)")
            let superview = views[parent]
            try superview.insertSubview(view, at: place % (superview.subviews.count + 1))
            // Half as wide as the view that was made before it, so that one change moves many
            // views.
            let width = view.widthAnchor.constraint(
                equalTo: views[views.count - 1].widthAnchor, multiplier: 0.5, constant: 20)
            let left = view.leftAnchor.constraint(
                equalTo: superview.leftAnchor, constant: Double(place))
            if guided { view.addLayoutGuide(LayoutGuide(identifier: "guide")) }
            try LayoutConstraint.activate([
                width, left, view.topAnchor.constraint(equalTo: superview.topAnchor),
                view.heightAnchor.constraint(equalToConstant: 10),
            ])
            views.append(view)
            lengths += [width, left]
        }

        func change(_ length: Int, to constant: Double) throws {
            try lengths[length % lengths.count].setConstant(constant)
        }

        /// What each view knows once the solution was taken: its frame, what is pending on it and
        /// by whom, and which subviews wait.
        func taken() throws -> [String] {
            let engine = try #require(window.engine)
            engine.cycle.takeSolution(engine)
            return views.map { view in
                let marks = view.marks
                let marker = views.first { ObjectIdentifier($0) == marks.markedBy }
                let pending = view.pendingSubview?.item.identifier ?? "-"
                let unplaced = view.unplacedSubviews.map { $0.item.preorderIndex }.sorted()
                return "\(view.identifier) \(String(describing: view.solvedFrame)) "
                    + "\(view.isUnplaced) \(marks.needsLayout) \(marks.subtreeNeedsLayout) "
                    + "\(marks.descendantNeedsLayout) \(marker?.identifier ?? "-") "
                    + "\(pending) \(unplaced)"
            }
        }
    }

    @Test("any history of views, lengths and roots", arguments: 0..<40)
    func anyHistory(seed: Int) throws {
        let scenes = [Scene(isTraced: false), Scene(isTraced: true)]
        var generator = SplitMix64(seed: UInt64(seed))
        for _ in 0..<50 {
            // Not in every round: a view that is new waits for its frame anyway.
            for _ in 0..<max(0, generator.below(8) - 4) {
                let count = scenes[0].views.count
                let (parent, place) = (generator.below(count), generator.below(7))
                let guided = generator.below(4) == 0
                for scene in scenes { try scene.add(to: parent, at: place, guided: guided) }
            }
            for _ in 0..<generator.below(6) where scenes[0].views.count > 1 {
                let (length, constant) = (generator.below(200), Double(generator.below(50)))
                for scene in scenes { try scene.change(length, to: constant) }
            }
            if generator.below(5) == 0 {
                let width = Double(600 + generator.below(300))
                for scene in scenes { scene.window.viewportSize.width = width }
            }
            let taken = try scenes.map { try $0.taken() }
            #expect(taken[0] == taken[1])
            // Now and then what was taken waits for the next solve's.
            guard generator.below(3) > 0 else { continue }
            for scene in scenes { try scene.window.runCycle() }
            #expect(scenes[0].views.map(\.frame) == scenes[1].views.map(\.frame))
        }
        #expect(scenes[0].marks == 0 && scenes[1].marks > 100)
    }

    @Test("the last in preorder is who marked its superview, though it was made first")
    func lastMark() throws {
        let scene = Scene(isTraced: false)
        try scene.add(to: 0, at: 0, guided: false)
        try scene.add(to: 0, at: 0, guided: false)
        #expect(scene.window.subviews.map(\.identifier) == ["2", "1"])
        _ = try scene.taken()
        #expect(scene.window.marks.markedBy == ObjectIdentifier(scene.views[1]))
    }

    @Test("the first solve tells of each view once, a later one of what it changed")
    func once() throws {
        let window = Window(size: Size(width: 300, height: 200))
        var lengths: [LayoutConstraint] = []
        for index in 0..<9 {
            let view = View()
            try window.addSubview(view)
            lengths.append(view.widthAnchor.constraint(equalToConstant: Double(10 + index)))
            try LayoutConstraint.activate([
                lengths[index], view.leftAnchor.constraint(equalTo: window.leftAnchor),
                view.topAnchor.constraint(equalTo: window.topAnchor),
                view.heightAnchor.constraint(equalToConstant: 10),
            ])
        }
        let engine = try #require(window.engine)
        var items = Buffer<LayoutItemReference>()
        engine.takeChangedItems(&items)
        let all = items.indices.map { ObjectIdentifier(items[$0].item) }
        #expect(Set(all) == Set(([window] + window.subviews).map(ObjectIdentifier.init)))
        #expect(all.count == 10)
        items.removeAll()
        try lengths[3].setConstant(40)
        engine.takeChangedItems(&items)
        let changed = items.indices.map { ObjectIdentifier(items[$0].item) }
        #expect(changed == [ObjectIdentifier(window.subviews[3])])
    }
}
