"""The live page's small web application: the page, its files, and a stream of snapshots.

It only tells. There is no route that changes anything, and a request under a foreign name for this
host is refused, so that no page on the web can read a run through a visitor's browser.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import orjson
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from arena import __version__
from arena.report.site.live import LiveRun
from arena.report.site.pages import environment

SECONDS_BETWEEN_SNAPSHOTS = 1.0
SECONDS_OF_SILENCE = 15.0
"""After so long without news a comment is sent, so that nobody takes the stream for dead."""

ASSETS = Path(__file__).parent / "static"


def live_app(run: LiveRun, *, hosts: Sequence[str]) -> Starlette:
    """The application. `hosts` are the names under which it may be asked for."""
    page = _page(run)
    newest = _Newest(run)

    async def index(request: Request) -> Response:
        return HTMLResponse(page)

    async def events(request: Request) -> Response:
        return StreamingResponse(
            newest.stream(),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    return Starlette(
        routes=[
            Route("/", index),
            Route("/events", events),
            Mount("/assets", StaticFiles(directory=ASSETS)),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))],
    )


def _page(run: LiveRun) -> str:
    site = {"title": run.title, "arena": __version__}
    return (
        environment()
        .get_template("live.html")
        .render(site=site, root="", home="/", here="live", connect="; connect-src 'self'")
    )


class _Newest:
    """The newest snapshot, made once for all spectators however many there are."""

    def __init__(self, run: LiveRun) -> None:
        self._run = run
        self._lock = asyncio.Lock()
        self._version = -1
        self._message = b""
        self._finished = False

    async def stream(self) -> AsyncIterator[bytes]:
        """Server-sent events: a snapshot at once and after every change, until the run ends."""
        seen, silent_s = -1, 0.0
        while True:
            await self._refresh()
            if seen != self._version:
                seen, silent_s = self._version, 0.0
                yield self._message
            elif silent_s >= SECONDS_OF_SILENCE:
                silent_s = 0.0
                yield b": still here\n\n"
            if self._finished:
                return
            await asyncio.sleep(SECONDS_BETWEEN_SNAPSHOTS)
            silent_s += SECONDS_BETWEEN_SNAPSHOTS

    async def _refresh(self) -> None:
        async with self._lock:
            found = await asyncio.to_thread(self._run.snapshot, self._version)
            if found is not None:
                self._version = found["version"]
                self._finished = found["finished"]
                self._message = b"data: " + orjson.dumps(found) + b"\n\n"
