"""How comments are wrapped, and which words are found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import check_comments  # noqa: E402

#: 96 columns, which a mark of four makes 100.
WIDE = " ".join(["seventeen letters"] * 5 + ["at ten"])


def wrapped(text: str) -> list[str]:
    lines = check_comments.wrap(text.split("\n"))
    # Nothing but the ends of lines moves.
    assert " ".join(" ".join(lines).replace("///", " ").split()) == " ".join(text.replace("///", " ").split())
    return lines


def test_a_wide_paragraph_is_filled_and_others_stay() -> None:
    assert wrapped(f"/// A short line\n/// of two.\n///\n/// {WIDE} beyond\n/// the edge.\nfunc f() {{}}") == [
        "/// A short line", "/// of two.", "///", f"/// {WIDE}", "/// beyond the edge.", "func f() {}",
    ]  # fmt: skip


def test_the_rest_of_an_item_is_indented() -> None:
    four = " ".join(["seventeen letters"] * 4)
    assert wrapped(f"    /// - Parameter it: {WIDE} more\n    ///   and more.\n    /// - Returns: It.") == [
        f"    /// - Parameter it: {four}",
        "    ///   seventeen letters at ten more and more.",
        "    /// - Returns: It.",
    ]


def test_an_item_in_an_item_keeps_its_place() -> None:
    four = " ".join(["seventeen letters"] * 4)
    assert wrapped(f"/// - Parameters:\n///   - one: {WIDE} more of it\n///     and the rest.\n///   - two: Short.") == [
        "/// - Parameters:",
        f"///   - one: {four} seventeen",
        "///     letters at ten more of it and the rest.",
        "///   - two: Short.",
    ]


@pytest.mark.parametrize("line", [f"///     0  4  {WIDE} more", f"/// | {WIDE} | cell |", f"// MARK: {WIDE} more", f"let a = 1  // {WIDE} more"])
def test_tables_drawings_and_code_stay(line: str) -> None:
    assert len(line) > 100
    assert wrapped(line) == [line]


def test_a_fenced_block_stays() -> None:
    text = f"/// ```swift\n/// {WIDE} more code\n/// ```"
    assert wrapped(text) == text.split("\n")


def test_words_are_found_where_a_line_divides_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/words.tsv").write_text("# a comment\nso many\tthe number\n")
    (tmp_path / "Kept.swift").write_text("/// Waits for so\n/// many.\nlet text = \"so many\"\n/// Is plain.\n")
    (tmp_path / "README.md").write_text("`so many` is code\n```text\nso many\n```\nSo many words\n")
    monkeypatch.setattr(check_comments, "ROOT", tmp_path)
    monkeypatch.setattr(check_comments, "tracked", lambda *patterns: [name for name in ("Kept.swift", "README.md") if patterns[0] in (name, "*.swift") and name.endswith(patterns[0][-3:])])
    assert check_comments.check() == 1
    assert capsys.readouterr().err.splitlines() == [
        "Kept.swift:1: “so many”: write the number",
        "README.md:5: “So many”: write the number",
    ]


def test_every_word_has_a_better_one_and_the_tree_is_clean() -> None:
    assert all(better for _, better in check_comments.words())
    assert check_comments.check() == 0
