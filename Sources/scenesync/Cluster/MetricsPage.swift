/// A page of metrics in Prometheus' text format, version 0.0.4.
struct MetricsPage {
    /// By name with labels, as they stand there.
    private var values: [String: Double] = [:]

    /// So many lines are read; a page of ours has a few hundred.
    private static let lineMaximum = 20_000

    /// Reads a page; lines that are none of a metric are passed over.
    init(_ text: String) {
        for line in text.split(separator: "\n").prefix(Self.lineMaximum) where line.first != "#" {
            guard let space = line.lastIndex(of: " "),
                let value = Double(line[line.index(after: space)...])
            else { continue }
            values[String(line[..<space])] = value
        }
    }

    /// The value of a name; 0 where it is not there.
    subscript(name: String) -> Double { values["scenesync_\(name)"] ?? 0 }

    /// The upper bound of the bucket that has a share of what a histogram counted since an earlier
    /// page, in its unit; nil where it counted nothing, and infinite beyond the last bound.
    func share(_ share: Double, of name: String, since before: MetricsPage) -> Double? {
        let start = "scenesync_\(name)_bucket{le=\""
        let buckets = values.compactMap { key, value -> (bound: Double, count: Double)? in
            guard key.hasPrefix(start), key.hasSuffix("\"}") else { return nil }
            let text = key.dropFirst(start.count).dropLast(2)
            guard let bound = text == "+Inf" ? .infinity : Double(text) else { return nil }
            return (bound, value - (before.values[key] ?? 0))
        }.sorted { $0.bound < $1.bound }
        guard let total = buckets.last?.count, total > 0 else { return nil }
        return buckets.first { $0.count >= share * total }?.bound
    }
}
