"""SPEC.md as data for tests: its examples, and its table of accepted and refused lines.

In the table the digit 7 stands only in ids of the request that is open, `"AS"` only for a card
that is legal and `"KH"` only for one that is not held, so that a test with a real referee can put
in what it needs: see `SpecLine.for_request`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
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

    def for_request(self, number: int, legal_card: str = "AS", other_card: str = "KH") -> SpecLine:
        """The same row for a request with another id (of one digit) and other cards."""
        words = {b"7": b"%d" % number, b"AS": legal_card.encode(), b"KH": other_card.encode()}
        pieces = self.pieces
        for old, new in words.items():
            pieces = tuple(piece.replace(old, new) for piece in pieces)
        return replace(self, pieces=pieces)


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
