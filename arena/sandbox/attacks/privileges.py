"""Gaining rights: identities, capabilities, limits, namespaces, wide doors into the kernel."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import platform
import resource
import signal
from collections.abc import Callable

from .weapons import LIBC, RefusedError, attack, first_success, syscall

CLONE_NEWUSER = 0x1000_0000
SCHED_BATCH = 3
MANY_SIGNALS = 2_000
MUCH_LOCKED = 1024 * 1024
TIOCSTI = 0x5412
TIOCLINUX = 0x541C
GETPID_I386 = 20
GETPID_X32 = 0x4000_0000 + 39


@attack
def become_root() -> str:
    os.setuid(0)
    return "uid 0"


@attack
def hold_capabilities() -> str:
    with open("/proc/self/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    sets = ("CapInh", "CapPrm", "CapEff", "CapAmb")  # CapBnd alone gives nothing: see below
    held = [name for name in sets if int(status[name], 16)]
    if held:
        return f"{held} are not empty"
    if status["NoNewPrivs"] == "0":
        return "a setuid program would gain rights"
    raise RefusedError("no capability is left, and none can be gained")


@attack
def make_user_namespace() -> str:
    def attempt(way: Callable[[], str]) -> str:
        return way()

    return first_success(attempt, (_unshare, _clone_into_namespace))


def _unshare() -> str:
    syscall("unshare", CLONE_NEWUSER)
    return "unshare"


def _clone_into_namespace() -> str:
    pid = syscall("clone", CLONE_NEWUSER | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "clone"


@attack
def hide_flags_in_clone3() -> str:
    arguments = (ctypes.c_uint64 * 8)()
    arguments[4] = 17  # exit_signal: a plain child, if the call is there at all
    pid = syscall("clone3", arguments, 64)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "clone3 works"


@attack
def use_keyring() -> str:
    syscall("add_key", b"user", b"attack", b"x", 1, -2)
    return "a key was added"


@attack
def use_io_uring() -> str:
    parameters = ctypes.create_string_buffer(120)
    os.close(syscall("io_uring_setup", 1, parameters))
    return "an io_uring"


@attack
def use_aio() -> str:
    """All programs of the machine share one number of places; a bot could take them all."""
    context = ctypes.c_ulong(0)
    syscall("io_setup", 1, ctypes.byref(context))
    syscall("io_destroy", context)
    return "a place for asynchronous reads and writes"


@attack
def use_userfaultfd() -> str:
    os.close(syscall("userfaultfd", 1))  # UFFD_USER_MODE_ONLY
    return "a userfaultfd"


@attack
def use_bpf() -> str:
    # An array of one element, 4 bytes each for key and value.
    start = b"\x02\0\0\0\x04\0\0\0\x04\0\0\0\x01\0\0\0"
    attributes = ctypes.create_string_buffer(start, 128)
    os.close(syscall("bpf", 0, attributes, 128))  # BPF_MAP_CREATE
    return "a bpf map"


@attack
def use_perf() -> str:
    attributes = ctypes.create_string_buffer(b"\x01\0\0\0\x80\0\0\0", 128)  # software clock
    os.close(syscall("perf_event_open", attributes, 0, -1, -1, 0))
    return "a performance counter"


@attack
def mount_anything() -> str:
    syscall("mount", b"none", b"/tmp", b"tmpfs", 0, 0)
    syscall("umount2", b"/tmp", 0)
    return "a tmpfs on /tmp"


def _run_machine_code(code: bytes) -> int:
    """Runs x86_64 code and returns what it leaves in eax."""
    if platform.machine() != "x86_64":
        raise RefusedError("x86_64 only")
    page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
                     prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)  # fmt: skip
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    result: int = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result


@attack
def enter_by_32_bit_gate() -> str:
    # push rbx; mov eax, 20; int 0x80; pop rbx; ret
    code = b"\x53\xb8" + GETPID_I386.to_bytes(4, "little") + b"\xcd\x80\x5b\xc3"
    return f"getpid by int 0x80 is {_run_machine_code(code)}"


@attack
def enter_by_x32_numbers() -> str:
    # mov eax, number; syscall; ret
    code = b"\xb8" + GETPID_X32.to_bytes(4, "little") + b"\x0f\x05\xc3"
    return f"getpid by x32 is {_run_machine_code(code)}"


@attack
def raise_limits() -> str:
    def attempt(limit: int) -> str:
        soft, hard = resource.getrlimit(limit)
        if soft == resource.RLIM_INFINITY:
            return f"limit {limit} is infinite"
        wanted = hard + 1 if hard != resource.RLIM_INFINITY and os.getuid() == 0 else hard
        try:
            resource.setrlimit(limit, (wanted, wanted))
        except ValueError as error:
            raise RefusedError(str(error)) from error
        if wanted == soft:
            raise RefusedError("it is as high as it can be")
        return f"limit {limit} raised from {soft}"

    limits = (
        resource.RLIMIT_NPROC, resource.RLIMIT_DATA, resource.RLIMIT_NOFILE,
        resource.RLIMIT_FSIZE, resource.RLIMIT_RTPRIO,
    )  # fmt: skip
    return first_success(attempt, limits)


@attack
def queue_signals() -> str:
    """Where a user's programs have used up their store of signals, timers fail for all of them."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
    for number in range(MANY_SIGNALS):
        if LIBC.sigqueue(os.getpid(), signal.SIGRTMIN, ctypes.c_void_p(0)):
            raise RefusedError(f"no more than {number}")
    return f"{MANY_SIGNALS} signals are queued"


@attack
def lock_memory() -> str:
    """A user's programs have one store of memory that may not be swapped out, too."""
    area = mmap.mmap(-1, MUCH_LOCKED, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    syscall("mlock", ctypes.addressof(ctypes.c_char.from_buffer(area)), MUCH_LOCKED)
    return f"{MUCH_LOCKED >> 10} KB are locked"


@attack
def dump_core() -> str:
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    if hard == 0:
        raise RefusedError("core files are limited to 0")
    return f"core files up to {soft}, {hard}"


@attack
def change_scheduling() -> str:
    os.sched_setscheduler(0, SCHED_BATCH, os.sched_param(0))
    return "another scheduling class"


@attack
def change_priority() -> str:
    os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))
    return "priorities can be set"


@attack
def leave_core() -> str:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    after = os.sched_getaffinity(0)
    if len(after) <= len(before):
        raise RefusedError(f"still {sorted(after)}")
    return f"from {sorted(before)} to {sorted(after)}"


@attack
def type_into_terminal() -> str:
    def attempt(request: int) -> str:
        try:
            fcntl.ioctl(0, request, b"x")
        except OSError as error:
            if error.errno == errno.ENOTTY:
                return f"request {request:#x} reaches the terminal's driver"
            raise
        return f"request {request:#x} works"

    return first_success(attempt, (TIOCSTI, TIOCLINUX))


@attack
def run_setuid_program() -> str:
    """A setuid program must run without its rights: after it, still no capability can be had."""
    if LIBC.prctl(39, 0, 0, 0, 0) == 1:  # PR_GET_NO_NEW_PRIVS
        raise RefusedError("no new privileges")
    return "setuid programs gain their rights"
