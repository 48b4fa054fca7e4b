public import LayoutValues

/// A picture of an image view, by the hash of its file. JSON: the hash alone, or
/// `{"hash": "…", "scale": 2, "width": 80, "height": 40, "type": "image/png"}`.
///
/// The size and the type are what a server adds to ops and documents that it takes, so that a
/// replay needs no file.
public struct ImageSpec: Hashable, Sendable {
    /// The SHA-256 of the file: 64 hexadecimal digits in lower case.
    public var hash: String
    /// Pixels of the picture in a point. Apple, `UIImage.scale`.
    public var scale = 1.0
    /// In pixels, as it is shown; 0 where it is not known.
    public var width = 0
    /// In pixels, as it is shown; 0 where it is not known.
    public var height = 0
    /// The media type of the file; empty where it is not known.
    public var type = ""

    /// The most pixels along a side.
    public static let sideMaximum = 8_192

    /// Makes the image of a file of which only the hash is known.
    public init(hash: String) { self.hash = hash }

    /// The size in points; nil where the size in pixels is not known.
    public var size: Size? {
        guard width > 0, height > 0 else { return nil }
        return Size(width: Double(width) / scale, height: Double(height) / scale)
    }
}
