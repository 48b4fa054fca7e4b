/// The figures shown in the status line: the newest ones would change too fast to be readable.
struct FigureDisplay {
    private(set) var shown: Figures?
    private var shownTime = -Double.infinity
    /// The time at which newer figures are due; nil if the shown ones are of the present state.
    private(set) var deadline: Double?

    /// Registers a change of the state. Newer figures are shown after a delay, unless a picture
    /// shows them before.
    mutating func stateChanged(now: Double) { deadline = now + Figures.interval }

    /// Returns whether newer figures are due, and marks them as shown.
    mutating func takeDue(now: Double) -> Bool {
        guard let deadline, now >= deadline else { return false }
        self.deadline = nil
        return true
    }

    /// Whether the shown figures have been visible for long enough.
    func isDue(now: Double) -> Bool { now >= shownTime + Figures.interval || shown == nil }

    /// Shows newer figures.
    mutating func show(_ current: Figures?, now: Double) {
        shown = current
        shownTime = now
        deadline = nil
    }
}
