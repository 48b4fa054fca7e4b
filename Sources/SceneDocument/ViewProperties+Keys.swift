/// Properties by their keys: merging, and taking some of them.
extension ViewProperties {
    /// The keys that are given, in the order of the documentation.
    public var givenKeys: [ViewKey] {
        var copy = self
        var given = GivenKeys()
        for key in Self.keys(self, self) { copy.visit(key, besides: self, &given) }
        return given.keys
    }

    /// Takes over what `newer` gives and keeps the rest; lists are replaced whole.
    public mutating func merge(_ newer: ViewProperties) {
        // A frame brings along which size of the superview it belongs to, even if it says none.
        if newer.frame != nil { frameIn = nil }
        var merging = Merging()
        for key in Self.keys(newer, newer) { visit(key, besides: newer, &merging) }
    }

    /// The same with no key given but those of the list.
    ///
    /// - Complexity: O(keys).
    public func only(_ keys: [ViewKey]) -> ViewProperties {
        var result = ViewProperties()
        var copying = Copying()
        for key in keys { result.visit(key, besides: self, &copying) }
        return result
    }

    /// Makes some keys not given.
    public mutating func remove(_ keys: [ViewKey]) {
        var copying = Copying()
        let none = ViewProperties()
        for key in keys { visit(key, besides: none, &copying) }
    }
}

private struct GivenKeys: ViewPropertyVisitor {
    var keys: [ViewKey] = []

    mutating func visit<Value>(
        _ key: ViewKey, _ own: inout Value?, _ other: Value?,
        _ format: @autoclosure () -> PropertyFormat<Value>
    ) throws(Never) {
        if own != nil { keys.append(key) }
    }
}

private struct Merging: ViewPropertyVisitor {
    mutating func visit<Value>(
        _ key: ViewKey, _ own: inout Value?, _ other: Value?,
        _ format: @autoclosure () -> PropertyFormat<Value>
    ) throws(Never) {
        if let other { own = other }
    }
}

private struct Copying: ViewPropertyVisitor {
    mutating func visit<Value>(
        _ key: ViewKey, _ own: inout Value?, _ other: Value?,
        _ format: @autoclosure () -> PropertyFormat<Value>
    ) throws(Never) {
        own = other
    }
}
