import LayoutValues
import SceneDocument

/// A set of view numbers in its three forms; the smallest is sent.
///
/// | form | bytes |
/// |---|---|
/// | 0 runs | varint count of runs; each: varint gap to the end of the last run, varint `(length − 1) << 1 | strided`, and if strided varint `stride − 2` |
/// | 1 gaps | varint count; the first number; then `number − previous − 1`, all varints |
/// | 2 bitmap | varint first number; varint count of bytes; the bits of the numbers from the first on, low bit first; the first bit is 1 and the last byte is not 0 |
enum NumberSet {
    case runs([Run])
    case gaps([UInt32])
    case bitmap(first: UInt32, bytes: [UInt8])

    struct Run {
        var first: UInt32
        var length: Int
        var stride: UInt32
        var last: UInt32 { first + UInt32(truncatingIfNeeded: length - 1) * stride }
    }

    var form: UInt8 {
        switch self {
        case .runs: 0
        case .gaps: 1
        case .bitmap: 2
        }
    }

    /// - Parameter numbers: Strictly ascending, below `Limits.viewNumberMaximum`.
    static func smallest(_ numbers: [UInt32]) -> NumberSet {
        guard let first = numbers.first, let last = numbers.last else { return .gaps([]) }
        let runs = runs(numbers)
        let runBytes = NumberSet.runs(runs).byteCount
        let gapBytes = NumberSet.gaps(numbers).byteCount
        let bitmapLength = Int(last - first) / 8 + 1
        let bitmapBytes = varintBytes(first) + varintBytes(UInt32(bitmapLength)) + bitmapLength
        if runBytes <= gapBytes, runBytes <= bitmapBytes { return .runs(runs) }
        if gapBytes <= bitmapBytes { return .gaps(numbers) }
        var bytes = Array(repeating: UInt8(0), count: bitmapLength)
        for number in numbers {
            let bit = Int(number - first)
            bytes[bit / 8] |= 1 << UInt8(bit % 8)
        }
        return .bitmap(first: first, bytes: bytes)
    }

    /// The bytes of the smallest form. Complexity: O(numbers), without memory.
    static func byteCount(_ numbers: Span<UInt32>) -> Int {
        guard !numbers.isEmpty else { return 0 }
        let first = numbers[0]
        let last = numbers[numbers.count - 1]
        var gapBytes = varintBytes(UInt32(truncatingIfNeeded: numbers.count))
        var next: UInt32 = 0
        for index in numbers.indices {
            gapBytes += varintBytes(numbers[index] - next)
            next = numbers[index] + 1
        }
        var runBytes = 0
        var runCount: UInt32 = 0
        next = 0
        var index = 0
        while index < numbers.count {
            let run = run(numbers, from: index)
            runBytes += bytes(of: run, after: next)
            runCount += 1
            next = run.last + 1
            index += run.length
        }
        runBytes += varintBytes(runCount)
        let bitmapLength = Int(last - first) / 8 + 1
        let bitmapBytes = varintBytes(first) + varintBytes(UInt32(bitmapLength)) + bitmapLength
        return min(runBytes, gapBytes, bitmapBytes)
    }

    private static func bytes(of run: Run, after next: UInt32) -> Int {
        varintBytes(run.first - next)
            + varintBytes(UInt32(truncatingIfNeeded: (run.length - 1) << 1))
            + (run.stride > 1 ? varintBytes(run.stride - 2) : 0)
    }

    private static func runs(_ numbers: [UInt32]) -> [Run] {
        var runs: [Run] = []
        var index = 0
        while index < numbers.count {
            let run = run(numbers.span, from: index)
            runs.append(run)
            index += run.length
        }
        return runs
    }

    /// Splits greedily: neighbours form a run of two, equal steps a run from three on.
    private static func run(_ numbers: Span<UInt32>, from index: Int) -> Run {
        var end = index + 1
        var step: UInt32 = 1
        if end < numbers.count {
            step = numbers[end] - numbers[index]
            while end < numbers.count, numbers[end] - numbers[end - 1] == step { end += 1 }
            if step > 1, end - index < 3 {
                end = index + 1
                step = 1
            }
        }
        return Run(first: numbers[index], length: end - index, stride: step)
    }

    private static func varintBytes(_ value: UInt32) -> Int {
        value == 0 ? 1 : (38 - value.leadingZeroBitCount) / 7
    }

