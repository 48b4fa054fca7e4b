"""A program that promises what it has written: something to hold the disk model against.

    diligent.py FOLDER KIND    appends lines to FOLDER/lines and prints each that it promises. KIND is "synced", or what is wrong: "late"
                               syncs the first line and leaves the others to the system, "replaced" renames a new file over the old one
                               and does not sync the folder, "unsynced" renames it before its bytes are synced
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def append(folder: Path, syncs_all: bool) -> None:
    """One line after another in one file."""
    file = os.open(folder / "lines", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    sync_folder(folder)
    for number in range(1, 1_000_000):
        os.write(file, f"{number}\n".encode())
        if syncs_all or number == 1:
            os.fsync(file)
        print(number, flush=True)


def replace(folder: Path, syncs_bytes: bool) -> None:
    """A new file for each line."""
    lines = b""
    for number in range(1, 1_000_000):
        lines += f"{number}\n".encode()
        file = os.open(folder / "new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.write(file, lines)
        if syncs_bytes:
            os.fsync(file)
        os.close(file)
        os.rename(folder / "new", folder / "lines")
        if not syncs_bytes:
            sync_folder(folder)
        print(number, flush=True)


def main() -> None:
    folder, kind = Path(sys.argv[1]), sys.argv[2]
    if kind in ("synced", "late"):
        append(folder, kind == "synced")
    else:
        replace(folder, kind == "replaced")


if __name__ == "__main__":
    main()
