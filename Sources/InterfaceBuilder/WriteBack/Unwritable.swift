/// A change that an Interface Builder file cannot say.
struct Unwritable: Error {
    /// A sentence without a full stop.
    var text: String

    init(_ text: String) { self.text = text }

    /// Throws for a text with characters that XML 1.0 does not have (section 2.2).
    static func check(_ text: String) throws(Unwritable) {
        for scalar in text.unicodeScalars {
            let isAllowed =
                switch scalar.value {
                case 0x9, 0xA, 0xD: true
                case 0..<0x20, 0xFFFE, 0xFFFF: false
                default: true
                }
            guard isAllowed else {
                let number = String(scalar.value, radix: 16, uppercase: true)
                throw Unwritable("the file cannot have the character U+\(number)")
            }
        }
    }
}
