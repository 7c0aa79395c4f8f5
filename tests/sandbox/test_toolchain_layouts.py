"""What people install tools with: a listed folder works as it does outside, whatever its links."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.process import spawn
from arena.sandbox.api import Limits, Program, Sandbox
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.landlock import Landlock

PYTHON = "/usr/bin/python3"
TELLS = "import sys, told; print(told.WORD, sys.prefix)\n"
"""Works only where the installation's own packages are found."""


@pytest.fixture
def tools() -> Iterator[Path]:
    """Where the organiser's installations lie: every uid can pass."""
    with tempfile.TemporaryDirectory(prefix="tools-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def venv(python: str, folder: Path) -> Path:
    """A virtual environment with a package and a command of that package."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python3*/site-packages")
    (packages / "told.py").write_text("WORD = 'here'\n")
    command = folder / "bin" / "tell"
    command.write_text(f"#!{folder}/bin/python3\n{TELLS}")
    command.chmod(0o755)
    return folder


def conda(folder: Path) -> Path:
    """A prefix with an interpreter of its own, its other names links, packages in `lib`."""
    for name in ("bin", "conda-meta", "lib/told"):
        (folder / name).mkdir(parents=True)
    real = Path(PYTHON).resolve()
    shutil.copy(real, folder / "bin" / real.name)
    (folder / "bin" / "python3").symlink_to(real.name)
    (folder / "lib" / "told" / "told.py").write_text("WORD = 'here'\n")
    return folder


def venv_of_the_system(tools: Path) -> tuple[Path, tuple[str, ...]]:
    made = venv(PYTHON, tools / "venv")
    return made, (f"{made}/bin/python3", "tell.py")


def command_of_a_venv(tools: Path) -> tuple[Path, tuple[str, ...]]:
    made = venv(PYTHON, tools / "venv")
    return made, (f"{made}/bin/tell",)


def venv_of_another_installation(tools: Path) -> tuple[Path, tuple[str, ...]]:
    """As `uv venv` and pyenv make them: `python3` leads to a version that lies elsewhere."""
    made = venv(f"{conda(tools / 'versions' / '3')}/bin/python3", tools / "venv")
    return made, (f"{made}/bin/tell",)


def conda_prefix(tools: Path) -> tuple[Path, tuple[str, ...]]:
    made = conda(tools / "conda")
    path = f"import sys; sys.path.append('{made}/lib/told'); exec(open('tell.py').read())"
    return made, (f"{made}/bin/python3", "-c", path)


def nvm_version(tools: Path) -> tuple[Path, tuple[str, ...]]:
    """`bin` has the binary, and links to scripts in `lib` that call it by `env`."""
    made = tools / "nvm" / "versions" / "node" / "v20"
    script = made / "lib" / "node_modules" / "tell" / "cli.js"
    for folder in (made / "bin", script.parent):
        folder.mkdir(parents=True)
    shutil.copy(Path(PYTHON).resolve(), made / "bin" / "node")
    script.write_text("#!/usr/bin/env node\nimport sys; print('here', sys.executable)\n")
    script.chmod(0o755)
    (made / "bin" / "tell").symlink_to("../lib/node_modules/tell/cli.js")
    return made, (f"{made}/bin/tell",)


LAYOUTS = (
    venv_of_the_system,
    command_of_a_venv,
    venv_of_another_installation,
    conda_prefix,
    nvm_version,
)


def said(sandbox: Sandbox, program: Program, toolchain: Path) -> tuple[str, str]:
    """What it writes, and what it complains."""
    with spawn(sandbox.launch(program, Limits(toolchains=(toolchain,)))) as process:
        process.exit(20_000)
        process.kill()  # nobody holds the pipes any more
        out, err = os.read(process.stdout, 65536), os.read(process.stderr, 65536)
    return out.decode(), err.decode()


@pytest.mark.parametrize("provider", [Bubblewrap, Landlock], ids=lambda provider: provider.name)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_a_listed_toolchain_works_inside_as_it_does_outside(
    folder: Path, tools: Path, provider: type[Sandbox], layout: Callable
):
    (folder / "tell.py").write_text(TELLS)
    toolchain, argv = layout(tools)
    out, err = said(provider(), Program(folder, argv), toolchain)
    assert out.startswith("here "), err
    assert str(toolchain) in out or layout is conda_prefix


@pytest.mark.parametrize("provider", [Bubblewrap, Landlock], ids=lambda provider: provider.name)
def test_of_what_a_listed_venv_leads_to_only_the_installation_is_shown(
    folder: Path, tools: Path, provider: type[Sandbox]
):
    toolchain, _ = venv_of_another_installation(tools)
    (tools / "versions" / "3" / "credentials").write_text("s3cret")
    (tools / "secret").write_text("s3cret")
    for secret in (tools / "versions" / "3" / "credentials", tools / "secret"):
        reading = f"print(open('{secret}').read())"
        python = Program(folder, (f"{toolchain}/bin/python3", "-c", reading))
        out, err = said(provider(), python, toolchain)
        assert "s3cret" not in out
        assert "Error" in err
