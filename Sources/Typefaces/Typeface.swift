private import CHarfBuzz

/// A font file that text is measured with.
///
/// Measuring depends on the bytes of the file alone: no font of the system, no locale and no
/// hinting takes part in it.
///
/// May be used from any thread: HarfBuzz's objects are immutable once they are made, and each
/// question has a buffer of its own.
public final class Typeface: @unchecked Sendable {
    /// The name of the face.
    public let hash: FaceHash
    /// The family, as the file has it in English.
    public let familyName: String
    /// How heavy the strokes are, 1...1000; 400 is regular. OpenType, `usWeightClass`.
    public let weight: Int
    /// The units in an em, 16...16384; all lengths of the face are in these.
    public let unitsPerEm: Int
    /// From the baseline to the top of a line, positive.
    public let ascender: Int
    /// From the baseline to the bottom of a line, usually negative.
    public let descender: Int
    /// What lines have between them.
    public let lineGap: Int

    /// The most bytes that a file may have.
    public static let byteMaximum = 32 << 20

    /// HarfBuzz's font.
    let font: OpaquePointer

    /// Reads a face.
    ///
    /// - Parameter file: The bytes of an OpenType or TrueType file with one static face.
    /// - Throws: `TypefaceError`.
    public init(_ file: [UInt8]) throws(TypefaceError) {
        guard file.count <= Self.byteMaximum else {
            throw .tooLarge(bytes: file.count, maximum: Self.byteMaximum)
        }
        let face = Self.face(file)
        defer { hb_face_destroy(face) }
        guard hb_face_get_glyph_count(face) > 0 else {
            let count = Self.faceCount(file)
            throw count > 1 ? .collection(faces: count) : .notAFont
        }
        let count = Self.faceCount(file)
        guard count == 1 else { throw .collection(faces: count) }
        guard hb_ot_var_get_axis_count(face) == 0 else { throw .variable }
        unitsPerEm = Int(hb_face_get_upem(face))
        guard (16...16384).contains(unitsPerEm) else {
            throw .badMetrics("\(unitsPerEm) units in an em")
        }
        guard let characters = hb_set_create() else { throw .notAFont }
        hb_face_collect_unicodes(face, characters)
        let isEmpty = hb_set_is_empty(characters) != 0
        hb_set_destroy(characters)
        guard !isEmpty else { throw .noCharacters }

        guard let font = hb_font_create(face) else { throw .notAFont }
        hb_ot_font_set_funcs(font)
        hb_font_make_immutable(font)
        self.font = font
        var extents = hb_font_extents_t()
        hb_font_get_h_extents(font, &extents)
        (ascender, descender, lineGap) = (
            Int(extents.ascender), Int(extents.descender), Int(extents.line_gap)
        )
        weight = Int(hb_style_get_value(font, HB_STYLE_TAG_WEIGHT).rounded())
        familyName = Self.name(of: face)
        hash = FaceHash(of: file)
        let height = ascender - descender + lineGap
        guard height > 0, height <= Self.heightMaximum * unitsPerEm, ascender >= 0 else {
            throw .badMetrics("lines of \(height) units with \(unitsPerEm) in an em")
        }
        guard (1...1000).contains(weight) else { throw .badMetrics("a weight of \(weight)") }
    }

    deinit { hb_font_destroy(font) }

    /// The most ems that a line may be high.
    private static let heightMaximum = 16

    private static func face(_ file: [UInt8]) -> OpaquePointer? {
        let blob = blob(file)
        defer { hb_blob_destroy(blob) }
        let face = hb_face_create(blob, 0)
        hb_face_make_immutable(face)
        return face
    }

    private static func faceCount(_ file: [UInt8]) -> Int {
        let blob = blob(file)
        defer { hb_blob_destroy(blob) }
        return Int(hb_face_count(blob))
    }

    /// HarfBuzz's copy of the bytes.
    private static func blob(_ file: [UInt8]) -> OpaquePointer? {
        file.withUnsafeBytes { bytes in
            hb_blob_create(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(bytes.count),
                HB_MEMORY_MODE_DUPLICATE, nil, nil)
        }
    }

    private static let nameMaximum = 128

    /// The family to which faces of all weights belong.
    private static func name(of face: OpaquePointer?) -> String {
        for id in [HB_OT_NAME_ID_TYPOGRAPHIC_FAMILY, HB_OT_NAME_ID_FONT_FAMILY] {
            let name = name(hb_ot_name_id_t(id), of: face)
            if !name.isEmpty { return name }
        }
        return ""
    }

