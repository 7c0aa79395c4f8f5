"""The live page: what it is told, who may ask for it, and that it follows a real run."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from arena.ratings.elo import BatchElo
from arena.report.site.live import FAULTS_SHOWN, LiveRun
from tests.site.conftest import BOTS, TIMEOUT, Visit, play_match, with_fault
from tests.site.test_build_site import TERMINAL
from tests.site.test_pages_in_browser import ARTIFACTS, AXE, WIDTHS

FAULTY_BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"id":0}', flush=True)
    elif message["type"] == "act":
        print("<script>alert(1)</script>", flush=True)
"""


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def live() -> LiveRun:
    run = LiveRun("spring", total=10, system=BatchElo(), clock=Clock())
    run.begin([])
    return run


def test_a_snapshot_is_made_only_when_something_happened(live: LiveRun) -> None:
    first = live.snapshot(-1)
    assert first is not None
    assert first["board"] is None
    assert live.snapshot(first["version"]) is None
    live.add(play_match(0, BOTS[:4]))
    second = live.snapshot(first["version"])
    assert second is not None
    assert (second["done"], second["total"], second["finished"]) == (1, 10, False)
    assert len(second["board"]["rows"]) == len(second["board"]["bars"]) == 4


def test_faults_and_voids_are_counted_and_the_latest_shown_first(live: LiveRun) -> None:
    for number in range(FAULTS_SHOWN + 5):
        live.add(with_fault(play_match(number, BOTS[:4]), TIMEOUT))
    live.add_void(f"match 7-1: {TERMINAL}")
    found = live.snapshot(-1)
    assert found is not None
    assert (found["faults"], found["voids"]) == (FAULTS_SHOWN + 5, 1)
    assert len(found["latest_faults"]) == FAULTS_SHOWN
    assert found["latest_faults"][0]["place"] == "match 6-5, deal 2, trick 7"
    assert found["latest_voids"][0].isprintable()


def test_the_rest_is_told_from_the_speed_of_this_run(live: LiveRun) -> None:
    earlier = LiveRun("spring", total=10, system=BatchElo(), clock=Clock())
    earlier.begin([play_match(n, BOTS[:4]) for n in range(4)])
    assert earlier.snapshot(-1)["left_s"] is None  # type: ignore[index]
    earlier.add(play_match(4, BOTS[:4]))
    earlier.clock.now_s += 3  # type: ignore[attr-defined]
    assert earlier.snapshot(-1)["left_s"] == 15  # type: ignore[index]


def test_the_end_is_told(live: LiveRun) -> None:
    live.finish()
    assert live.snapshot(-1)["finished"] is True  # type: ignore[index]


# A real run --------------------------------------------------------------------------------------


class Run:
    """`arena run --serve 0` as a process, with the address that it says it serves at."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    (tmp_path / "faulty.py").write_text(FAULTY_BOT)
    bots = ["random", *(f"random-{n}=random" for n in range(2, 6)), str(tmp_path / "faulty.py")]
    options = ["--orbits", "400", "--deals", "1", "--unsandboxed", "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "run", *bots, *options, "--out", "run", "--serve", "0"],
        cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    assert process.stderr is not None
    with process:
        for line in process.stderr:
            if found := re.search(r"live at (http://[\d.:]+)/", line):
                yield Run(process, found[1])
                break
        process.terminate()
        process.stderr.read()
    assert process.returncode in (0, 130, -signal.SIGTERM)


def status_of(request: Any) -> int:
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.slow
def test_it_only_tells_and_only_under_its_own_name(run: Run) -> None:
    assert run.address.startswith("http://127.0.0.1:")
    assert status_of(run.address) == 200
    assert status_of(f"{run.address}/assets/site.css") == 200
    assert status_of(f"{run.address}/assets/../live.py") == 404
    assert status_of(urllib.request.Request(run.address, method="POST", data=b"")) == 405
    foreign = urllib.request.Request(run.address, headers={"Host": "board.example"})
    assert status_of(foreign) == 400


@pytest.mark.slow
@pytest.mark.browser
def test_the_live_page_follows_the_run_to_its_end(browser: Browser, run: Run) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    visit = Visit(page, run.address)
    visit.go("")
    expect(page.locator("#connection")).to_have_text("live", timeout=30_000)
    expect(page.locator("#board tbody tr")).to_have_count(6, timeout=60_000)
    before = page.locator("#summary").inner_text()
    assert re.match(r"[\d,]+ of 2,400 matches", before)
    expect(page.locator("#summary")).not_to_have_text(before, timeout=60_000)
    expect(page.locator("#faults .fault").first).to_contain_text("malformed by faulty")
    expect(page.locator("#faults")).to_contain_text("<script>")
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.screenshot(path=ARTIFACTS / f"live-{width}.png")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page, options=AXE).response["violations"]
    assert [each for each in found if each["impact"] in ("serious", "critical")] == []
    run.process.terminate()
    expect(page.locator("#connection")).to_have_text("ended", timeout=60_000)
    expect(page.locator("#summary")).to_contain_text("the run has ended")
    page.close()
    assert visit.complaints == []
    assert visit.strays == []
