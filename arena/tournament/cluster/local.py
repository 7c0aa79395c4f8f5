"""A cluster on this machine alone: a scheduler and workers of one slot each, on the loopback.

They are the programs that `dask scheduler` and `dask worker` start anywhere else, each in a session
of its own (Ctrl-C is the coordinator's business) and dead as soon as the coordinator is.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import ArenaError
from arena.scratch import scratch_folder

START_S = 60.0
LEAVE_S = 5.0

QUIET = {
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
}
"""The engine neither logs nor looks at itself a hundred times a second: the cores are for bots."""
_PR_SET_PDEATHSIG = 1


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """The address of the scheduler; workers join it while it is being used."""
    count = workers or len(os.sched_getaffinity(0))
    with scratch_folder("cluster") as folder:
        crowd: list[subprocess.Popen[bytes]] = []
        try:
            crowd.append(start_scheduler(told := folder / "scheduler.json"))
            address = address_told(told, crowd[0])
            crowd += [start_worker(address, str(folder)) for _ in range(count)]
            yield address
        finally:
            dismiss(crowd)


def start_scheduler(told: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """A scheduler on a free port of the loopback; it writes its address into the file `told`.

    Its scratch files lie beside that file.
    """
    where = ("--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0")
    told_in = ("--scheduler-file", str(told), "--no-dashboard")
    scratch = {"DASK_TEMPORARY_DIRECTORY": str(told.parent)}
    return _start("scheduler", *where, *told_in, *arguments, env=scratch)


def start_worker(
    address: str, folder: str, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """A worker of one slot. `folder` takes its scratch files, `env` adds to its environment."""
    where = ("--host", "127.0.0.1", "--nthreads", "1", "--local-directory", folder)
    return _start("worker", address, *where, "--no-dashboard", *arguments, env=env)


def dismiss(crowd: Sequence[subprocess.Popen[bytes]]) -> None:
    """They are gone: the workers, then the scheduler, which was started first."""
    for part in (crowd[1:], crowd[:1]):
        for process in part:
            process.terminate()
        deadline = time.monotonic() + LEAVE_S
        for process in part:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            process.kill()
            process.wait()


def _start(
    part: str, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Runs `dask scheduler …` or `dask worker …`, in a session of its own, dead with us."""
    command = [sys.executable, "-m", "arena.tournament.cluster.local", str(os.getpid()), part]
    return subprocess.Popen(
        [*command, *arguments],
        env={**os.environ, **QUIET, **(env or {})},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def address_told(told: Path, scheduler: subprocess.Popen[bytes]) -> str:
    """The address that a scheduler wrote. Raises ArenaError if it does not start."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and scheduler.poll() is None:
        try:
            return str(json.loads(told.read_text())["address"])
        except (OSError, ValueError, KeyError):
            time.sleep(0.02)
    raise ArenaError("the scheduler of the local cluster does not start", mend="see what it said")


def main(coordinator: int, part: str, arguments: Sequence[str]) -> None:
    """What `dask scheduler …` or `dask worker …` does, until the coordinator ends."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != coordinator:
        os._exit(1)
    module = importlib.import_module(f"distributed.cli.dask_{part}")
    module.main(args=list(arguments))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
