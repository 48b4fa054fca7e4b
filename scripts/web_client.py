"""Joins the modules of clients/web/source into clients/web/scenesync.js, the file that is delivered.

`web_client.py` checks that the delivered file is what the modules give; `--write` writes it. The result is the comment at the top of
index.js, then each module without its imports, in the order of the imports. A name is exported where index.js exports it. Names of
all modules share one scope in the result, so no two modules may declare the same one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[1] / "clients" / "web"
SOURCE, DELIVERED = WEB / "source", WEB / "scenesync.js"
NOTE = "// The modules of this file are in clients/web/source; scripts/web_client.py joins them.\n"

IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./(\w+)\.js";$', re.M)
EXPORT = re.compile(r'^export \{ ([\w, ]+) \} from "\./(\w+)\.js";$', re.M)
DECLARATION = re.compile(r"^(export )?(?:async )?(?:const|let|class|function\*?) (\w+)", re.M)
#: Further names of a declaration of several constants in one line.
FURTHER = re.compile(r"^(export )?const \w+ = [^{\n]*?;$", re.M)
NAME = re.compile(r"(?:const|,) (\w+) = ")


class Mistake(Exception):
    """What is wrong with the modules, for the person who changes them."""


def names(text: str) -> list[str]:
    return text.split(", ")


class Module:
    """One module: its text without imports, what it imports, declares and exports."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.imports = [(match[2], names(match[1])) for match in IMPORT.finditer(text)]
        self.body = IMPORT.sub("", text).strip("\n") + "\n"
        if re.search(r"^\s*(import\b|export (?!const |let |class |async |function))", self.body, re.M):
            raise Mistake(f'{name}.js: write imports as `import {{ a, b }} from "./module.js";`, and export declarations only')
        self.declared, self.exported = set(), set()
        lines = [(match[1], [match[2]]) for match in DECLARATION.finditer(self.body)]
        lines += [(match[1], NAME.findall(match[0])) for match in FURTHER.finditer(self.body)]
        for is_exported, found in lines:
            self.declared.update(found)
            self.exported.update(found if is_exported else [])


def join(read: dict[str, str]) -> str:
    """The delivered file from the texts of the modules, by their names."""
    index = read["index"]
    public: dict[str, set[str]] = {}
    for match in EXPORT.finditer(index):
        public.setdefault(match[2], set()).update(names(match[1]))
    head = EXPORT.sub("", index).strip("\n")
    if any(not line.startswith("//") for line in head.split("\n")):
        raise Mistake("index.js: a comment and `export { … } from` are all that it may hold")
    modules = {name: Module(name, text) for name, text in read.items() if name != "index"}
    placed: list[Module] = []

    def place(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise Mistake(f"modules import one another in a circle: {' > '.join([*path, name])}")
        if name not in modules:
            raise Mistake(f"{path[-1]}.js imports ./{name}.js, which is not there")
        if modules[name] in placed:
            return
        for other, wanted in modules[name].imports:
            place(other, (*path, name))
            if missing := set(wanted) - modules[other].exported:
                raise Mistake(f"{name}.js imports {', '.join(sorted(missing))}, which {other}.js does not export")
        placed.append(modules[name])

    for name in public:
        place(name, ("index",))
    if unused := set(modules) - {module.name for module in placed}:
        raise Mistake(f"no module imports {', '.join(sorted(unused))}")
    owners: dict[str, str] = {}
    parts = [head + "\n//\n" + NOTE]
    for module in placed:
        for name in sorted(module.declared):
            if name in owners:
                raise Mistake(f"{owners[name]}.js and {module.name}.js both declare {name}; rename one")
            owners[name] = module.name
        wanted = public.get(module.name, set())
        if missing := wanted - module.exported:
            raise Mistake(f"index.js exports {', '.join(sorted(missing))}, which {module.name}.js does not")

        def reduced(match: re.Match[str], wanted: set[str] = wanted) -> str:
            return match[0] if match[2] in wanted else match[0].removeprefix("export ")

        parts.append(DECLARATION.sub(reduced, module.body))
    return "\n".join(parts)


def main() -> int:
    try:
        text = join({path.stem: path.read_text() for path in sorted(SOURCE.glob("*.js"))})
    except Mistake as mistake:
        print(f"clients/web/source: {mistake}", file=sys.stderr)
        return 1
    if "--write" in sys.argv[1:]:
        DELIVERED.write_text(text)
    elif DELIVERED.read_text() != text:
        print("clients/web/scenesync.js is not what its modules give: run scripts/web_client.py --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
