"""Whole synthetic matches, pages made of them, and a browser to look at the pages with."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from arena.games.callbreak.game import Callbreak
from arena.ratings.elo import BatchElo
from arena.records import (
    BotId,
    Fault,
    FaultKind,
    MatchRecord,
    Note,
    SeatTiming,
    points_from_tenths,
    ranks_of,
)
from arena.report.site.build import Built, Source, build_site

GAME = Callbreak()
BOTS = ("random", "timid", "bold", "counter", "steady", "wild")
ORBIT = len(BOTS)
SEATING = (0, 1, 3, 4)


def _choose(bot: str, state: Any, rng: random.Random) -> int:
    """A quick player's choice: bots differ enough for the board to have something to say."""
    legal = state.legal_actions()
    if bot == "random":
        return rng.choice(legal)
    if state.kind() == "play":
        return max(legal) if bot == "timid" and rng.random() < 0.5 else legal[0]
    hand = state.observation(state.current_player())["hand"]
    sure = sum(card[0] in "AK" for card in hand) + max(0, sum(c[1] == "S" for c in hand) - 3)
    bias = {"bold": 2, "wild": rng.choice((0, 3)), "timid": -1}.get(bot, 0)
    return min(max(sure + bias, legal[0]), legal[-1])


def play_match(
    number: int, bots: Sequence[str], *, variant: str = "master", **changes: Any
) -> dict[str, Any]:
    """The record of one match of quick players; `changes` replace fields of the MatchRecord."""
    rng = random.Random(number)
    parameters = GAME.variant(variant)
    deal_set, table = divmod(number, ORBIT)
    state = GAME.new_match(f"seed-{deal_set}", parameters)
    while not state.is_terminal():
        state.apply(_choose(bots[state.current_player()], state, rng))
    totals = tuple(state.returns())
    fields: dict[str, Any] = {
        "match": f"{deal_set + 1}-{table + 1}",
        "set": f"{deal_set + 1}.cafe",
        "game": "callbreak",
        "variant": parameters,
        "seed": f"seed-{deal_set}",
        "started": "2026-01-02T03:04:05Z",
        "seats": tuple(BotId(bot, "1.0", "ab" * 32) for bot in bots),
        "deals": tuple(state.record()),
        "scores": tuple(points_from_tenths(total) for total in totals),
        "ranks": ranks_of(totals, (False,) * 4),
        "timing": tuple(SeatTiming(56, 11.2 + seat, 0.9) for seat in range(4)),
        "notes": (Note(1, 2, 7, "I kept the ace for later."), Note(0, 1, None, "two sure tricks")),
    }
    return MatchRecord(**{**fields, **changes}).as_dict()


def with_fault(record: dict[str, Any], fault: Fault) -> dict[str, Any]:
    """The record with a fault that retired its bot, ranked accordingly."""
    totals = tuple(round(score * 10) for score in record["scores"])
    retired = tuple(seat == fault.seat for seat in range(4))
    return {**record, "faults": [fault.as_dict()], "ranks": list(ranks_of(totals, retired))}


TIMEOUT = Fault(
    seat=2,
    kind=FaultKind.TIMEOUT,
    detail="nothing came within 1000 ms; the limit is 1000 ms a move",
    deal=2,
    trick=7,
    used_ms=1000.4,
    limit_ms=1000,
    stderr="thinking...\nstill thinking...",
)

HEADER = {
    "name": "spring",
    "schedule": "round-robin",
    "orbits": 20,
    "seed": "the-master-seed-of-deals-to-come",
    "commitment": "cd" * 32,
    "limits": {"start_ms": 10_000, "move_ms": 1_000},
    "hide_names": False,
    "sandbox": {
        "provider": "bubblewrap",
        "version": "0.8.0",
        "capabilities": {
            "network": {"level": "enforced", "how": "no interface but loopback"},
            "memory": {"level": "watched", "how": "read every 20 ms"},
            "collusion": {"level": "none", "how": "timing cannot be hidden"},
        },
    },
    "bots": [
        {"bot": bot, "version": "1.0", "digest": "ab" * 32, "language": language}
        for bot, language in zip(BOTS, ("python", "python", "rust", "rust", "c", "c"), strict=True)
    ],
}


@pytest.fixture(scope="session")
def records() -> list[dict[str, Any]]:
    """A small tournament of six quick players, with one fault in it."""
    made = [
        play_match(number, [BOTS[(number + step) % ORBIT] for step in SEATING])
        for number in range(20 * ORBIT)
    ]
    made[8] = with_fault(made[8], TIMEOUT)
    return made


def build(records: Sequence[dict[str, Any]], out: Path, **options: Any) -> Built:
    """Pages of these records."""
    source = Source(
        options.pop("title", "spring"),
        [(f"line {n}", record) for n, record in enumerate(records, 1)],
        options.pop("header", HEADER),
    )
    return build_site(source, out, systems=[BatchElo()], games={"callbreak": GAME}, **options)


@pytest.fixture(scope="session")
def pages(records: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the small tournament."""
    out = tmp_path_factory.mktemp("pages")
    build(records, out)
    return out


# A browser --------------------------------------------------------------------------------------

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIETLY = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium. It goes with its module: Playwright keeps an event loop in this thread,
    and until it ends no other test can run one."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium here: the pages were not looked at (apt-get install chromium)")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(QUIETLY))
        yield running
        running.close()


class Visit:
    """A page of a browser that notes every complaint and every request it makes."""

    def __init__(self, page: Page, root: str) -> None:
        self.page = page
        self.root = root
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def go(self, path: str) -> Page:
        """Opens a page of the folder."""
        self.page.goto(f"{self.root}/{path}")
        return self.page

    @property
    def strays(self) -> list[str]:
        """Requests that left the folder of the pages."""
        return [url for url in self.requests if not url.startswith(self.root)]


Visiting = Callable[..., Visit]


@pytest.fixture
def visiting(browser: Browser) -> Iterator[Visiting]:
    """Opens folders of pages; afterwards nothing may have complained or left the folder."""
    visits: list[Visit] = []

    def visit(folder: Path, width: int = 1440, **context: Any) -> Visit:
        page = browser.new_page(viewport={"width": width, "height": 900}, **context)
        visits.append(Visit(page, folder.as_uri()))
        return visits[-1]

    yield visit
    for each in visits:
        each.page.close()
    assert [each.complaints for each in visits if each.complaints] == []
    assert [each.strays for each in visits if each.strays] == []
