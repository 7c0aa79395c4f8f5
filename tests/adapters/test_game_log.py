"""Game logs of the 2022 tournament become records that keep the rules, or say why not."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys

import pytest

from arena.adapters.bhoos.cards import their_name
from arena.adapters.bhoos.game_log import GameLog, read_logs
from arena.adapters.bhoos.imported import import_game
from arena.errors import ConfigError
from arena.games.callbreak.cards import parse_card
from arena.games.callbreak.game import Callbreak
from arena.records import FaultKind

GAME = Callbreak()
PLAYERS = ["Bot 1", "Twin", "Bot 0", "Twin"]


def theirs(cards):
    return [their_name(parse_card(card)) for card in cards]


def played(seed: int, deals: int = 5):
    """A match of ours, played at random under the rules of that tournament."""
    chance = random.Random(seed)
    state = GAME.new_match(str(seed), GAME.variant("bhoos", {"deals": deals}))
    while not state.is_terminal():
        state.apply(chance.choice(state.legal_actions()))
    return list(state.record())


def log_of(deals):
    """The same match as that tournament's server would have logged it."""
    return {
        "players": PLAYERS,
        "rounds": [
            {
                "dealer": deal["dealer"],
                "cards": [theirs(hand) for hand in deal["hands"]],
                "bids": deal["calls"],
                "errors": {},
                "actions": [
                    {"started": t["leader"], "cards": theirs(t["cards"]), "ended": t["winner"]}
                    for t in deal["tricks"]
                ],
                "scores": deal["scores"],
                "responseTimes": [17, 0, 0, 19.3],
            }
            for deal in deals
        ],
        "ranks": [1, 2, 3, 4],
    }


def imported(log):
    return import_game("log", GameLog.model_validate(log), GAME)


@pytest.mark.parametrize("seed", range(5))
def test_a_log_becomes_the_record_of_the_same_match(seed):
    deals = played(seed)
    found = imported(log_of(deals))
    assert found.differs == ""
    assert [dict(deal) for deal in found.record.deals] == deals
    assert list(found.record.scores) == deals[-1]["scores"]
    assert [bot.name for bot in found.record.seats] == PLAYERS
    assert GAME.replay(json.loads(json.dumps(found.record.as_dict()))).error == ""


def test_games_on_the_same_cards_are_of_one_deal_set():
    log = log_of(played(1))
    other = copy.deepcopy(log)
    other["players"] = ["a", "b", "c", "d"]
    sets = {imported(game).record.set for game in (log, other, log_of(played(2)))}
    assert len(sets) == 2


def test_what_the_server_replaced_is_a_forgiven_fault_of_the_player_of_that_card():
    log = log_of(played(3))
    trick = log["rounds"][4]["actions"][6]
    wrong = {"prev": "8D", "next": trick["cards"][3]}
    log["rounds"][4]["errors"] = {
        "6": [{"type": "INVALID_MOVE", "turn": 3, "correction": wrong}],
        "-1": [{"type": "TIMEOUT", "turn": 2, "correction": {"prev": None, "next": 1}}],
    }
    found = imported(log)
    late, corrected = found.record.faults
    assert found.corrections == 2
    assert (corrected.kind, corrected.seat) == (
        FaultKind.ILLEGAL_ACTION,
        (trick["started"] + 3) % 4,
    )
    assert (corrected.deal, corrected.trick, corrected.arrived) == (5, 7, "8D")
    assert (late.kind, late.seat, late.deal, late.trick) == (FaultKind.TIMEOUT, 2, 5, None)
    assert not late.retired
    assert not corrected.retired
    assert found.differs == ""


def cut(log, tricks):
    """Cuts the last deal off after two cards of a trick; the third player was late."""
    last = log["rounds"][-1]
    trick = last["actions"][tricks]
    last["actions"] = [
        *last["actions"][:tricks],
        {"started": trick["started"], "cards": [*trick["cards"][:2], None, None], "ended": None},
    ]
    last["errors"] = {str(tricks): [{"type": "TIMEOUT", "turn": 2, "correction": None}]}
    return (trick["started"] + 2) % 4


