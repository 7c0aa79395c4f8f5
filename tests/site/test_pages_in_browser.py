"""The pages in a real browser: filters, search, replay by link and keyboard, axe, screenshots."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from arena.games.callbreak.cards import names_of
from arena.games.callbreak.trick import legal_cards, winner_of
from arena.games.callbreak.variants import PRESETS, VoidDuty, build_variant
from arena.records import BotId, Note
from tests.site.conftest import BOTS, Visiting, build, play_match
from tests.site.test_build_site import MARKUP, TERMINAL

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ARTIFACTS = Path(__file__).parents[2] / "artifacts" / "pages"
REPLAY = "replay.html#match=2-3&part=0&deal=2&trick=7&card=3"
PAGES = ("index.html", "head-to-head.html", "matches.html", "bots/wild.html", REPLAY)
WIDTHS = NARROW, WIDE = (360, 1440)
LOOKS = (
    (NARROW, "light"),
    (WIDE, "dark"),
    pytest.param(WIDE, "light", marks=pytest.mark.long),
    pytest.param(NARROW, "dark", marks=pytest.mark.long),
)
"""Widths and schemes of colours: how a page fits depends on the one, its contrast on the other."""
AXE = {"preload": False, "resultTypes": ["violations"]}
"""No preloading: it would fetch the style sheets, which the page's policy lets nobody do."""


def shown_bots(page: Page) -> list[str]:
    return page.locator("#board tbody tr:visible th.bot").all_inner_texts()


def status(page: Page) -> str:
    return page.locator("#status").inner_text()


# Board, head to head, bots, matches ------------------------------------------------------------


def test_the_board_filters_by_name_language_and_faults(pages: Path, visiting: Visiting) -> None:
    page = visiting(pages).go("index.html")
    assert sorted(shown_bots(page)) == sorted(BOTS)
    page.get_by_label("Bot", exact=True).fill("TI")
    assert shown_bots(page) == ["timid"]
    page.get_by_label("Bot", exact=True).fill("")
    page.get_by_label("Language").select_option("rust")
    assert sorted(shown_bots(page)) == ["bold", "counter"]
    page.get_by_label("Language").select_option("any")
    page.get_by_label("without faults").check()
    assert "wild" not in shown_bots(page)
    expect(page.locator("#filter-count")).to_have_text("5 of 6 bots")


def test_the_board_sorts_by_any_column(pages: Path, visiting: Visiting) -> None:
    page = visiting(pages).go("index.html")
    by_rank = shown_bots(page)
    page.get_by_role("button", name="bot", exact=True).click()
    assert shown_bots(page) == sorted(BOTS)
    page.get_by_role("button", name="Elo", exact=True).click()
    assert shown_bots(page) == by_rank
    page.get_by_role("button", name="Elo", exact=True).click()
    assert shown_bots(page) == by_rank[::-1]
    assert page.locator("th.elo").get_attribute("aria-sort") == "ascending"


def test_a_bot_leads_to_its_fault_and_the_fault_to_the_decision(
    pages: Path, visiting: Visiting
) -> None:
    page = visiting(pages).go("index.html")
    page.get_by_role("link", name="wild").click()
    expect(page.locator("h1")).to_have_text("wild")
    expect(page.locator("figure.chart svg")).to_have_count(3)
    page.get_by_role("link", name="2-3, deal 2, trick 7").click()
    expect(page.locator("#status")).to_contain_text("seat 2 (wild) is to play")
    expect(page.locator("#remarks .fault")).to_contain_text("timeout")
    expect(page.locator("#faults")).to_contain_text("still thinking...")
    expect(page.locator(".seat-out")).to_have_text("retired: the fallback plays")


def test_matches_are_found_by_name_bot_and_fault(pages: Path, visiting: Visiting) -> None:
    page = visiting(pages).go("matches.html")
    expect(page.locator("#found")).to_have_text("120 of 120 matches")
    expect(page.locator("#rows tr")).to_have_count(100)
    page.get_by_role("button", name="Show more").click()
    expect(page.locator("#rows tr")).to_have_count(120)
    page.get_by_role("searchbox").fill("7-3")
    expect(page.locator("#rows tr")).to_have_count(2)  # and 17-3
    page.get_by_role("searchbox").fill("")
    page.get_by_label("with faults").check()
    expect(page.locator("#rows th")).to_have_text(["2-3"])
    assert page.url.endswith("#faults=1")
    page.locator("#rows a").click()
    expect(page.locator("#match-name")).to_have_text("2-3")


