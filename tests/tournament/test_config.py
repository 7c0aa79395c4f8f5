"""A tournament file is checked at the edge, and every mistake is named."""

import pytest

from arena.errors import ConfigError
from arena.tournament.config import (
    check_tournament,
    override,
    read_content,
    read_setting,
    read_tournament,
)

BOTS = {"bots": ["random", "random"]}


def complaint(content) -> str:
    with pytest.raises(ConfigError) as caught:
        check_tournament(content, where="t.toml")
    return str(caught.value)


def test_the_least_file_is_a_list_of_bots():
    file = check_tournament(BOTS, where="t.toml")
    assert file.schedule.format == "round-robin"
    assert file.seed_text() is None


def test_a_number_is_a_seed_too():
    assert check_tournament({**BOTS, "seed": 7}, where="t.toml").seed_text() == "7"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({}, "t.toml: `bots` is missing"),
        ({"bots": []}, "`bots`"),
        ({**BOTS, "shedule": {}}, "`shedule` is no setting; did you mean `schedule`?"),
        ({**BOTS, "limits": {"move_msec": 5}}, "did you mean `limits.move_ms`?"),
        ({**BOTS, "limits": {"move_ms": 0}}, "`limits.move_ms`"),
        ({**BOTS, "limits": {"move_ms": "5"}}, "`limits.move_ms`"),
        ({**BOTS, "limits": 5}, "`limits`"),
        ({**BOTS, "run": {"restart": "never"}}, "`run.restart`"),
        ({**BOTS, "sandbox": {"require": {"memory": "maybe"}}}, "`sandbox.require.memory`"),
        ({**BOTS, "name": "../x"}, "`name`: a letter or digit, then"),
        ({**BOTS, "orbits": 3}, "did you mean `schedule.orbits`?"),
        ({**BOTS, "schedule": {"move_ms": 3}}, "did you mean `limits.move_ms`?"),
        ({**BOTS, "seed": ""}, "`seed`: a seed is a number or some text"),
        ({**BOTS, "seed": "\udcff"}, "`seed`: a seed is a number or some text"),
    ],
)
def test_a_mistake_is_named_with_its_place(content, words):
    assert words in complaint(content)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"bots = [", "is not TOML"),
        (b"\xff\xfe", "is not UTF-8"),
        (None, "cannot be read"),
        (b"bots = " + b"[" * 9000 + b"]" * 9000, "nested deeper"),
        (b"seed = " + b"9" * 5000, "is not TOML"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, text, words):
    path = tmp_path / "t.toml"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(ConfigError, match=words) as caught:
        read_tournament(path)
    assert "\n" not in str(caught.value)


def test_options_replace_settings_and_leave_the_rest():
    content = {"bots": ["a", "b"], "limits": {"move_ms": 5, "start_ms": 6}}
    changed = override(content, {"limits.move_ms": 7, "seed": "s", "limits.strikes": None})
    assert changed == {"bots": ["a", "b"], "limits": {"move_ms": 7, "start_ms": 6}, "seed": "s"}
    assert content["limits"]["move_ms"] == 5


def test_a_setting_is_replaced_however_deep_it_lies():
    changed = override({"bots": ["a"]}, {"game.parameters.min_call": 1})
    assert changed["game"] == {"parameters": {"min_call": 1}}


def test_a_setting_of_what_has_no_settings_is_refused():
    with pytest.raises(ConfigError, match="`bots` has no settings"):
        override({"bots": ["a"]}, {"bots.x": 1})


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        ("limits.late_ms=20", ("limits.late_ms", 20)),
        ("run.hide_names = true", ("run.hide_names", True)),
        ("limits.on_host_stall=void", ("limits.on_host_stall", "void")),
        ('name="a = b"', ("name", "a = b")),
        ("game.parameters.overtricks_allowed=[1", ("game.parameters.overtricks_allowed", "[1")),
    ],
)
def test_a_setting_is_read_as_in_a_file_or_is_a_string(text, setting):
    assert read_setting(text) == setting


@pytest.mark.parametrize("text", ["limits.late_ms", "=5", "limits.late_ms="])
def test_what_is_no_setting_is_refused(text):
    with pytest.raises(ConfigError, match=r"SECTION\.KEY=VALUE"):
        read_setting(text)


def test_a_file_that_begins_with_a_bom_is_read_like_any_other(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text('bots = ["random", "random"]\n', encoding="utf-8-sig")
    assert read_content(path) == BOTS
