"""Checks the documents: README.md, docs/ and the DocC catalogues. Files that they link to must exist, and each fenced block is
tried by its language.

    sh       runs against the demo; addresses of port 7070 are the server's
    json     a scene is laid out, ops are sent to the demo room and must be committed
    swift    is compiled against a build's modules (SCENESYNC_BUILD, or the debug build's), all blocks of a document as one program
    python   runs with the client library against the same server; blocks marked `python step` as one program for each document
    js       is checked for syntax

    console  a command whose second line is a refusal is run, and must be refused in these words, at whatever tick
Other blocks of `console`, and those of `text`, are not run: drawings, and commands that build, install or wait for a person.
The changelog's latest release, the program, the Python client and the JavaScript client have one version. A line of the changelog has
160 characters at most.

SCENESYNC names the program.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Support"))

from scenesync_server import PROGRAM, Server  # noqa: E402

BUILD = Path(os.environ.get("SCENESYNC_BUILD", ROOT / ".build/debug"))

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
BLOCK = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.M | re.S)
LANGUAGES = {"sh", "json", "swift", "python", "js", "text", "console"}


#: Where versions stand, as patterns whose first group is the version. The changelog's latest release decides.
RELEASE = ("CHANGELOG.md", r"^## (\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$")
VERSIONS = [
    ("Sources/SceneServer/SceneServer.swift", r'^public let sceneSyncVersion = "([^"]+)"$'),
    ("clients/python/pyproject.toml", r'^version = "([^"]+)"$'),
    ("clients/web/package.json", r'^  "version": "([^"]+)",$'),
    ("docs/operating.md", r"scenesync_(\d+\.\d+\.\d+)_amd64\.deb"),
]
CHANGE_CHARACTERS = 160


def check_versions() -> str | None:
    def version(path: str, pattern: str) -> str | None:
        found = re.search(pattern, (ROOT / path).read_text(), re.M)
        return found[1] if found else None

    release = version(*RELEASE)
    if release is None:
        return "there is no release; head one with `## VERSION - YEAR-MONTH-DAY`"
    others = [f"{path} has {found}" for path, pattern in VERSIONS if (found := version(path, pattern)) != release]
    return f"the latest release is {release}, but {'; '.join(others)}" if others else None


def check_changes() -> str | None:
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    long = [str(number) for number, line in enumerate(lines, 1) if len(line) > CHANGE_CHARACTERS]
    return f"lines of more than {CHANGE_CHARACTERS} characters: {', '.join(long)}; say it shorter" if long else None


@dataclass
class Block:
    document: Path
    line: int
    language: str
    text: str
    #: Whether the block goes on where the document's one before it ended.
    is_step: bool = False

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}"


def documents() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("Sources/*/*.docc/*.md"))]


def blocks() -> Iterator[Block]:
    for document in documents():
        text = document.read_text()
        for match in BLOCK.finditer(text):
            yield Block(document, text[: match.start()].count("\n") + 1, match[1], match[3], match[2].strip() == "step")


def run(command: list[str], folder: Path | None = None) -> str | None:
    """Runs a command; what it printed if it failed."""
    environment = {**os.environ, "PATH": f"{Path(PROGRAM).parent}:{os.environ['PATH']}"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder or ROOT, env=environment)
    return None if done.returncode == 0 else (done.stdout + done.stderr)[-2000:]


def served(text: str, server: Server) -> str:
    """Text whose addresses are those of the running server."""
    return text.replace("ws://127.0.0.1:7070", server.url).replace("http://127.0.0.1:7070", server.http).replace(
        ".build/release/scenesync", PROGRAM)  # fmt: skip


def check_json(block: Block, server: Server) -> str | None:
    value = json.loads(block.text)
    if isinstance(value, dict) and "scene" in value:
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(block.text)
            file.flush()
            return run([PROGRAM, "layout", file.name])
    results = server.apply(value)
    return None if results and results[-1].get("result") == "committed" else f"the server answered {results}"


def check_refusal(block: Block, server: Server) -> str | None:
    """Runs a command and holds what it prints against the line below it, as far as `…`; ticks differ."""
    command, printed = block.text.splitlines()
    done = subprocess.run(["sh", "-eu", "-c", served(command, server)], capture_output=True, text=True, timeout=120, cwd=ROOT)
    found, wanted = (re.sub(r'"tick":\d+', '"tick":0', line) for line in (done.stdout, printed.split(" …")[0]))
    return None if done.returncode == 1 and found.startswith(wanted) else f"printed {done.stdout}{done.stderr}"


def check_swift(document: Path, parts: list[Block]) -> str | None:
    """Compiles the blocks of a document in order, as the body of one function below their imports."""
    lines = "".join(part.text for part in parts).splitlines()
    imports = sorted({line for line in lines if line.startswith("import ")})
    body = [line for line in lines if not line.startswith("import ")]
    source = "\n".join([*imports, "func example() async throws {", *body, "}", ""])
    modules = BUILD / "Modules"
    maps = [*ROOT.glob("Sources/*/module.modulemap"), *BUILD.resolve().parents[1].glob("checkouts/*/Sources/**/module.modulemap"),
            *(BUILD / f"{name}.build/module.modulemap" for name in ("CTransportShims", "CStepRecord"))]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "Example.swift"
        file.write_text(source)
        flags = [flag for path in maps for flag in ("-Xcc", f"-fmodule-map-file={path}")]
        return run(["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-I", str(modules), *flags, str(file)])


def main() -> None:
    passed, failed = 0, 0
    swift: dict[Path, list[Block]] = {}
    steps: dict[Path, list[Block]] = {}

    def note(place: object, problem: str | None) -> None:
        nonlocal passed, failed
        if problem is None:
            passed += 1
        else:
            failed += 1
            print(f"{place}: {problem}", file=sys.stderr)

    for document in [*documents(), ROOT / "CHANGELOG.md", ROOT / "SECURITY.md"]:
        links = [link for link in LINK.findall(document.read_text()) if "://" not in link]
        broken = [link for link in links if not (document.parent / link).exists()]
        note(document.relative_to(ROOT), f"links to nothing: {', '.join(broken)}" if broken else None)
    note("versions", check_versions())
    note("CHANGELOG.md", check_changes())
    with Server("--in-memory", command="demo") as server, tempfile.TemporaryDirectory() as folder:
        # Examples that name files of the checkout find them.
        for name in ("protocol", "clients"):
            (Path(folder) / name).symlink_to(ROOT / name)
        for block in blocks():
            match block.language:
                case "sh":
                    note(block, run(["sh", "-eu", "-c", served(block.text, server)], Path(folder)))
                case "json":
                    note(block, check_json(block, server))
                case "python" if block.is_step:
                    steps.setdefault(block.document, []).append(block)
                case "python":
                    note(block, run([sys.executable, "-c", served(block.text, server)]))
                case "js":
                    file = Path(folder) / "example.mjs"
                    file.write_text(block.text)
                    note(block, run(["node", "--check", str(file)]))
                case "swift":
                    swift.setdefault(block.document, []).append(block)
                case "console" if '\n{"result":"refused"' in block.text:
                    note(block, check_refusal(block, server))
                case "text" | "console":
                    pass
                case _:
                    note(block, f"the block has the language “{block.language}”; use one of {', '.join(sorted(LANGUAGES))}")
        for document, parts in steps.items():
            program = "\n".join(part.text for part in parts)
            note(f"{document.relative_to(ROOT)}, step by step", run([sys.executable, "-c", served(program, server)]))
    for document, parts in swift.items():
        note(document.relative_to(ROOT), check_swift(document, parts))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
