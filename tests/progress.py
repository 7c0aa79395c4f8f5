"""How far a test run is, from its first second: a bar on a terminal, a line now and then elsewhere.

Time left is judged by what each test took in the last run here; a test that is new counts for what
the tests of its kind (slow or not) took so far, or for a guess.
"""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import pytest

from tests import crew

GUESS_S = {True: 4.0, False: 0.1}
"""Seconds of a slow test and of another."""

EVERY_S = {True: 0.5, False: 15.0}
"""On a terminal, and elsewhere."""

KEPT = "arena/durations"


class Progress:
    """Writes instead of pytest's dots; only the process that the user started has one."""

    def __init__(self, config: pytest.Config, shared: Path) -> None:
        self._config, self._shared = config, shared
        self._terminal = False
        self._kept: pytest.Cache | None = None
        self._took: dict[str, float] = {}
        self._slow: set[str] = set()
        self._left: set[str] = set()
        self._total = self._failed = 0
        self._workers: int = config.getoption("numprocesses", None) or 0
        self._written = time.monotonic()
        self._work_done_s = 0.0
        self._began = time.monotonic()
        self._end = threading.Event()
        self._writing = threading.Lock()

    @staticmethod
    def suits(config: pytest.Config) -> bool:
        """Whether the tests run and nobody asked for each one's name, or for its output."""
        option = config.option
        return option.verbose <= 0 and option.capture != "no" and not option.collectonly

    def pytest_sessionstart(self) -> None:
        self._kept = getattr(self._config, "cache", None)  # it can be switched off
        self._took = self._kept.get(KEPT, {}) if self._kept else {}
        self._reporter = self._config.pluginmanager.getplugin("terminalreporter")
        self._reporter.showfspath = False
        self._terminal = bool(self._reporter.isatty)
        self._write("collecting the tests")
        # Without workers the tests run here, and what a thread writes would count as theirs.
        if self._workers:
            threading.Thread(target=self._tick, daemon=True).start()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._plan([item.nodeid for item in session.items], crew.slow(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        if not self._total:
            slow = (self._shared / crew.SLOW).read_text().splitlines()
            self._plan(list(map(crew.without_group, ids)), slow)

    def _plan(self, tests: list[str], slow: list[str]) -> None:
        if tests:
            self._slow, self._left, self._total = set(slow), set(tests), len(tests)
            self._began = time.monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """No dots: what each test did is counted for the closing line all the same."""
        if self._end.is_set():  # asked for the summary
            return None
        if report.when == "call" or report.outcome != "passed":
            outcome = "error" if report.failed and report.when != "call" else report.outcome
            return (outcome, "", "") if not hasattr(report, "wasxfail") else None
        return "", "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid
        if report.failed:
            self._failed += 1
            self._write(f"failed: {name}", stays=True)
        if report.when == "setup":
            self._took[name] = 0.0
        self._took[name] = round(self._took.get(name, 0.0) + report.duration, 3)
        if report.when == "teardown" and name in self._left:
            self._left.discard(name)
            self._work_done_s += self._took[name]
        if time.monotonic() - self._written >= EVERY_S[self._terminal]:
            self._write(self._told())

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._end.set()
        if self._workers and self._left and not self._config.getoption("maxfail"):
            # A worker died: a second run of the tests that failed would not play the others.
            session.exitstatus = pytest.ExitCode.INTERRUPTED
        if self._terminal:
            self._write("")
        else:
            self._write(self._told())
        if self._kept:
            self._kept.set(KEPT, self._took)

    def _tick(self) -> None:
        every_s = EVERY_S[self._terminal]
        while not self._end.wait(every_s / 5):
            if time.monotonic() - self._written >= every_s:
                self._write(self._told())

    def _told(self) -> str:
        if not self._total:
            return f"collecting the tests, {time.monotonic() - self._began:.0f} s"
        done = self._total - len(self._left)
        words = [f"{done}/{self._total} tests"]
        words += [f"{self._failed} failed"] if self._failed else []
        words += [f"about {told(self._seconds_left())} left" if self._left else "all done"]
        bar = f"{'━' * round(24 * done / self._total):·<24} " if self._terminal else ""
        return bar + ", ".join(words)

    def _seconds_left(self) -> float:
        spent = time.monotonic() - self._began
        work = sum(self._took.get(name, GUESS_S[name in self._slow]) for name in tuple(self._left))
        # At first workers are taken to be as many as cores; soon they show what they can do.
        pace = (self._work_done_s + max(1, self._workers) * 5) / (spent + 5)
        return work / pace

    def _write(self, text: str, *, stays: bool = False) -> None:
        with self._writing:
            self._written = time.monotonic()
            if self._terminal:
                width = shutil.get_terminal_size().columns - 1
                text = f"\r\x1b[K{text if stays else text[:width]}" + ("\n" if stays else "")
                self._reporter.write(text, flush=True)
            elif text:
                self._reporter.write(f"{text}\n", flush=True)


def told(seconds: float) -> str:
    """A time as people say it."""
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
