"""Numbers of the system calls that the filter looks at, as data.

From the kernel's own tables (`arch/x86/entry/syscalls/syscall_64.tbl` and
`include/uapi/asm-generic/unistd.h`). A call that an architecture never had is None there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Architecture:
    """How the kernel names an architecture to a filter, and its column in NUMBERS."""

    machine: str
    audit: int
    column: int


ARCHITECTURES = (
    Architecture("x86_64", audit=0xC000_003E, column=0),
    Architecture("aarch64", audit=0xC000_00B7, column=1),
)

LAST_KNOWN = 462
"""mseal, Linux 6.10. A number above it is a call that nobody here has looked at, or one of another
convention on the same architecture (x32): refused."""

NUMBERS: Mapping[str, tuple[int | None, int | None]] = MappingProxyType(
    {
        "_sysctl": (156, None),
        "acct": (163, 89),
        "add_key": (248, 217),
        "adjtimex": (159, 171),
        "bpf": (321, 280),
        "cachestat": (451, 451),
        "chmod": (90, None),
        "chown": (92, None),
        "chroot": (161, 51),
        "clock_adjtime": (305, 266),
        "clock_settime": (227, 112),
        "clone": (56, 220),
        "clone3": (435, 435),
        "delete_module": (176, 106),
        "fadvise64": (221, 223),
        "fanotify_init": (300, 262),
        "fanotify_mark": (301, 263),
        "fchmod": (91, 52),
        "fchmodat": (268, 53),
        "fchmodat2": (452, 452),
        "fchown": (93, 55),
        "fchownat": (260, 54),
        "fcntl": (72, 25),
        "finit_module": (313, 273),
        "flock": (73, 32),
        "fork": (57, None),
        "fremovexattr": (199, 16),
        "fsconfig": (431, 431),
        "fsetxattr": (190, 7),
        "fsmount": (432, 432),
        "fsopen": (430, 430),
        "fspick": (433, 433),
        "futimesat": (261, None),
        "futex": (202, 98),
        "get_robust_list": (274, 100),
        "init_module": (175, 105),
        "inotify_add_watch": (254, 27),
        "inotify_init": (253, None),
        "inotify_init1": (294, 26),
        "io_cancel": (210, 3),
        "io_destroy": (207, 1),
        "io_getevents": (208, 4),
        "io_pgetevents": (333, 292),
        "io_setup": (206, 0),
        "io_submit": (209, 2),
        "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427),
        "io_uring_setup": (425, 425),
        "ioctl": (16, 29),
        "ioperm": (173, None),
        "iopl": (172, None),
        "ioprio_set": (251, 30),
        "kcmp": (312, 272),
        "kexec_file_load": (320, 294),
        "kexec_load": (246, 104),
        "keyctl": (250, 219),
        "kill": (62, 129),
        "lchown": (94, None),
        "listmount": (458, 458),
        "lookup_dcookie": (212, 18),
        "lremovexattr": (198, 15),
        "lsetxattr": (189, 6),
        "mbind": (237, 235),
        "memfd_create": (319, 279),
        "memfd_secret": (447, 447),
        "migrate_pages": (256, 238),
        "mincore": (27, 232),
        "mknod": (133, None),
        "mknodat": (259, 33),
        "mlock": (149, 228),
        "mmap": (9, 222),
        "modify_ldt": (154, None),
        "mount": (165, 40),
        "mount_setattr": (442, 442),
        "move_mount": (429, 429),
        "move_pages": (279, 239),
        "mq_open": (240, 180),
        "mq_unlink": (241, 181),
        "msgctl": (71, 187),
        "msgget": (68, 186),
        "msgrcv": (70, 188),
        "msgsnd": (69, 189),
        "name_to_handle_at": (303, 264),
        "nfsservctl": (180, 42),
        "open_by_handle_at": (304, 265),
        "open_tree": (428, 428),
        "perf_event_open": (298, 241),
        "pidfd_getfd": (438, 438),
        "pidfd_open": (434, 434),
        "pidfd_send_signal": (424, 424),
        "pivot_root": (155, 41),
        "prctl": (157, 167),
        "preadv2": (327, 286),
        "prlimit64": (302, 261),
        "process_madvise": (440, 440),
        "process_mrelease": (448, 448),
        "process_vm_readv": (310, 270),
        "process_vm_writev": (311, 271),
        "ptrace": (101, 117),
        "pwritev2": (328, 287),
        "quotactl": (179, 60),
        "quotactl_fd": (443, 443),
        "readahead": (187, 213),
        "reboot": (169, 142),
        "removexattr": (197, 14),
        "request_key": (249, 218),
        "rt_sigqueueinfo": (129, 138),
        "rt_tgsigqueueinfo": (297, 240),
        "sched_setaffinity": (203, 122),
        "sched_setattr": (314, 274),
        "sched_setparam": (142, 118),
        "sched_setscheduler": (144, 119),
        "semctl": (66, 191),
        "semget": (64, 190),
        "semop": (65, 193),
        "semtimedop": (220, 192),
        "set_mempolicy": (238, 237),
        "set_mempolicy_home_node": (450, 450),
        "setdomainname": (171, 162),
        "sethostname": (170, 161),
        "setns": (308, 268),
        "setpriority": (141, 140),
        "settimeofday": (164, 170),
        "setsockopt": (54, 208),
        "setxattr": (188, 5),
        "shmat": (30, 196),
        "shmctl": (31, 195),
        "shmdt": (67, 197),
        "shmget": (29, 194),
        "socket": (41, 198),
        "socketpair": (53, 199),
        "statmount": (457, 457),
        "swapoff": (168, 225),
        "swapon": (167, 224),
        "sync": (162, 81),
        "syncfs": (306, 267),
        "sysfs": (139, None),
        "sysinfo": (99, 179),
        "syslog": (103, 116),
        "tgkill": (234, 131),
        "timer_create": (222, 107),
        "timer_settime": (223, 110),
        "tkill": (200, 130),
        "truncate": (76, 45),
        "umount2": (166, 39),
        "unshare": (272, 97),
        "uselib": (134, None),
        "userfaultfd": (323, 282),
        "ustat": (136, None),
        "utime": (132, None),
        "utimensat": (280, 88),
        "utimes": (235, None),
        "vfork": (58, None),
        "vhangup": (153, 58),
        "vmsplice": (278, 75),
    }
)
"""Name -> number on x86_64, number on aarch64."""


def number(name: str, architecture: Architecture) -> int | None:
    """The number of a call; None if the architecture has no such call. KeyError if not listed."""
    return NUMBERS[name][architecture.column]
