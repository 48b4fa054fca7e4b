#!/usr/bin/env python3
"""Makes the faces that ship with the program, from Inter as Debian has it.

    apt-get install fonts-inter
    python -m venv V && V/bin/pip install fonttools==4.68.0 brotli==1.2.1 uharfbuzz==0.57.0
    V/bin/python scripts/fonts.py [--check]

Each is written twice: `.otf` for the server, which measures with it, and `.woff2` for browsers, which draw with it. Both have
the same outlines, advances and tables of shaping. The advances of words that the tests expect come from HarfBuzz 15, which
uharfbuzz brings: another one than the program links. `--check` compares instead of writing.
"""

import hashlib
import io
import pathlib
import random
import sys

import uharfbuzz
from fontTools import subset

SOURCE = pathlib.Path("/usr/share/fonts/opentype/inter")
ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources/EmbeddedFiles/fonts"
VECTORS = ROOT / "Tests/TypefacesTests/Vectors/advances.tsv"
# Inter 4.0 beta 7; another release has other advances, and rooms in journals name the faces by their bytes.
SOURCES = {
    "Inter-Regular": "a7e791e8f5a0fb02b65663f7fca73e1d1ca9543f772ad480cbd76f4e3fe3f8cc",
    "Inter-SemiBold": "8c1990b6012254ea2b487161697d107357dd0ee55811cfd91c8c11227bbef457",
}
# Latin, Greek and Cyrillic, with their marks, punctuation, currencies, arrows, mathematics, and simple shapes.
RANGES = (
    (0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x52F), (0x1E00, 0x20CF), (0x2100, 0x23FF), (0x25A0, 0x26FF),
)
FEATURES = ["calt", "ccmp", "clig", "kern", "liga", "locl", "mark", "mkmk", "rlig"]
NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]


def make(name, flavor):
    source = SOURCE / f"{name}.otf"
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    if digest != SOURCES[name]:
        sys.exit(f"fonts: {source} has SHA-256 {digest}, expected {SOURCES[name]} (Debian's fonts-inter 4.0~beta7)")
    options = subset.Options(
        layout_features=FEATURES, hinting=False, notdef_outline=True, name_IDs=NAMES, recalc_timestamp=False, flavor=flavor
    )
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[scalar for first, last in RANGES for scalar in range(first, last + 1)])
    subsetter.subset(font)
    output = io.BytesIO()
    font.flavor = flavor
    font.save(output)
    return output.getvalue()


WORDS = """
    Settings AVATAR Te Tä To. WAVE Yo! fi ffi office 1,234 ms 12:34 99% -> <= x2 2x2 (a) [B] {c} "d" «e» … — Größe naïve coöperate
    Ångström ﬁ Łódź Ελληνικά ΑΥΤΟ Άλφα ἀρχή Русский Україна ДА Ёлка č̌ ạ̈ q̃ e\u0301 o\u0308\u0301 a\u0323\u0302 I\u0307 €1.00 ½ №5
""".split()
ALPHABETS = ((0x41, 0x7A), (0xC0, 0x17F), (0x391, 0x3C9), (0x410, 0x44F), (0x30, 0x39))


def vectors(faces):
    """Words with the advances of each face, in its units."""
    source = random.Random(17)
    words = list(WORDS)
    for first, last in ALPHABETS:
        letters = [chr(scalar) for scalar in range(first, last + 1) if chr(scalar).isalnum()]
        words += ["".join(source.choice(letters) for _ in range(source.randint(1, 12))) for _ in range(60)]
    lines = ["# Written by scripts/fonts.py with HarfBuzz " + uharfbuzz.version_string()]
    fonts = [uharfbuzz.Font(uharfbuzz.Face(face)) for face in faces]
    for word in words:
        advances = []
        for font in fonts:
            buffer = uharfbuzz.Buffer()
            buffer.add_str(word)
            buffer.guess_segment_properties()
            buffer.language = "und"
            uharfbuzz.shape(font, buffer)
            if any(info.codepoint == 0 for info in buffer.glyph_infos):
                break
            advances.append(sum(position.x_advance for position in buffer.glyph_positions))
        if len(advances) == len(fonts):
            lines.append("\t".join([word, *map(str, advances)]))
    return ("\n".join(lines) + "\n").encode()


def main():
    TARGET.mkdir(exist_ok=True)
    files = {
        TARGET / (name + suffix): make(name, flavor)
        for name in SOURCES
        for suffix, flavor in ((".otf", None), (".woff2", "woff2"))
    }
    files[VECTORS] = vectors([files[TARGET / f"{name}.otf"] for name in SOURCES])
    differing = 0
    for path, made in files.items():
        if "--check" not in sys.argv[1:]:
            path.write_bytes(made)
        elif not path.exists() or path.read_bytes() != made:
            differing += 1
            print(f"{path.name} differs; make it with scripts/fonts.py")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
