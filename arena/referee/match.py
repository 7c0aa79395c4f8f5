"""One match, from the first start message to its record: says whom to ask what, is told what came.

Theory of operation. `turn` plays every seat whose bot is retired (by the game's fallback) and
names the seat that must be asked; `request` gives the bytes and `limit_ms` the time for it. The
driver brings the bot's bytes to `received`, or a `Breach` with the evidence it gathered to
`accuse`. Either way the decision is settled and the next `turn` follows. After the last one
`farewells` are written and `record` is what is kept. No pipe, no clock, no process: times come in
as `used_ms`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from arena_protocol.framing import encode
from arena_protocol.replies import Reply, describe

from arena.games.api import TERMINAL, AccountingGame, Action, State, has_chance
from arena.games.soundness import flaw
from arena.guard import broken, is_ours
from arena.records import (
    Fault,
    FaultKind,
    MatchRecord,
    Note,
    SeatTiming,
    points_from_tenths,
    ranks_of,
)
from arena.referee.api import Table
from arena.referee.evidence import shown
from arena.referee.session import Breach, Phase, Session, clock_json

OVER: Final = TERMINAL
"""What `turn` gives when the match is over."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the driver knows about a breach beside the bytes themselves."""

    used_ms: float | None = None
    limit_ms: int | None = None
    status: str = ""
    stderr: str = ""
    host_stalled: bool = False


@dataclass(slots=True)
class _Account:
    """What one seat has used up and is still granted.

    `clock` is the JSON that tells the bot so, written when the rest was `clock_ms`.
    """

    match_ms: float
    strikes: int
    retired: bool = False
    decisions: int = 0
    total_ms: float = 0.0
    slowest_ms: float = 0.0
    clock_ms: int = -1
    clock: str = ""

    def charge(self, used_ms: float) -> None:
        self.decisions += 1
        self.total_ms += used_ms
        self.match_ms -= used_ms
        if used_ms > self.slowest_ms:
            self.slowest_ms = used_ms


def _sound_match(table: Table) -> State:
    """A new match. Raises PluginError if one of a stranger's game cannot be refereed."""
    if not is_ours(table.game):
        probe = table.game.new_match(table.seed, table.variant)  # looking uses up its events
        if wrong := flaw(probe, len(table.seats)):
            raise broken("game", table.game, wrong)
    return table.game.new_match(table.seed, table.variant)


