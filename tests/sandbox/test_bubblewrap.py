"""The `bwrap` provider starts real bots and hides what it should. The attacks are elsewhere."""

from __future__ import annotations

import json
import os
import select
import time
from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.process import Exit, Process, spawn
from arena.sandbox.api import Limits, Program
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.uids import rules_uids

DEADLINE_MS = 20_000.0


def tell(folder: Path, code: str, limits: Limits | None = None, **program: object) -> object:
    """What Python code prints as JSON when it runs inside."""
    (folder / "tell.py").write_text(f"import json, os\nprint(json.dumps({code}), flush=True)\n")
    launch = Bubblewrap().launch(
        Program(folder, ("python3", "tell.py"), **program),  # type: ignore[arg-type]
        limits or Limits(),
    )
    with spawn(launch) as process:
        return json.loads(line_of(process))


def line_of(process: Process) -> bytes:
    line = b""
    deadline = time.monotonic() + DEADLINE_MS / 1000
    while not line.endswith(b"\n"):
        assert time.monotonic() < deadline
        if select.select([process.stdout], [], [], 1.0)[0]:
            piece = os.read(process.stdout, 65536)
            assert piece, os.read(process.stderr, 65536).decode()
            line += piece
    return line


def test_python_from_path_runs_even_if_path_leads_to_a_shim(folder: Path):
    assert tell(folder, "6 * 7") == 42


def test_the_environment_is_ours_alone(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ARENA_TEST_SECRET", "s3cret")
    assert set(tell(folder, "dict(os.environ)", env={"SEED": "1"})) == {  # type: ignore[call-overload]
        "PATH", "HOME", "LANG", "JAVA_TOOL_OPTIONS", "PWD", "SEED",
    }  # fmt: skip


def test_only_four_descriptors_are_open(folder: Path):
    assert tell(folder, "sorted(os.listdir('/proc/self/fd'))") == ["0", "1", "2", "3"]


def test_the_bot_is_alone_with_its_init(folder: Path):
    pids = tell(folder, "sorted(int(p) for p in os.listdir('/proc') if p.isdigit())")
    assert pids == [1, 2]


def test_the_init_tells_no_host_path(folder: Path):
    command = tell(folder, "open('/proc/1/cmdline').read()")
    assert str(folder) not in str(command)


def test_not_even_its_own_files_in_proc_can_be_written(folder: Path):
    names = ("oom_score_adj", "coredump_filter", "timerslack_ns", "comm")
    code = f"[os.access(f'/proc/self/{{name}}', os.W_OK) for name in {names}]"
    assert tell(folder, code) == [False] * len(names)


def test_the_tree_keeps_to_its_core(folder: Path):
    core = max(os.sched_getaffinity(0))
    assert tell(folder, "list(os.sched_getaffinity(0))", core=core) == [core]


def test_the_uid_is_not_the_harness_own(folder: Path):
    assert tell(folder, "os.getuid()") not in (0, os.getuid())


def test_scratch_space_is_there_only_if_granted(folder: Path):
    attempt = "os.access('/tmp', os.W_OK)"
    assert tell(folder, attempt) is False
    assert tell(folder, attempt, Limits(scratch_mb=1)) is True


def test_a_bot_of_its_own_executable_runs(folder: Path):
    (folder / "run.sh").write_text('#!/bin/sh\nread line\necho "got $line"\n')
    (folder / "run.sh").chmod(0o755)
    with spawn(Bubblewrap().launch(Program(folder, ("./run.sh",)), Limits())) as process:
        os.write(process.stdin, b"it\n")
        assert line_of(process) == b"got it\n"
        assert process.exit(DEADLINE_MS) == Exit(status=0)


def test_a_signal_inside_is_told_as_a_signal(folder: Path):
    launch = Bubblewrap().launch(Program(folder, ("sh", "-c", "kill -SEGV $$")), Limits())
    with spawn(launch) as process:
        assert process.exit(DEADLINE_MS) == Exit(signal=11)


def test_a_missing_interpreter_is_told_with_the_remedy(folder: Path):
    with pytest.raises(SandboxError, match=r"no such program on PATH .*install nonesuch"):
        Bubblewrap().launch(Program(folder, ("nonesuch", "bot.x")), Limits())


def test_a_bot_that_is_not_built_is_told_so(folder: Path):
    with pytest.raises(SandboxError, match="is not there"):
        Bubblewrap().launch(Program(folder, ("./bot",)), Limits())


def test_a_mount_that_fails_is_our_failure(folder: Path):
    bot = folder / "bot"
    bot.mkdir()
    launch = Bubblewrap().launch(Program(bot, ("sh", "-c", "true")), Limits())
    bot.rmdir()
    with pytest.raises(SandboxError, match="could not start"), spawn(launch) as process:
        process.exit(DEADLINE_MS)


@pytest.mark.skipif(not rules_uids(), reason="only root has uids to give")
def test_a_uid_is_not_given_again_while_its_bot_lives(folder: Path, monkeypatch):
    """The process limit counts by uid: a bot that lives on could use up that of a later one."""
    monkeypatch.setattr("arena.sandbox.uids.STARTS_EACH", 4)
    (folder / "tell.py").write_text(
        "import os, time\nprint(os.getuid(), flush=True)\ntime.sleep(60)"
    )
    sandbox, program = Bubblewrap(), Program(folder, ("/usr/bin/python3", "tell.py"))
    with spawn(sandbox.launch(program, Limits())) as first:
        lasting, others = int(line_of(first)), []
        for _ in range(5):
            with spawn(sandbox.launch(program, Limits())) as other:
                others.append(int(line_of(other)))
    assert lasting not in others
    with spawn(sandbox.launch(program, Limits())) as later:
        assert int(line_of(later)) not in others[-2:]
