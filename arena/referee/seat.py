"""A bot process that was greeted: its link, its dialogue and its pipes, over all its matches."""

from __future__ import annotations

from arena.errors import SandboxError
from arena.records import FaultKind
from arena.referee.api import BotLink, Exit, Usage
from arena.referee.evidence import status_in_words
from arena.referee.match import Evidence
from arena.referee.pipes import Channel, Pipes, StreamEndedError
from arena.referee.session import Breach, Phase, Session

EXIT_WAIT_MS = 100
"""How long we wait for the exit status of a process whose pipe has closed."""


class Seat:
    """One bot process, ready for a match after another as long as it is `usable`.

    `was_charged` is true after its first fault, forgiven or not. `hello` is the line it was greeted
    with and `start_ms` the time from that to its reply; `matches` counts those it has finished. If
    it could not start, `breach` and `evidence` say why; it can still sit at a table, where the
    fallback plays for it. `failure` says why its sandbox never reached it, which is nobody's breach
    until somebody is found to blame. `used` is its processor time when it was last looked at, at
    `looked_at`; since then it was asked for `asked_ms` in `unlooked` matches (see idle.py).
    `taken_ms` is how much of the core it has ever had while a late bot waited for it.
    """

    __slots__ = (
        "asked_ms",
        "bot",
        "breach",
        "evidence",
        "failure",
        "hello",
        "link",
        "looked_at",
        "matches",
        "pipes",
        "session",
        "start_ms",
        "taken_ms",
        "unlooked",
        "used",
        "was_charged",
    )

    def __init__(self, link: BotLink, bot: str, pipes: Channel | None = None) -> None:
        self.link = link
        self.bot = bot
        self.session = Session()
        self.pipes: Channel = pipes or Pipes(link)
        self.hello = b""
        self.start_ms = 0.0
        self.matches = 0
        self.used: Usage | None = None
        self.looked_at = self.asked_ms = self.taken_ms = 0.0
        self.unlooked = 0
        self.was_charged = False
        self.breach: Breach | None = None
        self.evidence = Evidence()
        self.failure: SandboxError | None = None

    def fail(self, failure: SandboxError) -> None:
        """There is no bot in it: it was never reached."""
        self.failure = failure
        self.session.retire(b"")
        self.link.kill()

    def condemn(self, breach: Breach) -> None:
        """It is dead, and is charged with the breach at the next table where it sits."""
        self.breach = breach
        self.session.retire(b"")
        self.link.kill()

    @property
    def usable(self) -> bool:
        """True if this process can play another match as a fresh one would.

        It is idle, runs, has never been charged, owes nothing, and has said nothing since `end`.
        """
        idle = self.session.phase is Phase.IDLE and not self.session.owes
        return idle and not self.was_charged and self._is_silent and self.link.exit(0) is None

    @property
    def _is_silent(self) -> bool:
        return all(stream != self.pipes.stdout for stream, _ in self.pipes.poll(0))

    def ended(self, error: StreamEndedError) -> tuple[Breach, str]:
        """What it means that a pipe of the bot closed, and how its process ended, in words."""
        return self._exit_breach(self.link.exit(EXIT_WAIT_MS), f"closed its {_NAMES[error.stream]}")

    def silent(self, breach: Breach) -> tuple[Breach, str]:
        """Why the bot did not answer in time: `breach`, unless its process is not there any more.

        (A child that it left behind can hold its stdout open, so that no end of file comes.)
        """
        end = self.link.exit(0)
        if end is None:
            return breach, status_in_words(None)
        return self._exit_breach(end, "left its standard output open in another process")

    def _exit_breach(self, end: Exit | None, otherwise: str) -> tuple[Breach, str]:
        status = status_in_words(end)
        if end is None:
            detail = f"the bot {otherwise} and can take no part any more"
            return Breach(FaultKind.EXITED, detail, fatal=True), status
        if end.memory:
            return Breach(FaultKind.MEMORY, f"killed for its memory ({status})", fatal=True), status
        return Breach(FaultKind.EXITED, f"the process ended: {status}", fatal=True), status


_NAMES = {"stdin": "standard input", "stdout": "standard output"}
