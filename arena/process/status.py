"""The kernel's account of a process: the lines of `/proc/PID/status`."""

from __future__ import annotations

from pathlib import Path


def status_of(pid: int | str) -> dict[str, str]:
    """Its fields by name, as text without spaces around it.

    Raises OSError if the process is gone or not ours to see.
    """
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    fields = (line.partition(":") for line in lines)
    return {name: value.strip() for name, _, value in fields}
