import SceneProtocol

/// When the viewer asks the server why views are where they are: soon after a change, but seldom enough for large documents.
struct InspectionSchedule {
    /// Seconds between two questions.
    private static let interval = 0.2
    /// Seconds between two questions for the document, and constraints for each second more: the largest documents are asked
    /// for once in some ten seconds.
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

    /// Notes that views and constraints may have changed.
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

    /// Notes that the server has answered an op.
    ///
    /// - Parameter isDragging: A drag changes the document many times and knows its constants itself, so the document waits.
    mutating func opAnswered(isDragging: Bool, now: Double) {
        sceneChanged()
        nextTime = now
        if !isDragging { nextDocumentTime = now }
    }

    /// The question that is due; nil when none is.
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

    /// A question at once, whatever is due.
    mutating func question(wantsDocument: Bool) -> Question {
        lastRequest &+= 1
        return Question(request: lastRequest, wantsDocument: wantsDocument)
    }

    /// When the next question is due; nil when none is wanted.
    func deadline(now: Double) -> Double? { isWanted ? max(now, nextTime) : nil }
}
