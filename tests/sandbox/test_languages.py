"""Programs in the languages that bots are written in run in every sandbox, threads and all."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.process import spawn
from arena.sandbox.api import Limits, Program
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.landlock import Landlock

PROGRAMS = Path(__file__).parent / "programs"
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Language:
    """How a program is built outside (if it is) and run inside."""

    name: str
    file: str
    run: tuple[str, ...]
    build: tuple[str, ...] = ()


LANGUAGES = (
    Language("python", "echo.py", ("python3", "echo.py")),
    Language("node", "echo.js", ("node", "echo.js")),
    Language("java", "Echo.java", ("java", "-cp", ".", "Echo"), ("javac", "Echo.java")),
    Language("go", "echo.go", ("./echo",), ("go", "build", "-o", "echo", "echo.go")),
    Language("rust", "echo.rs", ("./echo",), ("rustc", "-o", "echo", "echo.rs")),
    Language("c", "echo.c", ("./echo",), ("gcc", "-pthread", "-o", "echo", "echo.c")),
)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
@pytest.mark.parametrize("provider", [Bubblewrap, Landlock], ids=lambda provider: provider.name)
def test_a_program_with_threads_answers(provider, language: Language, folder: Path):
    make(language, folder)
    with spawn(provider().launch(Program(folder, language.run), Limits())) as process:
        os.write(process.stdin, b"are you there?\n")
        readable, _, _ = select.select([process.stdout], [], [], PATIENCE_S)
        assert readable
        answer = os.read(process.stdout, 100)
        assert answer == b"ARE YOU THERE?\n", os.read(process.stderr, 4000).decode()


def make(language: Language, folder: Path) -> None:
    """Puts the program into `folder`, built. A toolchain that is not there skips with its name."""
    tool = (language.build or language.run)[0]
    if shutil.which(tool) is None:
        pytest.skip(f"no {tool} on this machine: {language.name} is not tried")
    shutil.copy(PROGRAMS / language.file, folder)
    if language.build:
        environment = {**os.environ, "GOCACHE": str(folder / "cache"), "GO111MODULE": "off"}
        subprocess.run(language.build, cwd=folder, check=True, env=environment)
