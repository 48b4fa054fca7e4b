import CPNG
import CTurboJPEG
import CWebP
public import Pictures

/// Files of pictures, read and written.
public enum PictureFile {
    /// The pixels of a file as they are shown: turned as EXIF says; of a GIF or WebP that moves the
    /// first picture.
    ///
    /// - Throws: `PictureError` where it is no picture that can be taken, or is damaged.
    /// - Complexity: O(bytes + pixels), of which there are at most `PictureInfo.pixelMaximum`.
    public static func decode(_ file: [UInt8]) throws(PictureError) -> PixelImage {
        let info = try PictureInfo(of: file)
        let turn = try PictureTurn(of: file)
        let (width, height) =
            turn.exchangesSides ? (info.height, info.width) : (info.width, info.height)
        let pixels =
            switch info.type {
            case .png: try png(file, width, height)
            case .jpeg: try jpeg(file, width, height)
            case .gif: try gif(file)
            case .webp: try webp(WebPContainer(file).firstPicture(), width, height)
            }
        let image = PixelImage(straight: pixels, width: width, height: height)
        guard turn != .none else { return image }
        return image.turned(to: info.width, info.height) { x, y in
            turn.stored(x: x, y: y, width: width, height: height)
        }
    }

    // MARK: PNG

    private static let rgba = PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA

    /// - Source: libpng, "libpng-manual.txt", section V, "Simplified API": errors are results, and
    ///   it needs no `setjmp`.
    private static func png(
        _ file: [UInt8], _ width: Int, _ height: Int
    ) throws(PictureError) -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        let isRead = file.withUnsafeBytes { file in
            guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0,
                Int(image.width) == width, Int(image.height) == height
            else { return false }
            image.format = png_uint_32(rgba)
            // As in browsers; the library would take 16 bits a channel for linear ones.
            image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
            return png_image_finish_read(&image, nil, &pixels, 0, nil) != 0
        }
        png_image_free(&image)
        guard isRead else { throw .malformed("its pixels cannot be read") }
        return pixels
    }

    /// An image as a PNG file. Complexity: O(pixels).
    public static func png(of image: PixelImage) -> [UInt8] {
        guard image.width > 0, image.height > 0 else { return [] }
        let isOpaque = image.isOpaque
        var pixels = image.straight
        if isOpaque { pixels = withoutAlpha(pixels) }
        var control = png_image()
        control.version = png_uint_32(PNG_IMAGE_VERSION)
        (control.width, control.height) = (png_uint_32(image.width), png_uint_32(image.height))
        control.format = png_uint_32(isOpaque ? PNG_FORMAT_FLAG_COLOR : rgba)
        control.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
        // Pixels that cannot be compressed take a little more than their own bytes, and a row one
        // for its filter.
        let bound = pixels.count + image.height
        var file = [UInt8](repeating: 0, count: bound + bound / 16 + 4096)
        var count = png_alloc_size_t(file.count)
        let isWritten = png_image_write_to_memory(&control, &file, &count, 0, pixels, 0, nil)
        png_image_free(&control)
        precondition(isWritten != 0, "a PNG of \(pixels.count) bytes needs \(count)")
        return Array(file[..<Int(count)])
    }

    private static func withoutAlpha(_ pixels: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: pixels.count / 4 * 3)
        var target = 0
        for place in stride(from: 0, to: pixels.count, by: 4) {
            for channel in 0..<3 { result[target + channel] = pixels[place + channel] }
            target += 3
        }
        return result
    }

    // MARK: GIF

    private static func gif(_ file: [UInt8]) throws(PictureError) -> [UInt8] {
        var reader = GIFReader(file)
        return try reader.read()
    }

    // MARK: JPEG

    /// - Source: libjpeg-turbo, "TurboJPEG C API", version 2: errors are results.
    private static func jpeg(
        _ file: [UInt8], _ width: Int, _ height: Int
    ) throws(PictureError) -> [UInt8] {
        guard let handle = tjInitDecompress() else { throw .malformed("no memory to read it") }
        defer { tjDestroy(handle) }
        var (wide, high, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        guard
            tjDecompressHeader3(
                handle, file, UInt(file.count), &wide, &high, &sampling, &space) == 0,
            Int(wide) == width, Int(high) == height
        else { throw .malformed("its head cannot be read") }
        // Four inks have no direct way to RGB in the library.
        let isPrint =
            space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue)
        let format = Int32(isPrint ? TJPF_CMYK.rawValue : TJPF_RGBA.rawValue)
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        let status = tjDecompress2(
            handle, file, UInt(file.count), &pixels, wide, 0, high, format,
            Int32(TJFLAG_LIMITSCANS))
        // What can be read of a file with a fault is shown, as in browsers.
        guard status == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else {
            throw .malformed("its pixels cannot be read")
        }
        if isPrint { convertInks(&pixels) }
        return pixels
    }

    /// Converts cyan, magenta, yellow and black, inverted as Adobe's programs write them, to RGBA.
    private static func convertInks(_ pixels: inout [UInt8]) {
        for place in stride(from: 0, to: pixels.count, by: 4) {
            let black = Int(pixels[place + 3])
            for channel in place..<place + 3 {
                pixels[channel] = UInt8(Int(pixels[channel]) * black / 255)
            }
            pixels[place + 3] = 255
        }
    }

    // MARK: WebP

    /// - Source: libwebp, "WebP API", simple decoding.
    private static func webp(
        _ file: WebPContainer.Picture, _ width: Int, _ height: Int
    ) throws(PictureError) -> [UInt8] {
        var (wide, high) = (Int32(0), Int32(0))
        guard WebPGetInfo(file.bytes, file.bytes.count, &wide, &high) != 0,
            wide > 0, high > 0, file.left + Int(wide) <= width, file.top + Int(high) <= height
        else { throw .malformed("its head cannot be read") }
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        let (stride, start) = (4 * width, 4 * (file.top * width + file.left))
        let isRead = pixels.withUnsafeMutableBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return false }
            return WebPDecodeRGBAInto(
                file.bytes, file.bytes.count, base + start, pixels.count - start, Int32(stride))
                != nil
        }
        guard isRead else { throw .malformed("its pixels cannot be read") }
        return pixels
    }
}
