"""One recorded decision asked again of a bot, for its author.

Theory of operation. The match is played again by the real referee: in one seat sits the bot, and
the others follow the record. It is asked every decision of its seat, so that it is led to the one
in question as it would have been in the match; its answers on the way are noted where they differ,
and what the record says is played instead. At the decision in question its answer ends the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from arena_protocol.framing import LINE_LIMIT_BYTES, encode
from arena_protocol.replies import Reply, action_index, parse_reply

from arena.errors import ConfigError
from arena.games.api import WireAction, actions_of
from arena.records import BotId, Fault
from arena.referee.api import Clock, Table
from arena.referee.driver import play
from arena.referee.evidence import LogTail
from arena.referee.local import StandingClock, local_seat
from arena.referee.pipes import Channel
from arena.tournament.clock import SteadyClock
from arena.tournament.prepare import Tournament
from arena.tournament.seating import seated
from arena.tournament.seeds import seat_seed

Place = tuple[int, int | None]
"""Deal and trick, from 1; no trick: outside of one."""

Decided = tuple[Place, WireAction]
"""Where a seat decided, and what."""


@dataclass(frozen=True, slots=True)
class Differing:
    """An answer on the way that was not the recorded one."""

    place: Place
    recorded: WireAction
    answered: WireAction


@dataclass(slots=True)
class Answer:
    """What the bot did when it was asked again. Without an action, `fault` says why.

    `asked` counts the decisions on the way, `differing` those that were answered otherwise.
    """

    recorded: WireAction
    legal: list[WireAction] = field(default_factory=list)
    action: WireAction | None = None
    note: str = ""
    used_ms: float = 0.0
    asked: int = 0
    differing: list[Differing] = field(default_factory=list)
    fault: Fault | None = None
    log: str = ""


def decide_again(
    tournament: Tournament, record: Mapping[str, Any], *, seat: int, place: Place
) -> Answer:
    """Asks the tournament's only bot the first decision of that seat at that place of the record.

    The variant and the seed are the record's. Raises ConfigError if the record cannot be played
    again or has no such decision, ArenaError if the harness fails.
    """
    script = _script(tournament, record)
    wanted = next((n for n, (where, _) in enumerate(script[seat]) if where == place), None)
    if wanted is None:
        raise ConfigError(f"seat {seat} has no decision there", where=f"match {record['match']}")
    answer = Answer(recorded=script[seat][wanted][1])
    (bot,) = tournament.plan.bots
    clock = StandingClock(SteadyClock())
    with seated(tournament, [bot], clock) as (guest,):
        guest.pipes = _LedChannel(guest.pipes, script[seat], wanted, answer, clock)
        seats = [
            guest if number == seat else local_seat(_Script(script[number]), "record", clock)
            for number in range(len(script))
        ]
        try:
            played = play(_table(tournament, record), seats, clock)
            answer.fault = next((f for f in played.faults if f.seat == seat), None)
        except _ReachedError:
            guest.session.forgive(b"")  # its answer stays with us; it can be asked to leave
        guest.pipes.drain_log()
        answer.log = guest.pipes.log.text()
    return answer


class _ReachedError(Exception):
    """The decision in question has been answered: the match need not go on."""


def _script(tournament: Tournament, record: Mapping[str, Any]) -> list[list[Decided]]:
    """What each seat did, in order."""
    where = f"match {record.get('match', '?')}"
    found = tournament.game.replay(record)
    if found.error:
        raise ConfigError(f"the record does not keep the rules: {found.error}", where=where)
    if not record.get("seed"):
        raise ConfigError(
            "the record has no seed, so that its deals cannot be had again", where=where
        )
    state = tournament.game.new_match(record["seed"], record["variant"])
    script: list[list[Decided]] = [[] for _ in record["seats"]]
    for action in actions_of(tournament.game, record):
        position = state.position()
        script[state.current_player()].append(((position.deal, position.trick), action))
        state.answer(action)
    return script


def _table(tournament: Tournament, record: Mapping[str, Any]) -> Table:
    seats = record["seats"]
    return Table(
        match=record["match"],
        set=str(record.get("set", "")),
        game=tournament.game,
        variant=record["variant"],
        seed=record["seed"],
        seats=tuple(BotId(s["bot"], "", "") for s in seats),  # nobody keeps this record
        players=tuple(s["bot"] for s in seats),
        seat_seeds=tuple(seat_seed(record["seed"], seat) for seat in range(len(seats))),
        started=str(record.get("started", "")),
        rules=tournament.plan.rules,
    )


class _Script:
    """Does what the record says."""

    def __init__(self, decided: Iterable[Decided]) -> None:
        self._actions = iter([action for _, action in decided])

    def hear(self, message: Mapping[str, Any]) -> None:
        """Nothing surprises it."""

    def decide(self, request: Mapping[str, Any]) -> WireAction:
        return next(self._actions)


class _LedChannel:
    """The pipes of a bot whose good answers are swapped for the recorded ones.

    Whatever is no good answer (malformed, illegal, late) is passed on for the referee to judge.
    """

    def __init__(
        self,
        pipes: Channel,
        decided: Sequence[Decided],
        wanted: int,
        answer: Answer,
        clock: Clock,
    ) -> None:
        self._pipes = pipes
        self._decided = decided
        self._now = -1
        self._wanted = wanted
        self._answer = answer
        self._clock = clock
        self._request: Mapping[str, Any] = {}
        self._asked_at = 0.0
        self._pending = b""
        self.stdout = pipes.stdout
        self.log: LogTail = pipes.log

    def poll(self, wait_ms: float, /) -> list[tuple[int, int]]:
        return self._pipes.poll(wait_ms)

    def send(self, data: bytes) -> None:
        for line in data.splitlines():
            message = orjson.loads(line)
            if message["type"] == "act":
                self._request = message
                self._now += 1
        self._asked_at = self._clock.now()
        self._pipes.send(data)

    def receive(self, wait_ms: float) -> bytes:
        self._pending += self._pipes.receive(wait_ms)
        line, newline, rest = self._pending.partition(b"\n")
        if not newline and len(self._pending) <= LINE_LIMIT_BYTES:
            return b""
        passed, self._pending = self._pending, b""
        reply = parse_reply(line)
        if rest or not isinstance(reply, Reply) or not self._is_good(reply):
            return passed
        return self._led(reply)

    def _is_good(self, reply: Reply) -> bool:
        legal = self._request["legal"]
        return reply.id == self._request["id"] and action_index(reply.action, legal) >= 0

    def _led(self, reply: Reply) -> bytes:
        place, recorded = self._decided[self._now]
        legal = self._request["legal"]
        answered = legal[action_index(reply.action, legal)]
        if self._now == self._wanted:
            self._answer.legal = legal
            self._answer.action = answered
            self._answer.note = reply.note or ""
            self._answer.used_ms = (self._clock.now() - self._asked_at) * 1000
            raise _ReachedError
        self._answer.asked += 1
        if answered != recorded:
            self._answer.differing.append(Differing(place, recorded, answered))
        return encode({"id": reply.id, "action": recorded})

    def look(self, limit_bytes: int) -> bytes:
        return self._pipes.look(limit_bytes)

    def drain_log(self) -> None:
        self._pipes.drain_log()

    def drop_unsent(self) -> None:
        self._pipes.drop_unsent()
