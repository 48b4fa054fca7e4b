import CPrefetch
import Cassowary

/// Asks the processor to load memory that is read soon.
///
/// A large new hierarchy does not fit into the processor's caches, so a walk over it waits for
/// memory at each object. The walk knows which objects come next. The processor does not look that
/// far ahead: it sees some hundreds of instructions, and one step of the walk takes up to three
/// thousand.
enum Prefetching {
    /// How many objects a walk asks for ahead of the one that it is at.
    static let distance = 4

    /// Asks for the part of an object between two of its bytes. This is a hint: wrong bytes cost
    /// time and change nothing.
    @inline(__always)
    fileprivate static func ask(for object: AnyObject, _ first: Int, _ last: Int) {
        let start = unsafe Unmanaged.passUnretained(object).toOpaque()
        for place in stride(from: first, to: last, by: lineSize) {
            unsafe prefetchLine(start + place)
        }
        unsafe prefetchLine(start + last)
    }

    /// Bytes that come at once, at least.
    private static let lineSize = 64
}

extension LayoutItemReference {
    /// Asks for what passes read of a view: from the frame that was solved to the marks, in the
    /// order of the stored properties.
    @inline(__always)
    func prefetch() { use { Prefetching.ask(for: $0, 40, 216) } }
}

extension View {
    /// Asks for those subviews that are looked at first.
    @inline(__always)
    func prefetchFirstSubviews() {
        for index in 0..<min(Prefetching.distance, subviews.count) {
            LayoutItemReference(subviews[index]).prefetch()
        }
    }

    /// Asks for the subview that is looked at soon after another one.
    @inline(__always)
    func prefetchSubview(after index: Int) {
        let next = index &+ Prefetching.distance
        if next < subviews.count { LayoutItemReference(subviews[next]).prefetch() }
    }
}

/// A constraint leads to its first item in three steps; each can be asked for once the one before
/// it is there. The second item is the superview or the view beside it, which was just looked at.
extension Lent where Object == LayoutConstraint {
    /// Asks for the constraint.
    @inline(__always)
    func prefetch() { use { Prefetching.ask(for: $0, 16, 80) } }

    /// Asks for what stands for the item, with the constraints that speak of it.
    @inline(__always)
    func prefetchHandle() {
        use { Prefetching.ask(for: $0.firstHandle, 16, 72) }
    }

    /// Asks for the item.
    @inline(__always)
    func prefetchItem() {
        use { $0.first?.prefetch() }
    }

    /// Asks for what the solver has of the item's variables.
    @inline(__always)
    func prefetchVariables(in engine: LayoutEngine) {
        use { $0.first?.use { engine.prefetchVariables(of: $0) } }
    }
}

extension LayoutEngine {
    @inline(__always)
    fileprivate func prefetchVariables(of item: LayoutItem) {
        guard let variables = item.variables else { return }
        solver.prefetch(variables.x, variables.height)
    }
}
