"""Faults by worker: a machine on which bots time out far more often than elsewhere is found out.

Theory of operation. A timeout is the bot's fault, unless the machine is to blame: overloaded, too
slow, a broken disk. One match cannot tell, but workers can be compared, since all of them play the
same mix of bots. Outcomes in which a bot timed out are therefore kept back until their worker has
finished LOOK more matches, or there is nothing else left to play. Then the worker is judged by its
recent matches, counted by deal sets (a bot may well time out at every table with the same cards),
against FACTOR times the rate of all others together. If so many timeouts would come about with
probability below DOUBT, the machine is to blame: what was kept back is not counted, and the worker
is set aside. If with one above PLAUSIBLE, the timeouts are the bots' and count. In between it is
judged again later, as long as no more than MOST_KEPT matches are kept back. A worker without others
to compare with is not judged.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import comb

from arena.records import FaultKind
from arena.tournament.plan import Outcome

LOOK = 10
WINDOW = 60
FACTOR = 3
DOUBT = 1e-4
PLAUSIBLE = 0.05
MOST_KEPT = 40

STARVED = frozenset({FaultKind.TIMEOUT, FaultKind.START_TIMEOUT})
"""Faults that a starved machine brings about."""


@dataclass(slots=True)
class _Account:
    """One worker's recent matches (deal set; True: a bot timed out), what is kept back of them."""

    recent: deque[tuple[str, bool]] = field(default_factory=lambda: deque(maxlen=WINDOW))
    kept_back: list[Outcome] = field(default_factory=list)
    since_last: int = 0

    def sets(self) -> tuple[int, int]:
        """In how many deal sets a bot timed out, of how many."""
        return len({name for name, bad in self.recent if bad}), len({n for n, _ in self.recent})


def timed_out(outcome: Outcome) -> bool:
    """True if a bot timed out in it."""
    return any(fault.kind in STARVED for fault in outcome.faults)


class Ledger:
    """The accounts of all workers that play."""

    def __init__(self) -> None:
        self._accounts: dict[str, _Account] = {}

    def enter(self, worker: str, outcome: Outcome, *, alone: bool) -> bool:
        """Takes a match into account. True if it is kept back: a bot timed out, and the worker is
        not alone, so that it can be compared."""
        account = self._accounts.setdefault(worker, _Account())
        bad = timed_out(outcome)
        account.recent.append((outcome.spec.set, bad))
        account.since_last += 1
        if bad and not alone:
            account.kept_back.append(outcome)
        return bad and not alone

    def is_due(self, worker: str) -> bool:
        """True if something is kept back of the worker and it is time to judge it."""
        account = self._accounts.get(worker)
        return bool(account and account.kept_back and account.since_last >= LOOK)

    def keeping_back(self) -> list[str]:
        """The workers of whom something is kept back."""
        return [worker for worker, account in self._accounts.items() if account.kept_back]

    def accusation(self, worker: str) -> str:
        """Why the worker is to blame for its timeouts, in words; empty if that is not certain."""
        if self._chance(worker) >= DOUBT:
            return ""
        bad, sets = self._accounts[worker].sets()
        bad_elsewhere, elsewhere = self._elsewhere(worker)
        return (
            f"bots timed out in {bad} of its last {sets} deal sets, "
            f"elsewhere in {bad_elsewhere} of {elsewhere}"
        )

    def clears(self, worker: str) -> bool:
        """True if the timeouts may well be the bots', or so many are kept back that they count."""
        full = len(self._accounts[worker].kept_back) >= MOST_KEPT
        return full or self._chance(worker) > PLAUSIBLE

    def adjourn(self, worker: str) -> None:
        """The worker is judged again after LOOK more matches."""
        self._accounts[worker].since_last = 0

    def _chance(self, worker: str) -> float:
        """How probable so many timeouts are if the worker is like all others."""
        bad, sets = self._accounts[worker].sets()
        bad_elsewhere, elsewhere = self._elsewhere(worker)
        if not elsewhere:
            return 1.0
        rate = min(1.0, FACTOR * (bad_elsewhere + 1) / (elsewhere + 2))
        return _tail(bad, sets, rate)

    def _elsewhere(self, worker: str) -> tuple[int, int]:
        others = [a.sets() for name, a in self._accounts.items() if name != worker]
        return sum(bad for bad, _ in others), sum(sets for _, sets in others)

    def release(self, worker: str) -> list[Outcome]:
        """What was kept back of a worker, and is no longer."""
        account = self._accounts[worker]
        released, account.kept_back, account.since_last = account.kept_back, [], 0
        return released

    def strike_out(self, worker: str) -> list[Outcome]:
        """Forgets a worker: its matches say nothing of others. Returns what was kept back."""
        account = self._accounts.pop(worker, None)
        return account.kept_back if account else []


def _tail(successes: int, trials: int, rate: float) -> float:
    """The probability of at least so many successes."""
    return sum(
        comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(successes, trials + 1)
    )
