"""Inside a user namespace, whose root often has no other uids, and where rights are missing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from arena.sandbox.landlock import Landlock

FAKE_ROOT = ("unshare", "--user", "--map-root-user")
NO_NAMESPACES_WITHIN = (
    "bwrap", "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--unshare-user",
    "--disable-userns", "--uid", "0", "--gid", "0",
)  # fmt: skip
NO_UIDS = ("setpriv", "--bounding-set=-setuid,-setgid")

WITHIN = """
from arena.sandbox.{0} import {1}
from arena.sandbox.api import Limits, Program
from arena.process import spawn
from pathlib import Path
sandbox = {1}(cache=Path("/no/such/folder"))
assert sandbox.unavailable() is None, sandbox.unavailable()
program = Program(Path("/usr/share"), ("/usr/bin/grep", "Cap[IPE]", "/proc/self/status"))
with spawn(sandbox.launch(program, Limits())) as it:
    assert it.exit(20_000).status == 0
    import os
    print(os.read(it.stdout, 4096).decode())
"""


def inside(entrance: Sequence[str], code: str) -> subprocess.CompletedProcess[str]:
    if subprocess.run([*entrance, "true"], capture_output=True, check=False).returncode:
        pytest.skip(f"{entrance[0]} cannot do here what the test needs")
    return subprocess.run(
        [*entrance, sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("entrance", "provider"),
    [
        (FAKE_ROOT, ("landlock", "Landlock")),
        (FAKE_ROOT, ("bubblewrap", "Bubblewrap")),
        (NO_NAMESPACES_WITHIN, ("landlock", "Landlock")),
    ],
)
def test_the_root_of_a_small_namespace_starts_bots_like_an_ordinary_user(entrance, provider):
    if Landlock().unavailable() is not None:
        pytest.skip("the kernel has no Landlock")
    done = inside(entrance, WITHIN.format(*provider))
    assert done.returncode == 0, done.stderr
    held = [int(line.split()[1], 16) for line in done.stdout.splitlines() if line]
    assert held == [0, 0, 0]  # inheritable, permitted, effective


def test_what_was_found_outside_a_namespace_is_not_believed_inside_it():
    told = "from arena.sandbox.report import _key; print(_key('1', {}))"
    assert inside(FAKE_ROOT, told).stdout != inside(("env",), told).stdout


@pytest.mark.skipif(os.getuid() != 0, reason="only root loses anything without CAP_SETUID")
def test_a_root_that_may_not_change_its_uid_is_told_so_in_words():
    told = inside(NO_UIDS, "from arena.sandbox.landlock import Landlock as L; "
                           "print(L().unavailable().reason)").stdout  # fmt: skip
    assert told.startswith("the sandbox could not start the program: taking on uid ")
    assert told.endswith(": Operation not permitted\n")
