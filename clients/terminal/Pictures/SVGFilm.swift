public import SceneWire

/// Pictures of a scene, one after the other, in one SVG document that shows them again and again.
///
/// Without animations only the first is shown.
public struct SVGFilm {
    private struct Picture {
        var start: Double
        var body: String
    }

    private let seconds: Double
    private var pictures: [Picture] = []
    private var size = (width: 0.0, height: 0.0)
    /// The last picture as it would be under any number.
    private var last = ""

    private let pictureText: PictureText
    private var faces: EmbeddedFaces?

    /// - Parameters:
    ///   - seconds: How long it is.
    ///   - text: How it shows text in faces.
    public init(seconds: Double, text: PictureText = .plain) {
        self.seconds = max(seconds, 0.001)
        pictureText = text
        faces = EmbeddedFaces(text)
    }

    /// The bytes of the pictures.
    public private(set) var byteCount = 0

    /// Adds a picture, at a time that is later than the last one's; none that is like it.
    ///
    /// - Complexity: That of `SVGPicture.render`.
    public mutating func add(_ mirror: SceneMirror, metrics: SceneMetrics, at start: Double) {
        var plain = SVGWriter(mirror: mirror, metrics: metrics, text: pictureText, faces: faces)
        let body = plain.render(place: "")
        guard body != last else { return }
        last = body
        faces = plain.faces
        var writer = SVGWriter(
            mirror: mirror, metrics: metrics, prefix: "p\(pictures.count)-", text: pictureText)
        pictures.append(Picture(start: start, body: writer.render(place: "")))
        byteCount += body.utf8.count
        size = (max(size.width, writer.size.width), max(size.height, writer.size.height))
    }

    /// The document.
    ///
    /// - Source: W3C, SMIL Animation (`animate` with `calcMode="discrete"`).
    public var text: String {
        let (wide, high) = (SVGWriter.number(size.width), SVGWriter.number(size.height))
        var text = SVGWriter.header
        text += "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(wide)\" height=\"\(high)\" "
        text += "viewBox=\"0 0 \(wide) \(high)\">\n"
        for (index, picture) in pictures.enumerated() {
            let end = index + 1 < pictures.count ? pictures[index + 1].start : seconds
            var steps = [(0.0, index == 0)]
            if index > 0 { steps.append((picture.start, true)) }
            if index + 1 < pictures.count { steps.append((end, false)) }
            text += "<g display=\"\(index == 0 ? "inline" : "none")\">"
            if pictures.count > 1 {
                let values = steps.map { $0.1 ? "inline" : "none" }.joined(separator: ";")
                let times = steps.map { Self.decimal($0.0 / seconds) }
                text += "<animate attributeName=\"display\" calcMode=\"discrete\" "
                text += "values=\"\(values)\" keyTimes=\"\(times.joined(separator: ";"))\" "
                text += "dur=\"\(Self.decimal(seconds))s\" repeatCount=\"indefinite\"/>"
            }
            text += "\n\(picture.body)\n</g>\n"
        }
        return text + (faces?.styleElement ?? "") + "</svg>\n"
    }

    /// Six decimals, no exponent.
    private static func decimal(_ value: Double) -> String {
        let (whole, part) = Int((value * 1e6).rounded()).quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(part)
        return "\(whole).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }
}