def test_a_deal_that_was_cut_off_is_marked_and_its_culprit_ranks_last():
    deals = played(4)
    log = log_of(deals)
    culprit = cut(log, 9)
    found = imported(log)
    record = found.record
    assert found.differs == ""
    assert (len(record.deals), found.cut_off, found.corrections) == (4, 1, 0)
    (marked,) = record.as_dict()["cut_off"]
    assert (marked["deal"], marked["hands"]) == (5, deals[4]["hands"])
    assert marked["tricks"][:9] == deals[4]["tricks"][:9]
    assert marked["tricks"][9]["cards"][2:] == [None, None]
    (fault,) = record.faults
    assert (fault.seat, fault.kind, fault.retired) == (culprit, FaultKind.TIMEOUT, True)
    assert record.ranks[culprit] == 4


def test_a_game_without_a_whole_deal_gives_no_record():
    log = log_of(played(4, deals=1))
    cut(log, 0)
    assert imported(log).record is None


def change(log, path, value):
    *parents, key = path
    for step in parents:
        log = log[step]
    log[key] = value


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("rounds", 1, "actions", 3, "ended"), 9, None),
        (("rounds", 1, "scores", 2), 77.7, "deal 2, points"),
        (("rounds", 0, "bids", 0), 9, "deal 1, seat 0 called 9"),
        (("rounds", 2, "dealer"), 0, "the dealer"),
    ],
)
def test_a_log_that_does_not_keep_the_rules_is_told_with_its_place(path, value, words):
    log = log_of(played(5))
    if path[-1] == "dealer":
        value = (log["rounds"][2]["dealer"] + 1) % 4
    if words is None:
        winner = log["rounds"][1]["actions"][3]["ended"]
        value, words = (winner + 1) % 4, "deal 2, trick 4, the winner"
    change(log, path, value)
    assert words in imported(log).differs


def test_a_card_played_twice_is_found():
    log = log_of(played(6))
    actions = log["rounds"][0]["actions"]
    actions[1]["cards"][0] = actions[0]["cards"][0]
    assert imported(log).differs.startswith("deal 1, trick 2, seat")


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("rounds", 0, "cards", 0, 0), "AS", "not a card"),
        (("rounds", 0, "scores", 0), 0.123, "no whole number of tenths"),
    ],
)
def test_what_is_no_card_or_score_is_told(path, value, words):
    log = log_of(played(7))
    change(log, path, value)
    with pytest.raises(ConfigError, match=words):
        imported(log)


@pytest.mark.parametrize("form", ["one", "list", "lines"])
def test_a_file_holds_one_game_a_list_or_one_a_line(tmp_path, form):
    logs = [log_of(played(seed, deals=1)) for seed in range(1 if form == "one" else 3)]
    path = tmp_path / "games.json"
    texts = {"one": json.dumps(logs[0], indent=2), "list": json.dumps(logs)}
    path.write_text(texts.get(form) or "\n".join(map(json.dumps, logs)) + "\n")
    names = [name for name, _ in read_logs(path)]
    assert names == (["games"] if form == "one" else ["games-1", "games-2", "games-3"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1: is not JSON"),
        ("[]\n{", "line 2: is not JSON"),
        ('{"players": ["a"], "rounds": []}', "players"),
        ('{"players": ["a","b","c","d"]}', "rounds: field required"),
        ("7", "the game"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_file_that_holds_none_is_one_line(tmp_path, text, words):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match=words) as caught:
        list(read_logs(path))
    assert "\n" not in str(caught.value)


def test_the_command_writes_records_and_says_what_it_found(tmp_path):
    good, short = log_of(played(8)), log_of(played(9))
    cut(short, 3)
    (tmp_path / "good.json").write_text(json.dumps(good))
    (tmp_path / "short.json").write_text(json.dumps(short))
    done = subprocess.run(
        [sys.executable, "-m", "arena", "import-bhoos", "good.json", "short.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "good: 5 deals\nshort: 4 deals, 1 deal cut off\n"
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["match"] for record in records] == ["good", "short"]
    assert all(GAME.replay(record).error == "" for record in records)
