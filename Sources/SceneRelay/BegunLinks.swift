import SceneCluster

/// Which links the processes of other nodes have begun here: a packet that comes doubled or late
/// begins none of them again.
struct BegunLinks {
    /// The links of one process.
    private struct Numbers {
        /// All below have been begun, or are too old to be.
        var floor: UInt64 = 0
        var begun: Set<UInt64> = []
        var newest: UInt64 = 0
        /// Greater for a process that began a link later.
        var lastTime: UInt64 = 0
    }

    /// Processes that are remembered; of more, those that began a link last.
    private static let processMaximum = 1024

    /// Links of one process, the newest, that are remembered one by one. Each that is older counts
    /// as begun.
    private let linksMaximum: Int
    private var processes: [NodeLife: Numbers] = [:]
    private var time: UInt64 = 0

    /// Remembers nothing yet.
    ///
    /// - Parameter linksMaximum: More than a process begins while the first piece of one of them is
    ///   on its way.
    init(linksMaximum: Int) { self.linksMaximum = linksMaximum }

    /// Whether a link was begun, or is too old to be.
    func contains(_ link: UInt64, of process: NodeLife) -> Bool {
        guard let numbers = processes[process] else { return false }
        return link < numbers.floor || numbers.begun.contains(link)
    }

    /// Remembers a link.
    ///
    /// - Complexity: O(1) amortized, but O(processes) where a new one takes the place of another.
    mutating func insert(_ link: UInt64, of process: NodeLife) {
        if processes[process] == nil, processes.count >= Self.processMaximum,
            let oldest = processes.min(by: { $0.value.lastTime < $1.value.lastTime })?.key
        {
            processes[oldest] = nil
        }
        time += 1
        var numbers = processes.removeValue(forKey: process) ?? Numbers()
        numbers.lastTime = time
        numbers.newest = max(numbers.newest, link)
        numbers.begun.insert(link)
        if numbers.begun.count > 2 * linksMaximum {
            let floor = numbers.newest - UInt64(linksMaximum)
            numbers.floor = floor
            numbers.begun = numbers.begun.filter { $0 >= floor }
        }
        processes[process] = numbers
    }
}
