"""A stranger's plugin that is wrong is named in one line; it never takes other commands with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.broken_plugins import COMMANDS, SOUND_GAME
from tests.commands import Forker

Run = Callable[..., subprocess.CompletedProcess[str]]

RATING = """
from arena import hookimpl
from arena.ratings.api import Rated, Ratings

class Odd:
    name, summary = "odd", "an odd one"
    def rate(self, results, *, anchor=None):
        bots = sorted({{bot for result in results for bot in result.bots}})
        {body}

@hookimpl
def arena_ratings():
    return [Odd()]
"""

SCHEDULE = """
from arena import hookimpl
from arena.schedule.api import Seating

class Odd:
    name, summary = "odd", "an odd one"
    def count(self, bots, orbits):
        {count}
    def seatings(self, bots, orbits, seed):
        {seatings}

@hookimpl
def arena_schedules():
    return [Odd()]
"""

EXECUTOR = """
from arena import hookimpl

class Odd:
    name = "odd"
    def play(self, plan, specs, *, workers):
        {body}

@hookimpl
def arena_executors():
    return [Odd()]
"""


def hook(name: str, body: str) -> str:
    return f"from arena import hookimpl\n\n@hookimpl\ndef {name}():\n    {body}\n"


BROKEN = {
    "raises on import": ("1 / 0", "cannot be loaded: ZeroDivisionError"),
    "leaves on import": ("import sys; sys.exit(3)", "cannot be loaded: SystemExit"),
    "unknown hook": (hook("arena_gmaes", "return []"), "implements an unknown hook: arena_gmaes"),
    "no hook": ("x = 1", "implements no hook"),
    "hook raises": (hook("arena_ratings", "raise KeyError('x')"), "arena_ratings raises KeyError"),
    "hook gives None": (hook("arena_ratings", "return None"), "arena_ratings gives NoneType"),
    "thing is None": (hook("arena_ratings", "return [None]"), "gives a rating that is None"),
    "wrong type": (hook("arena_ratings", "return [3]"), "a rating (int) without `name`"),
    "missing member": (
        hook("arena_ratings", "return [type('R', (), {'name': 'r', 'summary': ''})()]"),
        "a rating (R) without `rate`",
    ),
    "name of ours": (
        "from arena.ratings.plugin import *\nfrom arena.ratings.plugin import arena_ratings",
        "brings the rating 'elo', and so does plugin 'arena.ratings.plugin'",
    ),
}
"""A module's text, and what the line about it says."""


