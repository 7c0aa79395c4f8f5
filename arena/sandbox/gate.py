"""The gate in front of a bot: a shell that waits for leave, says that it is ready, and becomes it.

Reading end of file instead of leave means that the harness is dead: the shell ends and the bot
never starts (`process` tells the whole story).
"""

from __future__ import annotations

import os
import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.errors import SandboxError
from arena.process import Exit
from arena.sandbox.api import Limits

GATE_FD = 3
READY_FD = 4

RLIMIT_SIGPENDING = 11
"""Python has no name for it; the same number on every architecture that the filter knows."""

QUEUED_SIGNALS = 256
LOCKED_BYTES = 64 * 1024
"""Of both, all programs of a user have one store between them; a bot that took it all would make
timers fail in the organiser's own programs."""

SCRIPT = "read -r go <&3"
"""How the gate's command line begins."""


def gated(
    argv: Sequence[str], *, close: Sequence[int] = (), enter: int | None = None
) -> tuple[str, ...]:
    """The command that waits at GATE_FD, writes to READY_FD and then is `argv`.

    `enter` is the descriptor of a control group's entrance, `close` are others that the program
    must not get. All are below 10, which is as far as every shell can count.
    """
    steps = [SCRIPT, *([f"echo 0 >&{enter}"] if enter else []), "echo >&4"]
    closing = [3, 4, *close, *([enter] if enter else [])]
    script = f'{" && ".join(steps)} && exec "$@" {" ".join(f"{fd}<&-" for fd in closing)}'
    return ("/bin/sh", "-c", script, "gate", *argv)


def with_environment(argv: Sequence[str], env: Mapping[str, str]) -> tuple[str, ...]:
    """The command that becomes `argv` with the bot's own variables added to what is there.

    They exist from that exec on and not before: what stands in front of the bot (`setpriv`, the
    gate) runs with rights that a bot does not have, and a loader reads LD_PRELOAD in whatever it
    starts. `env` itself starts without them, past the gate, as the bot.
    """
    if not env:
        return tuple(argv)
    if "=" in argv[0]:
        raise SandboxError(
            "a program whose path has a `=` cannot be given variables",
            where=argv[0],
            mend="rename it, or leave `env` out of bot.toml",
        )
    return ("/usr/bin/env", *(f"{name}={value}" for name, value in env.items()), *argv)


@dataclass(frozen=True, slots=True)
class LimitsGuard:
    """Sets rlimits and the core of a process that waits at its gate; its children inherit them."""

    rlimits: tuple[tuple[int, int], ...]
    core: int | None = None

    def attach(self, pid: int, pidfd: int) -> NoHold:
        for number, value in self.rlimits:
            _, hard = resource.prlimit(pid, number)
            bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.prlimit(pid, number, (bound, bound))
        if self.core is not None:
            os.sched_setaffinity(pid, {self.core})
        return NoHold()


class NoHold:
    """Nothing to watch and nothing to let go: the kernel keeps the limits."""

    def verdict(self) -> Exit | None:
        return None

    def release(self) -> None:
        return None


def rlimits(limits: Limits, *, count_processes: bool = True) -> tuple[tuple[int, int], ...]:
    """The rlimits for `limits`. RLIMIT_DATA and not RLIMIT_AS: Node, Java and Go reserve far more
    addresses than they use. Counting processes makes sense only where the user has no others."""
    table = [
        (resource.RLIMIT_DATA, limits.memory_mb * 1024 * 1024),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_FSIZE, limits.file_size_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_RTPRIO, 0),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_MEMLOCK, LOCKED_BYTES),
        (RLIMIT_SIGPENDING, QUEUED_SIGNALS),
    ]
    if limits.cpu_s:
        table.append((resource.RLIMIT_CPU, limits.cpu_s))
    if count_processes:
        table.append((resource.RLIMIT_NPROC, limits.processes))
    return tuple(table)
