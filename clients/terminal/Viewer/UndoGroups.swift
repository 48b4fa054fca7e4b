/// Numbers of undo groups: messages with the same number are one undo step.
struct UndoGroups {
    /// Seconds within which wheel events belong to one group.
    private static let scrollInterval = 1.0

    private var next: UInt32
    private var scrolling: (view: String, group: UInt32, time: Double)?

    /// - Parameter seed: The first number; differs between processes.
    init(seed: UInt32) { next = max(1, seed) }

    /// A new number; never 0, which denotes no group.
    mutating func begin() -> UInt32 {
        defer { next = next == .max ? 1 : next + 1 }
        return next
    }

    /// The group of wheel events over a view: one as long as they continue.
    mutating func forScrolling(_ view: String, now: Double) -> UInt32 {
        let isSame = scrolling.map { $0.view == view && now - $0.time < Self.scrollInterval }
        let group = isSame == true ? scrolling?.group ?? begin() : begin()
        scrolling = (view, group, now)
        return group
    }
}
