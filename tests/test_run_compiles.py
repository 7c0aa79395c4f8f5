"""`./run` has the sources compiled in the background, and never runs a copy of what they were."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ENOUGH_S = 20

PYTHON = """#!/bin/sh
[ "$2" = venv ] || exit 0
mkdir -p "$4/bin"
cat > "$4/bin/python" <<'END'
#!/bin/sh
for last; do :; done
case "$*" in *--target*) ;; *) exit 0 ;; esac
echo build >> "$last/builds"
[ -z "${BUILD_FAILS:-}" ] || { echo "no way"; exit 1; }
while [ -e "$last/hold" ]; do sleep 0.05; done
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/arena/_bundled/bots" "$2/bin" "$2/x.dist-info"
END
printf '#!/bin/sh\\nsleep "${COMMAND_S:-0}"; echo "${PYTHONPATH:-sources}"\\n' > "$4/bin/arena"
chmod +x "$4"/bin/*
"""
"""Makes an environment whose pip installs a copy, and whose `arena` says where it runs from."""


class Checkout:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.copies = folder / ".venv" / "compiled"
        for place in ("arena", "protocol/arena_protocol"):
            (folder / place).mkdir(parents=True)
            (folder / place / "code.py").write_text("a = 1\n")
        for name in ("run", "pyproject.toml", "hatch_build.py"):
            shutil.copy(ROOT / name, folder)
        (folder / "python").write_text(PYTHON)
        (folder / "python").chmod(0o755)

    def run(self, **env: str) -> str:
        """Where `./run rules` runs from."""
        clean = {key: value for key, value in os.environ.items() if key not in ("CI", "PYTHONPATH")}
        done = subprocess.run(
            [self.folder / "run", "rules"],
            env={**clean, "PYTHON": str(self.folder / "python"), **env},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def settle(self) -> list[str]:
        """The finished copies, once no build is under way."""
        lock = ["flock", "-w", str(ENOUGH_S), self.copies / "lock", "true"]
        time.sleep(0.1)
        subprocess.run(lock, check=True)
        return [path.name for path in self.copies.iterdir() if path.is_dir()]

    def builds(self) -> int:
        said = self.folder / "builds"
        return len(said.read_text().splitlines()) if said.exists() else 0

    def edit(self, text: str) -> None:
        (self.folder / "arena" / "code.py").write_text(text)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    if not (shutil.which("flock") and shutil.which("cc")):
        pytest.skip("this machine lacks flock or a C compiler")
    return Checkout(tmp_path)


def test_the_first_command_runs_the_sources_and_the_next_one_the_compiled_copy(checkout):
    assert checkout.run() == "sources"
    (copy,) = checkout.settle()
    assert checkout.run() == str(checkout.copies / copy)
    assert checkout.builds() == 1
    assert (checkout.copies / copy / "arena/_bundled/bots").readlink() == checkout.folder / "bots"


def test_an_edited_source_is_never_hidden_by_a_copy_of_what_it_was(checkout):
    checkout.run()
    (before,) = checkout.settle()
    checkout.edit("a = 2\n")
    assert checkout.run(CI="true") == "sources"
    checkout.edit("a = 1\n")
    assert checkout.run() == str(checkout.copies / before)


def test_the_build_waits_until_the_command_has_ended(checkout):
    assert checkout.run(COMMAND_S="1.5") == "sources"
    assert checkout.builds() == 0
    assert len(checkout.settle()) == 1


def test_sources_that_change_during_a_build_make_it_void(checkout):
    (checkout.folder / "hold").touch()
    checkout.run()
    limit = time.monotonic() + ENOUGH_S
    while not checkout.builds():
        assert time.monotonic() < limit
        time.sleep(0.05)
    assert checkout.run(CI="true") == "sources"  # half a copy is no copy
    checkout.edit("a = 3\n")
    (checkout.folder / "hold").unlink()
    assert checkout.settle() == []


def test_a_build_goes_on_alone(checkout):
    (checkout.folder / "hold").touch()
    checkout.run()
    for _ in range(3):
        assert checkout.run() == "sources"
    (checkout.folder / "hold").unlink()
    assert len(checkout.settle()) == 1
    assert checkout.builds() == 1


def test_a_build_that_fails_is_logged_and_not_tried_again_on_the_same_sources(checkout):
    for _ in range(2):
        assert checkout.run(BUILD_FAILS="1") == "sources"
        assert checkout.settle() == []
    assert checkout.builds() == 1
    assert "no way" in (checkout.copies / "log").read_text()


def test_a_ci_and_whoever_says_no_get_no_build(checkout):
    assert checkout.run(CI="true") == checkout.run(ARENA_COMPILED="0") == "sources"
    assert not checkout.copies.exists()