@pytest.fixture
def arena(tmp_path: Path, commands: Forker) -> Run:
    """`arena(*words, status=0)` with the packages that `install` put into `tmp_path/site`."""

    def call(*words: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = commands.run(
            [*map(str, words)],
            cwd=tmp_path,
            env=os.environ
            | {
                "PYTHONPATH": os.pathsep.join(
                    [str(tmp_path / "site"), *(path for path in sys.path if path)]
                ),
                "COLUMNS": "200",
            },
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == status, done.stdout + done.stderr
        return done

    return call


def install(tmp_path: Path, code: str, *, package: str = "stranger", plugin: str = "odd") -> None:
    """An installed distribution with one entry point, as pip leaves it."""
    site = tmp_path / "site"
    info = site / f"{package}-1.5.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(f"[arena]\n{plugin} = {package}_plugin\n")
    (site / f"{package}_plugin.py").write_text(code)


def records(tmp_path: Path) -> Path:
    file = tmp_path / "records.jsonl"
    seats = [{"bot": name} for name in "abcd"]
    lines = [json.dumps({"seats": seats, "scores": [s, 1, 2, 3], "set": str(s)}) for s in range(5)]
    file.write_text("\n".join(lines))
    return file


@pytest.mark.parametrize(("code", "said"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_plugin_is_named_with_its_package_and_the_way_round_it(
    arena: Run, tmp_path: Path, code: str, said: str
) -> None:
    install(tmp_path, code)
    file = records(tmp_path)
    line = arena("board", file, status=2).stderr.strip()
    assert said in line
    assert "plugin 'odd' of stranger 1.5" in line
    assert len(line.splitlines()) == 1
    assert "a" in arena("board", file, "--without-plugin", "odd").stdout


def test_plugins_and_doctor_work_beside_a_broken_plugin_and_show_it(
    arena: Run, tmp_path: Path
) -> None:
    install(tmp_path, "1 / 0")
    shown = arena("plugins")
    assert "callbreak" in shown.stdout
    assert "plugin 'odd' of stranger 1.5: cannot be loaded: ZeroDivisionError" in shown.stderr
    rows = json.loads(arena("plugins", "--json").stdout)
    assert [row["brought by"] for row in rows if row["kind"] == "broken"] == ["odd"]
    told = json.loads(arena("doctor", "--sandbox", "none", "--json", status=1).stdout)
    assert told["broken_plugins"][0]["plugin"] == "odd"
    assert "leaderboard" in arena("--help").stdout


def test_two_packages_with_one_entry_point_name_are_told_apart_not_dropped(
    arena: Run, tmp_path: Path
) -> None:
    install(tmp_path, hook("arena_ratings", "return []"), package="first")
    install(tmp_path, hook("arena_ratings", "return []"), package="second")
    line = arena("board", records(tmp_path), status=2).stderr
    assert "first 1.5" in line
    assert "second 1.5" in line
    assert "another plugin of that name" in line


def test_a_plugin_can_be_one_file_that_nobody_installed(arena: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        RATING.format(body="return Ratings(tuple(Rated(b, 7.0) for b in bots), (bots,))")
    )
    assert "7" in arena("board", records(tmp_path), "--rating", "odd", "--plugin", file).stdout
    line = arena("--plugin", tmp_path / "none.py", "board", records(tmp_path), status=2).stderr
    assert "there is no such file" in line


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return Ratings(tuple(Rated(b, float('nan')) for b in bots), (tuple(bots),))", "nan"),
        ("return Ratings((Rated('a', 1.0),), (('a',),))", "forgets 'b'"),
        ("return None", "`rate` gives NoneType, not Ratings"),
        ("raise IndexError('oh')", "`rate` raises IndexError: oh"),
    ],
)
def test_a_rating_that_breaks_its_promise_is_never_printed(
    arena: Run, tmp_path: Path, body: str, said: str
) -> None:
    install(tmp_path, RATING.format(body=body))
    line = arena("board", records(tmp_path), "--rating", "odd", status=2).stderr
    assert "rating 'odd' of plugin 'odd' of stranger 1.5: " in line
    assert said in line


ONE_TABLE = "yield Seating(0, (0, 1, 2, 3))"
RUN = ("run", *(f"b{n}=random" for n in range(4)), "--unsandboxed", "--deals", "1", "--orbits", "1")


@pytest.mark.parametrize(
    ("count", "seatings", "said"),
    [
        ("return 4", ONE_TABLE, "`count` promises 4 matches, `seatings` gives 1"),
        ("return 1", "yield Seating(0, (0, 1, 2))", "a table of 3 seats instead of 4"),
        ("return 'one'", ONE_TABLE, "`count` gives 'one', not a number of matches"),
        ("return 1", "yield (0, 1, 2, 3)", "`seatings` gives tuple, not a Seating"),
        ("return 1", "raise RuntimeError('oh'); yield", "`seatings` raises RuntimeError: oh"),
    ],
)
def test_a_schedule_that_breaks_its_promise_ends_with_status_2_and_its_name(
    arena: Run, tmp_path: Path, count: str, seatings: str, said: str
) -> None:
    install(tmp_path, SCHEDULE.format(count=count, seatings=seatings))
    line = arena(*RUN, "--set", "schedule.format=odd", status=2).stderr
    assert "schedule 'odd' of plugin 'odd' of stranger 1.5: " in line
    assert said in line


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return; yield", "it ended with 0 outcomes"),
        ("list(specs); return; yield", "it ended with 0 outcomes for 4 matches"),
        ("yield 7", "`play` gives int, no Outcome"),
        ("raise RuntimeError('oh'); yield", "`play` raises RuntimeError: oh"),
    ],
)
def test_an_executor_that_plays_less_than_it_was_handed_never_ends_well(
    arena: Run, tmp_path: Path, body: str, said: str
) -> None:
    install(tmp_path, EXECUTOR.format(body=body))
    line = arena(*RUN, "--executor", "odd", status=2).stderr
    assert "executor 'odd' of plugin 'odd' of stranger 1.5: " in line
    assert said in line


@pytest.mark.parametrize(
    ("line", "words", "said"), [(line, *how) for line, how in COMMANDS.items()]
)
def test_a_broken_game_ends_a_command_in_one_line(
    arena: Run, tmp_path: Path, line: str, words: tuple[str, ...], said: str
) -> None:
    install(tmp_path, f"{SOUND_GAME}\n{line}\n")
    file = records(tmp_path)
    file.write_text(file.read_text().replace('{"seats"', '{"game": "naming", "seats"'))
    told = arena(*(str(file) if word == "RECORDS" else word for word in words), status=2).stderr
    assert said in told
    assert "plugin 'odd' of stranger 1.5" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Naming.legal_actions = lambda self: []", "`legal_actions` is empty"),
        (
            "def apply(self, action): raise KeyError('oh')\nNaming.apply = apply",
            "`apply` raises KeyError: 'oh'",
        ),
        (
            "import multiprocessing\nif multiprocessing.parent_process(): raise KeyError('oh')",
            "plugin 'odd' of stranger 1.5: cannot be loaded: KeyError: 'oh'",
        ),
    ],
)
def test_a_run_of_a_broken_game_charges_nobody_and_names_the_game(
    arena: Run, tmp_path: Path, line: str, said: str
) -> None:
    install(tmp_path, f"{SOUND_GAME}\n{line}\n")
    words = ("run", "a=random", "b=random", "--game", "naming", "--unsandboxed", "--orbits", "1")
    told = arena(*words, "--out", "cup", status=2).stderr
    line = told.splitlines()[-1]
    assert said in line
    assert "plugin 'odd' of stranger 1.5" in line
    assert not json.loads(arena("board", "cup", "--format", "json").stdout)["rows"]


