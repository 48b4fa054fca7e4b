import ConstraintLanguage

/// An edge, or a corner, that is being dragged.
///
/// It begins with the constraints as they are known, and sends nothing before the server has confirmed them.
/// While it goes on, what others do to the same constraints is kept: the drag adds its own distance to it.
struct EdgeDrag: Hashable {
    /// An axis of it.
    struct Grip: Hashable {
        var edge: Edge
        var holder: EdgeHolder
        /// The constant that is wanted now.
        var constant: Double
        /// The constant that the server has, as far as is known.
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
        /// Nothing: it may be older than what was sent.
        case none
        /// Where the drag begins.
        case start
        /// What became of the constraints since.
        case since
    }

    /// A question about the constraints.
    private struct Question: Hashable {
        var request: UInt32
        /// How many messages had been sent, all of them answered.
        var messageCount: Int
    }

    let view: String
    let start: GridPoint
    /// All messages of a drag are one step of undo.
    let undoGroup: UInt32
    /// Points a cell.
    let pointsPerColumn: Double
    let pointsPerRow: Double
    private(set) var grips: [Grip]
    /// Whether the constraints are known as they are, so that something may be sent.
    private(set) var isReady = false
    /// Whether the last message has no answer yet.
    private(set) var isWaiting = false
    /// Whether the button was let go; the drag ends when its last message has gone.
    var isReleased = false
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

    /// Notes that the document was asked for.
    mutating func asked(_ request: UInt32) {
        // What is under way may or may not be in the answer.
        question = isWaiting ? nil : Question(request: request, messageCount: messageCount)
    }

    /// What the answer to a question means for the drag.
    func meaning(of request: UInt32) -> Meaning {
        guard let question, question.request == request, question.messageCount == messageCount
        else { return .none }
        return isReady ? .since : .start
    }

    /// Begins with what holds the edges.
    mutating func begin(with grips: [Grip]) {
        self.grips = grips
        isReady = true
        move(to: place)
    }

    /// Takes over what others made of the constants.
    mutating func follow(_ constant: (String) -> Double?) {
        for index in grips.indices {
            guard let now = constant(grips[index].holder.id) else { continue }
            grips[index].holder.rule.constant += now - grips[index].sent
            grips[index].sent = now
        }
        move(to: place)
    }

    /// Notes that the last message was answered.
    mutating func answered() { isWaiting = false }

    /// The changes to send, which count as sent: those that were not sent yet.
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

    /// What is being changed, for people.
    var text: String {
        grips.map { grip in
            let (old, new) = (grip.holder.rule.constant, grip.constant)
            let change = NumberFormat.plain(new - old)
            return
                "\(grip.holder.id): \(NumberFormat.plain(old)) → \(NumberFormat.plain(new)) (\(new < old ? "" : "+")\(change))"
        }.joined(separator: "   ")
    }
}
