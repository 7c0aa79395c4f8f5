"""SPEC.md as data for tests: its examples, and its table of accepted and refused lines.

In the table the digit 7 stands only in ids of the request that is open, `"AS"` only for a card
that is legal and `"KH"` only for one that is not held, so that a test with a real referee can put
in what it needs (`line_bot.py` does).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SPEC = Path(__file__).parents[2] / "protocol" / "SPEC.md"
TEXT = SPEC.read_text(encoding="utf-8")
HEADING = "| asked | the bot writes | verdict | because |"
BYTES = {
    "CR": b"\r",
    "LF": b"\n",
    "TAB": b"\t",
    "NUL": b"\0",
    "SPACE": b" ",
    "BOM": b"\xef\xbb\xbf",
    "FF": b"\xff",
}


@dataclass(frozen=True, slots=True)
class SpecLine:
    """One row. `pieces` are what the bot writes, one after another; the last ends with LF."""

    asked: str
    pieces: tuple[bytes, ...]
    verdict: str
    because: str


def blocks(info: str) -> list[str]:
    """The code blocks with this info string."""
    return re.findall(rf"^```{info}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def read_spec_lines() -> list[SpecLine]:
    """All rows, in order."""
    table = TEXT.split(HEADING + "\n", 1)[1].split("\n\n", 1)[0]
    return [_row(line) for line in table.splitlines()[1:]]


def _row(line: str) -> SpecLine:
    found = re.fullmatch(r"\| (\w+) \| `(.*)` \| ([\w-]+) \| (.+) \|", line)
    assert found, f"not a row of the table: {line}"
    asked, writes, verdict, because = found.groups()
    return SpecLine(asked, tuple(_pieces(writes)), verdict, because)


def _pieces(writes: str) -> Iterator[bytes]:
    for piece in (writes + "⟨LF⟩").split("⟨pause⟩"):
        yield b"".join(_decode(part) for part in re.split("(⟨.*?⟩)", piece))


def _decode(part: str) -> bytes:
    if not part.startswith("⟨"):
        return part.encode()
    what, _, count = part[1:-1].partition(" \N{MULTIPLICATION SIGN} ")
    return BYTES.get(what, what.encode()) * int(count or 1)


SPEC_LINES = read_spec_lines()
EXAMPLE_MESSAGES = [json.loads(block) for block in blocks("json message")]
EXAMPLE_REPLIES = [line for block in blocks("json reply") for line in block.splitlines()]
