"""`arena new` writes a bot that is built, passes its own tests and plays legal matches at once."""

import shutil
import subprocess
import sys

import pytest

from arena.bots.build import build_bot
from arena.bots.bundled import bundled_sdk
from arena.bots.manifest import read_manifest
from arena.bots.resolve import resolve
from arena.bots.scaffold import LANGUAGES, find_language, write_scaffold
from arena.bots.toolchain import missing_toolchain
from arena.errors import ConfigError

each_language = pytest.mark.parametrize(
    "language",
    [
        pytest.param(name, marks=[pytest.mark.slow] if language.build else [])
        for name, language in LANGUAGES.items()
    ],
)


@pytest.fixture
def new(tmp_path):
    """A new bot of that language, resolved; a missing toolchain skips the test by its name."""

    def write(language):
        write_scaffold("my-bot", language, tmp_path / "my-bot", bundled_sdk())
        bot = resolve(str(tmp_path / "my-bot"), tmp_path)
        if lack := missing_toolchain(bot):
            pytest.skip(f"{language}: {lack}")
        return bot

    return write


@each_language
def test_a_new_bot_plays_legal_matches_under_every_variant(
    language, new, workshop, talk, alone, variants
):
    bot = build_bot(new(language), workshop)
    for number, variant in enumerate(variants.values()):
        with talk(bot) as it:
            it.hello(variant)
            alone(it, variant, "seed", seat=number, bot_seed=number)
            assert it.quit() == 0


@each_language
def test_a_new_bot_passes_its_own_tests(language, new):
    bot = new(language)
    tests = subprocess.run(
        [sys.executable, "test_bot.py"], cwd=bot.folder, capture_output=True, text=True
    )
    assert tests.returncode == 0, tests.stderr
    assert "Ran 3 tests" in tests.stderr


@each_language
def test_neither_its_tests_nor_a_build_by_hand_leave_what_git_would_take(language, new):
    folder = new(language).folder
    files = sorted(path.name for path in folder.iterdir())
    subprocess.run([sys.executable, "test_bot.py"], cwd=folder, capture_output=True, check=True)
    assert sorted(path.name for path in folder.iterdir()) == files
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    if build := LANGUAGES[language].build:
        subprocess.run(build, cwd=folder, check=True)
    subprocess.run([sys.executable, "-c", "import test_bot"], cwd=folder, check=True)
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "--directory"],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert sorted(listed.stdout.split()) == files


def test_its_own_tests_find_an_illegal_action(new):
    bot = new("python")
    source = bot.folder / "bot.py"
    source.write_text(source.read_text().replace("winning[0] if winning else", '"AS" if 1 else'))
    tests = subprocess.run(
        [sys.executable, "test_bot.py"], cwd=bot.folder, capture_output=True, text=True
    )
    assert tests.returncode == 1
    assert "FAIL: test_every_action_is_legal" in tests.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_is_about_ten_lines_described_and_complete(language, tmp_path):
    written = write_scaffold("my-bot", language, tmp_path / "new", bundled_sdk())
    assert written == tuple(sorted((tmp_path / "new").iterdir()))
    manifest = read_manifest(tmp_path / "new" / "bot.toml")
    assert (manifest.name, manifest.language) == ("my-bot", language)
    readme = (tmp_path / "new" / "README.md").read_text()
    assert readme.startswith("# my-bot\n")
    [source] = [p for p in written if p.stem.lower() == "bot" and p.suffix != ".toml"]
    assert f"`{source.name}`" in readme
    code = [line for line in source.read_text().splitlines() if line.strip(" \t{}();")]
    assert len(code) <= 25


def test_languages_go_by_their_usual_short_names():
    assert [find_language(word) for word in ("py", "JS", "c++", "rs", "golang", "sh", "ts")] == [
        "python",
        "javascript",
        "cpp",
        "rust",
        "go",
        "shell",
        "typescript",
    ]
    with pytest.raises(ConfigError, match=r"'pyhton' \(did you mean 'python'"):
        find_language("pyhton")


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "new").mkdir()
    write_scaffold("new", "python", tmp_path / "new", bundled_sdk())
    with pytest.raises(ConfigError, match="is there already"):
        write_scaffold("new", "python", tmp_path / "new", bundled_sdk())
    shutil.rmtree(tmp_path / "new")
    (tmp_path / "new").write_text("a file")
    with pytest.raises(ConfigError, match="is there already"):
        write_scaffold("new", "python", tmp_path / "new", bundled_sdk())


def test_a_name_that_no_bot_may_have_is_refused_with_one_that_it_may(tmp_path):
    with pytest.raises(ConfigError, match="such as my-bot"):
        write_scaffold("My Bot", "python", tmp_path / "x", bundled_sdk())
