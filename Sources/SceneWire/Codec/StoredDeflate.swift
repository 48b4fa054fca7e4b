import Deflate

/// Deflate for encoders, which cannot fail: where zlib cannot work, the bytes are stored as they
/// are.
enum StoredDeflate {
    static func compress(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        do throws(DeflateError) {
            return try Deflate.compress(bytes, level: level)
        } catch {
            return stored(bytes)
        }
    }

    /// A stream of stored blocks. RFC 1951, section 3.2.4.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let blockMaximum = 0xFFFF
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 5 * (bytes.count / blockMaximum + 1))
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(blockMaximum)
            rest = rest.dropFirst(blockMaximum)
            let count = UInt16(truncatingIfNeeded: block.count)
            output.append(rest.isEmpty ? 1 : 0)
            for half in [count, ~count] {
                output.append(UInt8(truncatingIfNeeded: half))
                output.append(UInt8(truncatingIfNeeded: half >> 8))
            }
            output.append(contentsOf: block)
        } while !rest.isEmpty
        return output
    }
}
