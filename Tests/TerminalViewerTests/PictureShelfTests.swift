import PicturePixels
import Pictures
import Testing

@testable import TerminalViewer

/// A picture of the given pixels, red, green, blue and alpha each, as a PNG.
func scenePicture(_ hash: String, width: Int, _ pixels: [[UInt8]]) throws -> ScenePicture {
    let image = PixelImage(
        width: width, height: pixels.count / width, bytes: pixels.flatMap { $0 })
    return try ScenePicture(hash: hash, file: PictureFile.png(of: image))
}

/// A shelf that has these pictures.
func shelf(_ pictures: [ScenePicture], encoding: TextEncoding = .utf8) -> PictureShelf {
    var known: [String: ScenePicture] = [:]
    for picture in pictures { known[picture.hash] = picture }
    return PictureShelf(
        colors: .trueColor, encoding: encoding, hashes: pictures.map(\.hash)
    ) { hash in
        known[hash].map { .success($0) } ?? .failure(PictureFailure("none", isFinal: true))
    }
}

@Suite("Which pictures are here")
struct PictureShelfTests {
    private func text(_ content: PictureShelf.Content?) -> String {
        switch content {
        case nil: "off"
        case .loading: "loading"
        case .ready: "ready"
        case .failed(let reason): reason
        }
    }

    @Test("a picture is asked for once, at most four at a time, and only while it is visible")
    func requests() throws {
        var shelf = PictureShelf(colors: .ansi16, encoding: .utf8)
        shelf.want(["a", "b", "c", "d", "e"])
        #expect(shelf.deadline == -.infinity)
        #expect(shelf.takeRequests(now: 0) == ["a", "b", "c", "d"])
        #expect(shelf.takeRequests(now: 0).isEmpty)
        #expect(shelf.deadline == nil)
        shelf.want(["a", "f"])
        shelf.take(.success(try scenePicture("a", width: 1, [[1, 2, 3, 255]])), of: "a", now: 1)
        #expect(text(shelf["a"]) == "ready")
        // "e" is not visible any more.
        #expect(shelf.takeRequests(now: 1) == ["f"])
        #expect(text(shelf["b"]) == "loading")
    }

    @Test("a failed attempt is repeated after 1, 2, 4 … 60 seconds; a damaged file is not")
    func failures() {
        var shelf = PictureShelf(colors: .trueColor, encoding: .utf8)
        shelf.want(["a"])
        var now = 0.0
        for wait in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            #expect(shelf.takeRequests(now: now) == ["a"])
            shelf.take(.failure(PictureFailure("404", isFinal: false)), of: "a", now: now)
            #expect(text(shelf["a"]) == "404")
            #expect(shelf.deadline == now + wait)
            #expect(shelf.takeRequests(now: now + wait - 0.01).isEmpty)
            now += wait
        }
        #expect(shelf.takeRequests(now: now) == ["a"])
        shelf.take(.failure(PictureFailure("damaged", isFinal: true)), of: "a", now: now)
        #expect(text(shelf["a"]) == "damaged")
        #expect(shelf.deadline == nil)
    }

    @Test("beyond its memory the least recently seen pictures go, visible ones never")
    func memory() throws {
        // 64/3 MiB with its levels, and a small file.
        let large = PixelImage(
            width: 2048, height: 2048, bytes: [UInt8](repeating: 255, count: 4 * 2048 * 2048))
        let file = PictureFile.png(of: large)
        var shelf = PictureShelf(colors: .trueColor, encoding: .utf8)
        func take(_ hash: String) throws {
            shelf.want([hash])
            #expect(shelf.takeRequests(now: 0) == [hash])
            shelf.take(.success(try ScenePicture(hash: hash, file: file)), of: hash, now: 0)
        }
        try take("a")
        try take("b")
        shelf.want(["a"])
        // A third one is a little too much.
        try take("c")
        #expect(text(shelf["b"]) == "loading")
        #expect([text(shelf["a"]), text(shelf["c"])] == ["ready", "ready"])
        shelf.want(["a", "c", "d"])
        #expect(shelf.takeRequests(now: 0) == ["d"])
        shelf.take(.success(try ScenePicture(hash: "d", file: file)), of: "d", now: 0)
        #expect(text(shelf["d"]) == "too many pictures at a time")
        #expect([text(shelf["a"]), text(shelf["c"])] == ["ready", "ready"])
    }

    @Test("without colours nothing is asked for, and nothing is shown")
    func off() {
        for var shelf in [PictureShelf(), PictureShelf(colors: .none, encoding: .utf8)] {
            shelf.want(["a"])
            #expect(shelf.takeRequests(now: 0).isEmpty)
            #expect(text(shelf["a"]) == "off")
        }
    }

    @Test("what nobody sees any more is forgotten beyond a count")
    func count() {
        var shelf = PictureShelf(colors: .trueColor, encoding: .utf8)
        for index in 0..<PictureShelf.countMaximum { shelf.want(["\(index)"]) }
        _ = shelf.takeRequests(now: 0)
        shelf.want(["last"])
        #expect(shelf.takeRequests(now: 0) == ["last"])
    }
}
