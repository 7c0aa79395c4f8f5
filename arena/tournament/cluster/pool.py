"""Which matches are still to be played: each counts once, however often it is begun.

Theory of operation. The schedule stays lazy: a match gets a *ticket* when a worker takes it, and a
bounded number of tickets is open at a time. A ticket is closed by the first outcome that counts;
what arrives for a closed one is a match that was played twice. A ticket whose worker is lost goes
back to the front of the queue and shuns that worker from then on; after LOSSES losses it is closed
as void, so that a match which kills whoever plays it cannot kill a whole cluster. When there is
nothing else to hand out, the oldest unfinished matches are handed out a second time: the end of a
run does not wait for its slowest worker.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.tournament.plan import MatchSpec, Outcome

LOSSES = 3
"""So often a match may be lost before it is void."""


@dataclass(slots=True)
class _Ticket:
    spec: MatchSpec
    since: float
    holders: tuple[str, ...] = ()
    shunned: tuple[str, ...] = ()
    losses: int = 0
    queued: bool = False
    kept_back: bool = False


class Pool:
    """The matches of a run. Workers are named by any text; `now` is in seconds."""

    def __init__(self, specs: Iterator[MatchSpec], *, bound: int) -> None:
        self.bound = bound
        self._specs = specs
        self._exhausted = False
        self._tickets: dict[int, _Ticket] = {}
        self._again: deque[int] = deque()

    @property
    def open(self) -> int:
        """How many matches were taken and are not closed."""
        return len(self._tickets)

    @property
    def done(self) -> bool:
        """True if every match is closed and there is none left in the schedule."""
        return self._exhausted and not self._tickets

    @property
    def only_kept_back(self) -> bool:
        """True if nothing can be taken or is being played: the rest is being kept back."""
        full = self._exhausted or self.open >= self.bound
        return full and all(ticket.kept_back for ticket in self._tickets.values())

    def take(self, worker: str, size: int, *, now: float, alone: bool) -> list[MatchSpec]:
        """At most `size` matches for a worker, lost ones first; none if there is no room.

        A worker that is `alone` also gets those that it lost before.
        """
        taken = self._take_again(worker, size, alone)
        while len(taken) < size and self.open < self.bound and not self._exhausted:
            spec = next(self._specs, None)
            if spec is None:
                self._exhausted = True
            else:
                self._tickets[spec.number] = ticket = _Ticket(spec, now)
                taken.append(ticket)
        return self._given(taken, worker, now)

    def take_copies(self, worker: str, size: int, *, now: float, older_s: float) -> list[MatchSpec]:
        """Matches that others have had for longer than `older_s`, once the schedule is exhausted.

        Each is handed out twice at most.
        """
        if not self._exhausted:
            return []
        late = [
            ticket
            for ticket in self._tickets.values()
            if not (ticket.queued or ticket.kept_back)
            and len(ticket.holders) == 1
            and worker not in ticket.holders + ticket.shunned
            and now - ticket.since > older_s
        ]
        return self._given(late[:size], worker, now)

    def expects(self, number: int) -> bool:
        """True if an outcome of that match would count."""
        ticket = self._tickets.get(number)
        return ticket is not None and not ticket.kept_back

    def close(self, number: int) -> None:
        """The match has its outcome."""
        del self._tickets[number]

    def keep_back(self, number: int) -> None:
        """The match has an outcome of which it is not known yet whether it counts."""
        self._tickets[number].kept_back = True

    def play_again(self, specs: Iterable[MatchSpec], worker: str) -> None:
        """Those of the matches that are still open are handed to others; it is no loss."""
        for ticket in self._of(specs):
            self._requeue(ticket, worker)

    def lose(self, specs: Iterable[MatchSpec], worker: str, reason: str) -> list[Outcome]:
        """Those still open were lost with their worker; returns the ones lost too often, void."""
        void = []
        for ticket in self._of(specs):
            ticket.losses += 1
            if ticket.losses < LOSSES:
                self._requeue(ticket, worker)
            elif set(ticket.holders) <= {worker}:
                void.append(Outcome(ticket.spec, None, void=reason))
                self.close(ticket.spec.number)
        return void

    def _of(self, specs: Iterable[MatchSpec]) -> list[_Ticket]:
        return [self._tickets[spec.number] for spec in specs if spec.number in self._tickets]

    def _requeue(self, ticket: _Ticket, worker: str) -> None:
        ticket.holders = tuple(name for name in ticket.holders if name != worker)
        ticket.shunned += (worker,)
        ticket.kept_back = False
        if not ticket.queued:
            ticket.queued = True
            self._again.append(ticket.spec.number)

    def _take_again(self, worker: str, size: int, alone: bool) -> list[_Ticket]:
        taken: list[_Ticket] = []
        left: deque[int] = deque()
        for number in self._again:
            ticket = self._tickets.get(number)
            if ticket is None or ticket.kept_back:
                # Its outcome came after all; kept back it may yet have to stand here again.
                if ticket is not None:
                    ticket.queued = False
                continue
            if len(taken) < size and (alone or worker not in ticket.shunned):
                ticket.queued = False
                taken.append(ticket)
            else:
                left.append(number)
        self._again = left
        return taken

    def _given(self, tickets: list[_Ticket], worker: str, now: float) -> list[MatchSpec]:
        for ticket in tickets:
            ticket.holders += (worker,)
            ticket.since = now
        return [ticket.spec for ticket in tickets]
