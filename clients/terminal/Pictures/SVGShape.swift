import SceneDocument
import SceneWire

/// The area of a view that has corners, a shadow, a gradient or a line, as SVG elements.
struct SVGShape {
    /// In points.
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    let look: ViewLook

    /// The radii of the corners, clockwise from the top left one, in points.
    private var radii: [Double] {
        let radius = max(0, min(look.cornerRadius, width / 2, height / 2))
        let corners: [CornerMask] = [.topLeft, .topRight, .bottomRight, .bottomLeft]
        return corners.map { look.maskedCorners.contains($0) ? radius : 0 }
    }

    /// The element without its end: a rectangle, or a path where the corners differ.
    ///
    /// - Parameters:
    ///   - inset: Points by which it is smaller on each side.
    ///   - offset: Points by which it is moved.
    func outline(inset: Double = 0, offset: Point = .zero) -> String {
        let radii = radii.map { max(0, $0 - inset) }
        let (left, top) = (x + inset + offset.x, y + inset + offset.y)
        let (wide, high) = (max(0, width - 2 * inset), max(0, height - 2 * inset))
        let (right, bottom) = (left + wide, top + high)
        func n(_ value: Double) -> String { SVGNumber.text(value) }
        guard let first = radii.first, radii.contains(where: { $0 != first }) else {
            let rounding = radii[0] > 0 ? " rx=\"\(n(radii[0]))\"" : ""
            return "rect x=\"\(n(left))\" y=\"\(n(top))\" width=\"\(n(wide))\" "
                + "height=\"\(n(high))\"\(rounding)"
        }
        func arc(_ radius: Double, _ x: Double, _ y: Double) -> String {
            "A\(n(radius)) \(n(radius)) 0 0 1 \(n(x)) \(n(y))"
        }
        return "path d=\"M\(n(left + radii[0])) \(n(top))H\(n(right - radii[1]))"
            + arc(radii[1], right, top + radii[1]) + "V\(n(bottom - radii[2]))"
            + arc(radii[2], right - radii[2], bottom) + "H\(n(left + radii[3]))"
            + arc(radii[3], left, bottom - radii[3]) + "V\(n(top + radii[0]))"
            + arc(radii[0], left + radii[0], top) + "Z\""
    }

    /// The elements of the area, from the back to the front.
    ///
    /// - Parameters:
    ///   - casts: Whether it may cast a shadow.
    ///   - name: A new id each time.
    func elements(_ background: Color?, casts: Bool, name: () -> String) -> String {
        var output = ""
        if casts, background != nil || look.gradient != nil || look.image != nil {
            output += shadow(name)
        }
        if let background {
            output += "<\(outline()) \(SVGNumber.paint("fill", background))/>\n"
        }
        if let gradient = look.gradient { output += fill(gradient, name()) }
        if let image = look.image { output += draw(image, clips: !casts, name()) }
        if let symbol = look.symbol { output += draw(symbol, clips: !casts, name) }
        if let chart = look.chart { output += draw(chart) }
        let line = min(look.borderWidth, width / 2, height / 2)
        if line > 0, let color = look.borderColor {
            output += "<\(outline(inset: line / 2)) fill=\"none\" "
            output += "\(SVGNumber.paint("stroke", color)) "
            output += "stroke-width=\"\(SVGNumber.text(line))\"/>\n"
        }
        return output
    }

    private func shadow(_ name: () -> String) -> String {
        guard let shadow = look.shadow, let color = shadow.color else { return "" }
        func n(_ value: Double) -> String { SVGNumber.text(value) }
        let shape = "<\(outline(offset: shadow.offset)) \(SVGNumber.paint("fill", color))/>"
        guard shadow.radius > 0 else { return shape + "\n" }
        let id = name()
        // A Gaussian is nothing beyond three standard deviations.
        let reach = 3 * shadow.radius + max(abs(shadow.offset.x), abs(shadow.offset.y)) + 1
        return "<filter id=\"\(id)\" filterUnits=\"userSpaceOnUse\" x=\"\(n(x - reach))\" "
            + "y=\"\(n(y - reach))\" width=\"\(n(width + 2 * reach))\" "
            + "height=\"\(n(height + 2 * reach))\" color-interpolation-filters=\"sRGB\">"
            + "<feGaussianBlur stdDeviation=\"\(n(shadow.radius))\"/></filter>\n"
            + "<g filter=\"url(#\(id))\">\(shape)</g>\n"
    }

    private func fill(_ gradient: LookGradient, _ id: String) -> String {
        func n(_ value: Double) -> String { SVGNumber.text(value) }
        var output = "<linearGradient id=\"\(id)\" x1=\"\(n(gradient.start.x))\" "
        output += "y1=\"\(n(gradient.start.y))\" x2=\"\(n(gradient.end.x))\" "
        output += "y2=\"\(n(gradient.end.y))\">"
        for stop in gradient.stops {
            let color = stop.color ?? Color(rgba: 0)
            output += "<stop offset=\"\(n(stop.location))\" "
            output += "stop-color=\"\(Color(r: color.r, g: color.g, b: color.b).text)\""
            if color.a < 255 { output += " stop-opacity=\"\(n(Double(color.a) / 255))\"" }
            output += "/>"
        }
        return output + "</linearGradient>\n<\(outline()) fill=\"url(#\(id))\"/>\n"
    }