    private var byteCount: Int {
        switch self {
        case .runs(let runs):
            var bytes = Self.varintBytes(UInt32(truncatingIfNeeded: runs.count))
            var next: UInt32 = 0
            for run in runs {
                bytes += Self.bytes(of: run, after: next)
                next = run.last + 1
            }
            return bytes
        case .gaps(let numbers):
            var bytes = Self.varintBytes(UInt32(truncatingIfNeeded: numbers.count))
            var next: UInt32 = 0
            for number in numbers {
                bytes += Self.varintBytes(number - next)
                next = number + 1
            }
            return bytes
        case .bitmap(let first, let bits):
            return Self.varintBytes(first)
                + Self.varintBytes(UInt32(truncatingIfNeeded: bits.count)) + bits.count
        }
    }

    func write(to encoder: inout BinaryEncoder) {
        switch self {
        case .runs(let runs):
            encoder.count(runs.count)
            var next: UInt32 = 0
            for run in runs {
                encoder.varint(UInt64(run.first - next))
                encoder.count((run.length - 1) << 1 | (run.stride > 1 ? 1 : 0))
                if run.stride > 1 { encoder.varint(UInt64(run.stride - 2)) }
                next = run.last + 1
            }
        case .gaps(let numbers):
            encoder.count(numbers.count)
            var next: UInt32 = 0
            for number in numbers {
                encoder.varint(UInt64(number - next))
                next = number + 1
            }
        case .bitmap(let first, let bytes):
            encoder.varint(UInt64(first))
            encoder.count(bytes.count)
            for byte in bytes { encoder.byte(byte) }
        }
    }

    /// Reads at most `maximum` numbers.
    static func decode(
        form: UInt8, maximum: Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> [UInt32] {
        let start = decoder.offset
        let numbers: [UInt32]
        switch form {
        case 0: numbers = try decodeRuns(maximum, &decoder)
        case 1: numbers = try decodeGaps(maximum, &decoder)
        case 2: numbers = try decodeBitmap(maximum, &decoder)
        default: throw .invalidValue(offset: start)
        }
        guard !numbers.isEmpty else { throw .malformedSelection(offset: start) }
        return numbers
    }

    private static func decodeRuns(
        _ maximum: Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> [UInt32] {
        var numbers: [UInt32] = []
        var next: UInt64 = 0
        for _ in 0..<(try decoder.count(maximum: maximum, bytesEach: 2)) {
            let start = decoder.offset
            let first = next + UInt64(try decoder.varint32())
            let head = try decoder.varint32()
            let length = UInt64(head >> 1) + 1
            var step: UInt64 = 1
            if head & 1 == 1 { step = UInt64(try decoder.varint32()) + 2 }
            // Both factors are below 2^33, and 2^20 bounds what may pass, so the length is checked
            // first.
            let room = UInt64(maximum - numbers.count)
            guard length <= room else {
                throw .tooMany(
                    offset: start, count: numbers.count.saturatingAdd(Int(clamping: length)),
                    maximum: maximum)
            }
            let last = first + (length - 1) * step
            guard last < UInt64(Limits.viewNumberMaximum), head & 1 == 0 || length > 1 else {
                throw .malformedSelection(offset: start)
            }
            for number in stride(from: first, through: last, by: UInt64.Stride(step)) {
                numbers.append(UInt32(truncatingIfNeeded: number))
            }
            next = last + 1
        }
        return numbers
    }

    private static func decodeGaps(
        _ maximum: Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> [UInt32] {
        var numbers: [UInt32] = []
        var next: UInt64 = 0
        for _ in 0..<(try decoder.count(maximum: maximum)) {
            let start = decoder.offset
            let number = next + UInt64(try decoder.varint32())
            guard number < UInt64(Limits.viewNumberMaximum) else {
                throw .malformedSelection(offset: start)
            }
            numbers.append(UInt32(truncatingIfNeeded: number))
            next = number + 1
        }
        return numbers
    }

    private static func decodeBitmap(
        _ maximum: Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> [UInt32] {
        let start = decoder.offset
        let first = UInt64(try decoder.varint32())
        let bytes = try decoder.take(
            try decoder.count(maximum: Limits.viewNumberMaximum / 8 + 1))
        guard let low = bytes.first, low & 1 == 1, bytes.last != 0 else {
            throw .malformedSelection(offset: start)
        }
        var numbers: [UInt32] = []
        for (index, byte) in bytes.enumerated() {
            var bits = byte
            while bits != 0 {
                let number = first + UInt64(index * 8 + bits.trailingZeroBitCount)
                guard number < UInt64(Limits.viewNumberMaximum) else {
                    throw .malformedSelection(offset: start)
                }
                guard numbers.count < maximum else {
                    throw .tooMany(offset: start, count: numbers.count + 1, maximum: maximum)
                }
                numbers.append(UInt32(truncatingIfNeeded: number))
                bits &= bits - 1
            }
        }
        return numbers
    }
}