FORMAT = """
from arena import hookimpl

class Odd:
    name, summary = "odd", "an odd one"
    def render(self, board, screen):
        {body}

@hookimpl
def arena_report_formats():
    return [Odd()]
"""

SANDBOX = """
from arena import hookimpl

class Odd:
    name = "odd"
    def unavailable(self):
        {unavailable}
    def report(self):
        {report}
    def launch(self, program, limits):
        {launch}

@hookimpl
def arena_sandboxes():
    return [Odd()]
"""

ADAPTER = """
from arena import hookimpl

class Odd:
    name = "odd"
    def bridge(self, bot):
        {body}
    def manifest(self, folder):
        {body}

@hookimpl
def arena_adapters():
    return [Odd()]
"""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return None", "`render` gives None, not text"),
        ("raise KeyError('oh')", "`render` raises KeyError: 'oh'"),
    ],
)
def test_a_broken_format_is_named(arena: Run, tmp_path: Path, body: str, said: str) -> None:
    install(tmp_path, FORMAT.format(body=body))
    line = arena("board", records(tmp_path), "--format", "odd", status=2).stderr
    assert f"report format 'odd' of plugin 'odd' of stranger 1.5: {said}" in line


@pytest.mark.parametrize(
    ("bodies", "said"),
    [
        ({"unavailable": "raise KeyError('oh')"}, "`unavailable` raises KeyError: 'oh'"),
        ({"unavailable": "return 'no'"}, "`unavailable` gives 'no', not Unavailable or None"),
        ({"report": "raise KeyError('oh')"}, "`report` raises KeyError: 'oh'"),
        ({"report": "return {}"}, "`report` gives dict of nothing, not CapabilityReport"),
    ],
)
def test_a_broken_sandbox_is_named_and_doctor_shows_it(
    arena: Run, tmp_path: Path, bodies: dict[str, str], said: str
) -> None:
    sound = {"unavailable": "return None", "report": "return None", "launch": "return None"}
    install(tmp_path, SANDBOX.format(**sound | bodies))
    line = arena("check", "random", "--sandbox", "odd", status=2).stderr
    assert f"sandbox 'odd' of plugin 'odd' of stranger 1.5: {said}" in line
    told = json.loads(arena("doctor", "--sandbox", "odd", "--json", status=1).stdout)
    assert said in told["sandboxes"][0]["unavailable"]["reason"]


@pytest.mark.parametrize(
    ("body", "bridge", "manifest"),
    [
        ("return None", "`bridge` gives NoneType, not a Bridge", "`manifest` gives None, not text"),
        ("raise KeyError('oh')", "`bridge` raises KeyError", "`manifest` raises KeyError: 'oh'"),
    ],
)
def test_a_broken_adapter_is_named(
    arena: Run, tmp_path: Path, body: str, bridge: str, manifest: str
) -> None:
    install(tmp_path, ADAPTER.format(body=body))
    bot = tmp_path / "bot"
    bot.mkdir()
    who = "adapter 'odd' of plugin 'odd' of stranger 1.5: "
    assert who + manifest in arena("new", bot, "--from", "odd", status=2).stderr
    (bot / "bot.toml").write_text('name = "b"\nversion = "1"\nrun = ["sh"]\nadapter = "odd"\n')
    assert who + bridge in arena("check", bot, "--unsandboxed", status=2).stderr


def test_a_plugins_command_that_fails_is_named(arena: Run, tmp_path: Path) -> None:
    code = "import typer\n\napp = typer.Typer(name='odd')\n\n"
    code += "@app.callback(invoke_without_command=True)\ndef odd():\n    1 / 0\n\n"
    install(tmp_path, code + hook("arena_commands", "return [app]"))
    line = arena("odd", status=2).stderr
    assert "command 'odd' of plugin 'odd' of stranger 1.5: raises ZeroDivisionError" in line


def test_a_plugins_command_never_hides_one_of_ours(arena: Run, tmp_path: Path) -> None:
    install(tmp_path, "import typer\n" + hook("arena_commands", "return [typer.Typer(name='run')]"))
    assert "its command 'run' would hide another" in arena("--help").stderr
