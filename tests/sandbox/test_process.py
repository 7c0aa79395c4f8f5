"""What `spawn` promises, tried on plain programs of the host (no sandbox)."""

from __future__ import annotations

import os
import select
import sys
import threading
import time

import pytest

from arena.errors import SandboxError
from arena.process import Exit, Launch, Process, spawn

DEADLINE_S = 30.0


def python(code: str) -> Launch:
    return Launch((sys.executable, "-c", code), env={})


def read_until(process: Process, end: bytes) -> bytes:
    """What comes on stdout up to and including `end`."""
    arrived = b""
    deadline = time.monotonic() + DEADLINE_S
    while end not in arrived:
        assert time.monotonic() < deadline, arrived
        select.select([process.stdout], [], [], 1.0)
        try:
            piece = os.read(process.stdout, 65536)
        except BlockingIOError:
            continue
        assert piece, arrived
        arrived += piece
    return arrived


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_a_line_goes_in_and_comes_back():
    with spawn(python("print(input().upper(), flush=True)")) as process:
        os.write(process.stdin, b"hello\n")
        assert read_until(process, b"\n") == b"HELLO\n"
        assert process.exit(DEADLINE_S * 1000) == Exit(status=0)


def test_status_and_signal_are_told_apart():
    with spawn(python("import sys; sys.exit(9)")) as process:
        assert process.exit(DEADLINE_S * 1000) == Exit(status=9)
    with spawn(python("import os; os.kill(os.getpid(), 9)")) as process:
        assert process.exit(DEADLINE_S * 1000) == Exit(signal=9)


def test_a_running_process_has_no_exit():
    with spawn(python("input()")) as process:
        assert process.exit(0) is None


def test_a_child_gets_no_descriptor_beyond_those_of_its_launch():
    read, write = os.pipe()
    os.set_inheritable(read, True)
    try:
        with spawn(python("import os; print(os.listdir('/proc/self/fd'), flush=True)")) as process:
            listed = read_until(process, b"\n").decode()
    finally:
        os.close(read)
        os.close(write)
    assert sorted(eval(listed)) == ["0", "1", "2", "3"]  # 3 is the listing's own


def test_a_feed_can_be_read_at_its_number():
    launch = Launch(
        (sys.executable, "-c", "import os; os.write(1, os.read(7, 99) + os.read(3, 99))"),
        feeds={7: b"seven", 3: b"three\n"},
    )
    with spawn(launch) as process:
        assert read_until(process, b"\n") == b"seventhree\n"


def test_nothing_of_ours_is_left_open():
    before = set(os.listdir("/proc/self/fd"))
    with spawn(python("input()")) as process:
        process.kill()
    with pytest.raises(SandboxError, match="cannot be started"):
        spawn(Launch(("/nonexistent/program",)))
    assert set(os.listdir("/proc/self/fd")) == before


def test_kill_reaches_children_and_grandchildren_in_the_session():
    code = (
        "import os, time\n"
        "for _ in range(3):\n"
        "    if os.fork() == 0:\n"
        "        if os.fork(): os._exit(0)\n"
        "        print(os.getpid(), flush=True); time.sleep(60)\n"
        "print('done', flush=True); time.sleep(60)\n"
    )
    with spawn(python(code)) as process:
        pids: list[int] = []
        text = b""
        while len(pids) < 3 or b"done" not in text:
            text += read_until(process, b"\n")
            pids = [int(line) for line in text.split() if line.isdigit()]
        process.kill()
        assert process.survivors == 0
        assert not [pid for pid in [*pids, process.pid] if alive(pid)]


def test_kill_twice_is_kill_once():
    with spawn(python("input()")) as process:
        process.kill()
        process.kill()
        assert process.exit(0) == Exit(signal=9)


def test_the_gate_holds_a_process_until_it_is_taken_hold_of():
    order: list[str] = []

    class Watcher:
        def attach(self, pid: int, pidfd: int) -> Watcher:
            order.append("alive" if alive(pid) else "dead")
            return self

        def verdict(self) -> Exit | None:
            return Exit(memory=True)

        def release(self) -> None:
            order.append("released")

    launch = Launch(
        ("/bin/sh", "-c", "read go <&3 && echo >&4 && exec sleep 60"),
        gate_fds=(3,),
        ready_fd=4,
        guards=(Watcher(),),
    )
    with spawn(launch) as process:
        process.kill()
        assert process.exit(0) == Exit(memory=True)
    assert order == ["alive", "released"]


def test_an_end_before_the_gate_is_ours_and_not_the_bots():
    with (
        spawn(Launch(("/bin/sh", "-c", "echo broken >&2; exit 3"), ready_fd=4)) as process,
        pytest.raises(SandboxError, match="broken"),
    ):
        process.exit(DEADLINE_S * 1000)


def test_a_program_cannot_forge_an_end_before_the_gate():
    launch = Launch(
        ("/bin/sh", "-c", "echo >&4; exec 4>&-; echo bwrap: broken >&2; exit 1"), ready_fd=4
    )
    with spawn(launch) as process:
        assert process.exit(DEADLINE_S * 1000) == Exit(status=1)


def test_only_the_main_thread_spawns():
    failures: list[BaseException] = []

    def attempt() -> None:
        try:
            spawn(python("pass"))
        except RuntimeError as error:
            failures.append(error)

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    assert len(failures) == 1


VFORKERS = """
import os, sys, time
for _ in range(10):
    if os.fork() == 0:
        waits = (os.POSIX_SPAWN_OPEN, 9, sys.argv[1], os.O_RDONLY, 0)
        os.posix_spawn("/bin/true", ["true"], {}, file_actions=[waits])
time.sleep(0.3)
print("waiting", flush=True)
time.sleep(600)
"""
"""Parents that wait in the kernel for a child, until it has opened a pipe that nobody writes to."""


def test_who_waits_in_the_kernel_does_not_hold_up_a_pause(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.process.members.MOST_LOOKS", 5_000)
    os.mkfifo(tmp_path / "pipe")
    launch = Launch((sys.executable, "-c", VFORKERS, str(tmp_path / "pipe")), env={})
    with spawn(launch) as process:
        read_until(process, b"waiting\n")
        began = time.monotonic()
        process.pause()
        assert time.monotonic() - began < 2.0
