"""Runs a bot's `build` command in the sandbox, within limits, and keeps what it says."""

from __future__ import annotations

import errno
import os
import select
from dataclasses import dataclass
from pathlib import Path

from arena.bots.bot import Bot
from arena.bots.foreign import MAX_DEPTH
from arena.process import Exit, Process, spawn
from arena.referee.api import Clock
from arena.referee.evidence import shown
from arena.sandbox.api import Limits, Program, Sandbox

_LOOK_S = 0.25
_LOG_BYTES = 256 * 1024
_BLOCK_BYTES = 4096


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """What one build may use. `disk_mb` bounds its copy of the bot, `scratch_mb` its /tmp."""

    time_s: int = 300
    memory_mb: int = 3072
    disk_mb: int = 1024
    scratch_mb: int = 1024
    processes: int = 512
    toolchains: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a build ended: `complaint` is empty if it succeeded; `log` is its output, clipped."""

    complaint: str
    log: bytes


class _Log:
    """The first and the last part of what was written, in bounded memory."""

    def __init__(self) -> None:
        self._head = b""
        self._tail = b""
        self._cut = False

    def add(self, data: bytes) -> None:
        room = _LOG_BYTES - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        self._cut = self._cut or len(self._tail) > _LOG_BYTES
        self._tail = self._tail[-_LOG_BYTES:]

    def text(self) -> bytes:
        return self._head + (b"\n[...]\n" if self._cut else b"") + self._tail


def run_build(
    bot: Bot, folder: Path, sandbox: Sandbox, clock: Clock, limits: BuildLimits
) -> Outcome:
    """Runs the command to its end, or kills its tree at a limit. `folder` is its own copy."""
    program = Program(folder=folder, argv=bot.build, env=bot.env, writable=True)
    with spawn(sandbox.launch(program, _sandbox_limits(limits))) as process:
        process.close_stdin()  # nobody will ever write to it
        log = _Log()
        complaint = _watch(process, folder, clock, limits, log)
        process.kill()
        _drain(process, log)
    return Outcome(complaint, log.text())


def _sandbox_limits(limits: BuildLimits) -> Limits:
    return Limits(
        memory_mb=limits.memory_mb,
        processes=limits.processes,
        open_files=1024,
        file_size_bytes=limits.disk_mb << 20,
        scratch_mb=limits.scratch_mb,
        toolchains=limits.toolchains,
    )


def _watch(process: Process, folder: Path, clock: Clock, limits: BuildLimits, log: _Log) -> str:
    """What went wrong; empty if the command ended well."""
    deadline = clock.now() + limits.time_s
    while (end := process.exit(0)) is None:
        if clock.now() > deadline:
            return f"it took longer than {limits.time_s} s"
        if excess := _excess(folder, limits):
            return excess
        _listen(process, log, _LOOK_S)
    return _excess(folder, limits) or _in_words(end)


def _in_words(end: Exit) -> str:
    if end.memory:
        return "it used too much memory"
    if end.signal is not None:
        return f"it died of signal {end.signal}"
    return f"exit status {end.status}" if end.status else ""


def _listen(process: Process, log: _Log, wait_s: float) -> bool:
    """Waits for output at most so long and takes what is there; False if nothing was."""
    ready, _, _ = select.select([process.stdout, process.stderr], [], [], wait_s)
    pieces = [_read(fd) for fd in ready]
    for piece in pieces:
        log.add(piece)
    if ready and not any(pieces):  # both ends are closed: wait for the exit instead
        process.exit(wait_s * 1000)
    return any(pieces)


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 65536)
    except BlockingIOError:
        return b""


def _drain(process: Process, log: _Log) -> None:
    """What a dead process left in its pipes; bounded by what a pipe holds."""
    while _listen(process, log, 0):
        pass


def _excess(folder: Path, limits: BuildLimits) -> str:
    """Which limit of the disk it is over; empty if none. Each file and folder counts as one block
    at least. No link is followed."""
    size_bytes = 0
    left = [(str(folder), 0)]
    while left:
        place, depth = left.pop()
        if depth > MAX_DEPTH:
            return f"it nested folders deeper than {MAX_DEPTH}"
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    size_bytes += _BLOCK_BYTES + _taken_bytes(entry)
                    if entry.is_dir(follow_symlinks=False):
                        left.append((entry.path, depth + 1))
        except PermissionError:  # what it writes there would count for nothing
            name = shown(os.fsencode(os.path.relpath(place, folder)))
            return f"it made a folder that cannot be looked into: {name}"
        except OSError as error:  # a compiler's temporary folder, gone again
            if error.errno == errno.ENAMETOOLONG:
                return "it nested folders deeper than a path can name"
    return f"it wrote more than {limits.disk_mb} MB" if size_bytes > limits.disk_mb << 20 else ""


def _taken_bytes(entry: os.DirEntry[str]) -> int:
    try:
        return 512 * entry.stat(follow_symlinks=False).st_blocks
    except FileNotFoundError:  # gone again
        return 0
