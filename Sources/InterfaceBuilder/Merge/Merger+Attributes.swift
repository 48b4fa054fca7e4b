/// Merges the attributes of elements that both versions have.
extension Merger {
    /// The start tag of an element in the merged file.
    func tag(
        of identity: String, _ element: XMLElement, _ source: MergeSide
    ) -> [UInt8] {
        var tag = StartTag(source.bytes[element.tag])
        guard ours.items[identity] != nil, let other = theirs.items[identity]?.element else {
            return tag.bytes
        }
        let before = base.items[identity]?.element
        let theirTag = StartTag(theirs.bytes[other.tag])
        var names = element.attributes.map(\.name)
        names += other.attributes.map(\.name).filter { !names.contains($0) }
        for name in names {
            let (was, here, there) = (before?[name], element[name], other[name])
            guard here != there, there != was else { continue }
            guard here == was else {
                resolve(identity, element, name, was, here, there, &tag, theirTag)
                continue
            }
            tag.take(name, from: theirTag)
        }
        return tag.bytes
    }

    /// Decides an attribute that both versions changed.
    private func resolve(
        _ identity: String, _ element: XMLElement, _ name: String, _ was: String?, _ here: String?,
        _ there: String?, _ tag: inout StartTag, _ theirTag: StartTag
    ) {
        if element.name == "rect" {
            // Frames follow from constraints.
            note(staleFrame: identity)
            return
        }
        // The position of a scene on the canvas affects only what Xcode displays.
        if element["key"] == "canvasLocation" { return }
        if Self.versions.contains(name), let here, let there {
            if Self.isLater(there, than: here) { tag.take(name, from: theirTag) }
            return
        }
        let values = [was, here, there].map { $0.map(Self.quoted) ?? "nothing" }
        note(
            identity,
            "\(name) of \(words(identity)) was \(values[0]) and is \(values[1]) here and \(values[2]) there"
        )
    }

    /// Attributes that say which tools wrote the file.
    private static let versions: Set<String> = ["toolsVersion", "systemVersion", "version"]

    private static func isLater(_ one: String, than other: String) -> Bool {
        let (left, right) = (one.split(separator: "."), other.split(separator: "."))
        for (a, b) in zip(left, right) where a != b {
            if let a = Int(a), let b = Int(b) { return a > b }
            return a > b
        }
        return left.count > right.count
    }
}
