"""Whole matches of bots that mangle what they say, played by the referee's core.

Nothing here waits or starts a process, so that thousands of matches fit into a minute. `digests()`
tells two builds of the same sources apart by all that such matches ask and record.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping

from arena_protocol.framing import LINE_LIMIT_BYTES

from arena.records import FaultKind, MatchRecord
from arena.referee.api import RefereeRules
from arena.referee.match import OVER, Evidence, Match
from arena.referee.pipes import READ_BYTES
from arena.referee.session import Breach, Phase, Session
from tests.protocol.fuzz import mangled_lines
from tests.referee.links import GAME, a_table

SEATS = 4
DECISIONS = 56
"""In a match of one deal: nothing that a bot says makes it longer."""


class Mangler:
    """What four bots say, and in which pieces it comes: mostly good, now and then anything."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._lines = mangled_lines(chance)
        self.heard = hashlib.sha256()

    def hear(self, data: bytes) -> dict:
        """The request with which what the referee writes ends."""
        self.heard.update(data)
        return json.loads(data.splitlines()[-1])

    def reply(self, request: dict) -> bytes:
        """The answer to a request, or something instead of it, before it or after it."""
        chance = self._chance
        good = json.dumps({"id": request["id"], "action": chance.choice(request["legal"])}).encode()
        choice = chance.random()
        if choice < 0.8:
            return good + b"\n"
        if choice < 0.9:
            return self._mangled(good) + b"\n" * chance.randrange(3)
        return self.anything() + good + b"\n" + self.anything()

    def anything(self) -> bytes:
        """A few lines that are nearly right, halves of lines, and rarely a flood."""
        chance = self._chance
        if chance.random() < 0.01:
            return bytes([chance.randrange(256)]) * chance.randrange(2 * LINE_LIMIT_BYTES)
        lines = [next(self._lines) for _ in range(chance.randrange(4))]
        return b"\n".join(lines) + chance.choice((b"", b"\n"))

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """The data as reads from a pipe bring it."""
        while data:
            size = self._chance.choice((1, 3, 40, READ_BYTES))
            yield data[:size]
            data = data[size:]

    def _mangled(self, good: bytes) -> bytes:
        line = bytearray(good)
        at = self._chance.randrange(len(line))
        line[at : at + self._chance.randrange(4)] = self._chance.randbytes(3)
        return bytes(line)


def play_mangled(mangler: Mangler, chance: random.Random, variant: str = "master") -> MatchRecord:
    """The record of one match; fails unless it is whole and bounded."""
    strikes = chance.choice((0, 0, 1, 5, 1000))
    sessions = [_greeted(mangler, chance) for _ in range(SEATS)]
    rules = RefereeRules(strikes=strikes)
    match = Match(a_table(variant=variant, seed=str(chance.random()), rules=rules), sessions)
    for seat, session in enumerate(sessions):
        if session.phase is Phase.OVER:
            match.accuse(seat, _UNSTARTED, Evidence())
    decisions = 0
    while (seat := match.turn()) != OVER:
        decisions += _decide(match, seat, sessions[seat], mangler, chance)
    match.farewells()
    record = match.record()
    assert decisions <= DECISIONS
    assert GAME.replay(record.as_dict()).error == ""
    assert all(f.detail.isprintable() and f.arrived.isprintable() for f in record.faults)
    return record


def digests(matches: int) -> Mapping[str, str]:
    """By variant, the SHA-256 of everything that was written to bots and recorded."""
    return {variant: _digest(variant, matches) for variant in GAME.variants()}


def _digest(variant: str, matches: int) -> str:
    chance = random.Random(3)
    mangler = Mangler(chance)
    for _ in range(matches):
        record = play_mangled(mangler, chance, variant)
        mangler.heard.update(json.dumps(record.as_dict()).encode())
    return mangler.heard.hexdigest()


_UNSTARTED = Breach(FaultKind.MALFORMED, "no hello", fatal=True)


def _greeted(mangler: Mangler, chance: random.Random) -> Session:
    """A session after its hello, which goes wrong at times."""
    session = Session()
    session.hello({})
    said = mangler.anything() if chance.random() < 0.05 else b'{"id":0}\n'
    for piece in mangler.pieces(said):
        event = session.receive(piece)
        if event is not None:
            break
    if session.phase is Phase.GREETING:
        session.retire(b"")
    return session


def _decide(
    match: Match, seat: int, session: Session, mangler: Mangler, chance: random.Random
) -> int:
    """One decision, as the driver takes it; 0 if the bot was retired before it was asked."""
    early = mangler.anything() if chance.random() < 0.02 else b""
    if early or session.has_spare:
        breach = session.unasked(early)
        if breach is not None:
            match.accuse(seat, breach, Evidence())
            if match.is_retired(seat):
                return 0
    request = mangler.hear(match.request())
    event = None
    for piece in mangler.pieces(mangler.reply(request)):
        event = match.received(piece, chance.choice((1.0, 1.0, 1.0, 5_000.0)))
        assert len(session.unfinished()) <= LINE_LIMIT_BYTES + READ_BYTES
        if event is not None:
            break
    breach = match.expired(1_000.0) if event is None else event
    if isinstance(breach, Breach):
        match.accuse(seat, breach, Evidence(1_000.0, 1_000))
    return 1