def test_a_bots_page_links_to_its_matches_alone(pages: Path, visiting: Visiting) -> None:
    page = visiting(pages).go("bots/bold.html")
    page.get_by_role("link", name="All matches of this bot").click()
    expect(page.locator("#found")).to_have_text("80 of 120 matches")


# Replay ----------------------------------------------------------------------------------------


def test_a_link_opens_the_very_decision(
    pages: Path, records: list[dict[str, Any]], visiting: Visiting
) -> None:
    page = visiting(pages).go(REPLAY)
    record = next(r for r in records if r["match"] == "2-3")
    trick = record["deals"][1]["tricks"][6]
    seat = (trick["leader"] + 2) % 4
    assert status(page).startswith(f"Deal 2, trick 7, card 3: seat {seat}")
    expect(page.locator(".to-play .chip.chosen")).to_have_count(1)
    expect(page.locator("#centre .face")).to_have_count(2)
    link = page.get_by_role("link", name="Link to this moment").get_attribute("href")
    assert link == "#match=2-3&part=0&deal=2&trick=7&card=3"


def test_a_link_needs_no_part(pages: Path, visiting: Visiting) -> None:
    page = visiting(pages).go("replay.html#match=20-6&deal=4&trick=end")
    expect(page.locator("#status")).to_contain_text("Deal 4 is over")
    expect(page.locator("#match-name")).to_have_text("20-6")
    page.evaluate("location.hash = 'match=1-1&deal=1&call=2'")
    expect(page.locator("#match-name")).to_have_text("1-1")
    expect(page.locator("#status")).to_contain_text("Deal 1, call 2 of 4")


def test_an_unknown_match_is_told(pages: Path, visiting: Visiting) -> None:
    page = visiting(pages).go("replay.html#match=nowhere&part=0")
    expect(page.locator("#failure")).to_contain_text("There is no match nowhere")


def test_the_keyboard_alone_steps_through_the_match(pages: Path, visiting: Visiting) -> None:
    page = visiting(pages).go("replay.html#match=1-1")
    expect(page.locator("#status")).to_contain_text("Deal 1, call 1 of 4")
    keys = page.keyboard
    for _ in range(4):
        keys.press("ArrowRight")
    assert "Deal 1, trick 1, card 1" in status(page)
    keys.press("ArrowLeft")
    assert "Deal 1, call 4 of 4" in status(page)
    keys.press("Shift+ArrowRight")
    keys.press("Shift+ArrowRight")
    assert "Deal 1, trick 2, card 1" in status(page)
    keys.press("]")
    assert "Deal 2, call 1 of 4" in status(page)
    keys.press("End")
    assert "Deal 4 is over" in status(page)
    keys.press("Home")
    keys.press("2")
    expect(page.locator(".hand.closed")).to_have_count(3)
    expect(page.locator("#seat-bottom")).to_have_attribute("aria-label", "Seat 2, counter")
    expect(page.locator("#seat-right")).to_have_attribute("aria-label", "Seat 3, steady")
    assert page.url.endswith("view=2")
    keys.press("a")
    expect(page.locator(".hand.closed")).to_have_count(0)
    keys.press("p")
    expect(page.locator("#status")).to_contain_text("call 3 of 4", timeout=15_000)
    keys.press("p")


def test_tab_reaches_every_control_and_a_trick_can_be_jumped_to(
    pages: Path, visiting: Visiting
) -> None:
    page = visiting(pages).go("replay.html#match=1-1&deal=1&trick=3&card=2")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.innerText"))
    assert {"play", "progress", "speed", "view", "link", "Deal 3", "9"} <= reached
    page.locator("#tricks").get_by_role("button", name="9", exact=True).press("Enter")
    assert "Deal 1, trick 9, card 1" in status(page)


def test_one_seats_view_gives_nothing_away(
    pages: Path, records: list[dict[str, Any]], visiting: Visiting
) -> None:
    record = next(r for r in records if r["match"] == "1-1")
    onlooker = record["deals"][0]["tricks"][3]["leader"]
    place = f"match=1-1&part=0&deal=1&trick=4&card=2&view={onlooker}"
    page = visiting(pages).go(f"replay.html#{place}")
    assert "plays" not in status(page)
    assert page.locator("#tricks tbody tr").nth(5).locator("td").all_inner_texts() == [""] * 4


