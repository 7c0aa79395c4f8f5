"""Programs of the host that are asked a question: versions, container engines, git."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program of the host said and how it ended."""

    status: int
    out: str
    err: str


def ask(argv: Sequence[str], *, timeout_s: float, env: Mapping[str, str] | None = None) -> Answer:
    """Runs a trusted program of the host in the root folder and returns what it said.

    Status 127 if it is not there, 124 if it took too long: callers ask such things as `--version`,
    and need to know no more than that there was no answer.
    """
    try:
        done = subprocess.run(
            argv,
            cwd="/",
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(124, "", "no answer in time")
    except OSError as error:
        return Answer(127, "", str(error))
    return Answer(done.returncode, done.stdout.strip(), done.stderr.strip())
