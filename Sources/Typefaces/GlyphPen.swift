private import CHarfBuzz

/// Draws glyphs as the data of an SVG path.
///
/// - Source: HarfBuzz, `hb_draw_funcs_t`; W3C, Scalable Vector Graphics (SVG) 1.1, "Path data".
final class GlyphPen {
    /// The path so far, in points with at most two decimals.
    private(set) var data = ""
    private var scale = 1.0
    private var origin = (x: 0.0, y: 0.0)

    /// Adds the outline of a glyph.
    ///
    /// - Parameters:
    ///   - x: How far right its origin is, in points.
    ///   - y: How far below the baseline its origin is, in points.
    ///   - scale: The points of a unit of the face.
    func draw(_ glyph: UInt32, of face: Typeface, x: Double, y: Double, scale: Double) {
        (self.scale, origin) = (scale, (x, y))
        hb_font_get_glyph_shape(
            face.font, glyph, Self.functions.pointer, Unmanaged.passUnretained(self).toOpaque())
    }

    private func add(_ command: Character, _ points: [(x: Float, y: Float)] = []) {
        data.append(command)
        for (index, point) in points.enumerated() {
            if index > 0 { data.append(" ") }
            write(origin.x + Double(point.x) * scale)
            data.append(" ")
            // Up in a face is down in SVG.
            write(origin.y - Double(point.y) * scale)
        }
    }

    private func write(_ value: Double) {
        let hundredths = Int((min(max(value, -1e9), 1e9) * 100).rounded())
        let (whole, part) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        data += hundredths < 0 ? "-\(whole)" : "\(whole)"
        guard part > 0 else { return }
        data += part < 10 ? ".0\(part)" : part % 10 == 0 ? ".\(part / 10)" : ".\(part)"
    }

    /// HarfBuzz's callbacks: immutable after they are made, so any thread may use them.
    private struct Functions: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let functions: Functions = {
        let functions = hb_draw_funcs_create()
        hb_draw_funcs_set_move_to_func(
            functions,
            { _, pen, _, x, y, _ in GlyphPen.of(pen)?.add("M", [(x, y)]) }, nil, nil)
        hb_draw_funcs_set_line_to_func(
            functions,
            { _, pen, _, x, y, _ in GlyphPen.of(pen)?.add("L", [(x, y)]) }, nil, nil)
        hb_draw_funcs_set_quadratic_to_func(
            functions,
            { _, pen, _, controlX, controlY, x, y, _ in
                GlyphPen.of(pen)?.add("Q", [(controlX, controlY), (x, y)])
            }, nil, nil)
        hb_draw_funcs_set_cubic_to_func(
            functions,
            { _, pen, _, firstX, firstY, secondX, secondY, x, y, _ in
                GlyphPen.of(pen)?.add("C", [(firstX, firstY), (secondX, secondY), (x, y)])
            }, nil, nil)
        hb_draw_funcs_set_close_path_func(
            functions, { _, pen, _, _ in GlyphPen.of(pen)?.add("Z") }, nil, nil)
        hb_draw_funcs_make_immutable(functions)
        return Functions(pointer: functions)
    }()

    private static func of(_ pen: UnsafeMutableRawPointer?) -> GlyphPen? {
        pen.map { Unmanaged<GlyphPen>.fromOpaque($0).takeUnretainedValue() }
    }
}
