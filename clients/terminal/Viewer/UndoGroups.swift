/// Numbers of undo groups: the messages of one number are one undo step.
struct UndoGroups {
    /// Seconds within which turns of the wheel belong together.
    private static let scrollInterval = 1.0

    private var next: UInt32
    private var scrolling: (view: String, group: UInt32, time: Double)?

    /// - Parameter seed: The first number; another one in each process.
    init(seed: UInt32) { next = max(1, seed) }

    /// A number that no message has yet; never 0, which means a message alone.
    mutating func begin() -> UInt32 {
        defer { next = next == .max ? 1 : next + 1 }
        return next
    }

    /// The group of turning the wheel over a view: one as long as it goes on.
    mutating func forScrolling(_ view: String, now: Double) -> UInt32 {
        let isSame = scrolling.map { $0.view == view && now - $0.time < Self.scrollInterval }
        let group = isSame == true ? scrolling?.group ?? begin() : begin()
        scrolling = (view, group, now)
        return group
    }
}
