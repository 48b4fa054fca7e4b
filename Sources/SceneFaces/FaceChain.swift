public import SceneDocument

extension Sequence<FaceSpec> {
    /// Selects one face per family, in the order of the families: the nearest weight, and the
    /// heavier of two equally near ones.
    ///
    /// - Parameter weight: How heavy text is to be, 1...1000.
    /// - Complexity: O(*n*²), of at most eight faces.
    /// - Source: SPEC.md, [FACE-3].
    public func chain(weight: Int) -> [FaceSpec] {
        var families: [String] = []
        for face in self where !families.contains(face.name) { families.append(face.name) }
        return families.compactMap { family in
            filter { $0.name == family }
                .min { left, right in
                    let (near, far) = (abs(left.weight - weight), abs(right.weight - weight))
                    return near < far || near == far && left.weight > right.weight
                }
        }
    }
}
