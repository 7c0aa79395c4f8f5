"""A kit for sandbox providers, ours and yours: `check_sandbox(provider)` attacks it from inside.

What a provider says of itself is the measure. A capability that its report calls `enforced` or
`watched` must withstand every attack on it; one that the report calls `none` may be broken, for
then the organiser has been told. The kit also starts a program the way the referee does, and looks
whether its streams, its end and its environment are as promised.
"""

from __future__ import annotations

import json
import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import SandboxError
from arena.process import Exit, Process, spawn
from arena.sandbox.api import CAPABILITIES, CapabilityReport, Level, Limits, Program, Sandbox
from arena.sandbox.trial import assault
from arena.scratch import scratch_folder

PATIENCE_MS = 20_000.0

ECHO = """
import json, os, sys
print(json.dumps({
    "environment": sorted(os.environ),
    "descriptors": len(os.listdir("/proc/self/fd")),
    "folder": os.listdir(),
}), flush=True)
for line in sys.stdin:
    print(line.strip().upper(), flush=True)
sys.exit(7)
"""

SECRET = "ARENA_KIT_SECRET"


def check_sandbox(sandbox: Sandbox, *, python: str = "python3", children: bool = True) -> None:
    """Raises AssertionError with every promise that the provider does not keep.

    `python` is the interpreter inside. `children`: programs may start other processes.
    """
    if (why := sandbox.unavailable()) is not None:
        raise AssertionError(f"{sandbox.name} cannot be tried: {why.reason} ({why.remedy})")
    report = sandbox.report()
    promised = {name for name in CAPABILITIES if report.level(name) is not Level.NONE}
    broken = [
        *_check_report(report, sandbox.name),
        *_check_life(sandbox, python),
        *_check_missing(sandbox),
        *(f"{o.attack}: {o.detail}" for o in assault(sandbox, promised, children=children)),
    ]
    if broken:
        raise AssertionError("\n".join([f"{sandbox.name} does not keep its promises:", *broken]))


def _check_report(report: CapabilityReport, name: str) -> Iterator[str]:
    if tuple(c.name for c in report.capabilities) != CAPABILITIES:
        yield "report: it names other capabilities than CAPABILITIES, or in another order"
    if report.provider != name:
        yield f"report: it is of {report.provider!r}"
    yield from (f"report: {c.name} does not say how" for c in report.capabilities if not c.how)


def _check_life(sandbox: Sandbox, python: str) -> Iterator[str]:
    """A program that echoes: streams, clean environment, status; then a second one is killed."""
    with _folder() as folder, _secret():
        program = Program(folder, (python, "echo.py"), env={"GIVEN": "1"})
        with spawn(sandbox.launch(program, Limits())) as process:
            told = json.loads(_line(process))
            if SECRET in told["environment"]:
                yield "environment: the harness's variables are there"
            if "GIVEN" not in told["environment"]:
                yield "environment: a variable of the program's own is not there"
            if told["descriptors"] > 4:
                yield f"descriptors: {told['descriptors'] - 1} are open, not 3"
            if "echo.py" not in told["folder"]:
                yield "folder: the program is not started in its own folder"
            os.write(process.stdin, b"are you there\n")
            if (line := _line(process)) != b"ARE YOU THERE\n":
                yield f"streams: {line!r} came back"
            yield from _check_end(process)


def _check_end(process: Process) -> Iterator[str]:
    if process.exit(0) is not None:
        yield "exit: there is one while the program runs"
    process.kill()
    if process.survivors:
        yield f"kill: {process.survivors} processes survive"
    if process.exit(0) is None:
        yield "exit: there is none after a kill"


def _check_missing(sandbox: Sandbox) -> Iterator[str]:
    """A program that is not there is an error of ours, told before or at its start."""
    with _folder() as folder:
        try:
            launch = sandbox.launch(Program(folder, ("no-such-program-anywhere",)), Limits())
            with spawn(launch) as process:
                if process.exit(PATIENCE_MS) == Exit(status=0):
                    yield "missing program: it ran"
        except SandboxError:
            return


@contextmanager
def _folder() -> Iterator[Path]:
    with scratch_folder("kit") as folder:
        folder.chmod(0o755)
        (folder / "echo.py").write_text(ECHO)
        yield folder


@contextmanager
def _secret() -> Iterator[None]:
    os.environ[SECRET] = "secret"
    try:
        yield
    finally:
        del os.environ[SECRET]


def _line(process: Process) -> bytes:
    """The next line of the program, or what came of it in time."""
    line = b""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not line.endswith(b"\n") and (left := deadline - time.monotonic()) > 0:
        if select.select([process.stdout], [], [], left)[0]:
            if not (piece := os.read(process.stdout, 65536)):
                break
            line += piece
    return line or b"{}"
