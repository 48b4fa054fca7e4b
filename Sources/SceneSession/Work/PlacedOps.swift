import SceneDocument

/// The parsed ops of a message, with their indices in it.
struct PlacedOps {
    private(set) var ops: [Op] = []
    /// For each op, its index in the message.
    private(set) var places: [Int] = []

    var isEmpty: Bool { ops.isEmpty }
    var count: Int { ops.count }

    mutating func append(_ op: Op, at place: Int) {
        ops.append(op)
        places.append(place)
    }

    /// Removes ops by their indices here.
    mutating func remove(_ indices: Set<Int>) {
        guard !indices.isEmpty else { return }
        let kept = ops.indices.filter { !indices.contains($0) }
        ops = kept.map { ops[$0] }
        places = kept.map { places[$0] }
    }
}
