"""All that the coordinator asks of the engine: who is there, and a task for one worker.

A task is bound to its worker: the coordinator decides who plays what. One whose worker goes would
wait for ever in the engine; here it ends at once as lost.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from distributed import Client

from arena.errors import ArenaError
from arena.tournament.cluster import crew

CONNECT_S = 20.0
LEAVE_S = 8.0


class GoneError(Exception):
    """The worker is not there any more, or does not answer to us."""


class FailedError(Exception):
    """The worker is there and did not do what it was asked; the text says how."""


class Link:
    """A connection to a scheduler, for one run."""

    def __init__(self, scheduler: str, run: str) -> None:
        self._scheduler = scheduler
        self._run = run
        self._client: Any = None
        self._numbers = itertools.count()

    async def connect(self) -> None:
        """Connected. Raises ArenaError if no scheduler answers at the address."""
        client: Any = Client  # it is not typed
        try:
            self._client = client(
                self._scheduler, asynchronous=True, timeout=CONNECT_S, set_as_default=False
            )
            await self._client
        except (OSError, ValueError, TypeError) as error:
            await self._hang_up()
            raise ArenaError(
                f"no scheduler answers: {error}",
                where=f"scheduler {self._scheduler}",
                mend=_mend(self._scheduler),
            ) from error

    async def workers(self) -> dict[str, int]:
        """Addresses of the workers, and how many tasks each runs at a time. Raises ArenaError."""
        try:
            found: dict[str, int] = await asyncio.wait_for(self._client.nthreads(), CONNECT_S)
        except (OSError, TimeoutError) as error:
            raise ArenaError(
                "the scheduler is gone",
                where=f"scheduler {self._scheduler}",
                mend="start it and the same command again; what is finished is kept",
            ) from error
        return found

    async def ask(
        self, worker: str, gone: asyncio.Event, function: Callable[..., Any], *arguments: object
    ) -> Any:
        """What the function returns there. Raises ArenaError, GoneError or FailedError."""
        name = f"arena-{function.__name__}-{self._run}-{next(self._numbers)}"
        future = self._client.submit(
            function, *arguments, key=name, workers=[worker], allow_other_workers=False, pure=False
        )
        answer = asyncio.ensure_future(_result(future))
        leaves = asyncio.ensure_future(gone.wait())
        try:
            await asyncio.wait({answer, leaves}, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done() or answer.cancelled():
                raise GoneError("it is gone")
            return answer.result()
        except (ArenaError, GoneError):
            raise
        except crew.StrangerError as error:
            raise GoneError("it was started anew") from error
        except Exception as error:
            raise FailedError(f"{type(error).__name__}: {error}") from error
        finally:
            leaves.cancel()
            answer.cancel()
            future.release()

    async def close(self, workers: Sequence[str]) -> None:
        """The workers have let go of the run, as far as they answer; the connection is closed."""
        if self._client is None:
            return
        with suppress(OSError, TimeoutError):
            if workers:
                leaving = self._client.run(
                    crew.leave, self._run, workers=list(workers), on_error="ignore"
                )
                await asyncio.wait_for(leaving, LEAVE_S)
        await self._hang_up()

    async def _hang_up(self) -> None:
        if self._client is not None:
            with suppress(OSError, TimeoutError):
                await asyncio.wait_for(self._client.close(), LEAVE_S)
            self._client = None


def _mend(scheduler: str) -> str:
    start = "start one with `dask scheduler` and give the address that it prints"
    keys = "; over tls:// this machine needs the cluster's certificate and a key of its own"
    return start + (keys if scheduler.startswith("tls:") else "")


async def _result(future: Any) -> Any:
    return await future
