"""The inspection as a whole: what it says of good bots, how it goes on, what it agrees with."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.build import Workshop
from arena.inspect.findings import CODES, Level
from arena.inspect.inspection import NAMES, Inspection, inspect_bot
from arena.inspect.verdicts import code_of
from arena.records import FaultKind
from arena.referee.api import RefereeRules
from arena.referee.driver import play
from arena.referee.hosting import dismiss, greet
from arena.referee.session import Breach
from arena.tournament.clock import SteadyClock
from tests.games.test_check_game import HighCard
from tests.inspect.subjects import FLAWED, ROOMY, codes, found, subject_of
from tests.referee.links import a_table

VILLAIN = Path(__file__).parents[1] / "villains" / "villain.py"

PLAYER = """\
import json
import sys


def say(*replies):
    sys.stdout.write("".join(json.dumps(reply) + "\\n" for reply in replies))
    sys.stdout.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"id": 0})
    elif message["type"] == "act":
        reply = {"id": message["id"], "action": message["legal"][0]}
"""
SAYS = 8 * " " + "say(reply)\n"
LEAVES = 4 * " " + 'elif message["type"] == "quit":\n        break\n'

Inspect = Callable[..., Inspection]


@pytest.fixture
def inspect(workshop: Workshop, tmp_path: Path) -> Inspect:
    """`inspect(source, **changes)`: the inspection of a one-file bot in Python."""

    def call(source: str, **changes: object) -> Inspection:
        path = tmp_path / "bot.py"
        path.write_text(source)
        return inspect_bot(replace(subject_of(path, workshop), **changes), SteadyClock())

    return call


def test_a_bot_without_a_flaw_is_fit_and_was_in_every_corner(inspect: Inspect) -> None:
    inspection = inspect(PLAYER + SAYS + LEAVES)
    assert codes(inspection, Level.ERROR) == set()
    assert inspection.is_fit
    assert all(inspection.corners.values())
    assert list(inspection.measures) == list(NAMES)
    assert all(measure.value > 0 for measure in inspection.measures.values())


def test_a_late_answer_is_told_from_none(inspect: Inspect) -> None:
    late = '        __import__("time").sleep(0.6)\n'
    inspection = inspect(PLAYER + late + SAYS + LEAVES, times=replace(ROOMY, move_ms=200))
    finding = found(inspection, "timeout")
    assert finding.detail.startswith("the answer came after ")
    assert finding.count == 3
    assert codes(inspection, Level.ERROR) == {"timeout"}


@pytest.mark.parametrize(
    "says",
    [
        # In one write: after a second one the bot could have been asked already.
        "        say(reply, reply)\n",
        '        say(reply, {"id": reply["id"] + 1, "action": 2})\n',
        '        if message["id"] > 1: say({"id": message["id"] - 1})\n        say(reply)\n',
    ],
)
def test_a_reply_beside_the_right_one_is_stray_output(inspect: Inspect, says: str) -> None:
    assert codes(inspect(PLAYER + says + LEAVES), Level.ERROR) == {"stray-output"}


def test_an_id_of_an_earlier_request_is_a_wrong_id(inspect: Inspect) -> None:
    says = '        reply["id"] = 0\n' + SAYS
    assert codes(inspect(PLAYER + says + LEAVES), Level.ERROR) == {"wrong-id"}


def test_several_flaws_are_found_at_once(inspect: Inspect) -> None:
    says = (
        '        if message["id"] == 3: print("a thought", flush=True)\n'
        '        if message["id"] == 4: reply["action"] = "XX"\n'
        '        if message["id"] == 5: reply["id"] = 50\n'
    )
    inspection = inspect(PLAYER + says + SAYS + LEAVES)
    assert codes(inspection, Level.ERROR) == {"prints", "illegal-action", "wrong-id"}
    assert found(inspection, "illegal-action").expected.startswith('{"id":4,"action":"')
    assert not codes(inspection, Level.WARNING) & {"left-over", "not-reproducible"}


def test_a_line_that_nobody_asked_for_is_found_after_the_last_match_too(inspect: Inspect) -> None:
    says = SAYS + '    elif message["type"] == "end":\n        print("good game", flush=True)\n'
    finding = found(inspect(PLAYER + says + LEAVES), "prints")
    assert finding.arrived == "good game"


def test_a_bot_of_another_game_is_inspected_by_its_own_deals(inspect: Inspect) -> None:
    game = HighCard()
    variant = game.variant(next(iter(game.variants())))
    inspection = inspect(PLAYER + SAYS + LEAVES, game=game, variant=variant)
    assert inspection.is_fit
    assert inspection.corners == {}


def test_the_json_form_is_plain_and_whole(inspect: Inspect) -> None:
    report = inspect('import sys\nsys.stderr.write("no\\n")\nsys.exit(3)\n').as_dict()
    assert json.loads(json.dumps(report)) == report
    assert list(report) == [
        "bot", "fit", "sandbox", "variant", "findings", "measures", "corners"
    ]  # fmt: skip
    assert report["fit"] is False
    (finding,) = report["findings"]
    assert finding == {
        "code": "exited",
        "level": "error",
        "title": CODES["exited"].title,
        "detail": "the process ended: exit status 3",
        "expected": '{"id":0}',
        "status": "exit status 3",
        "log": "no",
        "process": 1,
        "match": "",
        "deal": None,
        "trick": None,
        "count": 1,
        "mend": CODES["exited"].mend,
    }
    assert set(report["measures"]["start_ms"]) == {"value", "limit", "share"}


def test_a_flood_is_told_by_how_it_comes() -> None:
    flood = Breach(FaultKind.OUTPUT_LIMIT, "", fatal=True)
    endless = Breach(FaultKind.MALFORMED, "", fatal=True, line=b"x" * 70_000)
    long_reply = Breach(FaultKind.MALFORMED, "", fatal=True, line=b'{"id":1,"note":"xxx')
    assert code_of(flood, asked=False) == code_of(endless, asked=True) == "output-limit"
    assert code_of(long_reply, asked=True) == "malformed"


AGREED = [name for name, code in CODES.items() if code.level is Level.ERROR and name != "timeout"]


@pytest.mark.parametrize("name", [*AGREED, "left-over", "stays-on-quit", "exit-status", "log"])
def test_what_is_an_error_here_is_a_fault_in_a_match_and_nothing_else_is(
    name: str, workshop: Workshop
) -> None:
    subject = subject_of(FLAWED / f"{name}.py", workshop)
    table = a_table(deals=2, rules=RefereeRules(limits=subject.times))
    with ExitStack() as stack:
        links = [stack.enter_context(subject.start(min(os.sched_getaffinity(0)))) for _ in range(4)]
        bots = [subject.bot.name] * 4
        seats = greet(links, bots, subject.game.name, table.variant, subject.times, SteadyClock())
        record = play(table, seats, SteadyClock())
        dismiss(seats, SteadyClock(), 50)
    assert bool(record.faults) is (CODES[name].level is Level.ERROR)


VILLAINS = {
    "half-a-line": "timeout",
    "deaf": "timeout",
    "stops-itself": "timeout",
    "fills-its-stdin": "timeout",
    "closes-stdin": "exited",
    "closes-stdout": "exited",
    "crashes": "exited",
    "leaves-a-grandchild": "exited",
    "execs": "exited prints",
    "floods-lines": "output-limit prints",
    "answers-ahead": "stray-output",
    "answers-twice-at-the-end": "stray-output",
    "wrong-type": "exited illegal-action",
    "ignores-sigterm": "",
    "floods-the-log": "",
    "pads": "",
    "chatters": "",
    "dribbles": "",
}
"""By misdeed: the codes of all errors, sorted."""


@pytest.mark.slow
@pytest.mark.parametrize("name", VILLAINS)
def test_no_misdeed_stops_the_inspection(name: str, workshop: Workshop, tmp_path: Path) -> None:
    fair = subject_of(FLAWED / "log.py", workshop)
    command = ("python3", "villain.py", name, str(tmp_path))
    bot = replace(fair.bot, folder=VILLAIN.parent, run=command)
    times = replace(ROOMY, move_ms=1_500)
    inspection = inspect_bot(replace(fair, bot=bot, times=times), SteadyClock())
    assert sorted(codes(inspection, Level.ERROR)) == VILLAINS[name].split()
    assert no_process_runs(" ".join(command))


def no_process_runs(command: str) -> bool:
    """True if no living process has these arguments."""
    for cmdline in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if command in cmdline.read_bytes().replace(b"\0", b" ").decode(errors="replace"):
                return False
    return True
