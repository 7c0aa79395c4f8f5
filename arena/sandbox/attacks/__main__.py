"""Runs the attacks named in argv, in order, and prints a line of JSON about each.

Words with a `=` are marks, by which the harness finds this process again.
"""

from __future__ import annotations

import json
import sys

from . import collusion, files, memory, network, privileges, processes
from .weapons import ATTACKS, RefusedError

REGISTERED = (collusion, files, memory, network, privileges, processes)
"""Their import fills ATTACKS."""


def run(name: str) -> dict[str, object]:
    try:
        return {"attack": name, "won": True, "detail": ATTACKS[name]()}
    except (OSError, RefusedError, MemoryError) as failed:
        return {"attack": name, "won": False, "detail": f"{type(failed).__name__}: {failed}"}


def main() -> None:
    for name in (word for word in sys.argv[1:] if "=" not in word):
        print(json.dumps({"attack": name, "begins": True}), flush=True)
        print(json.dumps(run(name)), flush=True)


if __name__ == "__main__":
    main()
