import JSON

/// A face of a document: a font file by its hash. JSON: `{"name": "Inter", "weight": 400, "hash":
/// "…"}`.
public struct FaceSpec: Sendable, Hashable {
    /// The family; faces of one name differ in weight.
    public var name: String
    /// How heavy it is, 1...1000; 400 is regular.
    public var weight: Int
    /// The SHA-256 of the file, 64 hexadecimal digits in lower case.
    public var hash: String

    /// Makes a face.
    public init(name: String, weight: Int, hash: String) {
        self.name = name
        self.weight = weight
        self.hash = hash
    }

    /// The most faces of a document.
    public static let maximum = 8
    /// The most bytes of a name.
    package static let nameMaximum = 64
    /// The bytes of a hash as text.
    package static let hashBytes = 64
}

extension FaceSpec {
    /// Reads the faces of a document.
    static func list(_ node: JSONCursor) throws(DocumentError) -> [FaceSpec] {
        let nodes = try node.list()
        guard (1...maximum).contains(nodes.count) else {
            throw node.error(.limit, "\(nodes.count) faces", expected: "1 to \(maximum)")
        }
        var faces: [FaceSpec] = []
        for node in nodes {
            let face = try FaceSpec(node)
            guard !faces.contains(where: { $0.name == face.name && $0.weight == face.weight })
            else {
                throw node.error(
                    .duplicateID, "\"\(face.name)\" has a face of the weight \(face.weight) already"
                )
            }
            faces.append(face)
        }
        return faces
    }

    private init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        let name = try fields.require("name")
        self.name = try name.text()
        // Renderers use it in style sheets and commands.
        guard (1...Self.nameMaximum).contains(self.name.utf8.count),
            self.name.utf8.allSatisfy({ Self.isPlain($0) })
        else {
            throw name.error(
                .badValue, "a name that cannot be one of a family",
                expected: "letters, digits, spaces and -, at most \(Self.nameMaximum) bytes")
        }
        weight = try fields.require("weight").integer(in: 1...1000)
        let hash = try fields.require("hash")
        self.hash = try hash.text()
        guard self.hash.utf8.count == Self.hashBytes,
            self.hash.utf8.allSatisfy({ Self.isDigit($0) })
        else {
            throw hash.error(
                .badValue, "a hash that is no SHA-256",
                expected: "64 hexadecimal digits in lower case")
        }
        try fields.finish()
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-")
    }

    var json: JSONValue {
        var list = JSONMembers()
        list.add("name", name)
        list.add("weight", Double(weight))
        list.add("hash", hash)
        return list.json
    }
}
