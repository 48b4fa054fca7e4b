import COpenSSL
import Foundation
import Testing

@testable import Signatures

/// The examples of RFC 7515, appendix A, and of RFC 8037, appendix A.4.
private enum Published {
    static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    // A.1
    static let secret = bytes(
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow")
    static let hs256 = (
        signed: "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." + claims,
        signature: bytes("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    )
    // A.2
    static let modulus = bytes(
        """
        ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yR\
        T-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXB\
        dQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9ia\
        GNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ
        """)
    static let rs256 = (
        signed: "eyJhbGciOiJSUzI1NiJ9." + claims,
        signature: bytes(
            """
            cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujG\
            bds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K\
            0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6\
            LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
            """)
    )
    // A.3
    static let point = (
        x: bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
        y: bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
    )
    static let es256 = (
        signed: "eyJhbGciOiJFUzI1NiJ9." + claims,
        signature: bytes(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        )
    )
    // RFC 8037; the key is that of RFC 8032, section 7.1, test 1.
    static let edwards = bytes("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
    static let edDSA = (
        signed: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
        signature: bytes(
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        )
    )

    static func bytes(_ text: String) -> [UInt8] {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return [UInt8](Data(base64Encoded: plain + padding) ?? Data())
    }
}

@Suite("Signatures")
struct SignatureTests {
    private static var published: [(key: PublicKey, signed: [UInt8], signature: [UInt8])] {
        get throws {
            [
                (
                    try PublicKey(rsaModulus: Published.modulus, exponent: [1, 0, 1]),
                    Array(Published.rs256.signed.utf8), Published.rs256.signature
                ),
                (
                    try PublicKey(p256: Published.point.x, Published.point.y),
                    Array(Published.es256.signed.utf8), Published.es256.signature
                ),
                (
                    try PublicKey(ed25519: Published.edwards), Array(Published.edDSA.signed.utf8),
                    Published.edDSA.signature
                ),
            ]
        }
    }

    @Test("the RFCs' examples are proved, by their own keys and algorithms alone")
    func examples() throws {
        let all = try Self.published
        #expect(all.map(\.key.algorithm) == [.rs256, .es256, .edDSA])
        for (index, entry) in all.enumerated() {
            for (other, candidate) in all.enumerated() {
                #expect(
                    entry.key.isSignature(candidate.signature, of: candidate.signed)
                        == (index == other))
            }
        }
        let secret = try Secret(Published.secret)
        #expect(secret.sign(Array(Published.hs256.signed.utf8)) == Published.hs256.signature)
        #expect(
            secret.isSignature(Published.hs256.signature, of: Array(Published.hs256.signed.utf8)))
    }

    @Test("any bit that differs, in signature or message, is noticed; so is any other length")
    func differences() throws {
        for (key, signed, signature) in try Self.published {
            for place in 0..<signature.count {
                var other = signature
                other[place] ^= UInt8(1 << (place % 8))
                #expect(!key.isSignature(other, of: signed), "\(key.algorithm), byte \(place)")
            }
            for length in [0, 1, 32, 63, signature.count - 1] {
                #expect(!key.isSignature(Array(signature.prefix(length)), of: signed))
            }
            #expect(!key.isSignature(signature + [0], of: signed))
            #expect(!key.isSignature(signature, of: []))
            #expect(!key.isSignature(signature, of: signed + [0]))
        }
        let secret = try Secret(Published.secret)
        for length in 0..<32 {
            #expect(
                !secret.isSignature(
                    Array(Published.hs256.signature.prefix(length)),
                    of: Array(Published.hs256.signed.utf8)))
        }
    }

    @Test("TLS on the same thread finds no errors of ours")
    func errors() throws {
        for (key, signed, signature) in try Self.published {
            #expect(!key.isSignature(Array(signature.reversed()), of: signed))
            #expect(ERR_peek_error() == 0)
        }
        #expect(throws: KeyError.noPEM) { _ = try PublicKey(pem: Array("none".utf8)) }
        #expect(throws: KeyError.noPEM) { _ = try PrivateKey(pem: []) }
        #expect(throws: KeyError.malformed) {
            _ = try PublicKey(p256: Published.point.y, Published.point.x)
        }
        #expect(ERR_peek_error() == 0)
    }

    /// Computed from the curve's equation: eight times each of the points is the neutral element.
    /// Each y-coordinate with both signs of x, and the two that have another representative below
    /// 2^255.
    @Test(
        "Ed25519 points of small order are no keys: anybody signs with them",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ])
    func smallOrder(_ encoding: String) throws {
        var bytes = stride(from: 0, to: 64, by: 2).compactMap { start -> UInt8? in
            UInt8(encoding.dropFirst(start).prefix(2), radix: 16)
        }
        for _ in 0..<2 {
            #expect(throws: KeyError.self) { _ = try PublicKey(ed25519: bytes) }
            bytes[31] ^= 0x80
        }
        bytes[0] ^= 0x55
        // Most other values are points of the curve, or refused as none.
        #expect(throws: Never.self) { _ = try? PublicKey(ed25519: bytes) }
    }

    @Test("a short secret protects nothing", arguments: [0, 1, 31])
    func shortSecret(_ count: Int) {
        #expect(throws: KeyError.tooShort(bits: count * 8, minimum: 256)) {
            _ = try Secret([UInt8](repeating: 7, count: count))
        }
    }

    /// X.690, sections 8.3 and 8.1.3.
    @Test(
        "numbers in DER are as short as can be and never negative",
        arguments: [
            ([], [2, 1, 0]), ([0], [2, 1, 0]), ([0, 0, 5], [2, 1, 5]), ([0x7F], [2, 1, 0x7F]),
            ([0x80], [2, 2, 0, 0x80]), ([1, 0, 1], [2, 3, 1, 0, 1]),
        ] as [([UInt8], [UInt8])])
    func integers(_ bytes: [UInt8], _ der: [UInt8]) {
        #expect(DER.integer(bytes) == der)
    }

    @Test(
        "lengths in DER take more bytes from 128 on",
        arguments: [
            (127, [0x7F]), (128, [0x81, 0x80]), (255, [0x81, 0xFF]), (256, [0x82, 1, 0]),
            (65_536, [0x83, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func lengths(_ count: Int, _ length: [UInt8]) {
        let der = DER.sequence([[UInt8](repeating: 1, count: count)])
        #expect(Array(der.prefix(1 + length.count)) == [0x30] + length)
        #expect(der.count == 1 + length.count + count)
    }
}
