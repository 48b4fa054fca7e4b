public import LayoutValues

/// A colour by what it is for; its value follows the traits of the view. The names are those of
/// `UIColor`, `tint` being `UIColor.tintColor`.
public enum SystemColor: String, CaseIterable, Sendable {
    /// Text, by importance.
    case label, secondaryLabel, tertiaryLabel, quaternaryLabel
    /// Text in a field that holds none.
    case placeholderText
    /// Lines between contents.
    case separator, opaqueSeparator
    /// Text that leads elsewhere.
    case link
    /// Areas of plain screens, from the back to the front.
    case systemBackground, secondarySystemBackground, tertiarySystemBackground
    /// Areas of grouped lists, from the back to the front.
    case systemGroupedBackground, secondarySystemGroupedBackground
    /// The frontmost of these.
    case tertiarySystemGroupedBackground
    /// Areas over others, from small shapes to large ones.
    case systemFill, secondarySystemFill, tertiarySystemFill, quaternarySystemFill
    /// Colours by name, of which each has an accessible variant.
    case systemRed, systemOrange, systemYellow, systemGreen, systemMint, systemTeal, systemCyan
    /// The same.
    case systemBlue, systemIndigo, systemPurple, systemPink, systemBrown
    /// From the one that stands out most to the one that does so least.
    case systemGray, systemGray2, systemGray3, systemGray4, systemGray5, systemGray6
    /// The `tint` of the nearest view, from this one up, that has one; `systemBlue` without any.
    case tint

