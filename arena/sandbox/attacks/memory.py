"""Ways to take more memory than granted, past a limit that counts one kind or one process."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .weapons import LIBC, RefusedError, attack, syscall, targets

CHUNK = 8 * 1024 * 1024
HOLD_S = 2.0
"""So long a hog keeps what it took: time enough for a watcher, on a busy machine too."""


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


REGION = 2 * 1024 * 1024
"""What one page of page tables spans."""

SLOTS = 16
"""So many pieces a pipe holds."""

EACH_MB = 60
"""Held by each of several children."""


def _in_children(hold: Callable[[int], Any]) -> str:
    """Children that each hold EACH_MB in the kernel, as many as the target needs."""
    wanted = targets().hog_mb
    ready_read, ready_write = os.pipe()
    pids = []
    try:
        for _ in range(0, wanted, EACH_MB):
            if (pid := os.fork()) == 0:
                with contextlib.suppress(BaseException):
                    held = hold(EACH_MB * 1024 * 1024)
                    os.write(ready_write, b"x")
                    time.sleep(30)
                    del held
                os.write(ready_write, b"-")
                os._exit(1)
            pids.append(pid)
        for _ in pids:
            if os.read(ready_read, 1) != b"x":
                raise RefusedError("a child could not hold so much")
        time.sleep(HOLD_S)
    finally:
        for pid in pids:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
    return f"{len(pids)} children with {EACH_MB} MB each"


@attack
def hog_page_tables() -> str:
    """One page read in every 2 MB: nothing of its own is held but the tables that lead there."""

    def hold(size: int) -> Any:
        pages = size // mmap.PAGESIZE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
        area = mmap.mmap(-1, pages * REGION, flags=flags, prot=mmap.PROT_READ)
        LIBC.madvise(
            ctypes.c_void_p(_address(area)), ctypes.c_size_t(len(area)), 15
        )  # no huge ones
        for at in range(0, pages * REGION, REGION):
            area[at]
        return area

    return _in_children(hold)


def _address(area: mmap.mmap) -> int:
    """Where a mapping begins that cannot be written."""
    with open("/proc/self/maps") as maps:
        spans = [line.split()[0].split("-") for line in maps]
    sizes = {int(end, 16) - int(begin, 16): int(begin, 16) for begin, end in spans}
    return sizes.get(len(area), 0)


@attack
def hog_spliced() -> str:
    """4 KB that a pipe holds keep alive the 2 MB that they were a part of, mapped nowhere."""
    wanted = targets().hog_mb * 1024 * 1024
    held, pipes = 0, []
    while held < wanted:
        pipes.append(os.pipe())
        for _ in range(SLOTS):
            _splice_one_page(pipes[-1][1])
            held += REGION
    time.sleep(HOLD_S)
    return f"{held >> 20} MB in {len(pipes)} pipes"


def _splice_one_page(pipe: int) -> None:
    LIBC.mmap.restype = ctypes.c_void_p
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    area: int = LIBC.mmap(None, ctypes.c_size_t(2 * REGION), 3, private, -1, ctypes.c_long(0))
    huge = (area + REGION - 1) // REGION * REGION
    LIBC.madvise(ctypes.c_void_p(huge), ctypes.c_size_t(REGION), 14)  # MADV_HUGEPAGE
    ctypes.memset(huge, 1, 1)
    span = (ctypes.c_ulong * 2)(huge, mmap.PAGESIZE)
    try:
        if "AnonHugePages:         0" in Path("/proc/self/smaps_rollup").read_text():
            raise RefusedError("there are no huge pages")
        syscall("vmsplice", pipe, span, 1, 2)  # SPLICE_F_NONBLOCK
    finally:
        LIBC.munmap(ctypes.c_void_p(area), ctypes.c_size_t(2 * REGION))


@attack
def hog_sockets() -> str:
    """Bytes that wait in sockets whose other ends nobody reads."""

    def hold(size: int) -> Any:
        held, pairs = 0, []
        while held < size:
            pairs.append(socket.socketpair())
            pairs[-1][0].setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    held += pairs[-1][0].send(bytes(32768))
        return pairs

    return _in_children(hold)


@attack
def enlarge_socket() -> str:
    """A socket that may hold more than others."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    return "the buffer of a socket can be enlarged"
