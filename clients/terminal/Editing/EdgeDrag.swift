import ConstraintLanguage

/// A drag of an edge or a corner.
///
/// It starts with the known constraints, and sends nothing before the server has confirmed them.
/// Changes of others to the same constraints are kept: the drag adds its own distance to them.
struct EdgeDrag: Hashable {
    /// One axis of the drag.
    struct Grip: Hashable {
        var edge: Edge
        var holder: EdgeHolder
        /// The wanted constant.
        var constant: Double
        /// The server's constant, as far as known.
        var sent: Double

        init(edge: Edge, holder: EdgeHolder) {
            self.edge = edge
            self.holder = holder
            constant = holder.rule.constant
            sent = constant
        }
    }

    /// The meaning of an answer for a drag.
    enum Meaning: Hashable {
        /// None: it may be older than the last message sent.
        case none
        /// The initial constraints.
        case start
        /// The present constraints.
        case since
    }

    /// A question for the constraints.
    private struct Question: Hashable {
        var request: UInt32
        /// The number of messages sent, all of them answered.
        var messageCount: Int
    }

    let view: String
    let start: GridPoint
    /// The undo group of the drag's messages.
    let undoGroup: UInt32
    /// The size of a cell in points.
    let pointsPerColumn: Double
    let pointsPerRow: Double
    private(set) var grips: [Grip]
    /// Whether the present constraints are known, so that changes may be sent.
    private(set) var isReady = false
    /// Whether the last message has no answer yet.
    private(set) var isWaiting = false
    /// Whether the button was released; the drag ends after its last message was sent.
    var isReleased: Bool { releaseTime != nil }
    /// The time at which the button was released.
    private(set) var releaseTime: Double?
    private var place: GridPoint
    private var messageCount = 0
    private var question: Question?

    init(
        view: String, start: GridPoint, undoGroup: UInt32, pointsPerColumn: Double,
        pointsPerRow: Double, grips: [Grip]
    ) {
        self.view = view
        self.start = start
        self.undoGroup = undoGroup
        self.pointsPerColumn = pointsPerColumn
        self.pointsPerRow = pointsPerRow
        self.grips = grips
        place = start
    }

    /// Registers that the button was released.
    mutating func release(now: Double) { releaseTime = now }

    mutating func move(to point: GridPoint) {
        place = point
        for index in grips.indices {
            let grip = grips[index]
            let distance =
                grip.edge.isHorizontal
                ? Double(point.column - start.column) * pointsPerColumn
                : Double(point.row - start.row) * pointsPerRow
            let change = (distance * grip.holder.factor).rounded()
            grips[index].constant = grip.holder.rule.constant + change
        }
    }

    // MARK: Answers

    /// Registers that the document was requested.
    mutating func asked(_ request: UInt32) {
        // What is under way may or may not be in the answer.
        question = isWaiting ? nil : Question(request: request, messageCount: messageCount)
    }

    /// The meaning of an answer to a question.
    func meaning(of request: UInt32) -> Meaning {
        guard let question, question.request == request, question.messageCount == messageCount
        else { return .none }
        return isReady ? .since : .start
    }

    /// Starts with the constraints that hold the edges.
    mutating func begin(with grips: [Grip]) {
        self.grips = grips
        isReady = true
        move(to: place)
    }

    /// Adopts others' changes of the constants.
    mutating func follow(_ constant: (String) -> Double?) {
        for index in grips.indices {
            guard let now = constant(grips[index].holder.id) else { continue }
            grips[index].holder.rule.constant += now - grips[index].sent
            grips[index].sent = now
        }
        move(to: place)
    }

    /// Registers the answer to the last message.
    mutating func answered() { isWaiting = false }

    /// The unsent changes; marks them as sent.
    mutating func takeChanges() -> [(id: String, constant: Double)] {
        var changes: [(String, Double)] = []
        for index in grips.indices where grips[index].constant != grips[index].sent {
            grips[index].sent = grips[index].constant
            changes.append((grips[index].holder.id, grips[index].constant))
        }
        if !changes.isEmpty {
            messageCount += 1
            isWaiting = true
        }
        return changes
    }

    /// A description of the change.
    var text: String {
        grips.map { grip in
            let (old, new) = (grip.holder.rule.constant, grip.constant)
            let change = NumberFormat.plain(new - old)
            return
                "\(grip.holder.id): \(NumberFormat.plain(old)) → \(NumberFormat.plain(new)) (\(new < old ? "" : "+")\(change))"
        }.joined(separator: "   ")
    }
}
