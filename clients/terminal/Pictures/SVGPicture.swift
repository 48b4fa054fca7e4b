import CharacterWidth
import SceneDocument
public import SceneWire

/// A scene as a standalone SVG document, one SVG pixel for a point.
public enum SVGPicture {
    /// The picture of a scene. Deterministic to the byte.
    ///
    /// - Parameter text: How it shows text in faces.
    /// - Complexity: O(views · depth + bytes of text and faces).
    /// - Source: W3C, Scalable Vector Graphics (SVG) 1.1.
    public static func render(
        _ mirror: SceneMirror, metrics: SceneMetrics, text: PictureText = .plain
    ) -> String {
        var writer = SVGWriter(
            mirror: mirror, metrics: metrics, text: text, faces: EmbeddedFaces(text))
        let body = writer.render(place: "")
        let end = "</svg>"
        return SVGWriter.header + body.dropLast(end.count) + (writer.faces?.styleElement ?? "")
            + end + "\n"
    }

    /// Several pictures on one sheet, each under its title, in rows of about equal width.
    /// Deterministic to the byte.
    ///
    /// - Complexity: that of the pictures.
    public static func sheet(
        _ pictures: [(title: String, mirror: SceneMirror, metrics: SceneMetrics)],
        text: PictureText = .plain
    ) -> String {
        var faces = EmbeddedFaces(text)
        let gap = 24.0
        let titleHeight = 24.0
        let sizes = pictures.map { SVGWriter(mirror: $0.mirror, metrics: $0.metrics).size }
        let area = sizes.reduce(0) { $0 + ($1.width + gap) * ($1.height + titleHeight + gap) }
        // A sheet about as wide as high and a half, and as wide as its widest picture at least.
        let widest = sizes.map(\.width).max() ?? 0
        let limit = max((area * 1.5).squareRoot(), widest + 2 * gap)
        var (x, y, rowHeight, width) = (gap, gap, 0.0, 0.0)
        var body = ""
        for (index, picture) in pictures.enumerated() {
            let size = sizes[index]
            if x > gap, x + size.width + gap > limit {
                x = gap
                y += rowHeight + gap
                rowHeight = 0
            }
            var writer = SVGWriter(
                mirror: picture.mirror, metrics: picture.metrics, prefix: "p\(index)-",
                text: text, faces: faces)
            body += writer.title(picture.title, x: x, y: y + titleHeight * 0.6)
            body += writer.render(
                place: "x=\"\(SVGWriter.number(x))\" y=\"\(SVGWriter.number(y + titleHeight))\" ")
            body += "\n"
            faces = writer.faces
            x += size.width + gap
            width = max(width, x)
            rowHeight = max(rowHeight, size.height + titleHeight)
        }
        let (wide, high) = (SVGWriter.number(width), SVGWriter.number(y + rowHeight + gap))
        var sheet = SVGWriter.header
        sheet += "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(wide)\" height=\"\(high)\" "
        sheet += "viewBox=\"0 0 \(wide) \(high)\" font-family=\"monospace\">\n"
        sheet += "<rect width=\"100%\" height=\"100%\" fill=\"#808080\"/>\n"
        return sheet + body + (faces?.styleElement ?? "") + "</svg>\n"
    }
}

/// Writes one picture.
struct SVGWriter {
    private struct Box {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        func inset(_ distance: Double) -> Box {
            Box(
                x: x + distance, y: y + distance, width: max(0, width - 2 * distance),
                height: max(0, height - 2 * distance))
        }
    }

    private enum Step {
        case open(ViewNumber, behind: Color)
        case close(groups: Int)
    }

    let mirror: SceneMirror
    let metrics: SceneMetrics
    private var output = ""
    private var clipCount = 0
    /// The prefix that distinguishes one picture's clip ids from another's on the same sheet.
    private let prefix: String
    private let text: PictureText
    /// The faces of the lines written so far, where the picture carries them along.
    private(set) var faces: EmbeddedFaces?

