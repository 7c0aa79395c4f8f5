"""A bot that cannot be started is charged and ends nothing; a failing of the machine is void."""

from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.bot import Bot
from arena.errors import SandboxError
from arena.process import Launch
from arena.records import FaultKind, MatchRecord
from arena.sandbox.api import Limits, Program, Sandbox
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.landlock import Landlock
from arena.store import RunStore
from arena.tournament.bench import Bench
from arena.tournament.clock import SteadyClock, utc_now
from arena.tournament.plan import MatchSpec
from arena.tournament.prepare import Tournament
from tests.tournament.played import Heard, make, play, played_in

PROVIDERS = (Bubblewrap, Landlock)
FOUR = [f"b{number}=random" for number in range(4)]


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that every uid can reach, on the way there too."""
    with tempfile.TemporaryDirectory(prefix="bots-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def playing(manager, folder: Path, monkeypatch) -> Callable[..., Tournament]:
    """Makes a tournament of one orbit whose cache every uid can reach."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))

    def playing(bots: list[str], sandbox: str, **changes) -> Tournament:
        file = {"bots": bots, "sandbox": {"name": sandbox}, "schedule": {"orbits": 1}} | changes
        return make(manager, folder / "cache", game={"deals": 1}, **file)

    return playing


@pytest.fixture
def broken(folder: Path) -> str:
    """A bot whose program is a link to a file that nobody may execute."""
    place = folder / "broken"
    place.mkdir()
    (place / "bot.toml").write_text('name = "broken"\nversion = "1"\nrun = ["./bot"]\n')
    (place / "text").write_text("#!/bin/sh\n")
    (place / "bot").symlink_to("text")
    return str(place)


def one_match(plan: Tournament, sandbox: Sandbox, *, first: Bot | None = None) -> MatchRecord:
    """A match of the first four bots, or of `first` and three of them."""
    bots = plan.plan.bots if first is None else (first, *plan.plan.bots[1:])
    spec = MatchSpec(0, "1", "set", 0, "7", (0, 1, 2, 3))
    core = min(os.sched_getaffinity(0))
    changed = replace(plan.plan, bots=bots)
    with Bench(changed, game=plan.game, sandbox=sandbox, clock=SteadyClock(), core=core) as bench:
        return bench.play(spec, started=utc_now())


@contextmanager
def descriptors_left(count: int) -> Iterator[None]:
    """This process may open so many more files and no more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    taken: list[int] = []
    try:
        with suppress(OSError):
            while True:
                taken.append(os.open("/dev/null", os.O_RDONLY))
        for _ in range(count):
            os.close(taken.pop())
        yield
    finally:
        for fd in taken:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_one_bot_that_cannot_be_started_never_ends_a_tournament(
    playing, broken: str, tmp_path: Path
):
    listener = Heard()
    assert play(playing([*FOUR, broken], "bwrap"), tmp_path / "run", listener).complete
    assert listener.voids == []
    records = played_in(tmp_path / "run")
    assert len(records) == 5
    for record in records:
        names = [seat["bot"] for seat in record["seats"]]
        charged = [(names[fault["seat"]], fault["kind"]) for fault in record["faults"]]
        assert charged == ([("broken", "exited")] if "broken" in names else [])
        for fault in record["faults"]:
            assert fault["detail"].startswith("the bot cannot be started: bot: is not executable")


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"run": ("no-such-program",)}, "no such program"),
        ({"env": {"LONG": "x" * (1 << 18)}}, "Argument list too long"),
        ({"scratch_mb": 1}, "landlock cannot give scratch space"),
        ({"folder": Path("/nonexistent/bot")}, "nonexistent"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_a_bot_asks_for_and_cannot_have_is_its_own_fault(
    playing, provider: type[Sandbox], change: dict, words: str
):
    plan = playing(FOUR, provider.name, limits={"scratch_mb": 1})
    record = one_match(plan, provider(), first=replace(plan.plan.bots[0], **change))
    if provider is Bubblewrap and "scratch_mb" in change:
        assert record.faults == ()
        return
    ((seat, kind),) = ((fault.seat, fault.kind) for fault in record.faults)
    assert (seat, kind) == (0, FaultKind.EXITED)
    if not (provider is Landlock and "env" in change):  # it is handed over past the gate
        assert words in record.faults[0].detail


class Stumbling(Bubblewrap):
    """Refuses the first start of the bot in `folder`."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.refusing = folder

    def launch(self, program: Program, limits: Limits) -> Launch:
        if program.folder == self.refusing:
            self.refusing = Path()
            raise SandboxError("it stumbles")
        return super().launch(program, limits)


def test_a_start_that_works_the_second_time_is_nobodys_fault(playing):
    plan = playing(FOUR, "bwrap")
    record = one_match(plan, Stumbling(plan.plan.bots[0].folder))
    assert record.faults == ()


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("left", [3, 12])
def test_a_machine_that_starts_nothing_charges_nobody(playing, provider: type[Sandbox], left: int):
    plan = playing(FOUR, provider.name)
    sandbox = provider()
    one_match(plan, sandbox)
    before = len(os.listdir("/proc/self/fd"))
    with descriptors_left(left), pytest.raises(SandboxError, match="Too many open files"):
        one_match(plan, sandbox)
    assert len(os.listdir("/proc/self/fd")) == before
    assert one_match(plan, sandbox).faults == ()


def test_a_run_on_a_machine_that_starts_nothing_ends_with_void_matches(playing, tmp_path: Path):
    plan = playing(FOUR, "bwrap", run={"workers": 1})
    listener = Heard()
    low = replace(plan, plan=replace(plan.plan, limits=replace(plan.plan.limits, open_files=1)))
    with pytest.raises(SandboxError, match="no other program can be started"):
        play(low, tmp_path / "run", listener)
    assert listener.voids
    with RunStore.read(tmp_path / "run") as store:
        assert store.count() == 0
        assert store.voids()
