/// The subject of a token, compared as RFC 7519 (section 2) has it: byte by byte, without any
/// normalisation.
///
/// Swift compares strings by canonical equivalence, so two people whose names are composed
/// differently would be one.
struct Subject: Hashable, Sendable {
    /// The longest subject, in bytes of UTF-8, which is what events can tell of it.
    static let byteMaximum = 256

    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Subject, right: Subject) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
