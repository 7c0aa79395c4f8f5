"""What the attacks share: their register, raw system calls, and the targets set up outside."""

from __future__ import annotations

import ctypes
import json
import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from .. import syscalls

T = TypeVar("T")

LIBC = ctypes.CDLL(None, use_errno=True)

ATTACKS: dict[str, Callable[[], str]] = {}
"""Name -> function; filled by `attack`."""


class RefusedError(Exception):
    """The attack came to nothing, and not by an OSError."""


@dataclass(frozen=True)
class Targets:
    """What the harness has set up outside, within reach of an unsandboxed program."""

    tcp4: int = 0
    tcp6: int = 0
    udp4: int = 0
    abstract: str = ""
    socket_path: str = ""
    datagram_path: str = ""
    secret_path: str = ""
    other_bot_path: str = ""
    victim: int = 0
    needle: str = ""
    accounts: str = ""
    hog_mb: int = 0
    processes: int = 0


def attack(function: Callable[[], str]) -> Callable[[], str]:
    """Registers an attack: it returns what it achieved, or raises OSError or RefusedError."""
    ATTACKS[function.__name__.replace("_", "-")] = function
    return function


def targets() -> Targets:
    return Targets(**json.loads(Path("targets.json").read_text()))


def syscall(name: str, *arguments: Any) -> int:
    """Makes the call; raises OSError as the kernel says."""
    machine = platform.machine()
    column = next(a.column for a in syscalls.ARCHITECTURES if a.machine == machine)
    number = syscalls.NUMBERS[name][column]
    if number is None:
        raise RefusedError(f"{machine} has no {name}")
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result: int = LIBC.syscall(ctypes.c_long(number), *wide)
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), name)
    return result


def first_success(attempt: Callable[[T], str], candidates: Iterable[T]) -> str:
    """What the first attempt that works achieved; raises the last error if none does."""
    error: Exception = RefusedError("nothing to try")
    for candidate in candidates:
        try:
            return attempt(candidate)
        except (OSError, RefusedError) as failed:
            error = failed
    raise error