class Match:
    """A match under way. `sessions` are greeted (or over: a bot that could not start), by seat."""

    def __init__(self, table: Table, sessions: Sequence[Session]) -> None:
        self.faults: list[Fault] = []
        self.limit_ms = 0.0
        self._table = table
        self._sessions = tuple(sessions)
        self._state = _sound_match(table)
        self._deals = table.game.deals_of(table.variant)
        limits = table.rules.limits
        self._move_ms, self._match_ms = limits.move_ms, limits.match_ms
        self._late_ms = float(table.rules.late_ms)
        self._accounts = [_Account(limits.match_ms, table.rules.strikes) for _ in self._sessions]
        # The wire forms in the order of play; None if the game's own account says every action.
        self._actions: list[object] | None = None if isinstance(table.game, AccountingGame) else []
        self._notes: list[Note] = []
        self._idle_ms: dict[int, float] = {}
        self._next = self._state.current_player()
        self._seat = OVER
        self._asked = False
        for seat, session in enumerate(self._sessions):
            if session.phase is not Phase.OVER:
                session.start(self._start_line(seat))
        self._proclaim(self._state.events())

    @property
    def state(self) -> State:
        """The match as the game has it."""
        return self._state

    # What the match wants.

    def turn(self) -> int:
        """The seat whose bot is to be asked now, or OVER; retired seats have been played."""
        seat, accounts = self._next, self._accounts
        while seat != OVER and accounts[seat].retired:
            self._apply(self._state.fallback())
            seat = self._next
        self._seat = seat
        return seat

    def request(self) -> bytes:
        """All that the bot whose turn it is has to read; the clock runs from its first byte.

        From now on `limit_ms` says how long it may take: the move's limit or the match's rest.
        """
        state, seat, move_ms = self._state, self._seat, self._move_ms
        account = self._accounts[seat]
        limit_ms, left_ms = float(move_ms), max(0.0, account.match_ms)
        whole_ms = int(left_ms)
        if whole_ms != account.clock_ms:
            account.clock_ms = whole_ms
            account.clock = clock_json(move_ms, whole_ms)
        self._asked = True
        self.limit_ms = min(limit_ms, left_ms) + self._late_ms
        kind, observation, legal = state.question(seat)
        return self._sessions[seat].ask(kind, account.clock, observation, legal)

    # What came.

    def received(self, data: bytes, used_ms: float) -> Reply | Breach | None:
        """Takes the bot's bytes: its settled answer, a breach to be accused, None if not whole."""
        seat, state = self._seat, self._state
        event = self._sessions[seat].receive(data)
        if event is None or isinstance(event, Breach):
            late = event is not None and not event.fatal and used_ms > self.limit_ms
            return self._late(used_ms, event.arrived) if event and late else event
        if used_ms > self.limit_ms:
            return self._late(used_ms, describe(event.action))
        position = state.position() if event.note else None
        player = state.answer(event.action)
        if player is None:
            return self._illegal(event)
        self._next = player
        if self._actions is not None:
            self._actions.append(event.action)
        self._accounts[seat].charge(used_ms)
        self._asked = False
        if position is not None:
            self._notes.append(Note(seat, position.deal, position.trick, event.note or ""))
        if events := state.events():
            self._proclaim(events)
        return event

    def expired(self, used_ms: float) -> Breach:
        """The breach of a bot whose time is up before a whole line has come."""
        begun = self._sessions[self._seat].unfinished()
        came = "only a part of a line" if begun else "nothing"
        detail = f"{came} came within {used_ms:.0f} ms; the limit is {self._limit_in_words()}"
        return Breach(FaultKind.TIMEOUT, detail, shown(begun))

    def accuse(self, seat: int, breach: Breach, evidence: Evidence) -> bytes:
        """Charges a bot with a breach; gives what is to be written to it at once, if anything.

        Within its strikes the bot plays on: the fallback answers an open request for it, and it
        hears of the fault with its next one. Otherwise it is retired and the fallback takes over.
        Raises PluginError if what it was asked is no question: that is the game's mistake.
        """
        if self._asked and (wrong := flaw(self._state, len(self._sessions))):
            raise broken("game", self._table.game, wrong)
        account, session = self._accounts[seat], self._sessions[seat]
        fault = self._fault(seat, breach, evidence)
        self.faults.append(fault)
        if evidence.used_ms is not None:
            account.charge(evidence.used_ms)
        line = encode({"type": "fault", "kind": fault.kind, "detail": fault.detail})
        asked = self._asked and seat == self._seat
        if asked:
            self._asked = False
        if fault.retired:
            account.retired = True
            return b"" if session.phase is Phase.OVER else session.retire(line)
        account.strikes -= 1
        session.forgive(line)
        if asked:
            self._apply(self._state.fallback())
        return b""

    def is_retired(self, seat: int) -> bool:
        return self._accounts[seat].retired

    def has_decided(self, seat: int) -> bool:
        """True if the bot has answered in this match, or failed to."""
        return self._accounts[seat].decisions > 0

    def asked_ms(self, seat: int) -> float:
        """How long its turns have lasted so far."""
        return self._accounts[seat].total_ms

    def note_idle(self, seat: int, idle_ms: float) -> None:
        """What its processes used outside its turns, for the record."""
        self._idle_ms[seat] = round(idle_ms, 3)

    # How it ends.

    def farewells(self) -> list[tuple[int, bytes]]:
        """What is to be written to each seat whose bot is still in the match."""
        scores, ranks = self._result()
        line = encode(
            {"type": "end", "match": self._table.match, "scores": scores, "ranks": list(ranks)}
        )
        return [
            (seat, session.end(line))
            for seat, session in enumerate(self._sessions)
            if session.phase is Phase.PLAYING
        ]

    def record(self) -> MatchRecord:
        """What is kept of a match that is over."""
        table = self._table
        scores, ranks = self._result()
        return MatchRecord(
            match=table.match,
            set=table.set,
            game=table.game.name,
            variant=table.variant,
            seed=table.seed,
            started=table.started,
            seats=table.seats,
            deals=tuple(self._state.record()),
            scores=tuple(scores),
            ranks=ranks,
            faults=tuple(self.faults),
            timing=tuple(
                SeatTiming(
                    a.decisions,
                    round(a.total_ms, 3),
                    round(a.slowest_ms, 3),
                    self._idle_ms.get(seat),
                )
                for seat, a in enumerate(self._accounts)
            ),
            notes=tuple(self._notes),
            extra=self._extra(),
        )

    # Inside.

    def _extra(self) -> dict[str, Any]:
        extra: dict[str, Any] = {} if self._actions is None else {"actions": self._actions}
        return extra if has_chance(self._table.game) else {"chance": False, **extra}

    def _start_line(self, seat: int) -> bytes:
        table = self._table
        return encode(
            {
                "type": "start",
                "match": table.match,
                "seat": seat,
                "deals": self._deals,
                "players": table.players,
                "seed": table.seat_seeds[seat],
            }
        )

    def _apply(self, action: Action) -> None:
        if self._actions is not None:
            self._actions.append(self._state.encode(action))
        self._state.apply(action)
        self._next = self._state.current_player()
        events = self._state.events()
        if events:
            self._proclaim(events)

    def _proclaim(self, events: Sequence[dict[str, Any]]) -> None:
        lines = [encode(event) for event in events]
        for session in self._sessions:
            if session.phase is not Phase.OVER:
                for line in lines:
                    session.tell(line)

    def _illegal(self, reply: Reply) -> Breach:
        state = self._state
        options = ", ".join(str(state.encode(action)) for action in state.legal_actions())
        detail = f"the action is {describe(reply.action)}; legal is one of {options}"
        return Breach(FaultKind.ILLEGAL_ACTION, detail, describe(reply.action))

    def _late(self, used_ms: float, arrived: str) -> Breach:
        detail = f"the answer came after {used_ms:.1f} ms; the limit is {self._limit_in_words()}"
        return Breach(FaultKind.TIMEOUT, detail, arrived)

    def _limit_in_words(self) -> str:
        left = self._accounts[self._seat].match_ms
        if left < self._move_ms:
            return f"{max(0.0, left):.0f} ms, the rest of the bot's {self._match_ms} ms a match"
        return f"{self._move_ms} ms a move"

    def _fault(self, seat: int, breach: Breach, evidence: Evidence) -> Fault:
        unstarted = self._sessions[seat].phase is Phase.OVER
        position = None if unstarted else self._state.position()
        return Fault(
            seat=seat,
            kind=breach.kind,
            detail=breach.detail,
            deal=position.deal if position else None,
            trick=position.trick if position else None,
            arrived=breach.arrived,
            used_ms=None if evidence.used_ms is None else round(evidence.used_ms, 3),
            limit_ms=evidence.limit_ms,
            status=evidence.status,
            stderr=evidence.stderr,
            retired=unstarted or breach.fatal or self._accounts[seat].strikes < 1,
            host_stalled=evidence.host_stalled,
        )

    def _result(self) -> tuple[list[int | float], tuple[int, ...]]:
        tenths = tuple(self._state.returns())
        if len(tenths) != len(self._accounts) or any(type(each) is not int for each in tenths):
            raise broken("game", self._table.game, flaw(self._state, len(self._accounts)))
        ranks = ranks_of(tenths, tuple(a.retired for a in self._accounts))
        return [points_from_tenths(t) for t in tenths], ranks
