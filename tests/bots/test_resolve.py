"""Whatever names a bot leads to it; whatever does not is refused with the nearest names."""

import pickle
import re

import pytest
from arena_protocol.patterns import NAME_PATTERN
from hypothesis import given
from hypothesis import strategies as st

from arena.bots.resolve import resolve, valid_name
from arena.errors import ConfigError

MANIFEST = 'name = "plain"\nversion = "1.0"\nrun = ["python3", "bot.py"]\n'


@pytest.fixture
def bundled(tmp_path):
    for name in ("random", "ducking", "counting"):
        folder = tmp_path / "bundled" / name
        folder.mkdir(parents=True)
        (folder / "bot.py").write_text("pass\n")
        (folder / "bot.toml").write_text(MANIFEST.replace("plain", name))
    return tmp_path / "bundled"


@pytest.fixture
def mine(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text("pass\n")
    (folder / "bot.toml").write_text(MANIFEST)
    return folder


def test_a_folder_and_its_manifest_name_the_same_bot(bundled, mine):
    bot = resolve(str(mine), bundled)
    assert resolve(str(mine / "bot.toml"), bundled) == bot
    assert (bot.id.name, bot.id.version, len(bot.id.digest)) == ("plain", "1.0", 64)
    assert bot.run == ("python3", "bot.py")
    assert not bot.ready


def test_a_path_starts_where_the_caller_says(bundled, mine):
    there = resolve("mine", bundled, relative_to=mine.parent)
    assert there == resolve(str(mine), bundled)


def test_a_bundled_bot_goes_by_its_name(bundled):
    assert resolve("random", bundled).folder == bundled / "random"


def test_a_name_before_an_equals_sign_renames_and_keeps_the_digest(bundled, mine):
    for text in (str(mine), "random", str(mine / "bot.py")):
        bot, renamed = resolve(text, bundled), resolve(f"new={text}", bundled)
        assert renamed.id.name == "new"
        assert renamed.id.digest == bot.id.digest


def test_an_equals_sign_in_a_path_does_not_rename(bundled, tmp_path):
    folder = tmp_path / "a=b"
    folder.mkdir()
    (folder / "x.py").write_text("")
    assert resolve(str(folder / "x.py"), bundled).id.name == "x"


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("My Bot_2.py", ("python3", "My Bot_2.py")),
        ("-my-bot-2.py", ("python3", "./-my-bot-2.py")),
        ("My Bot_2.js", ("node", "My Bot_2.js")),
        ("My Bot_2", ("./My Bot_2",)),
    ],
)
def test_one_file_is_a_bot_of_version_0_named_after_it(bundled, tmp_path, name, run):
    (tmp_path / "other").write_text("not part of it")
    (tmp_path / name).write_text("#!/bin/sh\n")
    (tmp_path / name).chmod(0o755)
    bot = resolve(str(tmp_path / name), bundled)
    assert (bot.id.name, bot.id.version, bot.run, bot.only) == ("my-bot-2", "0", run, name)
    (tmp_path / "other").write_text("changed")
    assert resolve(str(tmp_path / name), bundled) == bot


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("randon", "no bot `randon` (a folder with bot.toml, one file, or a bundled bot: random)"),
        ("zzz", "bundled bot: counting, ducking, random"),
        ("", "an empty text names no bot (give a folder, a file, or a name)"),
        ("a=", "`a=` names no bot (write NAME=BOT)"),
        ("=", "`=` names no bot (write NAME=BOT)"),
        ("Big=random", "`Big` is not a name for a bot"),
        ("=random", "`=random` gives no name before the `=` (write NAME=BOT, or random alone"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(bundled, text, said):
    with pytest.raises(ConfigError) as caught:
        resolve(text, bundled)
    assert said in str(caught.value)


def test_a_folder_without_manifest_is_refused(bundled, tmp_path):
    with pytest.raises(ConfigError, match=r"has no bot\.toml"):
        resolve(str(tmp_path), bundled)


def test_a_file_that_cannot_be_run_is_refused(bundled, tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(ConfigError, match="neither executable nor"):
        resolve(str(tmp_path / "notes.txt"), bundled)


def test_a_program_that_is_neither_there_nor_built_is_refused(bundled, mine):
    manifest = mine / "bot.toml"
    manifest.write_text(MANIFEST.replace('"python3", "bot.py"', '"./bot"'))
    with pytest.raises(ConfigError, match=r"`run` starts \./bot"):
        resolve(str(mine), bundled)
    manifest.write_text(manifest.read_text() + 'build = ["make"]\n')
    assert resolve(str(mine), bundled).build == ("make",)


def test_a_program_that_is_not_executable_is_refused_where_its_author_keeps_it(bundled, mine):
    (mine / "bot.toml").write_text(MANIFEST.replace('["python3", "bot.py"]', '["./bot.py"]'))
    with pytest.raises(ConfigError, match=r"chmod \+x \./bot\.py") as refused:
        resolve(str(mine), bundled)
    assert refused.value.where == str(mine / "bot.toml")
    (mine / "bot.py").chmod(0o755)
    assert resolve(str(mine), bundled).run == ("./bot.py",)


def test_a_build_that_starts_what_is_not_there_or_cannot_start_is_refused(bundled, mine):
    (mine / "bot.toml").write_text(MANIFEST + 'build = ["./make.sh"]\n')
    with pytest.raises(ConfigError, match=r"`build` starts \./make\.sh, which is not among"):
        resolve(str(mine), bundled)
    (mine / "make.sh").write_text("#!/bin/sh\n")
    with pytest.raises(ConfigError, match=r"`build` starts .* executable \(chmod \+x") as refused:
        resolve(str(mine), bundled)
    assert refused.value.where == str(mine / "bot.toml")
    (mine / "make.sh").chmod(0o755)
    assert resolve(str(mine), bundled).build == ("./make.sh",)


@pytest.mark.parametrize("text", ["~nobody-of-that-name/bot", "a" * 3000 + "/" + "b" * 200])
def test_a_path_to_nowhere_is_refused_briefly(bundled, text):
    with pytest.raises(ConfigError) as refused:
        resolve(text, bundled)
    assert len(str(refused.value)) < 300


def test_a_bot_crosses_process_boundaries(bundled):
    bot = resolve("random", bundled)
    assert pickle.loads(pickle.dumps(bot)) == bot


@given(st.text())
def test_a_name_made_valid_is_valid(text):
    name = valid_name(text)
    assert re.fullmatch(NAME_PATTERN, name)
    assert valid_name(name) == name
