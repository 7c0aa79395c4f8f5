"""A small conductor: whole matches with real processes over bare pipes, without the referee.

The bundled bots are tested against the protocol as it is written, not against our own referee, so
that a fault on one side cannot hide one on the other.
"""

from __future__ import annotations

import json
import random
import select
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from arena.bots.bot import Bot
from arena.bots.build import Workshop, build_bot
from arena.bots.bundled import bundled_bots
from arena.bots.resolve import resolve
from arena.bots.toolchain import missing_toolchain
from arena.games.callbreak.game import Callbreak
from arena.sandbox.bubblewrap import Bubblewrap
from arena.tournament.clock import SteadyClock

PATIENCE_S = 60
"""How long to wait for any answer before the test fails: only a hang reaches it."""


def compact(message: Any) -> str:
    """As the referee writes."""
    return json.dumps(message, separators=(",", ":"))


@dataclass
class Conversation:
    """One bot process and all that it said. `actions` are (kind, legal, action)."""

    process: subprocess.Popen[bytes]
    name: str
    next_id: int = 0
    pending: bytes = b""
    actions: list[tuple[str, list[Any], Any]] = field(default_factory=list)
    spell: Callable[[Any], str] = compact

    def tell(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin
        assert not self._readable(0), f"{self.name} wrote what nobody asked for"
        self.process.stdin.write(self.spell(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        self.next_id += 1
        self.tell({**message, "id": self.next_id})
        reply: dict[str, Any] = json.loads(self._line())
        assert reply["id"] == self.next_id
        assert not self.pending, f"{self.name} wrote more than one line: {self.pending!r}"
        return reply

    def hello(self, variant: Mapping[str, Any]) -> dict[str, Any]:
        limits = {"start_ms": 10_000, "move_ms": 1000, "match_ms": 60_000}
        return self.ask(
            {"type": "hello", "protocol": 1, "game": "callbreak", "variant": variant}
            | {"bot": self.name, "limits": limits}
        )

    def start(self, seat: int, deals: int, seed: int) -> None:
        players = ["p0", "p1", "p2", "p3"]
        self.tell(
            {"type": "start", "match": "m", "seat": seat, "deals": deals}
            | {"players": players, "seed": seed}
        )

    def act(self, kind: str, state: Mapping[str, Any], legal: Sequence[Any]) -> Any:
        clock = {"move_ms": 1000, "match_ms": 60_000}
        request = {"type": "act", "kind": kind, "clock": clock, "state": state, "legal": legal}
        reply = self.ask(request)
        action = reply["action"]
        self.actions.append((kind, list(legal), action))
        assert action in legal, f"{self.name}: {action!r} is not in {legal}, state {state}"
        assert type(action) is type(legal[0])
        return action

    def quit(self) -> int:
        """The exit status after `quit`, with nothing more written."""
        assert self.process.stdin
        assert self.process.stdout
        self.tell({"type": "quit"})
        status = self.process.wait(PATIENCE_S)
        assert self.process.stdout.read() == b""
        return status

    def _readable(self, seconds: float) -> bool:
        assert self.process.stdout
        return bool(select.select([self.process.stdout], [], [], seconds)[0])

    def _line(self) -> bytes:
        assert self.process.stdout
        while b"\n" not in self.pending:
            assert self._readable(PATIENCE_S), f"{self.name} does not answer"
            more = self.process.stdout.raw.read(65536)  # type: ignore[attr-defined]
            assert more, f"{self.name} is gone, status {self.process.wait()}"
            self.pending += more
        line, _, self.pending = self.pending.partition(b"\n")
        return line


@contextmanager
def conversation(
    argv: Sequence[str], folder: Path, name: str, spell: Callable[[Any], str] = compact
) -> Iterator[Conversation]:
    """A started bot; it is killed on leaving, if it has not left."""
    with subprocess.Popen(
        argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield Conversation(process, name, spell=spell)
        finally:
            process.kill()


def play_match(
    bots: Sequence[Conversation], variant: Mapping[str, Any], seed: str, bot_seed: int
) -> list[int]:
    """The totals in tenths after one match; the bots sit in the order given."""
    state = Callbreak().new_match(seed, variant)
    for seat, bot in enumerate(bots):
        bot.start(seat, variant["deals"], bot_seed + seat)
    while not state.is_terminal():
        seat = state.current_player()
        legal = state.legal_actions()
        wire = [state.encode(action) for action in legal]
        action = bots[seat].act(state.kind(), state.observation(seat), wire)
        state.apply(legal[wire.index(action)])
        for event in state.events():
            for bot in bots:
                bot.tell(event)
    return list(state.returns())


def play_alone(
    bot: Conversation, variant: Mapping[str, Any], seed: str, *, seat: int, bot_seed: int
) -> list[Any]:
    """The bot's actions in one match in which three others play any legal action."""
    chance = random.Random(seed)
    state = Callbreak().new_match(seed, variant)
    before = len(bot.actions)
    bot.start(seat, variant["deals"], bot_seed)
    while not state.is_terminal():
        legal = state.legal_actions()
        if state.current_player() == seat:
            wire = [state.encode(action) for action in legal]
            action = legal[wire.index(bot.act(state.kind(), state.observation(seat), wire))]
        else:
            action = chance.choice(legal)
        state.apply(action)
        for event in state.events():
            bot.tell(event)
    points = [tenths // 10 for tenths in state.returns()]
    bot.tell({"type": "end", "match": "m", "scores": points, "ranks": [1, 1, 1, 1]})
    return [action for _, _, action in bot.actions[before:]]


@pytest.fixture(scope="session")
def workshop(cache: Path) -> Workshop:
    """Builds in the real sandbox, each bot once a test run."""
    return Workshop(Bubblewrap(), cache / "callbreak-arena" / "bots", SteadyClock())


@pytest.fixture(scope="session")
def bundled(workshop: Workshop) -> Callable[[str], Bot]:
    """The bundled bot of that name, built; a missing toolchain skips the test by its name."""

    def ready(name: str) -> Bot:
        bot = resolve(name, bundled_bots())
        if lack := missing_toolchain(bot):
            pytest.skip(f"bot {name}: {lack}")
        return build_bot(bot, workshop)

    return ready


@pytest.fixture(scope="session")
def talk() -> Callable[..., Any]:
    """Starts a built bot; a context manager."""

    def start(bot: Bot, spell: Callable[[Any], str] = compact) -> Any:
        return conversation(bot.run, bot.folder, bot.name, spell)

    return start


@pytest.fixture(scope="session")
def variants() -> dict[str, dict[str, Any]]:
    return Callbreak().variants()


@pytest.fixture(scope="session")
def alone() -> Callable[..., list[Any]]:
    return play_alone


@pytest.fixture(scope="session")
def match() -> Callable[..., list[int]]:
    return play_match