    static var header: String { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" }

    init(
        mirror: SceneMirror, metrics: SceneMetrics, prefix: String = "",
        text: PictureText = .plain, faces: EmbeddedFaces? = nil
    ) {
        self.mirror = mirror
        self.metrics = metrics
        self.prefix = prefix
        self.text = text
        self.faces = faces
    }

    private var rootBox: Box {
        let frame =
            mirror.root.flatMap { mirror.absoluteFrame($0) }
            ?? AbsoluteFrame(x: 0, y: 0, width: 0, height: 0)
        return box(frame)
    }

    /// The picture's size in points.
    var size: (width: Double, height: Double) { (rootBox.width, rootBox.height) }

    /// A title above a picture.
    func title(_ text: String, x: Double, y: Double) -> String {
        "<text x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"13\" fill=\"#ffffff\">"
            + "\(escaped(text))</text>\n"
    }

    /// The picture as an element, without a line feed; `place` has further attributes.
    mutating func render(place: String) -> String {
        let box = rootBox
        let size = "\(place)width=\"\(number(box.width))\" height=\"\(number(box.height))\""
        output = """
            <svg xmlns="http://www.w3.org/2000/svg" \(size) viewBox="\(numbers(box))" \
            font-family="monospace" font-size="\(number(metrics.cell.height * 0.8))">

            """
        if let root = mirror.root {
            openClip(box)
            drawViews(from: root)
            output += "</g>\n"
        }
        output += "</svg>"
        return output
    }

    private mutating func drawViews(from root: ViewNumber) {
        var stack = [Step.open(root, behind: Color(rgba: 0xFFFF_FFFF))]
        while let step = stack.popLast() {
            guard case .open(let number, var behind) = step else {
                if case .close(let groups) = step {
                    output += String(repeating: "</g>\n", count: groups)
                }
                continue
            }
            guard let view = mirror.view(number), let frame = mirror.absoluteFrame(number),
                !view.content.hidden, view.content.opacity > 0
            else { continue }
            let content = view.content
            var groups = 0
            let shape = content.look.map { area(box(frame), $0) }
            if let shape, let transform = content.look?.transform {
                output += "<g transform=\"\(shape.transform(transform))\">\n"
                groups += 1
            }
            if content.opacity < 255 {
                output += "<g opacity=\"\(self.number(Double(content.opacity) / 255))\">\n"
                groups += 1
            }
            if let background = content.background {
                behind = background.over(behind, opacity: 1)
            }
            draw(content, box: box(frame), ink: content.foreground ?? behind.readable)
            if content.clips || content.kind == .scroll {
                openClip(box(frame), shape)
                groups += 1
            }
            stack.append(.close(groups: groups))
            for subview in mirror.subviews(of: number).reversed() {
                stack.append(.open(subview, behind: behind))
            }
        }
    }

    private func area(_ box: Box, _ look: ViewLook) -> SVGShape {
        SVGShape(x: box.x, y: box.y, width: box.width, height: box.height, look: look)
    }

    private mutating func openClip(_ box: Box, _ shape: SVGShape? = nil) {
        clipCount += 1
        let name = "\(prefix)clip\(clipCount)"
        let outline = shape?.outline() ?? "rect \(attributes(box))"
        output += "<clipPath id=\"\(name)\"><\(outline)/></clipPath>\n"
        output += "<g clip-path=\"url(#\(name))\">\n"
    }

    private mutating func draw(_ content: ViewContent, box: Box, ink: Color) {
        guard box.width > 0, box.height > 0 else { return }
        let radius = content.border == .rounded ? " rx=\"\(number(radius(box)))\"" : ""
        if let look = content.look {
            let casts = !content.clips && content.kind != .scroll
            var (prefix, count) = (prefix, clipCount)
            prefix += "clip"
            let elements = area(box, look).elements(content.background, casts: casts) {
                count += 1
                return "\(prefix)\(count)"
            }
            clipCount = count
            output += elements
        } else if let background = content.background {
            output += "<rect \(attributes(box))\(radius) \(paint("fill", background))/>\n"
        }
        func stroke(_ width: Double, inset: Double) {
            output += "<rect \(attributes(box.inset(inset)))\(radius) fill=\"none\" "
            output += "\(paint("stroke", ink)) stroke-width=\"\(number(width))\"/>\n"
        }
        switch content.border {
        case .none: break
        case .single, .rounded: stroke(1, inset: 0.5)
        case .double:
            stroke(1, inset: 0.5)
            stroke(1, inset: 2.5)
        case .heavy: stroke(2, inset: 1)
        }
        for line in content.lines {
            if let face = content.face {
                draw(line, in: face, box: box, ink: ink)
            } else {
                draw(line, box: box, ink: ink)
            }
        }
    }

    /// A line in the faces that it was measured in, where the picture carries them along or the
    /// reader's machine has them; in any other it is as long.
    private mutating func draw(_ line: ContentLine, in face: TextFace, box: Box, ink: Color) {
        let unit = metrics.unitsPerPoint
        guard !line.text.isEmpty else { return }
        let left = box.x + Double(line.x) / unit
        let baseline = box.y + (Double(line.y) + Double(face.ascent)) / unit
        let size = Double(face.size) / 64
        if case .outlined(let source) = text,
            let outline = source.outline(
                of: line.text, faces: face.files, weight: Int(face.weight), size: size)
        {
            output += "<path role=\"img\" aria-label=\"\(escaped(line.text))\" "
            output += "transform=\"translate(\(number(left)) \(number(baseline)))\" "
            output += "d=\"\(outline)\" \(paint("fill", ink))/>\n"
            return
        }
        faces?.note(line.text, in: face)
        var families: [String] = []
        for file in face.files where !families.contains(file.name) { families.append(file.name) }
        families.append("sans-serif")
        output += "<text x=\"\(number(left))\" y=\"\(number(baseline))\" "
        output += "font-family=\"\(families.joined(separator: ", "))\" "
        output += "font-weight=\"\(face.weight)\" font-size=\"\(number(size))\" "
        output += "textLength=\"\(number(Double(line.width) / unit))\" "
        output += "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" "
        output += "\(paint("fill", ink))>\(escaped(line.text))</text>\n"
    }

    private mutating func draw(_ line: ContentLine, box: Box, ink: Color) {
        let x = max(0, Double(line.x) / metrics.unitsPerPoint)
        let y = Double(line.y) / metrics.unitsPerPoint
        guard y >= 0, y < box.height else { return }
        // Text that is larger than the grid's says so by its width; where it has controls nobody
        // agrees on that.
        let natural = displayWidth(of: line.text)
        let isPlain = line.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        let advance =
            natural > 0 && line.width > 0 && isPlain
            ? Double(line.width) / metrics.unitsPerPoint / Double(natural) : metrics.cell.width
        let isOnGrid = abs(advance - metrics.cell.width) < 0.5
        let cellWidth = isOnGrid ? metrics.cell.width : advance
        let cellHeight = metrics.cell.height * cellWidth / metrics.cell.width
        // Half a column more or less is rounding, as in cells.
        let room = ((box.width - x) / cellWidth + 0.5).rounded(.down)
        let text = fitted(line.text, columns: Int(min(max(room, 0), 1e6)))
        let columns = displayWidth(of: text)
        guard columns > 0 else { return }
        // The length is given so that any font keeps to the grid; the baseline is at four fifths of
        // the cell.
        output += "<text x=\"\(number(box.x + x))\" "
        output += "y=\"\(number(box.y + y + cellHeight * 0.8))\" "
        if !isOnGrid { output += "font-size=\"\(number(cellHeight * 0.8))\" " }
        output += "textLength=\"\(number(Double(columns) * cellWidth))\" "
        output += "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" "
        output += "\(paint("fill", ink))>\(escaped(text))</text>\n"
    }

    // MARK: Values

    private func radius(_ box: Box) -> Double {
        min(metrics.cell.width, metrics.cell.height, box.width / 2, box.height / 2)
    }

    private func box(_ frame: AbsoluteFrame) -> Box {
        Box(
            x: Double(frame.x) / metrics.unitsPerPoint, y: Double(frame.y) / metrics.unitsPerPoint,
            width: max(0, Double(frame.width) / metrics.unitsPerPoint),
            height: max(0, Double(frame.height) / metrics.unitsPerPoint))
    }

    private func numbers(_ box: Box) -> String {
        [box.x, box.y, box.width, box.height].map(number).joined(separator: " ")
    }

    private func attributes(_ box: Box) -> String {
        "x=\"\(number(box.x))\" y=\"\(number(box.y))\" "
            + "width=\"\(number(box.width))\" height=\"\(number(box.height))\""
    }

    private func paint(_ attribute: String, _ color: Color) -> String {
        SVGNumber.paint(attribute, color)
    }

    private func number(_ value: Double) -> String { Self.number(value) }

    static func number(_ value: Double) -> String { SVGNumber.text(value) }

    /// A text as XML character data; characters that XML 1.0 does not allow are dropped.
    private func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": break
            default: if scalar.value >= 0x20 { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
