"""Writes what a package needs from the help texts of the program, so that neither is written twice.

    manual.py man PROGRAM FOLDER       a manual page for the program and one for each command
    manual.py settings PROGRAM         every setting of the server, commented out, as variables of its environment
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any


def help_of(program: str) -> dict[str, Any]:
    """The program's help as data."""
    output = subprocess.run([program, "--experimental-dump-help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    command: dict[str, Any] = json.loads(output)["command"]
    return command


def version_of(program: str) -> str:
    return subprocess.run([program, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


# --- Manual pages ---------------------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """Text that groff prints as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def name_of(argument: dict[str, Any]) -> str:
    if argument["kind"] == "positional":
        return str(argument["valueName"]).upper()
    dashed = [f"{'-' if name['kind'] == 'short' else '--'}{name['name']}" for name in argument["names"]]
    value = f" {str(argument['valueName']).upper()}" if argument["kind"] == "option" else ""
    return ", ".join(dashed) + value


def discussion(text: str) -> list[str]:
    """Paragraphs; what is indented is shown as it stands."""
    lines = []
    for block in textwrap.dedent(text).strip("\n").split("\n\n"):
        if block.startswith("  "):
            lines += [".PP", ".nf", escaped(block), ".fi"]
        else:
            lines += [".PP", escaped(block)]
    return lines


def page(name: str, command: dict[str, Any], version: str) -> str:
    lines = [f'.TH {escaped(name).upper()} 1 "" "SceneSync {version}" "SceneSync"', ".SH NAME"]
    lines.append(f"{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}")
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    positional = [name_of(argument) for argument in arguments if argument["kind"] == "positional"]
    words = name.replace("-", " ")
    usage = [words, *(["[OPTION...]"] if len(positional) < len(arguments) else []), *positional]
    if command.get("subcommands"):
        usage = [words, "COMMAND", "[ARGUMENT...]"]
    lines += [".SH SYNOPSIS", f".B {escaped(' '.join(usage))}"]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *discussion(command["discussion"])[1:]]
    if command.get("subcommands"):
        lines.append(".SH COMMANDS")
        for sub in command["subcommands"]:
            if sub.get("shouldDisplay", True) and sub["commandName"] != "help":
                lines += [".TP", f".BR {escaped(name)}\\-{escaped(sub['commandName'])} (1)", escaped(sub.get("abstract", ""))]
    section = None
    for argument in arguments:
        title = argument.get("sectionTitle") or ("Arguments" if argument["kind"] == "positional" else "Options")
        if title != section:
            section = title
            lines.append(f".SH {escaped(title).upper()}")
        lines += [".TP", f".B {escaped(name_of(argument))}", escaped(argument.get("abstract", "") or "See the description.")]
        if argument.get("defaultValue"):
            lines.append(f"Default: {escaped(argument['defaultValue'])}.")
    if not command.get("subcommands"):
        lines += [".SH SEE ALSO", ".BR scenesync (1)"]
    return "\n".join(lines) + "\n"


def write_pages(name: str, command: dict[str, Any], version: str, folder: Path) -> None:
    """The page of a command, and those of its commands."""
    (folder / f"{name}.1").write_text(page(name, command, version))
    for sub in command.get("subcommands", []):
        if sub.get("shouldDisplay", True) and sub["commandName"] != "help":
            write_pages(f"{name}-{sub['commandName']}", sub, version, folder)


def write_manual(program: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_pages("scenesync", help_of(program), version_of(program), folder)


# --- Settings -------------------------------------------------------------------------------------------------------

#: What the service sets by itself, and what is no setting.
NOT_SETTINGS = {"config", "data", "help", "version", "print-config"}


def settings(program: str) -> str:
    serve = next(sub for sub in help_of(program)["subcommands"] if sub["commandName"] == "serve")
    told = subprocess.run([program, "serve", "--print-config"], check=True, stdout=subprocess.PIPE, text=True, env={}).stdout
    defaults = json.loads(told)
    lines = ["# Settings of the SceneSync server, each with its default where it has one; `scenesync serve --help` tells more.",
             "# After a change: systemctl restart scenesync (limits, keys and certificates: reload).", ""]  # fmt: skip
    for argument in serve["arguments"]:
        name = argument["preferredName"]["name"]
        if not argument["shouldDisplay"] or name in NOT_SETTINGS:
            continue
        lines += textwrap.wrap(argument.get("abstract", ""), 98, initial_indent="# ", subsequent_indent="# ")
        value = defaults.get(name, {}).get("value")
        value = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        lines += [f"#SCENESYNC_{name.upper().replace('-', '_')}={value}", ""]
    return "\n".join(lines)


def main() -> None:
    match sys.argv[1:]:
        case ["man", program, folder]:
            write_manual(program, Path(folder))
        case ["settings", program]:
            print(settings(program), end="")
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
