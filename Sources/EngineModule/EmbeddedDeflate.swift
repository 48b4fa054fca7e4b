#if hasFeature(Embedded)
/// Deflate without zlib: nothing is compressed, so that encoders store bytes as they are, and
/// nothing compressed can be read. Documents and ops in JSON need neither.
enum Deflate {
    static func compress(_ bytes: [UInt8], level: Int32 = 6) throws(DeflateError) -> [UInt8] {
        throw .unavailable
    }

    static func inflate(_ bytes: ArraySlice<UInt8>, count: Int) throws(DeflateError) -> [UInt8] {
        throw .unavailable
    }
}

/// Why nothing is compressed.
enum DeflateError: Error {
    case unavailable
}
#endif
