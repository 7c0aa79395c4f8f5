"""Six ways to take more memory than granted, past a limit that counts one kind or one process."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import time
from collections.abc import Callable
from typing import Any

from .weapons import LIBC, RefusedError, attack, targets

CHUNK = 8 * 1024 * 1024
HOLD_S = 0.3
"""So long a hog keeps what it took: time enough for a watcher."""


def _grow(take: Callable[[], Any]) -> str:
    """Takes chunk after chunk up to the target and holds them."""
    wanted = targets().hog_mb * 1024 * 1024
    held: list[Any] = []
    while len(held) * CHUNK < wanted:
        try:
            held.append(take())
        except (MemoryError, OSError) as error:
            raise RefusedError(f"{error} after {len(held) * CHUNK >> 20} MB") from error
    time.sleep(HOLD_S)
    return f"{len(held) * CHUNK >> 20} MB"


def _touched(area: mmap.mmap) -> mmap.mmap:
    for at in range(0, CHUNK, mmap.PAGESIZE):
        area[at] = 1
    return area


@attack
def hog_private() -> str:
    return _grow(lambda: bytearray(b"x") * CHUNK)


@attack
def hog_shared() -> str:
    return _grow(lambda: _touched(mmap.mmap(-1, CHUNK)))


@attack
def hog_shared_zero() -> str:
    """Shared memory by way of a device instead of a flag."""
    with open("/dev/zero", "r+b", buffering=0) as zero:
        return _grow(lambda: _touched(mmap.mmap(zero.fileno(), CHUNK)))


@attack
def hog_memfd() -> str:
    def take() -> Any:
        fd = os.memfd_create("hog")
        os.write(fd, bytes(CHUNK))
        return fd

    return _grow(take)


@attack
def hog_pipes() -> str:
    """64 KB a pipe, in as many pipes and children as there may be."""
    wanted = targets().hog_mb * 1024 * 1024
    filled = 0
    pids = []
    try:
        while filled < wanted:
            got = _fill_pipes()
            if got == 0:
                if (pid := os.fork()) != 0:
                    pids.append(pid)
                    time.sleep(HOLD_S)
                    raise RefusedError(f"{filled >> 20} MB in this process")
                for fd in range(3, 4096):
                    with contextlib.suppress(OSError):
                        os.close(fd)
            filled += got
    finally:
        for pid in pids:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
    return f"{filled >> 20} MB"


def _fill_pipes() -> int:
    filled = 0
    with contextlib.suppress(OSError):
        while True:
            _, write = os.pipe()
            os.set_blocking(write, False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    filled += os.write(write, bytes(4096))
    return filled


@attack
def hog_children() -> str:
    """Every process stays below the limit of one; together they are above it."""
    wanted = targets().hog_mb
    each = 24
    pids = []
    ready_read, ready_write = os.pipe()
    try:
        for _ in range(0, wanted, each):
            if (pid := os.fork()) == 0:
                block = bytearray(b"x") * (each * 1024 * 1024)
                os.write(ready_write, b"x")
                time.sleep(30)
                os._exit(len(block) & 1)
            pids.append(pid)
        for _ in pids:
            os.read(ready_read, 1)
        time.sleep(HOLD_S)
    finally:
        for pid in pids:
            os.kill(pid, 9)
    return f"{len(pids)} children with {each} MB each"


@attack
def hog_read_only() -> str:
    """Memory that is made read-only leaves the count of writable data."""

    def take() -> Any:
        area = _touched(mmap.mmap(-1, CHUNK, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
        address = ctypes.addressof(ctypes.c_char.from_buffer(area))
        if LIBC.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(CHUNK), mmap.PROT_READ):
            raise RefusedError("mprotect failed")
        return area

    return _grow(take)
