/// Decides when the viewer inspects views: soon after a change, but seldom enough for large
/// documents.
struct InspectionSchedule {
    /// The minimum number of seconds between two questions.
    private static let interval = 0.2
    /// The minimum number of seconds between two questions for the document, and the number of
    /// constraints for each additional second: the largest documents are requested about every ten
    /// seconds.
    private static let documentInterval = 0.5
    private static let constraintsPerSecond = 5000.0

    /// A question to send.
    struct Question {
        /// The number that the answer carries.
        var request: UInt32
        /// Whether the answer carries the document, which is large.
        var wantsDocument: Bool
    }

    private var lastRequest: UInt32 = 0
    private var isWanted = false
    private var wantsDocument = true
    private var nextTime = -Double.infinity
    private var nextDocumentTime = -Double.infinity

    /// Registers that views and constraints may have changed.
    mutating func sceneChanged() {
        isWanted = true
        wantsDocument = true
    }

    /// Asks at the next opportunity.
    mutating func askSoon(isDocumentKnown: Bool) {
        isWanted = true
        nextTime = -.infinity
        if !isDocumentKnown { wantsDocument = true }
    }

    /// Registers the result of an op.
    ///
    /// - Parameter isDragging: During a drag, which changes the document often and knows its
    ///   constants, the document is not requested.
    mutating func opAnswered(isDragging: Bool, now: Double) {
        sceneChanged()
        nextTime = now
        if !isDragging { nextDocumentTime = now }
    }

    /// The due question; nil if none is due.
    mutating func takeDueQuestion(now: Double, constraintCount: Int) -> Question? {
        guard isWanted, now >= nextTime else { return nil }
        let takesDocument = wantsDocument && now >= nextDocumentTime
        if takesDocument {
            nextDocumentTime =
                now
                + max(Self.documentInterval, Double(constraintCount) / Self.constraintsPerSecond)
            wantsDocument = false
        }
        nextTime = now + Self.interval
        // A document that was not due is asked for later.
        isWanted = wantsDocument
        if isWanted { nextTime = nextDocumentTime }
        return question(wantsDocument: takesDocument)
    }

    /// A question at once.
    mutating func question(wantsDocument: Bool) -> Question {
        lastRequest &+= 1
        return Question(request: lastRequest, wantsDocument: wantsDocument)
    }

    /// The time of the next question; nil if none is wanted.
    func deadline(now: Double) -> Double? { isWanted ? max(now, nextTime) : nil }
}