def test_all_moments_of_every_variant_can_be_shown(tmp_path: Path, visiting: Visiting) -> None:
    made = [play_match(n, BOTS[:4], variant=name) for n, name in enumerate(PRESETS)]
    build(made, tmp_path)
    for record in made:
        page = visiting(tmp_path).go(f"replay.html#match={record['match']}")
        expect(page.locator("#replay")).to_be_visible()
        fair = page.evaluate(
            """async (match) => {
                const record = (await arena.load("records-0")).find((r) => r.match === match);
                return arena.moments.listMoments(record).every((moment) => {
                    const now = arena.moments.situationAt(record, moment);
                    return now.legal === null || now.legal.includes(now.chosen);
                });
            }""",
            record["match"],
        )
        assert fair, record["variant"]["name"]


def test_the_pages_rules_are_the_engines(pages: Path, visiting: Visiting) -> None:
    page = visiting(pages).go(REPLAY)
    rng = random.Random(1)
    rules = [
        build_variant("test", {"must_head": head, "void_duty": duty.value})
        for head, duty in itertools.product((True, False), VoidDuty)
    ]
    positions, wanted = [], []
    for _ in range(4000):
        variant = rng.choice(rules)
        cards = rng.sample(range(52), 16)
        trick, hand = cards[: rng.randrange(4)], tuple(sorted(cards[3 : rng.randrange(4, 17)]))
        positions.append([names_of(hand), names_of(trick), variant.as_dict()])
        legal = names_of(legal_cards(hand, trick, variant))
        wanted.append([legal, winner_of(2, trick) if trick else None])
    found = page.evaluate(
        """(positions) => positions.map(([hand, trick, variant]) => [
            arena.rules.legalCards(hand, trick, variant),
            trick.length ? arena.rules.winnerOf(2, trick) : null])""",
        positions,
    )
    assert found == wanted


def test_a_damaged_record_is_told_and_nothing_breaks(tmp_path: Path, visiting: Visiting) -> None:
    record = play_match(1, BOTS[:4])
    deals = [{**record["deals"][0], "tricks": [None] * 13}, *record["deals"][1:]]
    build([{**record, "deals": deals}], tmp_path)
    page = visiting(tmp_path).go(f"replay.html#match={record['match']}")
    expect(page.locator("#failure")).to_contain_text("deal 1: trick 1 is no trick")


# Looks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_pages_fit_and_have_no_serious_accessibility_faults(
    pages: Path, visiting: Visiting, width: int, scheme: str
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    visit = visiting(pages, width, color_scheme=scheme)
    for path in PAGES:
        page = visit.go(path)
        page.wait_for_load_state("networkidle")
        name = path.partition(".")[0].replace("/", "-")
        page.screenshot(path=ARTIFACTS / f"{name}-{width}-{scheme}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        serious = [
            (found["id"], found["nodes"][0]["html"])
            for found in Axe().run(page, options=AXE).response["violations"]
            if found["impact"] in ("serious", "critical")
        ]
        assert serious == [], path


def test_the_choice_of_colours_is_kept(pages: Path, visiting: Visiting) -> None:
    page = visiting(pages, color_scheme="light").go("index.html")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.get_by_role("button", name="Dark colours").click()
    dark = page.evaluate(colour)
    assert dark != light
    page.get_by_role("link", name="Matches").click()
    expect(page.locator("#found")).to_be_visible()
    assert page.evaluate(colour) == dark


def test_hostile_names_notes_and_logs_stay_text(tmp_path: Path, visiting: Visiting) -> None:
    seats = tuple(BotId(f"{MARKUP}{seat}{TERMINAL}", MARKUP, "") for seat in range(4))
    notes = (Note(1, 1, None, MARKUP + TERMINAL),)
    build([play_match(1, BOTS[:4], seats=seats, notes=notes, match=MARKUP)], tmp_path, title=MARKUP)
    visit = visiting(tmp_path)
    page = visit.go("index.html")
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.locator("#board th.bot a").first.click()
    expect(page.locator("h1")).to_contain_text("<script>")
    visit.go("head-to-head.html")
    visit.go("matches.html")
    page.locator("#rows a").first.click()
    expect(page.locator("#match-name")).to_have_text(MARKUP)
    expect(page.locator("#notes")).to_contain_text("\\u{1b}[31mred")
    expect(page.locator(".seat-bot").first).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("#main img, #main script").count() == 0
    assert dialogs == []
