"""The live page of a run: a server beside the run, in a thread of its own."""

from __future__ import annotations

import ipaddress
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from arena.cli.site import extra_module
from arena.errors import ConfigError
from arena.ratings.api import Rating
from arena.store import RunStore
from arena.tournament.plan import Outcome
from arena.tournament.prepare import Tournament

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_LAST_NEWS_S = 3
"""How long spectators may take to be told that the run has ended."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to serve: port 0 is any free one."""

    host: str
    port: int


class LiveListener:
    """Hands what the run tells to the live page."""

    def __init__(self, live: Any) -> None:
        self._live = live

    def finished(self, outcome: Outcome) -> None:
        if outcome.record is not None:
            self._live.add(outcome.record.as_dict())

    def void(self, outcome: Outcome) -> None:
        self._live.add_void(f"match {outcome.spec.match}: {outcome.void}")


@contextmanager
def served(
    place: Place | None, tournament: Tournament, store: RunStore, *, system: Rating
) -> Iterator[list[LiveListener]]:
    """The live page is served in the block; gives its listener, none without a place.

    Raises ConfigError if the place cannot be had or the extra is not installed.
    """
    if place is None:
        yield []
        return
    live_app = _module("arena.report.site.live_app")
    uvicorn = _module("uvicorn")
    with _listening(place) as listener:
        live = live_app.LiveRun(tournament.name, tournament.total, system)
        live.begin(store.records())
        port = listener.getsockname()[1]
        config = uvicorn.Config(
            live_app.live_app(live, hosts=_names(place.host)),
            log_level="warning",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=_LAST_NEWS_S,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        print(f"live at http://{_shown(place.host)}:{port}/", file=sys.stderr, flush=True)
        try:
            yield [LiveListener(live)]
        finally:
            live.finish()
            server.should_exit = True
            thread.join(2 * _LAST_NEWS_S)


def _module(name: str) -> Any:
    return extra_module(name, extra="serve", command="arena run --serve")


def _names(host: str) -> list[str]:
    """Under which names the page may be asked for: on loopback none but its own."""
    return list(LOOPBACK_NAMES) if _is_loopback(host) else ["*"]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@contextmanager
def _listening(place: Place) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    try:
        listener = socket.create_server((place.host, place.port), family=family)
    except (OSError, OverflowError) as error:
        raise ConfigError(
            f"cannot serve there: {error}",
            where=f"--serve {place.port}",
            mend="choose another port, or 0 for any free one",
        ) from error
    with listener:
        yield listener
