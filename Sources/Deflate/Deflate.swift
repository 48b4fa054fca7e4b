import CZlib

/// Raw deflate streams (RFC 1951), made and read whole by the system's zlib.
///
/// No C pointer and no stream state leaves a call, so both functions may be used from any thread.
/// The bytes that `compress` gives may differ between versions of zlib; what they inflate to does
/// not.
public enum Deflate {
    /// The most that any deflate stream can grow by, as a factor.
    public static let ratioMaximum = 1032

    /// Compresses bytes.
    ///
    /// - Parameter level: 1 (fast) to 9 (small).
    /// - Complexity: O(bytes); some 20 ns a byte at level 6.
    public static func compress(
        _ bytes: [UInt8], level: Int32 = 6
    ) throws(DeflateError) -> [UInt8] {
        var stream = z_stream()
        let windowBits = windowBits(for: bytes.count)
        let status = deflateInit2_(
            &stream, min(max(level, 1), 9), Z_DEFLATED, -windowBits, windowBits - 6,
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .libraryFailed(status) }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        guard let input = UInt32(exactly: bytes.count), let room = UInt32(exactly: bound) else {
            throw .tooLong
        }
        var outcome = Z_OK
        var source = bytes
        let output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            source.withUnsafeMutableBufferPointer { from in
                stream.next_in = from.baseAddress
                stream.avail_in = input
                stream.next_out = buffer.baseAddress
                stream.avail_out = room
                outcome = deflate(&stream, Z_FINISH)
                count = bound - Int(stream.avail_out)
            }
        }
        guard outcome == Z_STREAM_END else { throw .libraryFailed(outcome) }
        return output
    }

    /// Reads a stream that must end with the last of `bytes` and hold exactly `count` bytes.
    ///
    /// Takes memory for `count` bytes and no more, whatever the stream says, so the caller holds
    /// `count` against its limits before.
    public static func inflate(
        _ bytes: ArraySlice<UInt8>, count: Int
    ) throws(DeflateError) -> [UInt8] {
        guard count >= 0, let room = UInt32(exactly: count), room < .max,
            let input = UInt32(exactly: bytes.count)
        else { throw .tooLong }
        // Shorter than any stream of that length can be: no memory is taken on its word.
        guard count / ratioMaximum <= bytes.count else { throw .malformed }
        var stream = z_stream()
        let status = inflateInit2_(
            &stream, rawWindowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .libraryFailed(status) }
        defer { inflateEnd(&stream) }
        var outcome = Z_OK
        var source = Array(bytes)
        // One byte more, so that a stream that goes on is told from one that ends.
        let output = [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, written in
            source.withUnsafeMutableBufferPointer { from in
                stream.next_in = from.baseAddress
                stream.avail_in = input
                stream.next_out = buffer.baseAddress
                stream.avail_out = room + 1
                outcome = CZlib.inflate(&stream, Z_FINISH)
                written = count + 1 - Int(stream.avail_out)
            }
        }
        guard outcome == Z_STREAM_END, output.count == count, stream.avail_in == 0 else {
            throw .malformed
        }
        return output
    }

    /// A window of 32 KiB, and by its sign neither header nor checksum. It reads the streams of all
    /// smaller windows.
    private static let rawWindowBits: Int32 = -15

    /// The window, as a power of two, in which every byte can refer to the first one; 32 KiB at
    /// most.
    ///
    /// zlib's memory is proportional to the window and to the memory level, which follows it here
    /// so that a block holds as many symbols as the window has bytes. At 32 KiB it takes 400 KB,
    /// which the system clears page by page: several times the work of compressing a few hundred
    /// bytes. Source: zlib.h, `deflateInit2`, and zconf.h on memory.
    private static func windowBits(for count: Int) -> Int32 {
        // zlib does not look further back than the window less the longest match and one.
        let reach = count + 262
        return min(max(Int32(Int.bitWidth - reach.leadingZeroBitCount), 9), 15)
    }
}

/// Why bytes could not be compressed or read.
public enum DeflateError: Error, Equatable, Sendable {
    /// Not a deflate stream of the length that was said.
    case malformed
    /// More bytes than one call takes.
    case tooLong
    /// zlib failed by itself, mostly for want of memory.
    case libraryFailed(Int32)
}
