#!/usr/bin/env python3
"""Weighs what the program is made of: seconds of compiling and bytes in the binary of each package.

    weigh_dependencies.py           prints the table of docs/decisions/dependencies.md
    weigh_dependencies.py --write   writes it there

Builds the program from nothing in .build-weigh, as packages of a release are built, with compilers that note how much processor time
each of their calls took; the linker's map says how many bytes of each module are in the binary. Times are user and system seconds of
all processes, so that other work on the machine hardly matters; on two processors a build takes a little more than half of them. A
package that has no line in KNOWN is an error: every dependency is weighed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRATCH = ROOT / ".build-weigh"
DOCUMENT = ROOT / "docs/decisions/dependencies.md"
BEGIN, END = "<!-- measured by scripts/weigh_dependencies.py -->", "<!-- end -->"

#: What of each package we use, who keeps it, and what would take its place. Texts for people.
KNOWN = {
    "SceneSync": ("all of it", "this project", "–"),
    "Swift's runtime": (
        "the standard library, concurrency, Dispatch, FoundationEssentials (files, JSON of the crash ledger, dates)",
        "Apple, the Swift project",
        "Embedded Swift has no `any` and no reflection, which ArgumentParser needs",
    ),
    "swift-argument-parser": (
        "options, help texts, completions, the manual's pages",
        "Apple",
        "a parser of our own of about 1500 lines; its help and completions are what people notice",
    ),
    "swift-log": ("the interface of the two log handlers", "Apple", "40 lines; kept, since programs that embed the server bring their own handlers"),
    "hdrhistogram-swift": ("latencies in `scenesync load`", "HdrHistogram, a reference implementation", "300 lines; kept, since the figures are compared with other tools'"),
    "swift-numerics": ("nothing; hdrhistogram-swift asks for it", "Apple", "goes with hdrhistogram-swift"),
}
#: The same for libraries of the system, by what the linker calls them.
LIBRARIES = {
    "libwebsockets": ("connections, HTTP, event loops", "the libwebsockets project, Debian", "swift-nio with swift-nio-ssl, which brings BoringSSL"),
    "libssl": ("TLS", "the OpenSSL project, Debian", "–"),
    "libcrypto": ("digests, signatures of tokens", "the OpenSSL project, Debian", "–"),
    "libsqlite3": ("the journal", "the SQLite project, Debian", "files of our own; its crash safety is worth more"),
    "libnats": ("the connection to a cluster's NATS servers", "the NATS project, Debian", "the protocol on a socket of our own: about 800 lines with TLS and nkeys"),
    "libev": ("the event loop below libwebsockets", "Debian", "libwebsockets' own poll, slower with thousands of connections"),
    "libexpat": ("files of Interface Builder, with the byte of each element", "the expat project, Debian", "Foundation's XMLParser brings ICU and libxml2, and tells no bytes"),
    "libharfbuzz": ("the widths of words in faces", "the HarfBuzz project, Debian", "HarfBuzz built into the program: 108 seconds of processor time"),
    "libharfbuzz-subset": ("the outlines of the characters that an SVG shows", "the HarfBuzz project, Debian", "whole faces in each picture, 180 kB each"),
    "libpng16": ("PNG in terminals, read and written", "the libpng project, Debian", "Foundation has none; a decoder of our own on zlib, about 300 lines"),
    "libturbojpeg": ("JPEG in terminals", "the libjpeg-turbo project, Debian", "–"),
    "libwebp": ("WebP in terminals", "Google, Debian", "–"),
    "libz": ("deflate of vectors, pages and snapshots", "zlib, Debian", "–"),
}

#: Sections of a binary that stay on the disk.
NOT_LOADED = (".debug", ".comment", ".note.GNU-stack", ".swift1_autolink_entries", ".llvm", ".symtab", ".strtab", ".shstrtab")

RECORDER = """#!{python}
import os, resource, subprocess, sys
name = os.path.basename(sys.argv[0])
code = subprocess.call([os.environ["WEIGH_" + name], *sys.argv[1:]])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(os.environ["WEIGH_LOG"], "a") as log:
    words = []
    for word in sys.argv[1:]:
        try:
            words += open(word[1:]).read().split() if word.startswith("@") else [word]
        except OSError:
            pass
    places = [word for word in words if "/checkouts/" in word and not word.startswith("-")]
    package = places[0].split("/checkouts/")[1].split("/")[0] if places else "SceneSync"
    # A call for one of our own modules names others' headers and modules, and its own files.
    if any("/Sources/" in word and "/checkouts/" not in word and word.endswith((".swift", ".c")) for word in words):
        package = "SceneSync"
    log.write(f"{{used.ru_utime + used.ru_stime:.3f}}\\t{{package}}\\n")
