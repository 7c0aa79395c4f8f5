"""Channels by which two bots at a table could tell each other their cards.

`send_*` puts one bit where another program might find it and keeps it there; `receive_*` runs in
another sandbox at the same time and looks. The `read_*` attacks find a number about the whole
machine that one bot can move and the other can watch.
"""

from __future__ import annotations

import array
import ctypes
import fcntl
import mmap
import os
import select
import socket
import struct
import time

from .weapons import LIBC, RefusedError, attack, first_success, syscall

COMMON_FILE = "/usr/bin/env"
"""Read-only, and the same for every bot."""

COMMON_PAGE = 7
"""A page of it that no program touches before this one does."""

NAME = "arena-attack-channel"
SHM_KEY = 0x5A5A
PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run", ".")
WATCH_S = 1.0
F_RDLCK, F_WRLCK, F_UNLCK = 0, 1, 2
IN_OPEN = 0x20
FUTEX_WAIT, FUTEX_WAKE = 0, 1


def _stay(done: str) -> str:
    """Tells the harness that the bit is set, and keeps it until killed."""
    print(f'{{"sent": "{done}"}}', flush=True)
    time.sleep(30)
    return done


@attack
def send_file() -> str:
    def attempt(place: str) -> str:
        path = os.path.join(place, NAME)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
        return path

    return _stay(first_success(attempt, PLACES))


@attack
def receive_file() -> str:
    found = [p for p in PLACES if p != "." and os.path.exists(os.path.join(p, NAME))]
    for place in found:
        os.unlink(os.path.join(place, NAME))
        return f"a file in {place}"
    raise RefusedError("no file")


@attack
def send_socket() -> str:
    link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    link.bind("\0" + NAME)
    return _stay("bound")


@attack
def receive_socket() -> str:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.connect("\0" + NAME)
        return "a bound name"


@attack
def send_shared_memory() -> str:
    syscall("shmget", SHM_KEY, 4096, 0o1666)
    return _stay("made")


@attack
def receive_shared_memory() -> str:
    segment = syscall("shmget", SHM_KEY, 4096, 0o666)
    syscall("shmctl", segment, 0, 0)  # IPC_RMID
    return "a segment"


@attack
def send_flock() -> str:
    fd = os.open(COMMON_FILE, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return _stay("locked")


@attack
def receive_flock() -> str:
    fd = os.open(COMMON_FILE, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return "it is locked"
    raise RefusedError("it is not locked")


def _lock(kind: int) -> bytes:
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, 0, 1, 0)


@attack
def send_record_lock() -> str:
    fd = os.open(COMMON_FILE, os.O_RDONLY)
    fcntl.fcntl(fd, fcntl.F_SETLK, _lock(F_RDLCK))
    return _stay("locked")


@attack
def receive_record_lock() -> str:
    fd = os.open(COMMON_FILE, os.O_RDONLY)
    answer = fcntl.fcntl(fd, fcntl.F_GETLK, _lock(F_WRLCK))
    if struct.unpack("hhqqi4x", answer)[0] == F_UNLCK:
        raise RefusedError("it is not locked")
    return "it is locked"


@attack
def send_opening() -> str:
    print('{"sent": "opening"}', flush=True)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        os.close(os.open(COMMON_FILE, os.O_RDONLY))
        time.sleep(0.01)
    return "opened"


@attack
def receive_opening() -> str:
    fd = LIBC.inotify_init()
    if fd < 0:
        raise OSError(ctypes.get_errno(), "inotify_init")
    if LIBC.inotify_add_watch(fd, COMMON_FILE.encode(), IN_OPEN) < 0:
        raise OSError(ctypes.get_errno(), "inotify_add_watch")
    if not select.select([fd], [], [], WATCH_S)[0]:
        raise RefusedError("no event")
    return "somebody opens it"


@attack
def send_name() -> str:
    LIBC.prctl(15, NAME[:15].encode(), 0, 0, 0)  # PR_SET_NAME
    return _stay("named")


@attack
def receive_name() -> str:
    def attempt(pid: str) -> str:
        with open(f"/proc/{pid}/comm") as file:
            if file.read().strip() != NAME[:15]:
                raise RefusedError("another name")
        return f"process {pid}"

    others = [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]
    return first_success(attempt, others)


@attack
def send_waiting() -> str:
    """Whoever waits at an address in a common file is known by the file, not by the process."""
    area = _common_pages()
    value = ctypes.cast(area, ctypes.POINTER(ctypes.c_uint32))[0]
    print('{"sent": "waiting"}', flush=True)
    syscall("futex", ctypes.c_void_p(area), FUTEX_WAIT, value, None, None, 0)
    return "woken"


@attack
def receive_waiting() -> str:
    area = _common_pages()
    deadline = time.monotonic() + WATCH_S
    while time.monotonic() < deadline:
        if syscall("futex", ctypes.c_void_p(area), FUTEX_WAKE, 1, None, None, 0):
            return "somebody waits"
        time.sleep(0.01)
    raise RefusedError("nobody waits")


@attack
def send_mapping() -> str:
    return _stay(f"mapped at {_common_pages(COMMON_PAGE):#x}")


@attack
def receive_mapping() -> str:
    """A process learns of its own mappings whether another one has the same page."""
    area = _common_pages(COMMON_PAGE)
    with open("/proc/self/smaps") as smaps:
        told = smaps.read().partition(f"{area:08x}-")[2]
    if told.partition("Shared_Clean:")[2].split()[0] == "0":
        raise RefusedError("nobody else has mapped it")
    return "somebody else has mapped it"


@attack
def resize_pipe() -> str:
    read, write = os.pipe()
    try:
        size = fcntl.fcntl(read, 1031, 4096)  # F_SETPIPE_SZ
    finally:
        os.close(read)
        os.close(write)
    return f"a pipe of {size} bytes"


@attack
def read_global_files() -> str:
    def attempt(name: str) -> str:
        with open(f"/proc/{name}") as file:
            if not (text := file.read(80)):
                raise RefusedError("it is empty")
            return f"/proc/{name}: {text.splitlines()[0]!r}"

    names = (
        "loadavg", "meminfo", "stat", "vmstat", "uptime", "diskstats", "interrupts", "softirqs",
        "zoneinfo", "buddyinfo", "schedstat", "locks", "key-users", "pressure/cpu", "cgroups",
        "sys/fs/file-nr", "sys/fs/inode-nr", "sys/fs/dentry-state", "sys/kernel/ns_last_pid",
        "sys/kernel/random/entropy_avail", "sys/kernel/pty/nr",
    )  # fmt: skip
    return first_success(attempt, names)


@attack
def read_sysinfo() -> str:
    words = array.array("L", bytes(512))
    address, _ = words.buffer_info()
    syscall("sysinfo", ctypes.c_void_p(address))
    return f"up {words[0]} s, {words[5]} bytes free"


@attack
def ask_page_cache() -> str:
    area = _common_pages()
    pages = ctypes.create_string_buffer(16)
    syscall("mincore", ctypes.c_void_p(area), 4096, pages)
    return f"the first page is {'in' if pages[0][0] & 1 else 'not in'} the cache"


def _common_pages(page: int = 0) -> int:
    """The address of a read-only mapping of a page of the common file, which has been read."""
    LIBC.mmap.restype = ctypes.c_void_p
    fd = os.open(COMMON_FILE, os.O_RDONLY)
    size = mmap.PAGESIZE
    area: int = LIBC.mmap(None, ctypes.c_size_t(size), 1, 2, fd, ctypes.c_long(page * size))
    ctypes.string_at(area, 1)
    return area
