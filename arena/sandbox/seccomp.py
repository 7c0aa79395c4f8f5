"""The system call filter, assembled here: no libseccomp.

What is refused is a table. Each call in it fails with an error that programs know how to live
with (ENOSYS makes a C library fall back, EPERM makes it give up); nothing is killed. Everything
else is allowed, up to the last number that this table knows: newer calls fail with ENOSYS, since
nobody has judged them. The 32-bit entry and x32 numbers fail likewise. An architecture without a
table of numbers is unsupported; there is no such thing as running unfiltered.

A `Policy` has three switches. `writable` programs (builds) may change modes, times and lengths of
files, and lock them. `loopback` allows TCP and UDP sockets, where the network namespace has nothing
but a loopback. `alone` is for programs without namespaces around them: no children, no signal to
anyone but `pid`, and no way out of dying with the harness.
"""

from __future__ import annotations

import errno
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from arena.errors import SandboxError
from arena.sandbox.bpf import (
    ALLOW,
    ARCHITECTURE_OFFSET,
    JUMP_ABOVE,
    JUMP_ANY_BIT,
    JUMP_EQUAL,
    NUMBER_OFFSET,
    Assembler,
    refuse,
)
from arena.sandbox.syscalls import ARCHITECTURES, LAST_KNOWN, Architecture, number


@dataclass(frozen=True, slots=True)
class Policy:
    """What a program needs beyond playing; see the head of this file."""

    writable: bool = False
    loopback: bool = False
    alone: bool = False
    pid: int = 0


# Refused whatever the arguments. --------------------------------------------------------------

NOT_THERE = (
    "clone3 memfd_create memfd_secret io_uring_setup io_uring_enter io_uring_register "
    "inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark "
    "mincore cachestat sysinfo io_setup io_submit io_getevents io_pgetevents io_cancel io_destroy"
)
"""ENOSYS: programs fall back. clone3 hides its flags from a filter; the rest of its line makes
memory or rings that no limit sees; io_setup takes what the whole machine has for it; the others let
two programs talk through files, page cache or load."""

FORBIDDEN = (
    # others: look into them, take from them, count them
    "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd "
    "get_robust_list migrate_pages move_pages "
    # namespaces and mounts
    "unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount "
    "fspick mount_setattr statmount listmount name_to_handle_at open_by_handle_at quotactl "
    "quotactl_fd swapon swapoff "
    # wide doors into the kernel
    "add_key request_key keyctl bpf perf_event_open userfaultfd modify_ldt uselib ustat sysfs "
    "_sysctl nfsservctl lookup_dcookie iopl ioperm syslog kexec_load kexec_file_load reboot "
    "init_module finit_module delete_module acct vhangup "
    # the machine's time and name
    "settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname "
    # shared objects outside the file system
    "shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open "
    "mq_unlink "
    # pages that a pipe keeps whole when nobody counts them any more (2 MB for each 4 KB passed on);
    # a timer's signal can be SIGCONT, which ends a pause
    "vmsplice timer_create "
    # cores, priorities and memory placement
    "sched_setaffinity sched_setscheduler sched_setparam sched_setattr setpriority ioprio_set "
    "mbind set_mempolicy set_mempolicy_home_node "
    # devices, and what one program can make all others feel
    "mknod mknodat sync syncfs fadvise64 readahead"
)
"""EPERM."""

FILE_CHANGES = (
    "chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes futimesat utimensat "
    "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr truncate flock"
)
"""EPERM unless writable: mounts may be read-only, locks on read-only files are a channel."""

ALONE_FORBIDDEN = "fork vfork tkill pidfd_open pidfd_send_signal"
"""EPERM for a program without namespaces around it."""

# Refused by their arguments. ------------------------------------------------------------------

AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
SOCK_RAW = 3
RARE_TYPES = (
    0x0000_000C  # a type beyond SOCK_STREAM (1), SOCK_DGRAM (2) and SOCK_RAW has a bit here
)
NEITHER_TCP_NOR_UDP = 0xFFFF_FFE8  # neither 6 nor 17 has a bit here; MPTCP, SCTP and others do
NAMESPACE_FLAGS = 0x7E02_0000
CLONE_THREAD = 0x0001_0000
UNCONNECTED_TYPES = 0x0000_0002
"""Set in SOCK_DGRAM and SOCK_RAW: one of a pair can still be sent to any socket that has a name."""
SHARED_ANONYMOUS = 0x21
MAP_HUGETLB = 0x0004_0000
LOCKS = (5, 6, 7, 36, 37, 38)  # F_GETLK, F_SETLK, F_SETLKW and their OFD kin
OWNERS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: signals by way of descriptors
LEASES = (1024, 1025, 1026)  # F_SETLEASE, F_GETLEASE, F_NOTIFY
PIPE_SIZES = (1031, 1032)
BUFFER_SIZES = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF, and both with FORCE
PR_SET_PDEATHSIG = 1
PR_SCHED_CORE = 62  # nobody else may then use the other thread of a core
TERMINAL_TRICKS = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
IO_SIGNALS = (0x8901, 0x8902, 0x5452)  # FIOSETOWN, SIOCSPGRP, FIOASYNC: the same by ioctl
NO_STREAM_ORDER = 0xFFFF_AB80
"""No bit of the orders 0x54NN for terminals, pipes and descriptors is in it. Those of file systems
are refused: some change a file's inode through a descriptor that can only be read."""
NO_SOCKET_ORDER = 0xFFFF_2200
"""The same with 0x89NN, for sockets."""


class When(Enum):
    """What an argument must be like for a rule to refuse: compared with the rule's values."""

    ONE_OF = auto()
    OTHER_THAN = auto()
    ANY_BIT = auto()
    ALL_BITS = auto()
    NO_BIT = auto()


@dataclass(frozen=True, slots=True)
class Rule:
    """One call that is refused with `errno` where one of its arguments is as `when` says.

    For the bit tests there is one value, a mask.
    """

    call: str
    argument: int
    when: When
    values: tuple[int, ...]
    errno: int = errno.EPERM


def rules(policy: Policy) -> Iterator[Rule]:
    """The rules of a policy; several for one call stand together."""
    yield Rule("clone", 0, When.ANY_BIT, (NAMESPACE_FLAGS,))
    if policy.alone:
        yield Rule("clone", 0, When.NO_BIT, (CLONE_THREAD,))
    yield Rule("mmap", 3, When.ALL_BITS, (SHARED_ANONYMOUS,))
    yield Rule("mmap", 3, When.ANY_BIT, (MAP_HUGETLB,))
    locks = () if policy.writable else LOCKS
    tricks = (*locks, *OWNERS, *LEASES, *PIPE_SIZES)
    yield Rule("fcntl", 1, When.ONE_OF, tricks)
    yield Rule("ioctl", 1, When.ONE_OF, (*TERMINAL_TRICKS, *IO_SIGNALS))
    if not policy.writable:
        others = NO_SOCKET_ORDER if policy.loopback else NO_STREAM_ORDER
        yield Rule("ioctl", 1, When.ANY_BIT, (others,))
    families = (AF_INET, AF_INET6) if policy.loopback else ()
    yield Rule("socket", 1, When.ANY_BIT, (RARE_TYPES,), errno.EACCES)
    yield Rule("socket", 1, When.ALL_BITS, (SOCK_RAW,), errno.EACCES)
    yield Rule("socket", 2, When.ANY_BIT, (NEITHER_TCP_NOR_UDP,), errno.EACCES)
    yield Rule("socket", 0, When.OTHER_THAN, families, errno.EACCES)
    if not policy.loopback:
        yield Rule("setsockopt", 2, When.ONE_OF, BUFFER_SIZES)
    yield Rule("socketpair", 1, When.ANY_BIT, (UNCONNECTED_TYPES,), errno.EACCES)
    yield Rule("socketpair", 0, When.OTHER_THAN, (AF_UNIX,), errno.EACCES)
    deaths = (PR_SET_PDEATHSIG,) if policy.alone else ()
    yield Rule("prctl", 0, When.ONE_OF, (PR_SCHED_CORE, *deaths))
    yield Rule("preadv2", 5, When.OTHER_THAN, (0,), errno.EOPNOTSUPP)
    yield Rule("pwritev2", 5, When.OTHER_THAN, (0,), errno.EOPNOTSUPP)
    if policy.alone:
        for call in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
            yield Rule(call, 0, When.OTHER_THAN, (policy.pid,))
        yield Rule("prlimit64", 0, When.OTHER_THAN, (0, policy.pid))


