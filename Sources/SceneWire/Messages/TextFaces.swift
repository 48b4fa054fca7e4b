public import SceneDocument

/// The font of a view's lines, for renderers that draw text in the faces that it was measured in.
public struct TextFace: Hashable, Sendable {
    /// How heavy it is: 400 is regular.
    public var weight: UInt32
    /// The em, in 1/64 point.
    public var size: UInt32
    /// How far the baseline of each line lies below its top, in units.
    public var ascent: UInt32
    /// Whether a renderer has to fit the lines to their widths: some of their characters are in no
    /// face that was measured.
    public var fitted: Bool
    /// The faces, in the order in which characters look for a glyph: of each family the one whose
    /// weight is nearest.
    public var files: [FaceSpec]

    /// Makes a face.
    public init(
        weight: UInt32, size: UInt32, ascent: UInt32, fitted: Bool, files: [FaceSpec]
    ) {
        self.weight = weight
        self.size = size
        self.ascent = ascent
        self.fitted = fitted
        self.files = files
    }
}

/// The faces of some views, as an extension of messages has them: renderers that know it draw text
/// in faces, all others fit the lines to their widths, as they do on a grid.
struct TextFaces: WireValue, Equatable {
    private var files: [FaceSpec] = []
    /// Each distinct face once, in the order of first use.
    private var styles: [TextFaceStyle] = []
    private var views: [FaceOfView] = []

    init() {}

    /// - Parameter faces: Views and their faces; nil for a view that has none any more.
    init(_ faces: [(number: ViewNumber, face: TextFace?)]) {
        var places: [TextFaceStyle: UInt32] = [:]
        for (number, face) in faces {
            guard let face else {
                views.append(FaceOfView(number: number, style: 0))
                continue
            }
            files = face.files
            let style = TextFaceStyle(face)
            let place = places[style] ?? UInt32(styles.count + 1)
            if places.updateValue(place, forKey: style) == nil { styles.append(style) }
            views.append(FaceOfView(number: number, style: place))
        }
    }

    /// The faces of records that have one; nil where none has.
    init?(of records: [ViewRecord]) {
        let given = records.compactMap { record in
            record.content.face.map { (number: record.number, face: Optional($0)) }
        }
        guard !given.isEmpty else { return nil }
        self.init(given)
    }

    /// Gives records the faces that are told of them.
    func give(to records: inout [ViewRecord]) {
        let byNumber = byNumber
        for index in records.indices {
            if let face = byNumber[records[index].number] { records[index].content.face = face }
        }
    }

    /// The faces by view; of a view that is named twice the last.
    var byNumber: [ViewNumber: TextFace?] {
        var result: [ViewNumber: TextFace?] = [:]
        for (number, face) in faces { result.updateValue(face, forKey: number) }
        return result
    }

    /// The views and their faces.
    var faces: [(number: ViewNumber, face: TextFace?)] {
        views.map { view in
            (
                view.number,
                view.style == 0 ? nil : styles[Int(view.style) - 1].face(files)
            )
        }
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list("files", &files, maximum: FaceSpec.maximum)
        try coder.list("styles", &styles, maximum: coder.limits.viewMaximum + 1)
        try coder.list("views", &views, maximum: coder.limits.viewMaximum + 1)
        for view in views where view.style > UInt32(styles.count) {
            try coder.invalid("views", "the place of a style, from 1, or 0")
        }
    }
}

private struct TextFaceStyle: WireValue, Hashable {
    var weight: UInt32 = 0
    var size: UInt32 = 0
    var ascent: UInt32 = 0
    var fitted = false

    init() {}

    init(_ face: TextFace) {
        (weight, size, ascent, fitted) = (face.weight, face.size, face.ascent, face.fitted)
    }

    func face(_ files: [FaceSpec]) -> TextFace {
        TextFace(weight: weight, size: size, ascent: ascent, fitted: fitted, files: files)
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("weight", &weight)
        try coder.u32("size", &size)
        try coder.u32("ascent", &ascent)
        try coder.bool("fitted", &fitted)
    }
}

private struct FaceOfView: WireValue, Equatable {
    var number = ViewNumber(0)
    /// The place of its style, from 1; 0 for no face.
    var style: UInt32 = 0

    init() {}

    init(number: ViewNumber, style: UInt32) {
        self.number = number
        self.style = style
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try coder.u32("style", &style)
    }
}

extension FaceSpec: WireValue {
    init() { self.init(name: "", weight: 0, hash: "") }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name, maximum: Self.nameMaximum)
        var weight = UInt32(clamping: weight)
        try coder.u32("weight", &weight)
        self.weight = Int(weight)
        try coder.text("hash", &hash, maximum: Self.hashBytes)
    }
}
