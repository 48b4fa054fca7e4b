/// Reads the type and the size of a picture from its file, and nothing else: no pixel is decoded.
///
/// Every read is bounded by the file; of any bytes the result is a size or an error. A
/// picture's size is that in which browsers show it: that of a JPEG is turned as its EXIF says.

/// The types of files that are taken. SVG is none of them: it can hold scripts.
public enum PictureType: String, CaseIterable, Sendable {
    /// Portable Network Graphics.
    case png
    /// JPEG.
    case jpeg
    /// Graphics Interchange Format.
    case gif
    /// WebP.
    case webp

    /// The media type. Source: IANA, "Media Types".
    public var mediaType: String { "image/\(rawValue)" }
}

/// Why a file is no picture that can be taken.
public enum PictureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file is of none of the types.
    case unknownType
    /// The file ends before its size was found, or before it should.
    case truncated
    /// The file contradicts its format.
    case malformed(String)
    /// A side or the area is too large.
    case tooLarge(width: Int, height: Int)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .unknownType: "the file is no PNG, JPEG, GIF or WebP; convert it to one of these"
        case .truncated: "the picture is cut off; send the whole file"
        case .malformed(let what): "the picture is damaged: \(what)"
        case .tooLarge(let width, let height):
            "a picture of \(width) × \(height) pixels; at most \(PictureInfo.sideMaximum) a side and \(PictureInfo.pixelMaximum) in all are taken"
        }
    }
}

/// What is known of a picture without decoding it.
public struct PictureInfo: Hashable, Sendable {
    /// The type of its file.
    public var type: PictureType
    /// In pixels, as it is shown.
    public var width: Int
    /// In pixels, as it is shown.
    public var height: Int

    /// The most pixels along a side.
    public static let sideMaximum = 8_192
    /// The most pixels in all.
    public static let pixelMaximum = 1 << 24

    /// Makes the description of a picture.
    public init(type: PictureType, width: Int, height: Int) {
        (self.type, self.width, self.height) = (type, width, height)
    }

    /// Reads a file.
    ///
    /// - Throws: `PictureError` where it is no picture that can be taken.
    /// - Complexity: O(chunks of the file), at most O(bytes).
    public init(of file: [UInt8]) throws(PictureError) {
        let bytes = PictureBytes(file)
        if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
            self = try Self.png(bytes)
        } else if bytes.has([0xFF, 0xD8, 0xFF], at: 0) {
            self = try JPEGReader(bytes).read().info
        } else if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
            self = try Self.gif(bytes)
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            self = try Self.webp(bytes)
        } else {
            throw .unknownType
        }
    }

    /// A picture of a size that was read.
    static func checked(
        _ type: PictureType, _ width: Int, _ height: Int
    ) throws(PictureError) -> PictureInfo {
        guard width > 0, height > 0 else { throw .malformed("it has no area") }
        guard width <= sideMaximum, height <= sideMaximum, width * height <= pixelMaximum else {
            throw .tooLarge(width: width, height: height)
        }
        return PictureInfo(type: type, width: width, height: height)
    }

    // MARK: PNG

    /// - Source: W3C, Portable Network Graphics (Third Edition), sections 5 and 11.
    private static func png(_ bytes: PictureBytes) throws(PictureError) -> PictureInfo {
        guard try bytes.big32(8) == 13, bytes.has("IHDR", at: 12) else {
            throw .malformed("IHDR is not the first chunk")
        }
        let info = try checked(.png, Int(try bytes.big32(16)), Int(try bytes.big32(20)))
        var hasData = false
        var place = 8
        while true {
            let length = Int(try bytes.big32(place))
            guard length <= Int(Int32.max) else { throw .malformed("a chunk's length") }
            hasData = hasData || bytes.has("IDAT", at: place + 4)
            let isEnd = bytes.has("IEND", at: place + 4)
            place += 12 + length
            guard place <= bytes.count else { throw .truncated }
            if isEnd { break }
        }
        guard hasData else { throw .malformed("it has no pixels") }
        return info
    }

    // MARK: GIF

    /// - Source: CompuServe, GIF89a specification, sections 17 and 18.
    private static func gif(_ bytes: PictureBytes) throws(PictureError) -> PictureInfo {
        // The logical screen and at least the head of an image.
        let info = try checked(.gif, try bytes.little16(6), try bytes.little16(8))
        guard bytes.count > 13 else { throw .truncated }
        return info
    }

    // MARK: WebP

    /// - Source: RFC 9649, sections 2 and 3; RFC 6386, section 9.1.
    private static func webp(_ bytes: PictureBytes) throws(PictureError) -> PictureInfo {
        guard Int(try bytes.little32(4)) <= bytes.count - 8 else { throw .truncated }
        let start = 20
        if bytes.has("VP8X", at: 12) {
            return try checked(
                .webp, try bytes.little24(start + 4) + 1, try bytes.little24(start + 7) + 1)
        }
        if bytes.has("VP8L", at: 12) {
            guard try bytes.byte(start) == 0x2F else { throw .malformed("a VP8L signature") }
            let bits = try bytes.little32(start + 1)
            return try checked(.webp, Int(bits & 0x3FFF) + 1, Int(bits >> 14 & 0x3FFF) + 1)
        }
        if bytes.has("VP8 ", at: 12) {
            guard try bytes.byte(start) & 1 == 0, bytes.has([0x9D, 0x01, 0x2A], at: start + 3)
            else { throw .malformed("it does not begin with a key frame") }
            return try checked(
                .webp, try bytes.little16(start + 6) & 0x3FFF,
                try bytes.little16(start + 8) & 0x3FFF)
        }
        throw .malformed("its first chunk is no image")
    }
}
