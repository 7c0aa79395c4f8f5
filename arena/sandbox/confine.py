"""Gives up rights, then becomes a program: what the `landlock` provider starts.

Run as `python -I -S confine.py`, with its orders on a descriptor, marshalled by the same Python. It
imports nothing but the standard library and little of that: json and dataclasses alone would double
the time that a start takes. In this order: wait at the gate, take on a uid (as root), die with the
harness, shut the files away with Landlock, load the filter, say that it is ready, exec.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypedDict

    class Orders(TypedDict):
        """What to become, and what it may reach. `read`, `list` and `write` are paths; `filter` is
        hex."""

        argv: Sequence[str]
        env: Mapping[str, str]
        folder: str
        read: Sequence[str]
        list: Sequence[str]
        write: Sequence[str]
        filter: str
        uid: int | None
        gate_fd: int
        ready_fd: int


ORDERS_FD = 5

LIBC = ctypes.CDLL(None, use_errno=True)

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION = 0x2008_0522
SIGKILL = 9

PID_PLACE = 0x7A7A_7A7A
"""Stands in the filter where the program's own pid belongs; nobody knows that pid before."""

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
READ_TREE = EXECUTE | READ_FILE | READ_DIR

HANDLED_BY_ABI = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF}
"""Every right on files that an ABI of Landlock knows; later ones as 5."""

NETWORK_FROM_ABI, SCOPES_FROM_ABI = 4, 6
NETWORK_RIGHTS = 3  # bind and connect TCP
SCOPES = 3  # abstract sockets, signals


def landlock_abi() -> int:
    """The version of Landlock that the kernel offers; 0 if none."""
    return max(0, int(LIBC.syscall(ctypes.c_long(CREATE_RULESET), None, ctypes.c_size_t(0), 1)))


def main() -> None:
    harness = os.getppid()
    orders: Orders = marshal.loads(_read_all(ORDERS_FD))
    # The harness sets our limits while we wait, which it may not once we have another uid (a root
    # without CAP_SYS_RESOURCE, as in containers).
    if b"go" not in _read_line(orders["gate_fd"]):
        return  # the harness is dead
    if orders["uid"] is not None:
        _become(orders["uid"])
    _drop_capabilities()
    _check(LIBC.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "prctl")
    if os.getppid() != harness:
        return  # it died before the signal was asked for
    os.chdir(orders["folder"])
    _check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    _shut_files_away(orders)
    _load_filter(bytes.fromhex(orders["filter"]))
    os.write(orders["ready_fd"], b"\n")
    for fd in (orders["gate_fd"], orders["ready_fd"]):
        os.close(fd)
    os.execve(orders["argv"][0], list(orders["argv"]), dict(orders["env"]))


def _become(uid: int) -> None:
    for capability in range(64):  # the bounding set; numbers that the kernel has not fail
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    try:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"taking on uid {uid}") from None


def _drop_capabilities() -> None:
    """All of them, for good: without new privileges, not even a root's exec brings them back."""
    header = struct.pack("=Ii", CAPABILITY_VERSION, 0)
    _check(LIBC.capset(header, bytes(24)), "giving up capabilities")


def _shut_files_away(orders: Orders) -> None:
    """From here on only the listed paths can be opened."""
    abi = landlock_abi()
    handled = HANDLED_BY_ABI[min(abi, 5)]
    network = NETWORK_RIGHTS if abi >= NETWORK_FROM_ABI else 0
    scopes = SCOPES if abi >= SCOPES_FROM_ABI else 0
    attributes = struct.pack("=QQQ", handled, network, scopes)
    size = 24 if scopes else 16 if network else 8
    ruleset = _syscall(CREATE_RULESET, attributes[:size], size, 0)
    for path in orders["read"]:
        _allow(ruleset, path, READ_TREE)
    for path in orders["list"]:
        _allow(ruleset, path, READ_DIR)
    for path in orders["write"]:
        _allow(ruleset, path, READ_FILE | WRITE_FILE)
    _syscall(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not os.path.isdir(path):
        rights &= ~READ_DIR
    _syscall(ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, fd), 0)
    os.close(fd)


def _load_filter(program: bytes) -> None:
    own = program.replace(struct.pack("=I", PID_PLACE), struct.pack("=I", os.getpid()))
    code = ctypes.create_string_buffer(own, len(own))
    header = struct.pack("HxxxxxxP", len(own) // 8, ctypes.addressof(code))
    _check(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0), "seccomp")


def _syscall(number: int, *arguments: Any) -> int:
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _check(LIBC.syscall(ctypes.c_long(number), *wide), f"system call {number}")


def _check(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), what)
    return result


def _read_all(fd: int) -> bytes:
    with os.fdopen(fd, "rb") as file:
        return file.read()


def _read_line(fd: int) -> bytes:
    """What comes up to a newline, or to end of file."""
    line = b""
    while b"\n" not in line and (byte := os.read(fd, 1)):
        line += byte
    return line


if __name__ == "__main__":
    try:
        main()
    except OSError as failed:  # in words; the harness says on whose behalf
        os.write(2, f"{failed.filename}: {failed.strerror}\n".encode())
        os._exit(1)
