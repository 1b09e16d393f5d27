# SPDX-License-Identifier: Apache-2.0
"""The peers' virtual environments: one each under .peers/NAME, made on first use, with pinned versions.

One environment a peer keeps their dependencies apart and makes the installed size of each a plain sum of files.
Everything a peer needs is named, and pip resolves nothing else: a benchmark must not change when a dependency does.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import budgie
from benchmarks.places import PEERS


class PeerError(Exception):
    """A peer's environment could not be made."""


def prepare(name: str, requirements: Sequence[str]) -> Path:
    """The Python of this peer's environment, made first if it is missing or has other versions."""
    folder = PEERS / name
    python = folder / "bin" / "python"
    stamp = folder / "requirements.txt"
    wanted = "\n".join(requirements) + "\n"
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    if folder.exists():
        shutil.rmtree(folder)
    call([sys.executable, "-m", "venv", str(folder)], name)
    call([str(python), "-m", "pip", "install", "--quiet", "--no-deps", *requirements], name)
    stamp.write_text(wanted)  # written last: a broken install is made again
    return python


def prepare_node(name: str, packages: Sequence[str]) -> None:
    """The same for packages of npm, which Node finds below .peers/NAME/node_modules."""
    folder = PEERS / name
    stamp, wanted = folder / "packages.txt", "\n".join(packages) + "\n"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    if shutil.which("npm") is None:
        raise PeerError(f"{name}: Node and npm are not installed")
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    call(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *packages], name)
    stamp.write_text(wanted)


def call(command: list[str], name: str) -> None:
    """Run one step of making an environment."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PeerError(f"{name}: {' '.join(command[1:])} failed:\n{done.stderr.strip()}")


def installed_bytes(name: str) -> int:
    """Bytes of everything pip or npm put into this peer's environment, without pip itself."""
    return sum(
        file.stat().st_size
        for pattern in ("lib/python*/site-packages", "node_modules")
        for packages in (PEERS / name).glob(pattern)
        for file in packages.rglob("*")
        if file.is_file()
        and "__pycache__" not in file.parts
        and not file.relative_to(packages).parts[0].startswith(("pip", "setuptools", "_distutils_hack", "distutils-"))
    )


def package_bytes() -> int:
    """Bytes of Budgie itself with all embedded models, as a wheel installs them."""
    package = Path(budgie.__file__).parent
    files = {file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    files.add(Path(budgie._core.__file__))  # of an editable install it lies elsewhere
    return sum(file.stat().st_size for file in files)
