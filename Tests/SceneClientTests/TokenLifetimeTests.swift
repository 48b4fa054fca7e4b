import Testing

@testable import SceneClient

@Suite("How long a token lasts")
struct TokenLifetimeTests {
    @Test("the end of a JSON Web Token is read from it, and nothing else is an end")
    func end() {
        // {"exp":4102444800} and {"sub":"ü?>","exp":1.5}, whose text has a character of the URLs'
        // alphabet.
        #expect(TokenLifetime.end(of: "e30.eyJleHAiOjQxMDI0NDQ4MDB9.x") == 4_102_444_800)
        #expect(TokenLifetime.end(of: "e30.eyJzdWIiOiLDvD8-IiwiZXhwIjoxLjV9.x") == 1.5)
        for text in [
            "", "a.b", "e30.e30.x", "e30.!!!.x", "e30.eyJleHAiOiIxIn0.x",
            "a.eyJleHAiOjQxMDI0NDQ4MDB9",
        ] { #expect(TokenLifetime.end(of: text) == nil, "\(text)") }
    }

    @Test(
        "a token is renewed a minute before its end, a short one after three quarters of its time",
        arguments: [
            (3600.0, 3540.0), (240.0, 180.0), (60.0, 45.0), (15.0, 11.25), (4.0, 2.0), (2.5, 1.0),
            (0.0, 10.0), (-5.0, 10.0), (1e9, 86_400.0),
        ])
    func wait(_ left: Double, _ expected: Double) {
        #expect(TokenLifetime.wait(secondsLeft: left) == expected)
    }
}
