/// Work that waits for one of several cores, first come first served.
struct CoreQueue {
    /// When each core is free again, in microseconds.
    private var free: [Double]
    /// The time that the cores have worked.
    private(set) var busy = 0.0

    /// Makes a queue before `cores` cores, at least one.
    init(cores: Int) { free = Array(repeating: 0, count: max(1, cores)) }

    /// Takes work that arrives no earlier than any before it.
    ///
    /// - Returns: When it is done.
    /// - Complexity: O(cores).
    mutating func take(at arrival: Double, cost: Double) -> Double {
        var first = 0
        for core in free.indices where free[core] < free[first] { first = core }
        let end = max(arrival, free[first]) + cost
        free[first] = end
        busy += cost
        return end
    }
}

/// Times in no order, of which shares are asked for.
struct Spread {
    private var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    var count: Int { values.count }

    /// The value that a share of all is not above; 0 where there is none.
    ///
    /// - Complexity: O(n · log n).
    func share(_ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
}
