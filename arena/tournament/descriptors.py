"""How many files a process that plays may have open, and how many bots it can have running."""

from __future__ import annotations

import resource

from arena.errors import ConfigError

_OWN = 32
_OF_A_BOT = 12
"""What a process that plays keeps open itself, and for each bot (ten, measured with `bwrap`)."""

_SEATS = 4
_ENOUGH = 65_536


def allow_descriptors() -> None:
    """This process and its children may open as many files as the hard limit grants.

    Raises ConfigError if those are too few for one table.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    if wanted < (needed := _OWN + _SEATS * _OF_A_BOT):
        raise ConfigError(
            f"a process may open no more than {wanted} files here, and a table needs {needed}",
            mend="allow more open files (`ulimit -n 1024`)",
        )


def most_bots() -> int:
    """How many bots a process can have running with the descriptors that it may open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    descriptors = _ENOUGH if soft == resource.RLIM_INFINITY else soft
    return max((descriptors - _OWN) // _OF_A_BOT, _SEATS)
