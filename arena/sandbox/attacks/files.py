"""Reading what is not the bot's, writing anything, filling the disk."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import stat
from collections.abc import Callable, Iterator

from .weapons import RefusedError, attack, first_success, syscall, targets

HARMLESS_DEVICES = {"null", "zero", "full", "random", "urandom", "tty", "ptmx"}
"""Those of every container: no hardware, no memory, no kernel behind them."""

AT_FDCWD = -100
FS_IOC_GETFLAGS, FS_IOC_SETFLAGS, FS_IOC_SETVERSION = 0x8008_6601, 0x4008_6602, 0x4008_7602


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return f"{path}: {file.read(20)!r}"


@attack
def read_home() -> str:
    return _read(targets().secret_path)


@attack
def list_home() -> str:
    return f"{os.listdir(os.path.dirname(targets().secret_path))}"


@attack
def read_other_bot() -> str:
    return _read(targets().other_bot_path)


@attack
def read_accounts() -> str:
    """The host's, that is; a container may have a list of its own."""
    with open("/etc/passwd", "rb") as file:
        accounts = file.read()
    if hashlib.sha256(accounts).hexdigest() != targets().accounts:
        raise RefusedError("another list of accounts")
    return f"{accounts.count(b':0:')} accounts of the host are root's"


@attack
def read_environment_of_others() -> str:
    def attempt(pid: str) -> str:
        with open(f"/proc/{pid}/environ", "rb") as file:
            if not (text := file.read()):
                raise RefusedError("it is empty")
            return f"/proc/{pid}/environ holds {len(text)} bytes"

    others = [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]
    return first_success(attempt, others)


@attack
def find_host_paths() -> str:
    needle = targets().needle.encode()

    def attempt(path: str) -> str:
        with open(path, "rb") as file:
            if needle not in file.read():
                raise RefusedError("not there")
            return f"{path} tells {needle!r}"

    own = {str(os.getpid()), "self", "thread-self"}
    names = [p for p in os.listdir("/proc") if p.isdigit() and p not in own]
    paths = [f"/proc/{p}/{what}" for p in names for what in ("cmdline", "environ")]
    return first_success(attempt, [*paths, "/proc/cmdline"])


def _folders() -> Iterator[str]:
    """Every folder to a depth of three, and where programs like to write."""
    yield from ("/tmp", "/var/tmp", "/dev/shm", "/run", os.getcwd())
    for top, names, _ in os.walk("/", onerror=lambda error: None):
        yield top
        if top.count("/") >= 3 or top.startswith(("/proc", "/sys")):
            names.clear()


def _writable() -> str:
    """The first folder in which a file can be made."""

    def attempt(folder: str) -> str:
        path = os.path.join(folder, f"attack-{os.getpid()}")
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
        os.unlink(path)
        return folder

    return first_success(attempt, _folders())


@attack
def write_anywhere() -> str:
    return f"made a file in {_writable()}"


@attack
def write_own_folder() -> str:
    with open("planted.py", "w") as file:
        file.write("x")
    os.unlink("planted.py")
    return "made a file beside the program"


@attack
def change_modes() -> str:
    own = "targets.json"
    changes: dict[str, Callable[[], None]] = {
        "chmod": lambda: os.chmod(own, 0o755),
        "utime": lambda: os.utime(own),
        "truncate": lambda: os.truncate(own, os.path.getsize(own)),
        "setxattr": lambda: os.setxattr(own, "user.attack", b"1"),
        "chown": lambda: os.chown(own, os.getuid(), os.getgid()),
    }

    def attempt(name: str) -> str:
        changes[name]()
        return name

    return first_success(attempt, changes)


@attack
def change_inode() -> str:
    """What a file system keeps beside a file's mode and times can be set by its owner, through a
    descriptor that can only be read; the copies of a bot would find it there at their next table.
    """
    flags = bytearray(4)

    def attempt(order: int) -> str:
        with open("targets.json", "rb") as own:
            fcntl.ioctl(own, FS_IOC_GETFLAGS, flags)
            fcntl.ioctl(own, order, bytes(flags))
        return f"order {order:#x} is obeyed"

    return first_success(attempt, (FS_IOC_SETFLAGS, FS_IOC_SETVERSION))


@attack
def open_proc_for_writing() -> str:
    def attempt(path: str) -> str:
        os.close(os.open(path, os.O_WRONLY))
        return f"opened {path}"

    names = (
        "sys/kernel/core_pattern",
        "sys/kernel/hostname",
        "sys/vm/drop_caches",
        "sysrq-trigger",
    )
    return first_success(attempt, [f"/proc/{n}" for n in names])


@attack
def open_devices() -> str:
    def attempt(name: str) -> str:
        path = f"/dev/{name}"
        if not stat.S_ISCHR(mode := os.stat(path).st_mode) and not stat.S_ISBLK(mode):
            raise RefusedError("no device")
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
        return f"opened {path}"

    names = [n for n in os.listdir("/dev") if n not in HARMLESS_DEVICES]
    return first_success(attempt, names)


@attack
def make_device() -> str:
    path = os.path.join("/tmp", f"attack-node-{os.getpid()}").encode()
    syscall("mknodat", AT_FDCWD, path, stat.S_IFIFO | 0o600, 0)
    os.unlink(path)
    return "made a node"


@attack
def fill_disk() -> str:
    """More than any scratch space that the trial grants, in files below every size limit."""
    folder = _writable()
    made = []
    try:
        for number in range(8):
            path = os.path.join(folder, f"attack-{os.getpid()}-{number}")
            made.append(path)
            with open(path, "wb") as file:
                file.write(bytes(8 * 1024 * 1024))
    finally:
        _remove(made)
    return f"64 MB in {folder}"


@attack
def fill_inodes() -> str:
    folder = _writable()
    made = []
    try:
        for number in range(2000):
            path = os.path.join(folder, f"attack-{os.getpid()}-{number}")
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            made.append(path)
    finally:
        _remove(made)
    return f"2000 files in {folder}"


def _remove(paths: list[str]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            os.unlink(path)
