#!/usr/bin/env python3
"""Writes the tables of Unicode properties in Sources/ again, from ICU's copy of the Unicode Character Database.

    python -m venv V && V/bin/pip install icu4py==1.2.0 && V/bin/python scripts/unicode_tables.py [--check]

icu4py brings ICU 78, which has Unicode 17.0.0; another version of either is refused. `--check` compares instead of writing.
"""

import ctypes
import glob
import pathlib
import random
import sys

ICU = 78
UNICODE = (17, 0, 0)
ROOT = pathlib.Path(__file__).resolve().parent.parent
LAST = 0x110000
SOFT_HYPHEN, DOTTED_CIRCLE = 0xAD, 0x25CC
VECTOR_COUNT = 2000

# ICU's numbers of properties and values, from uchar.h.
EAST_ASIAN_WIDTH, GENERAL_CATEGORY, LINE_BREAK, HANGUL_SYLLABLE_TYPE = 0x1004, 0x1005, 0x1008, 0x100B
LEADING_JAMO, VOWEL_JAMO, TRAILING_JAMO = 1, 2, 3
HANGUL_JAMO_EXTENDED_B = range(0xD7B0, 0xD800)
FULLWIDTH, HALFWIDTH, WIDE = 3, 2, 5
UNASSIGNED, NONSPACING_MARK, ENCLOSING_MARK, SPACING_MARK = 0, 6, 7, 8
LINE_SEPARATOR, PARAGRAPH_SEPARATOR, FORMAT = 13, 14, 16
INVISIBLE_CATEGORIES = (
    NONSPACING_MARK, ENCLOSING_MARK, SPACING_MARK, LINE_SEPARATOR, PARAGRAPH_SEPARATOR, FORMAT,
)
INITIAL_QUOTE, FINAL_QUOTE = 28, 29


def library():
    """ICU's common library, as icu4py brings it."""
    import icu4py

    folder = pathlib.Path(icu4py.__file__).parent.parent / "icu4py.libs"
    loaded = None
    for name in ("libicudata", "libicuuc"):
        found = glob.glob(str(folder / f"{name}-*.so.{ICU}.*"))
        if len(found) != 1:
            sys.exit(f"unicode_tables: no {name} of ICU {ICU} in {folder}; install icu4py==1.2.0")
        loaded = ctypes.CDLL(found[0], mode=ctypes.RTLD_GLOBAL)
    version = (ctypes.c_uint8 * 4)()
    getattr(loaded, f"u_getUnicodeVersion_{ICU}")(version)
    if tuple(version[:3]) != UNICODE:
        sys.exit(f"unicode_tables: ICU has Unicode {tuple(version[:3])}, expected {UNICODE}")
    return loaded


class Properties:
    """Properties of scalars."""

    def __init__(self):
        icu = library()
        self.number = getattr(icu, f"u_getIntPropertyValue_{ICU}")
        self.binary = getattr(icu, f"u_hasBinaryProperty_{ICU}")
        self.binary.restype = ctypes.c_int8
        self.property = getattr(icu, f"u_getPropertyEnum_{ICU}")
        self.name = getattr(icu, f"u_getPropertyValueName_{ICU}")
        self.name.restype = ctypes.c_char_p

    def category(self, scalar):
        return self.number(scalar, GENERAL_CATEGORY)

    def has(self, scalar, name):
        """Whether a scalar has the binary property of that name."""
        return bool(self.binary(scalar, self.property(name)))

    def is_wide(self, scalar):
        """Two columns. A regional indicator alone is drawn as wide as a flag."""
        wide = self.number(scalar, EAST_ASIAN_WIDTH) in (FULLWIDTH, WIDE)
        return not self.is_zero(scalar) and (wide or self.has(scalar, b"Regional_Indicator"))

    def is_zero(self, scalar):
        """No column: marks, what joins syllables of Hangul, and what is never drawn.

        Format characters that are drawn around the digits after them take a column, and so does a soft hyphen.
        """
        if scalar == SOFT_HYPHEN or self.has(scalar, b"Prepended_Concatenation_Mark"):
            return False
        return (
            scalar == 0
            or self.category(scalar) in INVISIBLE_CATEGORIES
            or self.number(scalar, HANGUL_SYLLABLE_TYPE) in (VOWEL_JAMO, TRAILING_JAMO)
            or scalar in HANGUL_JAMO_EXTENDED_B
            or self.has(scalar, b"Default_Ignorable_Code_Point")
            # The filler of a leading consonant has its place.
            and self.number(scalar, HANGUL_SYLLABLE_TYPE) != LEADING_JAMO
        )

    def line_break(self, scalar):
        """The class of UAX #14 after LB1, with the splits that the rules ask for; None for AL without flags."""
        name = self.name(LINE_BREAK, self.number(scalar, LINE_BREAK), 0).decode()
        category = self.category(scalar)
        if name in ("AI", "SG", "XX"):
            name = "AL"
        elif name == "SA":
            name = "CM" if category in (NONSPACING_MARK, SPACING_MARK) else "AL"
        elif name == "QU" and category == INITIAL_QUOTE:
            name = "QUInitial"
        elif name == "QU" and category == FINAL_QUOTE:
            name = "QUFinal"
        east_asian = self.number(scalar, EAST_ASIAN_WIDTH) in (FULLWIDTH, HALFWIDTH, WIDE)
        pictograph = category == UNASSIGNED and self.has(scalar, b"Extended_Pictographic")
        return (name, east_asian, pictograph)


