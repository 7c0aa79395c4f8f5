"""Whoever starts `arena`, and wherever it writes, it works or says in one line why not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import environment

MATCH = ("match", "random", "random", "random", "random", "--deals", "1")
RUN = ("run", "random", "counting", "--orbits", "1", "--deals", "1", "--out", "run")

SIGCHLD_IGNORED = """
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.executable, [sys.executable, "-m", "arena", *sys.argv[1:]])
"""

NO_LOCKS = """
import ctypes, errno, os, platform, struct, sys
call, refusal = sys.argv[1].split()
number = {"flock": {"x86_64": 73, "aarch64": 32}, "fcntl": {"x86_64": 72, "aarch64": 25}}[call]
command = 24 if call == "fcntl" else 0  # the second argument, which must be F_SETLK; or the number
wanted = 6 if call == "fcntl" else number[platform.machine()]
steps = [(0x20, 0, 0, 0), (0x15, 0, 3, number[platform.machine()]), (0x20, 0, 0, command),
         (0x15, 0, 1, wanted), (0x06, 0, 0, 0x50000 | getattr(errno, refusal)),
         (0x06, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program, 0, 0) == 0
os.execv(sys.executable, [sys.executable, "-m", "arena", *sys.argv[2:]])
"""


@pytest.fixture
def started_by(tmp_path, cache):
    """`started_by(parent, words)`: how `arena` ends that another program starts."""

    def call(parent: str, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", parent, *words],
            cwd=tmp_path,
            env=environment(cache) | env,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


@pytest.mark.parametrize("words", [MATCH, RUN], ids=lambda words: words[0])
def test_a_parent_that_ignores_its_childrens_ends_does_no_harm(started_by, words):
    done = started_by(SIGCHLD_IGNORED, *words)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.parametrize("refused", ["flock ENOLCK", "fcntl ENOLCK", "fcntl EOPNOTSUPP"])
def test_a_file_system_without_locks_is_named_in_one_line(started_by, refused):
    done = started_by(NO_LOCKS, refused, *RUN)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert "file system at /" in last
    assert "has no locks" in last
    assert "--out" in last


@pytest.mark.parametrize(("command", "word"), [("variants", "overruff"), ("plugins", "callbreak")])
def test_no_columns_at_all_empty_no_table(started_by, command, word):
    run = "import os, sys; os.execv(sys.executable, [sys.executable, '-m', 'arena', *sys.argv[1:]])"
    assert word in started_by(run, command, COLUMNS="0").stdout


FEW_DESCRIPTORS = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, tuple(map(int, sys.argv[1:3])))
os.execv(sys.executable, [sys.executable, "-m", "arena", *sys.argv[3:]])
"""


@pytest.mark.parametrize("executor", ["local", "dask"])
@pytest.mark.parametrize("limits", [("100", "1024"), ("300", "300")], ids=["soft", "hard"])
def test_few_descriptors_make_no_match_void(started_by, limits, executor):
    if executor == "dask":
        pytest.importorskip("distributed")
    bots = [f"b{number}=random" for number in range(12)]
    words = ("run", *bots, "--orbits", "1", "--deals", "1", "--workers", "1", "--json-events")
    done = started_by(FEW_DESCRIPTORS, *limits, *words, "--executor", executor)
    assert (done.returncode, "void" in done.stdout) == (0, False), done.stderr
    assert done.stdout.count('"match"') >= 12


@pytest.mark.parametrize("limit", ["8", "79", "80"])
def test_a_limit_of_descriptors_too_low_for_a_table_is_named_in_one_line(started_by, limit):
    inherited = "os.dup2(1, 200, inheritable=True)\nresource.setrlimit"
    program = FEW_DESCRIPTORS.replace("resource.setrlimit", inherited)
    done = started_by(program, limit, limit, *MATCH)
    if limit == "80":
        assert done.returncode == 0, done.stderr
    else:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert f"{limit} files" in done.stderr
        assert "ulimit -n" in done.stderr


NO_USER_NAMESPACES = """
import os, sys
limit = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
os.execvp("unshare", ["unshare", "--user", "--map-root-user", "sh", "-c", limit, "sh",
                      sys.executable, "-m", "arena", *sys.argv[1:]])
"""


def test_without_user_namespaces_the_demo_plays_what_can_be_and_says_what_lifts_the_limit(
    started_by,
):
    done = started_by(NO_USER_NAMESPACES, "demo", "--orbits", "1")
    assert done.returncode == 0, done.stderr
    assert "sandbox landlock" in done.stderr
    for bot in ("boss", "greedy"):
        assert f"left out: {bot}: landlock cannot give a build (bwrap: " in done.stderr
        assert bot not in done.stdout
    assert "sudo sysctl -w user.max_user_namespaces=15000" in done.stderr
    refused = started_by(NO_USER_NAMESPACES, "match", "boss", "random", "random", "random")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "bot boss" in refused.stderr
    assert "sudo sysctl -w user.max_user_namespaces=15000" in refused.stderr


@pytest.fixture
def noexec(tmp_path) -> Iterator[Path]:
    """A file system on which nothing may be executed."""
    place = tmp_path / "noexec"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "noexec", "tmpfs", place]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount anything")
    yield place
    subprocess.run(["umount", place], check=True)


@pytest.mark.parametrize("build", ["", 'build = ["true"]\n'])
def test_a_cache_on_a_file_system_that_executes_nothing_is_named(arena, tmp_path, noexec, build):
    bot = tmp_path / "own"
    bot.mkdir()
    (bot / "go").write_text("#!/bin/sh\n")
    (bot / "go").chmod(0o755)
    (bot / "bot.toml").write_text(f'name = "own"\nversion = "1"\nrun = ["./go"]\n{build}')
    words = [sys.executable, "-m", "arena", "match", "own", *MATCH[2:], "--unsandboxed"]
    env = environment(noexec)
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert f"bot own: the cache lies on {noexec}, which is mounted noexec" in line
    assert "XDG_CACHE_HOME" in line