def refusals(policy: Policy) -> Iterator[tuple[Sequence[str], int]]:
    """Calls that are refused whatever their arguments, and with which error."""
    yield NOT_THERE.split(), errno.ENOSYS
    yield FORBIDDEN.split(), errno.EPERM
    if not policy.writable:
        yield FILE_CHANGES.split(), errno.EPERM
    if policy.alone:
        yield ALONE_FORBIDDEN.split(), errno.EPERM


def supported() -> Architecture | None:
    """The architecture of this machine; None if there is no table of numbers for it."""
    return next((a for a in ARCHITECTURES if a.machine == platform.machine()), None)


def build(policy: Policy, architecture: Architecture | None = None) -> bytes:
    """The filter as the kernel takes it: an array of `struct sock_filter`.

    Raises SandboxError on an architecture without a table of numbers.
    """
    architecture = architecture or supported()
    if architecture is None:
        raise SandboxError(
            f"no system call filter for {platform.machine()}",
            mend="use --sandbox container, or a machine with x86_64 or aarch64",
        )
    code = Assembler()
    _only_own_numbers(code, architecture)
    _argument_rules(code, policy, architecture)
    _plain_rules(code, policy, architecture)
    return code.assemble()


def _only_own_numbers(code: Assembler, architecture: Architecture) -> None:
    """Refuses another architecture's entry, another convention's numbers, and unknown ones."""
    code.load(ARCHITECTURE_OFFSET)
    code.branch(JUMP_EQUAL, architecture.audit, if_false="unknown")
    code.load(NUMBER_OFFSET)
    code.branch(JUMP_ABOVE, LAST_KNOWN, if_false="known")  # x32 numbers are above it as well
    code.label("unknown")
    code.give(refuse(errno.ENOSYS))
    code.label("known")


def _argument_rules(code: Assembler, policy: Policy, architecture: Architecture) -> None:
    """Call by call: not this number, skip; else its tests decide."""
    listed = list(rules(policy))
    for call in dict.fromkeys(rule.call for rule in listed):
        known = number(call, architecture)
        if known is not None:
            code.inline(_block(known, [rule for rule in listed if rule.call == call]))


def _block(known: int, rules: list[Rule]) -> Assembler:
    block = Assembler()
    block.branch(JUMP_EQUAL, known, if_false="end")
    for rule in rules:
        block.load_argument(rule.argument)
        _test(block, rule)
    block.label("allow")
    block.give(ALLOW)
    block.label("refuse")
    block.give(refuse(rules[0].errno))
    block.label("end")
    return block


def _plain_rules(code: Assembler, policy: Policy, architecture: Architecture) -> None:
    for names, error in refusals(policy):
        numbers = (number(name, architecture) for name in names)
        code.inline(_refused([n for n in numbers if n is not None], error))
    code.give(ALLOW)


def _test(block: Assembler, rule: Rule) -> None:
    """Goes to `refuse` or `allow`, or falls through."""
    if rule.when is When.ONE_OF:
        for value in rule.values:
            block.branch(JUMP_EQUAL, value, if_true="refuse")
    elif rule.when is When.OTHER_THAN:
        for value in rule.values:
            block.branch(JUMP_EQUAL, value, if_true="allow")
        block.go("refuse")
    elif rule.when is When.ANY_BIT:
        block.branch(JUMP_ANY_BIT, *rule.values, if_true="refuse")
    elif rule.when is When.NO_BIT:
        block.branch(JUMP_ANY_BIT, *rule.values, if_false="refuse")
    else:
        block.keep_bits(*rule.values)
        block.branch(JUMP_EQUAL, *rule.values, if_true="refuse")


def _refused(numbers: list[int], error: int) -> Assembler:
    block = Assembler()
    for known in numbers:
        block.branch(JUMP_EQUAL, known, if_true="refuse")
    block.go("end")
    block.label("refuse")
    block.give(refuse(error))
    block.label("end")
    return block