def runs(value):
    """Maximal runs of scalars with one value: (first, last, value)."""
    result = []
    for scalar in range(LAST):
        found = value(scalar)
        if result and result[-1][2] == found:
            result[-1][1] = scalar
        else:
            result.append([scalar, scalar, found])
    return result


def packed(entries):
    """Entries of an array, in lines of at most 100 columns."""
    lines, line = [], "       "
    for entry in entries:
        if len(line) + len(entry) + 2 > 100:
            lines.append(line)
            line = "       "
        line += f" {entry},"
    return "\n".join([*lines, line])


def width_tables(properties):
    def ranges(predicate):
        return packed(f"0x{first:X}...0x{last:X}" for first, last, found in runs(predicate) if found)

    return f'''/// Ranges of Unicode 17.0.0; written by `scripts/unicode_tables.py` from `East_Asian_Width` (wide
/// and full-width) and `General_Category` (marks and format characters, which take no column).
enum WidthTables {{
    /// The version of Unicode that the ranges were made from; pinned, so that all machines agree.
    static let unicodeVersion = "17.0.0"

    /// Scalars that take two columns, ascending.
    static let wide: [ClosedRange<UInt32>] = [
{ranges(properties.is_wide)}
    ]

    /// Scalars that take no column, ascending.
    static let zero: [ClosedRange<UInt32>] = [
{ranges(properties.is_zero)}
    ]
}}
'''


def line_break_classes(properties):
    found = runs(properties.line_break)
    names = sorted({name for _, _, (name, _, _) in found} - {"AL"})
    names = ["AL", *names]
    cases = "\n".join(f"    case {swift_case(name)}" for name in names)
    entries = []
    for first, _, (name, east_asian, pictograph) in found:
        flags = (0x40 if east_asian else 0) | (0x80 if pictograph else 0)
        entries.append(f"0x{first << 8 | names.index(name) | flags:X}")
    return f'''/// Line breaking classes of Unicode 17.0.0 after rule LB1; written by `scripts/unicode_tables.py`.
///
/// `SA` is `CM` for marks and `AL` otherwise: no dictionary divides Thai, Lao, Khmer or Burmese.
/// Quotation marks that open or close by their general category are classes of their own.
enum LineBreakClass: UInt8 {{
{cases}
}}

/// Where the classes begin.
enum LineBreakTable {{
    /// The version of Unicode that the table was made from; pinned, so that all machines agree.
    static let unicodeVersion = "17.0.0"

    /// The first scalar of each run << 8, | 0x80 for unassigned pictographs, | 0x40 for wide,
    /// full-width and half-width scalars, | the class; ascending.
    static let runs: [UInt32] = [
{packed(entries)}
    ]
}}
'''


def swift_case(name):
    """A class's name as a case of Swift: `CM` becomes `cm`, `QUInitial` `quInitial`."""
    if name.startswith("QU") and len(name) > 2:
        return "qu" + name[2:]
    return {"IN": "`in`", "IS": "`is`", "AS": "`as`"}.get(name, name.lower())


def line_break_vectors(properties):
    """Texts of a few scalars with the places where ICU's own rules break them.

    `|` stands for an opportunity, a space for none. No scalar of class SA: there ICU asks dictionaries.
    """
    from icu4py.breakers import LineBreaker

    kinds = {}
    for first, last in ((0x20, 0x3100), (0xAC00, 0xAC40), (0xFE00, 0x10000), (0x11000, 0x11F00), (0x1F000, 0x1FB00)):
        for scalar in range(first, last):
            name = properties.name(LINE_BREAK, properties.number(scalar, LINE_BREAK), 0)
            if name != b"SA":
                kinds.setdefault((*properties.line_break(scalar), scalar == DOTTED_CIRCLE), []).append(scalar)
    kinds.update({("hard", scalar): [scalar] for scalar in (0x0A, 0x0B, 0x0D, 0x85)})
    random_source = random.Random(14)
    texts = [[a[0], b[0]] for a in kinds.values() for b in kinds.values()]
    for _ in range(VECTOR_COUNT):
        count = random_source.randint(3, 9)
        texts.append([random_source.choice(random_source.choice(list(kinds.values()))) for _ in range(count)])
    lines = ["# Written by scripts/unicode_tables.py: ICU 78, locale en@lb=strict."]
    for text in texts:
        string, ends, end = "".join(map(chr, text)), set(), 0
        for segment in LineBreaker(string, "en@lb=strict"):
            end += len(segment)
            ends.add(end)
        lines.append(
            "".join(f"{scalar:04X}" + ("|" if place + 1 in ends else " ") for place, scalar in enumerate(text))
        )
    return "\n".join(lines) + "\n"


def main():
    properties = Properties()
    files = {
        "Sources/CharacterWidth/WidthTables.swift": width_tables(properties),
        "Sources/LineBreaking/LineBreakTable.swift": line_break_classes(properties),
        "Tests/LineBreakingTests/Vectors/icu.txt": line_break_vectors(properties),
    }
    differing = 0
    for name, text in files.items():
        path = ROOT / name
        if "--check" in sys.argv[1:]:
            if path.read_text() != text:
                differing += 1
                print(f"{name} differs; write it with scripts/unicode_tables.py")
        else:
            path.write_text(text)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
