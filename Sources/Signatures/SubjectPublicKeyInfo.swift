/// The few forms of DER (X.690) that keys and signatures take.
enum DER {
    /// A number, the highest byte first, without a sign.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        // The first bit would be a sign; and zero has a digit.
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return tagged(0x02, digits)
    }

    static func sequence(_ parts: [[UInt8]]) -> [UInt8] { tagged(0x30, parts.flatMap { $0 }) }

    /// Bits, as many as fill the bytes.
    static func bits(_ bytes: [UInt8]) -> [UInt8] { tagged(0x03, [0] + bytes) }

    private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        repeat {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        } while rest > 0
        if content.count >= 0x80 { length.insert(0x80 | UInt8(length.count), at: 0) }
        return [tag] + length + content
    }
}

/// The form in which OpenSSL reads any public key. RFC 5280, section 4.1.2.7.
enum SubjectPublicKeyInfo {
    /// RFC 5480, section 2: id-ecPublicKey with secp256r1; the point uncompressed.
    static func p256(x: [UInt8], y: [UInt8]) -> [UInt8] {
        let algorithm: [UInt8] = [
            0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
            0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
        ]
        return DER.sequence([algorithm, DER.bits([0x04] + x + y)])
    }

    /// RFC 8410, section 4: id-Ed25519.
    static func ed25519(_ bytes: [UInt8]) -> [UInt8] {
        DER.sequence([[0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70], DER.bits(bytes)])
    }

    /// RFC 3279, section 2.3.1: rsaEncryption, whose parameters are NULL.
    static func rsa(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        let algorithm: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05,
            0x00,
        ]
        let key = DER.sequence([DER.integer(modulus), DER.integer(exponent)])
        return DER.sequence([algorithm, DER.bits(key)])
    }
}
