"""A whole inspection of a bot: four processes, five matches, and one report.

Theory of operation. What a bot does in one match is compared between processes. The first and the
third play the same match and nothing else: if they do not do the same, the match cannot be played
again from its seed. The second plays another match before it: if it is the one that differs,
something was left over from the earlier match. The fourth sits in another seat. No process is ever
shown a deal twice, as a run promises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from arena.inspect.examination import Decision, Examination
from arena.inspect.findings import CODES, Finding, Level
from arena.inspect.notebook import Measure, Notebook
from arena.inspect.script import Program, Script, program_for
from arena.inspect.subject import Subject
from arena.records import BotId
from arena.referee.api import Clock
from arena.tournament.cores import own_core

NEAR: Mapping[str, tuple[str, float, str]] = MappingProxyType(
    {
        "start_ms": ("slow-start", 0.5, "start-timeout"),
        "move_ms": ("slow-move", 0.5, "timeout"),
        "match_ms": ("slow-match", 0.75, "timeout"),
        "memory_mb": ("memory-high", 0.75, "memory"),
    }
)
"""By measure: the warning, the share of the limit from which it is given, and the fault that makes
it needless."""

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "start_ms": "start",
        "move_ms": "slowest move",
        "match_ms": "slowest match",
        "memory_mb": "memory at its peak",
        "leave_ms": "leaving",
    }
)
"""The measures in words, in the order of reports."""

Actions = Sequence[Decision] | None
Tell = Callable[[str], None]
"""Hears in a few words what is going on."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """The report. `corners` says of each corner of the game whether the bot was brought into it."""

    bot: BotId
    sandbox: str
    variant: str
    findings: tuple[Finding, ...]
    measures: Mapping[str, Measure]
    corners: Mapping[str, bool]

    @property
    def is_fit(self) -> bool:
        """True if a run would not fault the bot for anything that was found."""
        return not any(finding.level is Level.ERROR for finding in self.findings)

    def count(self, level: Level) -> int:
        """How many findings have that level."""
        return sum(finding.level is level for finding in self.findings)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        bot = self.bot
        return {
            "bot": {"name": bot.name, "version": bot.version, "digest": bot.digest},
            "fit": self.is_fit,
            "sandbox": self.sandbox,
            "variant": self.variant,
            "findings": [finding.as_dict() for finding in self.findings],
            "measures": {name: m.as_dict() for name, m in self.measures.items()},
            "corners": dict(self.corners),
        }


def inspect_bot(subject: Subject, clock: Clock, tell: Tell = lambda text: None) -> Inspection:
    """Plays with the bot and reports. Raises ArenaError if the harness fails.

    Must be called from the main thread (a sandbox ends with the thread that started it).
    """
    with own_core() as core:
        inspector = _Inspector(subject, clock, tell, core)
        inspector.run()
    return inspector.report()


class _Inspector:
    """One inspection under way."""

    def __init__(self, subject: Subject, clock: Clock, tell: Tell, core: int) -> None:
        self._subject = subject
        self._core = core
        self._clock = clock
        self._tell = tell
        self._notes = Notebook()
        self._program: Program = program_for(subject.game, subject.variant)
        self._processes = 0
        self._is_hopeless = False

    def run(self) -> None:
        """Plays everything, as far as the bot lets us."""
        program = self._program
        plan = (
            ("a match", (program.main,)),
            ("two matches", (program.before, program.main)),
            ("the first match again", (program.main,)),
            ("another seat", (program.elsewhere,)),
        )
        played: list[Actions] = []
        for words, scripts in plan:
            self._tell(f"process {self._processes + 1} of {len(plan)}: {words}")
            played.append(self._examine(scripts))
            if self._is_hopeless:
                break
        self._compare(*played[:3])

    def _examine(self, scripts: Sequence[Script]) -> Actions:
        """Plays these matches with a fresh process; what the bot did in the last one."""
        self._processes += 1
        done: Actions = None
        with self._subject.start(self._core) as process:
            examination = Examination(
                self._subject, self._program, process, self._processes, self._notes, self._clock
            )
            try:
                if examination.greet():
                    for script in scripts:
                        done = None if examination.is_spoilt else examination.play(script)
            finally:
                examination.leave()
            self._is_hopeless = examination.is_hopeless
        return done

    def _compare(self, first: Actions, later: Actions = None, again: Actions = None) -> None:
        if first and again and (found := _difference(first, again)):
            self._notes.add(_differs("not-reproducible", found, "in another process"))
        elif first and later and (found := _difference(first, later)):
            self._notes.add(_differs("left-over", found, "after another match"))

    def report(self) -> Inspection:
        """What was found, the gravest first."""
        notes, subject = self._notes, self._subject
        for name, (code, share, fault) in NEAR.items():
            measure = notes.measures.get(name)
            if measure and measure.share >= share and not notes.count(fault):
                notes.add(_near(code, name, measure))
        return Inspection(
            bot=subject.bot.id,
            sandbox=subject.sandbox.name,
            variant=str(subject.variant["name"]),
            findings=tuple(notes.findings[code] for code in CODES if code in notes.findings),
            measures={name: notes.measures[name] for name in NAMES if name in notes.measures},
            corners={name: name in notes.reached for name in self._program.corners},
        )


def _difference(one: Sequence[Decision], other: Sequence[Decision]) -> tuple[Decision, ...]:
    """The first two decisions that differ; nothing if all are the same."""
    pairs = zip(one, other, strict=False)
    return next(((a, b) for a, b in pairs if a.action != b.action), ())


def _differs(code: str, found: tuple[Decision, ...], where: str) -> Finding:
    first, other = found
    return Finding(
        code,
        f"the same match from the same seed: {first.action} in one process, {other.action} {where}",
        other.place,
        arrived=str(other.action),
        expected=str(first.action),
    )


def _near(code: str, name: str, measure: Measure) -> Finding:
    unit = name.rpartition("_")[2].replace("mb", "MB")
    detail = f"{measure.value:.0f} {unit} of {measure.limit:.0f} ({measure.share:.0%})"
    if measure.stalled:
        detail += "; this machine had no processor to give for a part of that time"
    return Finding(code, detail, measure.place)
