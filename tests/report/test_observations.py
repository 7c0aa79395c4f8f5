"""Without chance, bots that play the same again show nothing new."""

from __future__ import annotations

import pytest

from arena.ratings.elo import BatchElo
from arena.records import brief_of
from arena.report.board_grid import board_grid
from arena.report.leaderboard import Leaderboard, build_leaderboard
from arena.report.matches import Matches

BEATS = {("a", "b"): 0, ("b", "a"): 1, ("b", "c"): 0, ("c", "b"): 1, ("a", "c"): 1, ("c", "a"): 0}


def record(number: int, seats: tuple[str, str], play: int = 0, **more: object) -> dict:
    scores = [1, 0] if BEATS[seats] == 0 else [0, 1]
    return {
        "record": 1,
        "match": f"{number}",
        "set": f"s{number // 2}",
        "game": "nim",
        "chance": False,
        "seats": [{"bot": bot} for bot in seats],
        "deals": [{"points": scores}],
        "scores": scores,
        "actions": [play, *scores],
        **more,
    }


def board_of(records: list[dict]) -> Leaderboard:
    matches = Matches()
    matches.gather(("", each) for each in records)
    assert not matches.bad
    return build_leaderboard(matches, [BatchElo()])


def rounds(times: int, **more: object) -> list[dict]:
    seats = list(BEATS) * times
    return [record(number, pair, **more) for number, pair in enumerate(seats)]


def test_a_repeated_table_of_a_game_without_chance_is_one_observation():
    once, often = board_of(rounds(1)), board_of(rounds(300))
    assert [row.rated for row in once.rows] == [row.rated for row in often.rows]
    assert [row.statistics.matches for row in often.rows] == [1200] * 3
    bars = [row.statistics.points_per_match.se for row in often.rows]
    assert bars == [row.statistics.points_per_match.se for row in once.rows]
    assert any("rest on 6 of 1800 matches" in note for note in board_grid(often).notes)


def test_a_brief_tells_repetitions_as_well_as_the_record():
    records = [{**each, "seed": "s", "variant": {}} for each in rounds(3)]
    briefs = board_of([brief_of(each) for each in records])
    assert [row.rated for row in briefs.rows] == [row.rated for row in board_of(rounds(1)).rows]


def test_bots_that_vary_make_every_match_of_their_table_count():
    records = [
        record(n, pair, play=n if "a" in pair else 0) for n, pair in enumerate(list(BEATS) * 10)
    ]
    kept = board_of(records)
    assert any("rest on 42 of 60 matches" in note for note in board_grid(kept).notes)


def test_with_chance_every_match_counts():
    assert board_of(rounds(3, chance=True)).fit.pairs.games.sum() == 18


@pytest.mark.parametrize("chance", [True, False])
def test_the_other_way_round_is_no_repetition(chance):
    assert board_of(rounds(1, chance=chance)).fit.pairs.repeats == 1
