import SceneDocument

/// Holding what was written against the room.
extension InterfaceWriteBack {
    /// Keys of the outermost view that are found from stored frames.
    private static let insetKeys: [ViewKey] = [
        .margins, .insetsLayoutMarginsFromSafeArea, .preservesSuperviewLayoutMargins,
    ]

    /// Whether the insets of the outermost view have changed.
    func hasOtherInsets(_ read: Reading) -> Bool {
        guard read.conversion.document.viewport == conversion.document.viewport else { return true }
        let id = conversion.rootID
        let found = read.document.views.first { $0.id == id }?.properties
        return found?.only(Self.insetKeys) != views[id]?.only(Self.insetKeys)
    }

    /// The first difference between the scene of the written file and the room, as a sentence;
    /// `nil` if they are equal.
    func disagreement(of read: Reading, with document: SceneDocument) -> String? {
        guard read.document.views.map(\.id) == document.views.map(\.id) else {
            return "the views would be others"
        }
        for (one, other) in zip(read.document.views, document.views) {
            var following = Self.followingKeys(one.id, read.conversion)
            if one.id == conversion.rootID { following += Self.insetKeys }
            let keys = ViewWriter.differences(one.properties, other.properties)
                .filter { !ViewWriter.ofSession.contains($0) && !following.contains($0) }
            if let key = keys.first { return "\(key.rawValue) of \(one.id) would be another" }
        }
        let (found, wanted) = (Self.named(read.document), Self.named(document))
        // Those that hold the scene on its device are not in the file.
        for id in constraints.keys.sorted() where conversion.constraints[id] != nil {
            switch (found[id], wanted[id]) {
            case (nil, nil): continue
            case (let one?, let other?) where Self.saysTheSame(one, other): continue
            default: return "the constraint \(id) would be another"
            }
        }
        let others = found.filter {
            constraints[$0.key] == nil && read.conversion.constraints[$0.key] != nil
        }
        let wantedOthers = wanted.filter { constraints[$0.key] == nil }
        return Self.texts(others) == Self.texts(wantedOthers)
            ? nil : "the new constraints would be others"
    }

    /// What constraints say, without their names.
    private static func texts(_ list: [String: ConstraintSpec]) -> [String] {
        list.values.map { spec in
            guard case .rule(let rule) = spec.body else { return "" }
            return "\(rule) \(spec.active) \(spec.placeholder) \(spec.identifier ?? "")"
        }.sorted()
    }

    /// Keys of a view that the conversion computes from other attributes.
    private static func followingKeys(
        _ id: String, _ conversion: InterfaceConversion
    ) -> [ViewKey] {
        ViewWriter.hasLeastFontSize(conversion.views[id]?.element)
            ? [.intrinsic, .minimumScaleFactor] : [.intrinsic]
    }

    func corrections(of document: SceneDocument, from read: Reading) -> [Op] {
        var ops: [Op] = []
        for (one, other) in zip(read.document.views, document.views)
        where one.properties != other.properties {
            let following = Self.followingKeys(one.id, read.conversion)
            let keys = ViewWriter.differences(one.properties, other.properties)
                .filter(following.contains)
            let change = one.properties.only(keys)
            let missing = keys.filter { !change.givenKeys.contains($0) }
            if !change.isEmpty { ops.append(.setView(id: one.id, change)) }
            if !missing.isEmpty { ops.append(.resetView(id: one.id, keys: missing)) }
        }
        return ops
    }
}
