/// A picture that is drawn at any size at a cost of the size, not of the picture: it keeps itself
/// at half, a quarter, … of its size.
///
/// - Source: Williams, "Pyramidal Parametrics", SIGGRAPH 1983.
public struct ScalablePicture: Sendable {
    /// The most pixels that are kept of a picture, about those of a screen; larger ones are halved.
    public static let pixelMaximum = 1 << 22

    /// From the largest to the smallest, each half as large as the one before.
    private let levels: [PixelImage]
    /// The largest level's own pixels for a pixel of each level, and the picture's size in pixels
    /// of the largest one.
    private let width: Double
    private let height: Double
    /// Whether no pixel lets anything through.
    public let isOpaque: Bool

    /// Makes the levels of an image.
    ///
    /// - Complexity: O(pixels).
    public init(_ image: PixelImage) {
        var image = image
        var (width, height) = (Double(image.width), Double(image.height))
        while image.width * image.height > Self.pixelMaximum {
            image = image.halved()
            (width, height) = (width / 2, height / 2)
        }
        (self.width, self.height) = (width, height)
        isOpaque = image.isOpaque
        var levels = [image]
        while image.width > 1 || image.height > 1 {
            image = image.halved()
            levels.append(image)
        }
        self.levels = levels
    }

    /// The memory of the pixels, in bytes.
    public var byteCount: Int { levels.reduce(0) { $0 + $1.bytes.count } }

    /// Draws a part of the plane on which the whole picture lies in a rectangle.
    ///
    /// Each pixel is the mean of the area that it covers, or, where the picture is enlarged,
    /// interpolated between the nearest four. Beside the picture there is nothing.
    /// - Parameters:
    ///   - frame: The picture's rectangle on the plane.
    ///   - left: The first column of pixels drawn.
    ///   - top: The first row.
    ///   - columns: The width of the result.
    ///   - rows: The height of the result.
    /// - Complexity: O(columns · rows) for pictures of about the proportions of the frame.
    public func draw(
        in frame: PixelFrame, left: Int, top: Int, columns: Int, rows: Int
    ) -> PixelImage {
        guard frame.width > 0, frame.height > 0, columns > 0, rows > 0 else {
            return PixelImage(
                width: max(0, columns), height: max(0, rows),
                bytes: [UInt8](repeating: 0, count: 4 * max(0, columns) * max(0, rows)))
        }
        var depth = 0
        // The smallest level that has a pixel for each pixel wanted.
        while depth + 1 < levels.count,
            min(width / frame.width, height / frame.height) >= Double(1 << (depth + 1))
        {
            depth += 1
        }
        let level = levels[depth]
        let factor = Double(1 << depth)
        let across = Axis(
            start: frame.x, length: frame.width, size: level.width, extent: width / factor,
            first: left, count: columns)
        let down = Axis(
            start: frame.y, length: frame.height, size: level.height, extent: height / factor,
            first: top, count: rows)
        return Self.resample(level, across, down)
    }

    private static func resample(_ level: PixelImage, _ across: Axis, _ down: Axis) -> PixelImage {
        let (columns, rows) = (across.spans.count, down.spans.count)
        var result = [UInt8](repeating: 0, count: 4 * columns * rows)
        let used = across.range
        guard !used.isEmpty else {
            return PixelImage(width: columns, height: rows, bytes: result)
        }
        var line = [Float](repeating: 0, count: 4 * used.count)
        level.bytes.withUnsafeBufferPointer { source in
            result.withUnsafeMutableBufferPointer { result in
                line.withUnsafeMutableBufferPointer { line in
                    for (y, span) in down.spans.enumerated() where span.count > 0 {
                        line.update(repeating: 0)
                        for offset in 0..<span.count {
                            let weight = down.weights[span.weight + offset]
                            let start = 4 * ((span.first + offset) * level.width + used.lowerBound)
                            for index in 0..<line.count {
                                line[index] += weight * Float(source[start + index])
                            }
                        }
                        for (x, span) in across.spans.enumerated() where span.count > 0 {
                            var sum = SIMD4<Float>.zero
                            for offset in 0..<span.count {
                                let place = 4 * (span.first + offset - used.lowerBound)
                                sum +=
                                    across.weights[span.weight + offset]
                                    * SIMD4(
                                        line[place], line[place + 1], line[place + 2],
                                        line[place + 3])
                            }
                            let target = 4 * (y * columns + x)
                            for channel in 0..<4 {
                                result[target + channel] = UInt8(
                                    min(max(sum[channel], 0), 255).rounded())
                            }
                        }
                    }
                }
            }
        }
        return PixelImage(width: columns, height: rows, bytes: result)
    }
}

/// A rectangle on a plane of pixels.
public struct PixelFrame: Hashable, Sendable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// To the right.
    public var width: Double
    /// Downwards.
    public var height: Double

    /// Makes a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// By how much each pixel of a row or column of the source counts in each one drawn.
private struct Axis {
    struct Span {
        /// The first pixel of the source.
        var first: Int
        var count: Int
        /// The index of the first weight.
        var weight: Int
    }

    private(set) var spans: [Span] = []
    private(set) var weights: [Float] = []

    /// - Parameters:
    ///   - start: The picture's first edge on the plane.
    ///   - length: The picture's length on the plane.
    ///   - size: Pixels of the source.
    ///   - extent: The picture's length in pixels of the source, at most `size`.
    ///   - first: The first pixel drawn.
    ///   - count: The number of pixels drawn.
    init(
        start: Double, length: Double, size: Int, extent: Double, first: Int, count: Int
    ) {
        let scale = extent / length
        spans.reserveCapacity(count)
        for pixel in first..<first + count {
            let low = max(Double(pixel), start)
            let high = min(Double(pixel) + 1, start + length)
            // Less than what a channel of eight bits can show.
            guard high - low > 1e-3 else {
                spans.append(Span(first: 0, count: 0, weight: weights.count))
                continue
            }
            if scale >= 1 {
                append(from: (low - start) * scale, to: (high - start) * scale, scale, size)
            } else {
                let middle = ((low + high) / 2 - start) * scale - 0.5
                append(around: middle, share: high - low, size)
            }
        }
    }

    /// The mean of an interval of the source.
    private mutating func append(from low: Double, to high: Double, _ scale: Double, _ size: Int) {
        let first = min(max(Int(low), 0), size - 1)
        let last = min(max(Int(high.rounded(.up)) - 1, first), size - 1)
        spans.append(Span(first: first, count: last - first + 1, weight: weights.count))
        for index in first...last {
            // The last pixel of an odd length stands for half a pixel more than there is.
            let end = index == size - 1 ? max(high, Double(index) + 1) : Double(index) + 1
            let share = min(high, end) - max(low, Double(index))
            weights.append(Float(max(0, share) / scale))
        }
    }

    /// Between the two pixels of the source whose middles are nearest.
    private mutating func append(around middle: Double, share: Double, _ size: Int) {
        let below = middle.rounded(.down)
        let part = middle - below
        let first = min(max(Int(below), 0), size - 1)
        let second = min(max(Int(below) + 1, 0), size - 1)
        spans.append(Span(first: first, count: second - first + 1, weight: weights.count))
        if first == second {
            weights.append(Float(share))
        } else {
            weights.append(Float(share * (1 - part)))
            weights.append(Float(share * part))
        }
    }

    /// The pixels of the source that count at all.
    var range: Range<Int> {
        let seen = spans.filter { $0.count > 0 }
        guard let first = seen.map(\.first).min(),
            let end = seen.map({ $0.first + $0.count }).max()
        else { return 0..<0 }
        return first..<end
    }
}
