"""Settings for every test, and how a run of them is shared among the cores."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from arena import scratch
from arena.removal import remove_tree
from tests import commands as commands_
from tests import crew
from tests.progress import Progress

# A busy machine must not fail a property: no test asserts how long an example takes.
settings.register_profile("arena", deadline=None)
settings.load_profile("arena")

SHARED = pytest.StashKey[Path]()
"""A folder that all workers of this test run share, with the files of every test in it.

It goes when the run ends; if a test failed or the run was killed, with the next command of ours.
"""

LEFT_OUT = "left-out"
"""The file in it that names the long forms that were not asked for."""

FAILED = "failed"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run the long forms too (marked `long`); CI does"
    )


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    return crew.size(config)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    # A shell that starts us in the background has interrupts ignored, and every process that a
    # test starts would inherit that: Ctrl-C would stop nothing that a test tries it on.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if told := getattr(config, "workerinput", None):
        config.stash[SHARED] = Path(told["shared"])
        config.pluginmanager.register(crew.Turns(config.stash[SHARED]))
    else:
        for path in config.args:  # a worker would end with an INTERNALERROR that names nothing
            if not (config.invocation_params.dir / path.split("::")[0]).exists():
                raise pytest.UsageError(f"file or directory not found: {path}")
        scratch.sweep()
        config.stash[SHARED] = scratch.new_folder("tests")
        config.option.basetemp = config.option.basetemp or str(config.stash[SHARED] / "t")
        if Progress.suits(config):
            config.pluginmanager.register(Progress(config, config.stash[SHARED]))


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if SHARED not in config.stash or hasattr(config, "workerinput"):
        return
    if not (config.stash[SHARED] / FAILED).exists():
        remove_tree(config.stash[SHARED])
        scratch.leave_place()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.testsfailed:  # somebody will want to look at the files of those tests
        (session.config.stash[SHARED] / FAILED).touch()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    node.workerinput["shared"] = str(node.config.stash[SHARED])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        (config.stash[SHARED] / LEFT_OUT).write_text("\n".join(item.nodeid for item in long))
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    if hasattr(config, "workerinput"):
        crew.arrange(items)
        (config.stash[SHARED] / crew.SLOW).write_text("\n".join(crew.slow(items)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    # Summaries and the list for --last-failed name tests as they are typed, without the group.
    report.nodeid = crew.without_group(report.nodeid)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    file = terminalreporter.config.stash[SHARED] / LEFT_OUT
    if file.exists() and (names := file.read_text().splitlines()):
        terminalreporter.write_line(f"LEFT OUT without --long: {len(names)} long forms")
        for name in names:
            terminalreporter.write_line(f"  {name}")
    if (terminalreporter.config.stash[SHARED] / FAILED).exists():
        place = terminalreporter.config.option.basetemp
        terminalreporter.write_line(f"{place} has the files of the tests until the next command")


@pytest.fixture(scope="session")
def commands() -> Iterator[commands_.Forker]:
    """Runs `arena` as a process of its own, quickly."""
    with commands_.forker() as forker:
        yield forker


@pytest.fixture(scope="session")
def made_once(pytestconfig: pytest.Config) -> Callable[[str, Callable[[Path], object]], Path]:
    """`made_once(name, make)`: a folder that one worker has made, by `make(folder)`, for all."""
    return lambda name, make: crew.made_once(pytestconfig.stash[SHARED] / name, make)


@pytest.fixture(scope="session")
def cache(made_once: Callable[..., Path]) -> Path:
    """One XDG_CACHE_HOME for all tests: a bot is built once a run."""
    return made_once("cache", lambda folder: None)
