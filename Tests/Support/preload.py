"""Libraries in C that are loaded before a program's own, to stand between it and the system."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def build_library(source: Path, folder: Path) -> Path:
    """Compiles a library into a folder, with the system's compiler or the one that Swift brings."""
    library = folder / f"{source.stem}.so"
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise FileNotFoundError("there is no C compiler; install gcc, or put the clang of Swift on PATH")
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O2", "-o", str(library), str(source)], check=True)
    return library
