/// How a picture has to be turned to be shown: the values of EXIF's tag `Orientation`.
///
/// - Source: CIPA DC-008 (EXIF 2.32), section 4.6.4, tag 274.
public enum PictureTurn: Int, CaseIterable, Sendable {
    /// As it is stored.
    case none = 1
    /// Left and right are exchanged.
    case mirrored
    /// By 180 degrees.
    case half
    /// Top and bottom are exchanged.
    case flipped
    /// Rows become columns.
    case transposed
    /// Clockwise by 90 degrees.
    case right
    /// Rows become columns, from the bottom right corner.
    case transversed
    /// Counterclockwise by 90 degrees.
    case left

    /// Whether width and height are exchanged.
    public var exchangesSides: Bool { rawValue >= Self.transposed.rawValue }

    /// The turn that a file asks for; `none` for all but JPEG with EXIF.
    ///
    /// - Throws: `PictureError` where a JPEG is no picture that can be taken.
    /// - Complexity: O(segments of the file).
    public init(of file: [UInt8]) throws(PictureError) {
        let bytes = PictureBytes(file)
        guard bytes.has([0xFF, 0xD8, 0xFF], at: 0) else {
            self = .none
            return
        }
        self = try JPEGReader(bytes).read().turn
    }

    /// The place in the stored picture of a pixel of the shown one.
    ///
    /// - Parameters:
    ///   - width: Of the stored picture.
    ///   - height: Of the stored picture.
    public func stored(
        x: Int, y: Int, width: Int, height: Int
    ) -> (x: Int, y: Int) {
        switch self {
        case .none: (x, y)
        case .mirrored: (width - 1 - x, y)
        case .half: (width - 1 - x, height - 1 - y)
        case .flipped: (x, height - 1 - y)
        case .transposed: (y, x)
        case .right: (y, height - 1 - x)
        case .transversed: (width - 1 - y, height - 1 - x)
        case .left: (width - 1 - y, x)
        }
    }
}
