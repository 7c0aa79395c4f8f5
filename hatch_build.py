"""Compiles the hot path into the wheel when asked to: `ARENA_COMPILED=1 pip install .`

The same files, by mypyc: nothing is written twice, and without the variable nothing is compiled.
docs/decisions/0009-compiled-build.md says why.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ASKED = "ARENA_COMPILED"
NEEDS = ["mypy[mypyc]>=1.13", "orjson>=3.10", "setuptools>=77"]  # orjson for its types

PACKAGES = {"arena": "arena", "arena_protocol": "protocol/arena_protocol"}
"""Where each package lies in the source tree."""

MODULES = [
    *(f"arena/referee/{name}.py" for name in ("driver", "match", "session", "pipes", "seat")),
    *(f"arena/referee/{name}.py" for name in ("evidence", "stall")),
    *(f"arena/games/callbreak/{name}.py" for name in ("state", "deal", "trick", "cards")),
    *(f"arena/games/callbreak/{name}.py" for name in ("observations", "payloads", "scoring")),
    "arena/games/callbreak/shuffle.py",
    "arena_protocol/framing.py",
]
"""What runs in every decision, or in every match."""

BUILD = """\
import sys
from mypyc.build import mypycify
from setuptools import setup
sys.argv = ["setup.py", "build_ext", "--inplace"]
options = ["--config-file=", "--explicit-package-bases"]
setup(name="compiled", packages=[], ext_modules=mypycify([*options, *MODULES], opt_level="3"))
"""


class CompiledBuildHook(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel, beside their sources."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return NEEDS if _asked() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # An editable install runs the sources as they stand: a compiled copy would hide changes.
        if self.target_name != "wheel" or version == "editable" or not _asked():
            return
        if lacks := _lacking():
            raise SystemExit(f"{ASKED} needs {' and '.join(lacks)}; or build without {ASKED}")
        self._folder = Path(tempfile.mkdtemp(prefix="arena-compiled-"))
        for package, place in PACKAGES.items():
            shutil.copytree(Path(self.root, place), self._folder / package)
        _compile(self._folder)
        for built in self._folder.rglob("*.so"):
            inside = built.relative_to(self._folder)
            if inside.parts[0] != "build":
                build_data["force_include"][str(built)] = str(inside)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            shutil.rmtree(self._folder)


def _asked() -> bool:
    return os.environ.get(ASKED, "") not in ("", "0")


def _lacking() -> list[str]:
    """What this machine lacks to compile, each with the command that brings it."""
    compiler = sysconfig.get_config_var("CC") or "cc"
    headers = Path(sysconfig.get_path("include"), "Python.h")
    needed = {
        "a C compiler (apt-get install gcc python3-dev)": shutil.which(compiler.split()[0]),
        "Python's headers (apt-get install python3-dev)": headers.exists(),
        "mypyc (pip install 'mypy[mypyc]' setuptools)": importlib.util.find_spec("mypyc"),
    }
    return [what for what, found in needed.items() if not found]


def _compile(folder: Path) -> None:
    """Leaves shared objects beside the sources. Ends the build in one line if that fails."""
    program = f"MODULES = {MODULES!r}\n{BUILD}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        raise SystemExit(f"{ASKED}: compiling failed (see above); or build without {ASKED}")
