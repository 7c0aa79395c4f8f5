"""The filter refuses what its tables say, on every architecture that it has numbers for.

The kernel runs the filter in the attacks; here an interpreter of a few lines runs it, so that the
other architecture is tried as well.
"""

from __future__ import annotations

import errno
import struct
from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.sandbox import seccomp
from arena.sandbox.bpf import ALLOW, refuse
from arena.sandbox.seccomp import FILE_CHANGES, FORBIDDEN, NOT_THERE, Policy, build
from arena.sandbox.syscalls import ARCHITECTURES, LAST_KNOWN, NUMBERS, Architecture, number

X86_64 = ARCHITECTURES[0]
READ = {"x86_64": 0, "aarch64": 63}
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def verdict(program: bytes, call: int, *arguments: int, audit: int = X86_64.audit) -> int:
    """What the filter says of a system call."""
    values = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", call, audit, 0, *values)
    accumulator = at = 0
    while True:
        code, true, false, operand = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, operand)
        elif code == 0x54:
            accumulator &= operand
        elif code == 0x05:
            at += operand
        elif code == 0x06:
            return operand
        else:
            holds = {
                0x15: accumulator == operand,
                0x25: accumulator > operand,
                0x45: bool(accumulator & operand),
            }[code]
            at += true if holds else false


@pytest.fixture(params=ARCHITECTURES, ids=lambda a: a.machine)
def architecture(request) -> Architecture:
    return request.param


def test_ordinary_calls_are_allowed(architecture: Architecture):
    program = build(Policy(), architecture)
    assert verdict(program, READ[architecture.machine], audit=architecture.audit) == ALLOW


@pytest.mark.parametrize(
    ("names", "error"),
    [(NOT_THERE, errno.ENOSYS), (FORBIDDEN, errno.EPERM), (FILE_CHANGES, errno.EPERM)],
)
def test_listed_calls_are_refused(architecture: Architecture, names: str, error: int):
    program = build(Policy(), architecture)
    numbers = {n: number(n, architecture) for n in names.split()}
    wrong = [
        name
        for name, call in numbers.items()
        if call is not None and verdict(program, call, audit=architecture.audit) != refuse(error)
    ]
    assert wrong == []


def test_builds_may_change_files_and_nothing_more(architecture: Architecture):
    program = build(Policy(writable=True), architecture)
    calls = [n for name in FILE_CHANGES.split() if (n := number(name, architecture)) is not None]
    assert {verdict(program, call, audit=architecture.audit) for call in calls} == {ALLOW}
    ptrace = number("ptrace", architecture)
    assert ptrace is not None
    assert verdict(program, ptrace, audit=architecture.audit) == refuse(errno.EPERM)


def test_another_entry_into_the_kernel_is_refused(architecture: Architecture):
    program = build(Policy(), architecture)
    call = READ[architecture.machine]
    assert verdict(program, call, audit=0x4000_0003) == refuse(errno.ENOSYS)  # i386


def test_a_call_that_nobody_has_judged_is_refused(architecture: Architecture):
    program = build(Policy(), architecture)
    for call in (LAST_KNOWN + 1, 0x4000_0000, 0xFFFF_FFFF):  # new, x32, nonsense
        assert verdict(program, call, audit=architecture.audit) == refuse(errno.ENOSYS)


@pytest.mark.parametrize(
    ("name", "arguments", "allowed"),
    [
        ("clone", (0x0001_0000 | 0x100,), True),
        ("clone", (17,), True),
        ("clone", (0x1000_0000 | 17,), False),
        ("mmap", (0, 4096, 3, 0x22), True),
        ("mmap", (0, 4096, 3, 0x21), False),
        ("mmap", (0, 4096, 1, 0x01), True),
        ("mmap", (0, 4096, 3, 0x4_0022), False),
        ("fcntl", (3, 3), True),
        ("fcntl", (3, 6), False),
        ("fcntl", (3, 1031), False),
        ("ioctl", (0, 0x5401), True),
        ("ioctl", (0, 0x5412), False),
        ("ioctl", (0, 0x5421), True),  # FIONBIO
        ("ioctl", (0, 0x5450), True),  # FIONCLEX
        ("ioctl", (0, 0x4008_6602), False),  # FS_IOC_SETFLAGS
        ("ioctl", (0, 0x4008_7602), False),  # FS_IOC_SETVERSION
        ("ioctl", (0, 0x4080_6685), False),  # FS_IOC_ENABLE_VERITY
        ("socket", (1,), False),
        ("socket", (2,), False),
        ("socket", (40,), False),
        ("socketpair", (1, 0x8_0001), True),
        ("socketpair", (1, 5), True),
        ("socketpair", (1, 0x8_0002), False),
        ("socketpair", (1, 3), False),
        ("prctl", (1, 0), True),
        ("prctl", (62, 1), False),
        ("kill", (77,), True),
    ],
)
def test_arguments_decide(architecture: Architecture, name: str, arguments, allowed: bool):
    call = number(name, architecture)
    assert call is not None
    told = verdict(build(Policy(), architecture), call, *arguments, audit=architecture.audit)
    assert (told == ALLOW) is allowed


@pytest.mark.parametrize(
    ("name", "arguments", "allowed"),
    [
        ("clone", (0x0001_0000 | 0x100,), True),
        ("clone", (17,), False),
        ("kill", (77,), True),
        ("kill", (78,), False),
        ("kill", (0,), False),
        ("tgkill", (77, 99), True),
        ("prlimit64", (0,), True),
        ("prlimit64", (78,), False),
        ("prctl", (1, 0), False),
        ("prctl", (15, 0), True),
    ],
)
def test_a_program_without_namespaces_is_kept_to_itself(
    architecture: Architecture, name: str, arguments, allowed: bool
):
    call = number(name, architecture)
    assert call is not None
    program = build(Policy(alone=True, pid=77), architecture)
    assert (verdict(program, call, *arguments, audit=architecture.audit) == ALLOW) is allowed


def test_a_loopback_is_for_internet_sockets_alone():
    program = build(Policy(loopback=True), X86_64)
    socket = NUMBERS["socket"][0]
    assert socket is not None
    assert [verdict(program, socket, family) == ALLOW for family in (1, 2, 10, 16, 40)] == [
        False, True, True, False, False,
    ]  # fmt: skip


def test_an_unknown_architecture_is_refused_and_never_unfiltered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(seccomp.platform, "machine", lambda: "riscv64")
    with pytest.raises(SandboxError, match="no system call filter for riscv64"):
        build(Policy())


@pytest.mark.parametrize("machine", [a.machine for a in ARCHITECTURES])
def test_numbers_are_those_of_the_kernel_headers(machine: str):
    header = HEADERS[machine]
    if not header.exists():
        pytest.skip(f"no kernel headers for {machine} here ({header})")
    architecture = next(a for a in ARCHITECTURES if a.machine == machine)
    told = dict(
        line.split()[1:3]
        for line in header.read_text().splitlines()
        if line.startswith(("#define __NR_", "#define __NR3264_")) and len(line.split()) == 3
    )
    ours = {name: number(name, architecture) for name in NUMBERS}
    theirs = {
        name: int(value)
        for name in NUMBERS
        if (value := told.get(f"__NR_{name}", told.get(f"__NR3264_{name}", ""))).isdigit()
    }
    assert len(theirs) > 100
    assert {name: ours[name] for name in theirs} == theirs
