import Testing

@testable import SceneServer

@Suite("The browser page's responses")
struct WebPageTests {
    @Test(
        "gzip is used where the header takes it",
        arguments: [
            ("gzip, deflate, br, zstd", true), ("br;q=1.0, GZIP;q=0.5", true), ("*", true),
            ("x-gzip", true), ("", false), ("identity", false), ("br", false),
            ("gzip;q=0", false), ("gzip; q=0.0, *", false), ("*;q=0", false), ("gzipped", false),
            ("*, gzip;q=0", false), ("*;q=0, gzip", true),
        ])
    func acceptEncoding(header: String, isAccepted: Bool) {
        #expect(WebPage.acceptsGzip(header) == isAccepted)
    }
}
