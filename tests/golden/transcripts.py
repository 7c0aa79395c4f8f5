"""Writes the golden transcripts: whole matches between the referee's core and simple players.

`python tests/golden/transcripts.py` writes them anew. The README.md beside them describes the
format and the players. No process and no clock takes part, so the same bytes come out everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena_protocol import PROTOCOL_VERSION, encode

from arena.games.callbreak.game import Callbreak
from arena.records import BotId
from arena.referee.api import RefereeRules, Table, TimeLimits
from arena.referee.match import OVER, Evidence, Match
from arena.referee.session import Breach, Session

FOLDER = Path(__file__).parents[2] / "protocol" / "transcripts"
GAME = Callbreak()
LIMITS = TimeLimits(start_ms=10_000, move_ms=1_000, match_ms=60_000)
USED_MS = 5.0
NOTED_ID = 20
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Misdeed:
    """What the player in a seat does at its request number `at`, instead of a good answer.

    It writes a text (in which `{id}` stands for the request's id) so many times; an empty one means
    that it lets its time run out. `early`: it writes before it is asked.
    """

    seat: int
    at: int
    text: str = ""
    times: int = 1
    early: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """One transcript: the rules, the match seed, and what goes wrong."""

    variant: str
    seed: str
    deals: int | None = None
    strikes: int = 0
    misdeeds: tuple[Misdeed, ...] = ()


ILLEGAL = '{"id":{id},"action":"2♠"}\n'
SCRIPTS: Mapping[str, Script] = {
    "master": Script("master", "golden"),
    "bhoos": Script("bhoos", "golden"),
    "illegal-action": Script("master", "golden", 1, misdeeds=(Misdeed(1, 6, ILLEGAL),)),
    "malformed": Script("master", "golden", 1, misdeeds=(Misdeed(0, 1, "thinking...\n"),)),
    "timeout": Script("master", "golden", 1, misdeeds=(Misdeed(2, 9),)),
    "output-limit": Script(
        "master", "golden", 1, misdeeds=(Misdeed(3, 5, "on and on\n", times=7000, early=True),)
    ),
    "strikes": Script(
        "bhoos",
        "golden",
        1,
        strikes=3,
        misdeeds=(
            Misdeed(1, 2, ILLEGAL),
            Misdeed(1, 7),
            Misdeed(1, 8, '{"id":7,"action":"2C"}\n', early=True),
            Misdeed(1, 11, '{"id":1,"action":1}\n', early=True),
        ),
    ),
}


def transcript(script: Script) -> str:
    """The whole text of a transcript: an event on each line, the record last."""
    return "".join(encode(event).decode() for event in _Recording(script).events())


class _Recording:
    """A match while it is played and written down."""

    def __init__(self, script: Script) -> None:
        parameters = {} if script.deals is None else {"deals": script.deals}
        self._variant = GAME.variant(script.variant, parameters)
        self._script = script
        self._misdeeds = {(m.seat, m.at, m.early): m for m in script.misdeeds}
        self._sessions = [Session() for _ in range(GAME.seats)]
        self._requests = [0] * GAME.seats

    def events(self) -> Iterator[Event]:
        for seat in range(GAME.seats):
            yield from self._greet(seat)
        self._match = match = Match(self._table(), self._sessions)
        while (seat := match.turn()) != OVER:
            self._requests[seat] += 1
            yield from self._write_early(seat)
            if not match.is_retired(seat):
                yield from self._decide(seat)
        for seat, data in match.farewells():
            yield from _sent(seat, data)
        for seat, session in enumerate(self._sessions):
            if not match.is_retired(seat):
                yield from _sent(seat, session.quit())
        yield {"record": match.record().as_dict()}

    def _table(self) -> Table:
        names = tuple(f"player-{seat}" for seat in range(GAME.seats))
        return Table(
            match="golden",
            set="golden",
            game=GAME,
            variant=self._variant,
            seed=self._script.seed,
            seats=tuple(BotId(name, "1", "0" * 64) for name in names),
            players=names,
            seat_seeds=tuple(range(100, 100 + GAME.seats)),
            started="2025-01-01T00:00:00Z",
            rules=RefereeRules(limits=LIMITS, strikes=self._script.strikes),
        )

    def _greet(self, seat: int) -> Iterator[Event]:
        hello = {
            "protocol": PROTOCOL_VERSION,
            "game": GAME.name,
            "variant": self._variant,
            "bot": f"player-{seat}",
            "limits": {
                "start_ms": LIMITS.start_ms,
                "move_ms": LIMITS.move_ms,
                "match_ms": LIMITS.match_ms,
            },
        }
        yield from _sent(seat, self._sessions[seat].hello(hello))
        reply = {"id": 0, "name": "golden", "version": "1"}
        self._sessions[seat].receive(encode(reply))
        yield {"from": seat, "line": reply}

    def _write_early(self, seat: int) -> Iterator[Event]:
        misdeed = self._misdeeds.get((seat, self._requests[seat], True))
        if misdeed is not None:
            yield _written(seat, misdeed)
            breach = self._sessions[seat].unasked(misdeed.text.encode() * misdeed.times)
            if breach is not None:
                yield from _sent(seat, self._match.accuse(seat, breach, Evidence()))

    def _decide(self, seat: int) -> Iterator[Event]:
        match = self._match
        yield from _sent(seat, data := match.request())
        request = json.loads(data.splitlines()[-1])
        misdeed = self._misdeeds.get((seat, self._requests[seat], False))
        if misdeed is None:
            reply = answer(request)
            yield {"from": seat, "line": reply}
            match.received(encode(reply), USED_MS)
        elif misdeed.text:
            filled = Misdeed(seat, 0, misdeed.text.replace("{id}", str(request["id"])))
            yield _written(seat, filled)
            breach = match.received(filled.text.encode(), USED_MS)
            yield from self._accuse(seat, breach, Evidence(USED_MS, LIMITS.move_ms))
        else:
            yield {"from": seat, "silent_ms": LIMITS.move_ms}
            used_ms = float(LIMITS.move_ms)
            breach = match.expired(used_ms)
            yield from self._accuse(seat, breach, Evidence(used_ms, LIMITS.move_ms))

    def _accuse(self, seat: int, breach: object, evidence: Evidence) -> Iterator[Event]:
        assert isinstance(breach, Breach)
        yield from _sent(seat, self._match.accuse(seat, breach, evidence))


def answer(request: Mapping[str, Any]) -> Event:
    """What a player answers: a legal action that its seat and the request's id choose."""
    number, seat, legal = request["id"], request["state"]["seat"], request["legal"]
    choices = legal[:4] if request["kind"] == "call" else legal
    reply = {"id": number, "action": choices[(7 * number + seat) % len(choices)]}
    return reply | {"note": f"seat {seat} was here"} if number == NOTED_ID else reply


def _sent(seat: int, data: bytes) -> Iterator[Event]:
    for line in data.splitlines():
        yield {"to": seat, "line": json.loads(line)}


def _written(seat: int, misdeed: Misdeed) -> Event:
    event: Event = {"from": seat, "text": misdeed.text}
    return event | {"times": misdeed.times} if misdeed.times > 1 else event


def write_transcripts(folder: Path) -> None:
    """Writes every transcript to `folder/NAME.jsonl`."""
    for name, script in SCRIPTS.items():
        (folder / f"{name}.jsonl").write_text(transcript(script), encoding="utf-8")


if __name__ == "__main__":
    write_transcripts(FOLDER)