sys.exit(code)
"""


def build(work: Path) -> tuple[Path, Path, Path]:
    """Builds from nothing. The binary, its map, and the log of the compilers."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    log, linked = work / "log", work / "map"
    environment = {**os.environ, "WEIGH_LOG": str(log)}
    for name, variable in (("swiftc", "SWIFT_EXEC"), ("clang", "CC")):
        real = shutil.which(name)
        if real is None:
            sys.exit(f"weigh_dependencies: there is no {name}; see https://swift.org/install")
        # By the same name: the compiler finds out by its name what it is.
        recorder = work / name
        recorder.write_text(RECORDER.format(python=sys.executable))
        recorder.chmod(0o755)
        environment |= {"WEIGH_" + name: real, variable: str(recorder)}
    arguments = "swift build -c release --product scenesync --static-swift-stdlib --scratch-path .build-weigh".split()
    subprocess.run([*arguments, "-Xlinker", f"-Map={linked}"], cwd=ROOT, env=environment, check=True, stdout=sys.stderr)
    return SCRATCH / "release/scenesync", linked, log


def seconds(log: Path) -> dict[str, float]:
    times: dict[str, float] = defaultdict(float)
    for line in log.read_text().splitlines():
        time, package = line.split("\t")
        times[package] += float(time)
    return times


def packages_by_module() -> dict[str, str]:
    """Which package each module of a checkout belongs to, by the folders of their sources."""
    modules = {}
    for folder in (SCRATCH / "checkouts").glob("*/Sources/*"):
        modules[folder.name] = folder.parts[-3]
    return modules


def size_of_sections(linked: Path) -> dict[str, int]:
    """The bytes of each package in the part of the binary that is loaded, by the linker's map."""
    modules = packages_by_module()
    modules["Histogram"] = "hdrhistogram-swift"
    sizes: dict[str, int] = defaultdict(int)
    _, _, memory = linked.read_text(errors="replace").partition("Memory map")
    if not memory:
        sys.exit("weigh_dependencies: the linker's map has no memory map; which linker is it?")
    # Names that are long stand on a line of their own.
    for section, size, file in re.findall(r"^ (\.\S+|swift5_\S+)\s+0x[0-9a-f]+\s+(0x[0-9a-f]+)\s+(/\S+)$", memory, re.MULTILINE):
        # Of sections that are not loaded, the addresses begin at zero.
        if section.startswith(NOT_LOADED):
            continue
        if found := re.search(r"/release/([^/]+)\.build/", file):
            sizes[modules.get(found[1], "SceneSync")] += int(size, 16)
        elif "/swift_static/" in file or "/swift/" in file:
            sizes["Swift's runtime"] += int(size, 16)
        else:
            sizes["the C library's start"] += int(size, 16)
    return sizes


def libraries(binary: Path) -> dict[str, int]:
    """The sizes of the system's libraries that the program is linked with itself."""
    dynamic = subprocess.run(["readelf", "-d", binary], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"NEEDED.*\[([^\]]+)\]", dynamic)
    found = dict(re.findall(r"(\S+) => (\S+)", subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout))
    sizes = {}
    for name in needed:
        stem = re.split(r"\.so", name)[0]
        if stem in LIBRARIES:
            sizes[stem] = Path(found[name]).resolve().stat().st_size
    return sizes


def table() -> str:
    with tempfile.TemporaryDirectory() as folder:
        binary, linked, log = build(Path(folder))
        times, sizes = seconds(log), size_of_sections(linked)
    stripped = SCRATCH / "stripped"
    subprocess.run(["strip", "-o", stripped, binary], check=True)
    unknown = sorted((set(times) | {name for name in sizes if name != "the C library's start"}) - set(KNOWN))
    if unknown:
        sys.exit(f"weigh_dependencies: not in KNOWN, say what we use of it: {', '.join(unknown)}")
    lines = [
        "| package | seconds | kB in the binary | what we use of it | who keeps it | what would take its place |",
        "|---|---|---|---|---|---|",
    ]
    for name in sorted(set(times) | set(sizes), key=lambda name: -sizes.get(name, 0)):
        if name not in KNOWN:
            continue
        time = f"{times[name]:.0f}" if name in times else "–"
        lines.append(f"| {name} | {time} | {sizes.get(name, 0) // 1000} | " + " | ".join(KNOWN[name]) + " |")
    lines += ["", "| library of the system | kB of its file | what we use of it | who keeps it | what would take its place |", "|---|---|---|---|---|"]
    for name, size in sorted(libraries(binary).items(), key=lambda entry: -entry[1]):
        lines.append(f"| {name} | {size // 1000} | " + " | ".join(LIBRARIES[name]) + " |")
    commit = subprocess.run(["git", "log", "-1", "--format=%cs"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    total = f"All in all {sum(times.values()):.0f} seconds of processor time, and {stripped.stat().st_size / 1e6:.1f} MB stripped"
    return "\n".join([*lines, "", f"{total} ({commit}, {os.uname().machine})."])


def main() -> None:
    text = table()
    if sys.argv[1:] != ["--write"]:
        print(text)
        return
    document = DOCUMENT.read_text()
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


if __name__ == "__main__":
    main()
