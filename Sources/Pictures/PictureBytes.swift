/// A file's bytes; a read beyond the end throws.
struct PictureBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func byte(_ place: Int) throws(PictureError) -> Int {
        guard bytes.indices.contains(place) else { throw .truncated }
        return Int(bytes[place])
    }

    func has(_ wanted: [UInt8], at place: Int) -> Bool {
        guard place >= 0, place <= bytes.count - wanted.count else { return false }
        return bytes[place..<place + wanted.count].elementsEqual(wanted)
    }

    func has(_ wanted: String, at place: Int) -> Bool { has(Array(wanted.utf8), at: place) }

    func big16(_ place: Int) throws(PictureError) -> Int {
        try byte(place) << 8 | byte(place + 1)
    }

    func big32(_ place: Int) throws(PictureError) -> UInt32 {
        UInt32(try big16(place)) << 16 | UInt32(try big16(place + 2))
    }

    func little16(_ place: Int) throws(PictureError) -> Int {
        try byte(place) | byte(place + 1) << 8
    }

    func little24(_ place: Int) throws(PictureError) -> Int {
        try little16(place) | byte(place + 2) << 16
    }

    func little32(_ place: Int) throws(PictureError) -> UInt32 {
        UInt32(try little16(place)) | UInt32(try little16(place + 2)) << 16
    }
}
