"""Each row of SPEC.md's table gets its verdict from the real referee, written by a real process."""

import sys
from pathlib import Path

import pytest

from arena.referee.api import TimeLimits
from arena.referee.driver import play
from tests.protocol.spec_lines import SPEC_LINES
from tests.referee.links import CLOCK, a_table, python_bot, seated

BOT = Path(__file__).parent / "line_bot.py"
LIMITS = TimeLimits(start_ms=20_000, move_ms=20_000, match_ms=60_000)


@pytest.fixture(scope="module")
def fair_seats():
    """Three fair bots that play all these matches."""
    with seated([python_bot("fair")] * 3, LIMITS) as seats:
        yield seats


@pytest.mark.parametrize("row", SPEC_LINES, ids=lambda row: f"{row.asked}: {row.because}")
def test_the_referee_gives_the_verdict_of_the_table(row, fair_seats, tmp_path):
    pieces = tmp_path / "pieces"
    pieces.write_text("\n".join(piece.hex() for piece in row.pieces))
    command = [sys.executable, "-S", "-E", str(BOT), row.asked, str(pieces)]
    with seated([command], LIMITS) as [seat]:
        record = play(a_table(), [seat, *fair_seats], CLOCK)
    assert [fault.kind.value for fault in record.faults] == (
        [] if row.verdict == "accepted" else [row.verdict]
    )
    assert not any(fault.seat for fault in record.faults)
    assert all(other.usable for other in fair_seats)
    assert len(record.deals[0]["tricks"]) == 13
