"""What of the host's files a sandboxed program may see, as data."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from arena.sandbox.api import Limits

INSIDE_PATH = "/usr/local/bin:/usr/bin:/bin"

SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Links into /usr on most systems, folders on old ones."""

SYSTEM_FILES = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf")

LOOPBACK_HOSTS = Path(__file__).with_name("loopback_hosts")
"""The names of a private loopback interface, as /etc/hosts has them."""

DEVICES = ("null", "random", "urandom")
"""Not /dev/zero: mapped shared, it is memory that no process limit counts."""


def system_files() -> Iterator[str]:
    """Files and folders of /etc that interpreters need to start."""
    yield from (name for name in SYSTEM_FILES if os.path.exists(name))
    yield from (str(folder) for folder in sorted(Path("/etc").glob("java*")))


def environment(limits: Limits, folders: Sequence[str]) -> Mapping[str, str]:
    """The environment that every program gets, before its own variables are added: nothing of the
    organiser's is in it, and nothing of a bot's. `folders` lead its PATH.

    A JVM sizes itself by the machine's memory. That is not told inside (and where the C library
    cannot learn it, the JVM reads a number that nobody wrote), so it is told its limit instead.
    """
    path = dict.fromkeys([*folders, *INSIDE_PATH.split(":")])
    return {
        "PATH": ":".join(path),
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "JAVA_TOOL_OPTIONS": f"-XX:MaxRAM={limits.memory_mb}m",
    }