    /// The values `0xrrggbbaa`: light, dark, light with high contrast, dark with high contrast.
    ///
    /// - Source: Apple, Human Interface Guidelines, "Color" (2024) for the colours by name; the
    ///   values of iOS 13 to 18 for the others. Where no value for high contrast is published,
    ///   translucent text and lines are opaquer.
    private var values: (UInt32, UInt32, UInt32, UInt32) {
        switch self {
        case .label: (0x0000_00ff, 0xffff_ffff, 0x0000_00ff, 0xffff_ffff)
        case .secondaryLabel: (0x3c3c_4399, 0xebeb_f599, 0x3c3c_43cc, 0xebeb_f5b3)
        case .tertiaryLabel: (0x3c3c_434d, 0xebeb_f54d, 0x3c3c_43b3, 0xebeb_f58c)
        case .quaternaryLabel: (0x3c3c_432e, 0xebeb_f529, 0x3c3c_438c, 0xebeb_f566)
        case .placeholderText: (0x3c3c_434d, 0xebeb_f54d, 0x3c3c_43b3, 0xebeb_f58c)
        case .separator: (0x3c3c_434a, 0x5454_5899, 0x3c3c_435e, 0x5454_58ad)
        case .opaqueSeparator: (0xc6c6_c8ff, 0x3838_3aff, 0xc6c6_c8ff, 0x3838_3aff)
        case .link: (0x007a_ffff, 0x0984_ffff, 0x0040_ddff, 0x409c_ffff)
        case .systemBackground: (0xffff_ffff, 0x0000_00ff, 0xffff_ffff, 0x0000_00ff)
        case .secondarySystemBackground: (0xf2f2_f7ff, 0x1c1c_1eff, 0xebeb_f0ff, 0x2424_26ff)
        case .tertiarySystemBackground: (0xffff_ffff, 0x2c2c_2eff, 0xffff_ffff, 0x3636_38ff)
        case .systemGroupedBackground: (0xf2f2_f7ff, 0x0000_00ff, 0xebeb_f0ff, 0x0000_00ff)
        case .secondarySystemGroupedBackground: (0xffff_ffff, 0x1c1c_1eff, 0xffff_ffff, 0x2424_26ff)
        case .tertiarySystemGroupedBackground: (0xf2f2_f7ff, 0x2c2c_2eff, 0xebeb_f0ff, 0x3636_38ff)
        case .systemFill: (0x7878_8033, 0x7878_805c, 0x7878_8047, 0x7878_8070)
        case .secondarySystemFill: (0x7878_8029, 0x7878_8052, 0x7878_803d, 0x7878_8066)
        case .tertiarySystemFill: (0x7676_801f, 0x7676_803d, 0x7676_8033, 0x7676_8052)
        case .quaternarySystemFill: (0x7474_8014, 0x7676_802e, 0x7474_8029, 0x7676_8042)
        case .systemRed: (0xff3b_30ff, 0xff45_3aff, 0xd700_15ff, 0xff69_61ff)
        case .systemOrange: (0xff95_00ff, 0xff9f_0aff, 0xc934_00ff, 0xffb3_40ff)
        case .systemYellow: (0xffcc_00ff, 0xffd6_0aff, 0xb250_00ff, 0xffd4_26ff)
        case .systemGreen: (0x34c7_59ff, 0x30d1_58ff, 0x248a_3dff, 0x30db_5bff)
        case .systemMint: (0x00c7_beff, 0x63e6_e2ff, 0x0c81_7bff, 0x66d4_cfff)
        case .systemTeal: (0x30b0_c7ff, 0x40c8_e0ff, 0x0082_99ff, 0x5de6_ffff)
        case .systemCyan: (0x32ad_e6ff, 0x64d2_ffff, 0x0071_a4ff, 0x70d7_ffff)
        case .systemBlue, .tint: (0x007a_ffff, 0x0a84_ffff, 0x0040_ddff, 0x409c_ffff)
        case .systemIndigo: (0x5856_d6ff, 0x5e5c_e6ff, 0x3634_a3ff, 0x7d7a_ffff)
        case .systemPurple: (0xaf52_deff, 0xbf5a_f2ff, 0x8944_abff, 0xda8f_ffff)
        case .systemPink: (0xff2d_55ff, 0xff37_5fff, 0xd30f_45ff, 0xff64_82ff)
        case .systemBrown: (0xa284_5eff, 0xac8e_68ff, 0x7f65_45ff, 0xb594_69ff)
        case .systemGray: (0x8e8e_93ff, 0x8e8e_93ff, 0x6c6c_70ff, 0xaeae_b2ff)
        case .systemGray2: (0xaeae_b2ff, 0x6363_66ff, 0x8e8e_93ff, 0x7c7c_80ff)
        case .systemGray3: (0xc7c7_ccff, 0x4848_4aff, 0xaeae_b2ff, 0x5454_56ff)
        case .systemGray4: (0xd1d1_d6ff, 0x3a3a_3cff, 0xbcbc_c0ff, 0x4444_46ff)
        case .systemGray5: (0xe5e5_eaff, 0x2c2c_2eff, 0xd8d8_dcff, 0x3636_38ff)
        case .systemGray6: (0xf2f2_f7ff, 0x1c1c_1eff, 0xebeb_f0ff, 0x2424_26ff)
        }
    }

    /// The colour under some traits; what is unspecified counts as light and as normal contrast.
    /// For `tint` the value where no view has one.
    public func color(_ style: UserInterfaceStyle, _ contrast: AccessibilityContrast) -> Color {
        let (light, dark, clearerLight, clearerDark) = values
        let isHigh = contrast == .high
        return Color(
            rgba: style == .dark ? (isHigh ? clearerDark : dark) : (isHigh ? clearerLight : light))
    }
}

/// A colour as documents have it: a literal one or one by name.
public enum DynamicColor: Hashable, Sendable {
    /// The same under all traits.
    case literal(Color)
    /// By what it is for.
    case system(SystemColor)

    /// Reads `#rrggbb`, `#rrggbbaa` or the name of a system colour; nil for anything else.
    public init?(_ text: String) {
        if let color = Color(text) {
            self = .literal(color)
        } else if let system = SystemColor(rawValue: text) {
            self = .system(system)
        } else {
            return nil
        }
    }

    /// The text of the colour in documents.
    public var text: String {
        switch self {
        case .literal(let color): color.text
        case .system(let system): system.rawValue
        }
    }

    /// Whether the value follows traits.
    public var isSystem: Bool {
        switch self {
        case .literal: false
        case .system: true
        }
    }

    /// The colour under light traits, for places that know none.
    public var plain: Color {
        switch self {
        case .literal(let color): color
        case .system(let system): system.color(.light, .normal)
        }
    }
}
