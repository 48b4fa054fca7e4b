/// Which figures the status line shows: the newest ones change too fast to be read.
struct FigureDisplay {
    private(set) var shown: Figures?
    private var shownTime = -Double.infinity
    /// When newer ones are due; nil if those that are shown are of the state that is shown.
    private(set) var deadline: Double?

    /// Notes that the state has changed. Newer figures are shown after a while, if no picture shows them before.
    mutating func stateChanged(now: Double) { deadline = now + Figures.interval }

    /// Whether newer figures are due; they count as taken then.
    mutating func takeDue(now: Double) -> Bool {
        guard let deadline, now >= deadline else { return false }
        self.deadline = nil
        return true
    }

    /// Whether those that are shown have been for long enough.
    func isDue(now: Double) -> Bool { now >= shownTime + Figures.interval || shown == nil }

    /// Shows newer figures.
    mutating func show(_ current: Figures?, now: Double) {
        shown = current
        shownTime = now
        deadline = nil
    }
}