    private static func name(_ id: hb_ot_name_id_t, of face: OpaquePointer?) -> String {
        var length = UInt32(nameMaximum)
        let bytes = [CChar](unsafeUninitializedCapacity: nameMaximum) { buffer, count in
            _ = hb_ot_name_get_utf8(face, id, nil, &length, buffer.baseAddress)
            count = Int(length)
        }
        return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: Questions

    /// Whether the face has a glyph for a character.
    public func covers(_ scalar: Unicode.Scalar) -> Bool {
        var glyph: hb_codepoint_t = 0
        return hb_font_get_nominal_glyph(font, scalar.value, &glyph) != 0
    }

    /// How far a run of text goes: the sum of its glyphs' advances, and how many of its glyphs the
    /// face lacks.
    struct Extent {
        /// In units of the face; not negative.
        var units: Int
        /// Glyphs that the face lacks; their advances are not counted.
        var missing: Int
    }

    /// Measures a run of one script, shaped with HarfBuzz's default features.
    ///
    /// - Complexity: Up to O(*n*²) in the marks of a cluster, before HarfBuzz 7.
    func extent(of run: ArraySlice<Unicode.Scalar>, script: Script, isKerned: Bool) -> Extent {
        var extent = Extent(units: 0, missing: 0)
        shape(run, script, isKerned) { glyph in
            if glyph.glyph == 0 {
                extent.missing += 1
            } else {
                extent.units += glyph.advance
            }
        }
        extent.units = max(0, extent.units)
        return extent
    }

    /// A glyph of a run, lengths in units of the face.
    struct PlacedGlyph {
        /// The glyph's place in the face; 0 for a character that the face lacks.
        var glyph: UInt32
        var advance: Int
        var xOffset: Int
        /// Upwards.
        var yOffset: Int
    }

    /// The glyphs of a run of one script, shaped with HarfBuzz's default features, from left to
    /// right.
    func glyphs(
        of run: ArraySlice<Unicode.Scalar>, script: Script, isKerned: Bool
    ) -> [PlacedGlyph] {
        var glyphs: [PlacedGlyph] = []
        shape(run, script, isKerned) { glyphs.append($0) }
        return glyphs
    }

    private func shape(
        _ run: ArraySlice<Unicode.Scalar>, _ script: Script, _ isKerned: Bool,
        _ body: (PlacedGlyph) -> Void
    ) {
        guard let buffer = hb_buffer_create() else { return }
        defer { hb_buffer_destroy(buffer) }
        let values = run.map(\.value)
        hb_buffer_add_codepoints(buffer, values, Int32(values.count), 0, Int32(values.count))
        hb_buffer_set_script(buffer, script.tag)
        hb_buffer_set_direction(buffer, script.direction)
        if isKerned {
            hb_shape(font, buffer, nil, 0)
        } else {
            var feature = hb_feature_t(
                tag: Self.kerningTag, value: 0, start: 0, end: UInt32.max)
            hb_shape(font, buffer, &feature, 1)
        }
        var count: UInt32 = 0
        let infos = hb_buffer_get_glyph_infos(buffer, &count)
        let positions = hb_buffer_get_glyph_positions(buffer, &count)
        guard let infos, let positions else { return }
        for index in 0..<Int(count) {
            let position = positions[index]
            body(
                PlacedGlyph(
                    glyph: infos[index].codepoint, advance: Int(position.x_advance),
                    xOffset: Int(position.x_offset), yOffset: Int(position.y_offset)))
        }
    }

    private static let kerningTag: hb_tag_t = hb_tag_from_string("kern", 4)

    // MARK: Scripts

    /// A script of Unicode, as HarfBuzz names it.
    struct Script: Equatable {
        fileprivate let tag: hb_script_t

        /// The script of a character.
        init(of scalar: Unicode.Scalar) {
            tag = hb_unicode_script(hb_unicode_funcs_get_default(), scalar.value)
        }

        private init(_ tag: hb_script_t) { self.tag = tag }

        static let latin = Script(HB_SCRIPT_LATIN)

        /// Whether text in any script may contain the character.
        var isShared: Bool {
            tag == HB_SCRIPT_COMMON || tag == HB_SCRIPT_INHERITED || tag == HB_SCRIPT_UNKNOWN
        }

        /// Whether each character stands by itself: there is nothing to shape.
        var isIdeographic: Bool {
            tag == HB_SCRIPT_HAN || tag == HB_SCRIPT_HIRAGANA || tag == HB_SCRIPT_KATAKANA
                || tag == HB_SCRIPT_BOPOMOFO
        }

        /// Whether its text runs from right to left.
        var isRightToLeft: Bool { hb_script_get_horizontal_direction(tag) == HB_DIRECTION_RTL }

        fileprivate var direction: hb_direction_t {
            isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR
        }
    }
}
