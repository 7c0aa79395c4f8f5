"""The folder of pages as files: what is in it, how large, and that nothing hostile gets through."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.records import BotId, Fault, FaultKind, Note
from arena.report.elo_scale import scale_of
from arena.report.site.head_to_head import shade
from arena.report.site.page_names import page_names
from arena.report.site.script_data import script_of
from tests.site.conftest import BOTS, HEADER, build, play_match, with_fault

MARKUP = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'&"
TERMINAL = "\x1b[31mred\x1b]0;title\x07\u202ereversed\u2028line"


def value_in(script: str) -> Any:
    """What a data script hands over, read back the way a browser would."""
    quoted = re.fullmatch(r"arena\.receive\('[\w-]+', JSON\.parse\('(.*)'\)\);\n", script, re.S)
    assert quoted is not None
    text = re.sub(
        r"\\(x3c|u2028|u2029|.)",
        lambda m: {"x3c": "<", "u2028": "\u2028", "u2029": "\u2029"}.get(m[1], m[1]),
        quoted[1],
    )
    return json.loads(text)


class Tags(HTMLParser):
    """Every start tag of a page with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages whose every text that an author controls is an attack."""
    out = tmp_path_factory.mktemp("hostile")
    seats = (BotId(MARKUP, MARKUP, MARKUP), BotId(TERMINAL, "1", ""), BotId("a/../b", "1", ""),
             BotId("__proto__", "1", ""))  # fmt: skip
    fault = Fault(0, FaultKind.EXITED, MARKUP + TERMINAL, 1, 2, arrived=MARKUP, stderr=TERMINAL)
    notes = (Note(1, 1, 1, MARKUP + TERMINAL),)
    made = [
        with_fault(play_match(n, BOTS[:4], seats=seats, notes=notes, match=MARKUP), fault)
        for n in range(3)
    ]
    header = {**HEADER, "name": MARKUP, "left_out": [{"bot": MARKUP, "reason": TERMINAL}]}
    build(made, out, title=MARKUP, header=header)
    return out


def test_every_record_is_in_exactly_one_part(pages: Path, records: list[dict[str, Any]]) -> None:
    parts = sorted((pages / "data").glob("records-*.js"), key=lambda p: int(p.stem[8:]))
    found = [record for part in parts for record in value_in(part.read_text())]
    assert found == records


def test_the_index_says_where_each_record_is(pages: Path, records: list[dict[str, Any]]) -> None:
    index = value_in((pages / "data/matches.js").read_text())
    assert [row[0] for row in index["matches"]] == [record["match"] for record in records]
    for match, _, part, bots, scores, ranks, faults in index["matches"]:
        (record,) = [
            r
            for r in value_in((pages / f"data/records-{part}.js").read_text())
            if r["match"] == match
        ]
        assert [index["bots"][bot]["name"] for bot in bots] == [s["bot"] for s in record["seats"]]
        assert (scores, ranks) == (record["scores"], record["ranks"])
        assert faults == len(record["faults"])


def test_every_bot_has_a_page_with_its_charts_and_faults(pages: Path) -> None:
    for bot in BOTS:
        page = (pages / f"bots/{bot}.html").read_text()
        assert page.count('<figure class="chart"><svg') == 3
    faulty = (pages / "bots/wild.html").read_text()
    assert "deal=2&amp;trick=7&amp;seat=2" in faulty
    assert "still thinking..." in faulty


def test_the_board_shows_capabilities_variant_and_rules(pages: Path) -> None:
    board = (pages / "index.html").read_text()
    for words in ("enforced", "read every 20 ms", "Variant master", "overruff", "Follow suit"):
        assert words in board


def test_the_seed_of_deals_to_come_is_not_published(pages: Path) -> None:
    for file in pages.rglob("*"):
        if file.is_file():
            assert b"the-master-seed" not in file.read_bytes()
    assert "cd" * 32 in (pages / "index.html").read_text()


def test_no_page_names_anything_outside_the_folder(pages: Path) -> None:
    for page in pages.rglob("*.html"):
        for tag, attributes in Tags(page.read_text()).found:
            for name in ("href", "src"):
                target = attributes.get(name)
                if target and not target.startswith("#") and tag != "symbol":
                    assert (page.parent / target.partition("#")[0]).is_file(), (page, target)


def test_no_author_brings_markup_into_a_page(hostile: Path) -> None:
    for page in hostile.rglob("*.html"):
        text = page.read_text()
        for tag, attributes in Tags(text).found:
            assert tag not in ("img", "iframe", "object", "base"), page
            assert not [name for name in attributes if name.startswith("on")], page
            if tag == "script":
                assert (attributes.get("src") or "").startswith(("assets/", "../assets/")), page
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e\u2028]", text), page


def test_no_author_ends_a_script(hostile: Path) -> None:
    for script in (hostile / "data").glob("*.js"):
        text = script.read_text()
        assert "<" not in text
        assert text.splitlines() == [text.removesuffix("\n")]  # no U+2028 either
        value_in(text)


def test_matches_of_one_name_are_told_apart(hostile: Path) -> None:
    rows = value_in((hostile / "data/matches.js").read_text())["matches"]
    assert [row[0] for row in rows] == [MARKUP, f"{MARKUP}~2", f"{MARKUP}~3"]


def test_the_first_page_stays_small_and_matches_are_left_out_beyond_the_bound(
    records: list[dict[str, Any]], tmp_path: Path
) -> None:
    built = build(records, tmp_path / "out", keep=5)
    assert (built.matches, built.kept) == (120, 6)  # and the one with the fault
    board = (tmp_path / "out/index.html").read_text()
    assert "count all 120 matches; 6 of them" in board
    assert len(board) < 100_000


def test_pages_are_built_again_over_earlier_ones(
    records: list[dict[str, Any]], tmp_path: Path
) -> None:
    build(records, tmp_path)
    build(records[:6], tmp_path)
    assert len(list((tmp_path / "data").glob("records-*.js"))) == 1


def test_a_folder_of_something_else_is_left_alone(
    records: list[dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(ConfigError, match="not empty"):
        build(records[:1], tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_nothing_to_show_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no finished match"):
        build([], tmp_path)


def test_bare_records_make_pages_without_replays(tmp_path: Path) -> None:
    bare = {"seats": [{"bot": name} for name in "abcd"], "scores": [1, 2, 3, 4]}
    build([bare, bare], tmp_path, header={})
    rows = value_in((tmp_path / "data/matches.js").read_text())["matches"]
    assert [(row[0], row[2], row[5]) for row in rows] == [
        ("#1", None, [4, 3, 2, 1]),
        ("#2", None, [4, 3, 2, 1]),
    ]
    assert not list((tmp_path / "data").glob("records-*"))


def duels(*pairs: str) -> list[dict[str, Any]]:
    """Matches of two seats, each won by the first of a pair of bots, on thirty deal sets."""
    return [
        {"seats": [{"bot": a}, {"bot": b}], "scores": [5, 1], "set": f"{a}{b}{n}"}
        for a, b in pairs
        for n in range(30)
    ]


def test_cycles_are_flagged(tmp_path: Path) -> None:
    build(duels("ab", "bc", "ca"), tmp_path, header={})
    page = (tmp_path / "head-to-head.html").read_text()
    assert "came out ahead of the next one more often than chance explains" in page
    assert page.count('<span class="quiet">→ 100 %</span>') == 3
    assert 'class="h9 odd"' in page


def test_bots_that_never_met_stand_in_groups(tmp_path: Path) -> None:
    build(duels("ab", "cd"), tmp_path, header={})
    board = (tmp_path / "index.html").read_text()
    assert board.count('<th scope="rowgroup"') == 2
    assert 'class="never"' in (tmp_path / "head-to-head.html").read_text()


def test_two_bots_never_share_a_page() -> None:
    pages = page_names(["Ann", "ann", "ann-2", "../ann", "\u2603", "x" * 99])
    assert len(set(pages.values())) == 6
    assert all(re.fullmatch(r"bots/[a-z0-9-]{1,60}\.html", page) for page in pages.values())


def test_data_survives_its_script() -> None:
    value = {"a": "\\'</script>\u2028\u2029\n\"é", "__proto__": {"x": 1}}
    script = script_of("x", value).decode()
    assert value_in(script) == value
    assert "<" not in script


def test_the_scale_holds_every_error_bar() -> None:
    from arena.ratings.api import Rated

    scale = scale_of([Rated("a", 1500, 1400.5, 1600.25), Rated("b", 900)])
    assert scale.low < 900
    assert scale.high > 1600.25
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks)
    assert len(scale.ticks) >= 3


def test_shades_are_symmetric_round_an_even_share() -> None:
    assert shade(0.5) == 5
    assert [shade(0.0), shade(1.0)] == [1, 9]
    for percent in range(101):
        assert shade(percent / 100) + shade(1 - percent / 100) == 10
