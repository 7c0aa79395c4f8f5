"""The pages about bots say what is there."""

from pathlib import Path

from arena_protocol.manifest import KEYS

from arena.bots import digest
from arena.bots.bundled import bundled_bots, bundled_names, bundled_sdk
from arena.bots.compile import BuildLimits
from arena.bots.resolve import resolve
from arena.bots.scaffold import LANGUAGES
from arena.inspect.findings import CODES

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "bots.md").read_text()


def rows(text):
    """The cells of all table rows of a page."""
    lines = (line for line in text.splitlines() if line.startswith("| "))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_bundled_bot_stands_in_the_table_with_its_description():
    table = {row[0]: row[2] for row in rows((bundled_bots() / "README.md").read_text())[1:]}
    bots = [resolve(name, bundled_bots()) for name in bundled_names(bundled_bots())]
    assert table == {f"[{bot.name}]({bot.name})": bot.description for bot in bots}


def test_the_guide_names_every_language_of_the_scaffold():
    listed = GUIDE.partition("`--lang` is one of ")[2].partition(".")[0]
    assert listed.replace("`", "").split(", ") == list(LANGUAGES)


def test_the_guide_names_every_sdk_file():
    for file in bundled_sdk().glob("*/callbreak*"):
        assert f"`{file.parent.name}/{file.name}`" in GUIDE
    for file in bundled_sdk().glob("java/*.java"):
        assert f"`java/{file.name}`" in GUIDE


def test_the_guide_names_every_key_of_a_manifest():
    for key in KEYS:
        assert f"`{key}`" in GUIDE or f"\n{key} = " in GUIDE, key


def test_the_guide_names_the_limits_that_hold():
    limits = BuildLimits()
    assert f"at most {limits.time_s} s, {limits.memory_mb >> 10} GB of memory" in GUIDE
    assert f"{limits.disk_mb >> 10} GB of disk" in GUIDE
    assert f"{digest.MAX_BYTES >> 20} MB in {digest.MAX_FILES:,} files" in GUIDE
    for left_out in digest.LEFT_OUT:
        assert f"`{left_out}`" in GUIDE


def test_the_guide_lists_every_finding_of_a_check():
    listed = [tuple(row) for row in rows(GUIDE) if row[0].strip("`") in CODES]
    assert listed == [(f"`{name}`", c.level.value, c.title) for name, c in CODES.items()]
