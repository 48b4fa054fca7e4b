/// Properties one by one, for those who change or take back single ones.
extension ViewProperties {
    /// The keys that are given, in the order of the documentation.
    public var givenKeys: [String] { Self.table.filter { $0.isGiven(self) }.map(\.key) }

    /// Every key that there is, in the order of the documentation.
    public static var allKeys: [String] { table.map(\.key) }

    /// The same with no key given but those of the list.
    ///
    /// - Complexity: O(keys).
    public func only(_ keys: [String]) -> ViewProperties {
        var result = ViewProperties()
        for entry in Self.table where keys.contains(entry.key) { entry.copy(self, &result) }
        return result
    }

    /// Makes some keys not given.
    public mutating func remove(_ keys: [String]) {
        let nothing = ViewProperties()
        for entry in Self.table where keys.contains(entry.key) { entry.copy(nothing, &self) }
    }

    private struct Entry: Sendable {
        let key: String
        let isGiven: @Sendable (ViewProperties) -> Bool
        let copy: @Sendable (ViewProperties, inout ViewProperties) -> Void

        init<Value>(
            _ key: String, _ path: any WritableKeyPath<ViewProperties, Value?> & Sendable
        ) {
            self.key = key
            isGiven = { $0[keyPath: path] != nil }
            copy = { $1[keyPath: path] = $0[keyPath: path] }
        }
    }

    private static let table: [Entry] = [
        Entry("kind", \.kind), Entry("text", \.text), Entry("lines", \.lines),
        Entry("align", \.align), Entry("preferredWidth", \.preferredWidth),
        Entry("background", \.background), Entry("foreground", \.foreground),
        Entry("border", \.border), Entry("opacity", \.opacity), Entry("hidden", \.hidden),
        Entry("clips", \.clips), Entry("contentMode", \.contentMode),
        Entry("collapses", \.collapses), Entry("intrinsic", \.intrinsic),
        Entry("hugging", \.hugging), Entry("compression", \.compression),
        Entry("baseline", \.baseline), Entry("margins", \.margins), Entry("safeArea", \.safeArea),
        Entry("frame", \.frame), Entry("frameIn", \.frameIn),
        Entry("autoresizing", \.autoresizing), Entry("axis", \.axis),
        Entry("distribution", \.distribution), Entry("alignment", \.alignment),
        Entry("spacing", \.spacing), Entry("customSpacing", \.customSpacing),
        Entry("arranged", \.arranged), Entry("contentOffset", \.contentOffset),
    ]
}