    /// The picture by the address that a server has for it.
    private func draw(_ image: LookImage, clips: Bool, _ id: String) -> String {
        func n(_ value: Double) -> String { SVGNumber.text(value) }
        let frame = image.frame(in: Size(width: width, height: height))
        let picture =
            "<image x=\"\(n(x + frame.minX))\" y=\"\(n(y + frame.minY))\" "
            + "width=\"\(n(frame.width))\" height=\"\(n(frame.height))\" "
            + "preserveAspectRatio=\"none\" href=\"blobs/\(image.hash)\"/>"
        guard clips else { return picture + "\n" }
        return "<clipPath id=\"\(id)\"><\(outline())/></clipPath>\n"
            + "<g clip-path=\"url(#\(id))\">\(picture)</g>\n"
    }

    /// The outline of a symbol in the tint; nothing where the set has none of that name.
    private func draw(_ symbol: LookSymbol, clips: Bool, _ name: () -> String) -> String {
        func n(_ value: Double) -> String { SVGNumber.text(value) }
        guard let entry = SymbolSet.shared[symbol.name] else { return "" }
        let frame = symbol.frame(in: Size(width: width, height: height))
        let tint = look.tint ?? Color(r: 0, g: 0x7A, b: 0xFF)
        let picture =
            "<path transform=\"translate(\(n(x + frame.minX)) \(n(y + frame.minY))) "
            + "scale(\(frame.width / SymbolSet.shared.box))\" d=\"\(entry.outline)\" "
            + "\(SVGNumber.paint("fill", tint))/>"
        guard clips else { return picture + "\n" }
        let id = name()
        return "<clipPath id=\"\(id)\"><\(outline())/></clipPath>\n"
            + "<g clip-path=\"url(#\(id))\">\(picture)</g>\n"
    }

    /// The lines of the grid, then the line or the bars.
    private func draw(_ chart: LookChart) -> String {
        func n(_ value: Double) -> String { SVGNumber.text(value) }
        let color = chart.color ?? Color(rgba: 0)
        var faint = color
        faint.a = UInt8((Double(color.a) * Self.faintShare).rounded())
        var output = ""
        for index in 0..<Int(chart.gridLines) {
            let share = Double(index) / Double(max(1, chart.gridLines - 1))
            output +=
                "<rect x=\"\(n(x))\" y=\"\(n(y + (1 - share) * (height - 1)))\" width=\"\(n(width))\" "
                + "height=\"1\" \(SVGNumber.paint("fill", faint))/>\n"
        }
        guard !chart.heights.isEmpty else { return output }
        let count = chart.heights.count
        if chart.style == .bars {
            let (range, share) = (LookChart.barRange, width / Double(count))
            for index in 0..<count where chart.heights[index] > 0 {
                let high = chart.share(of: index) * height
                output +=
                    "<rect x=\"\(n(x + (Double(index) + range.lowerBound) * share))\" "
                    + "y=\"\(n(y + height - high))\" "
                    + "width=\"\(n((range.upperBound - range.lowerBound) * share))\" "
                    + "height=\"\(n(high))\" \(SVGNumber.paint("fill", color))/>\n"
            }
            return output
        }
        // One value is a line from side to side.
        let ends = count == 1 ? [0, 0] : Array(0..<count)
        let line = ends.enumerated().map { place, index in
            let across = x + width * Double(place) / Double(ends.count - 1)
            let room = max(0, height - chart.lineWidth)
            return
                "\(n(across)) \(n(y + chart.lineWidth / 2 + (1 - chart.share(of: index)) * room))"
        }.joined(separator: "L")
        if chart.style == .area {
            output +=
                "<path d=\"M\(line)V\(n(y + height))H\(n(x))Z\" \(SVGNumber.paint("fill", faint))/>\n"
        }
        return output + "<path d=\"M\(line)\" fill=\"none\" \(SVGNumber.paint("stroke", color)) "
            + "stroke-width=\"\(n(chart.lineWidth))\" stroke-linejoin=\"round\"/>\n"
    }

    /// How strong the grid and the area of a chart are, beside its line.
    private static let faintShare = 0.25

    /// The value of the attribute `transform` for a view and what is in it.
    func transform(_ transform: LookTransform) -> String {
        func n(_ value: Double) -> String { SVGNumber.text(value) }
        let (middleX, middleY) = (x + width / 2, y + height / 2)
        let (scale, translation) = (transform.scale, transform.translation)
        return "translate(\(n(middleX + translation.x)) \(n(middleY + translation.y))) "
            + "rotate(\(n(transform.rotation))) scale(\(n(scale.x)) \(n(scale.y))) "
            + "translate(\(n(-middleX)) \(n(-middleY)))"
    }
}

/// Numbers and colours of SVG.
enum SVGNumber {
    /// At most three decimals, no exponent.
    static func text(_ value: Double) -> String {
        let limit = 1e12
        let thousandths = Int((min(max(value, -limit), limit) * 1000).rounded())
        let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var text = (thousandths < 0 ? "-" : "") + "\(whole)"
        guard fraction > 0 else { return text }
        var digits = String(fraction)
        digits = String(repeating: "0", count: 3 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        text += "." + digits
        return text
    }

    /// An attribute for a colour, with another for its opacity unless opaque.
    static func paint(_ attribute: String, _ color: Color) -> String {
        let opaque = Color(r: color.r, g: color.g, b: color.b)
        let paint = "\(attribute)=\"\(opaque.text)\""
        guard color.a < 255 else { return paint }
        return paint + " \(attribute)-opacity=\"\(text(Double(color.a) / 255))\""
    }
}
