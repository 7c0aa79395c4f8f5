"""Bots at a revision come out of the repository as they were, and touch nothing in it."""

import subprocess
from pathlib import Path

import pytest

from arena.bots.git import check_out, is_revision
from arena.bots.resolve import resolve
from arena.errors import ConfigError

MANIFEST = 'name = "mine"\nversion = "{}"\nrun = ["python3", "bot.py"]\n'


def git(repository, *words):
    identity = ["-c", "user.name=A Test", "-c", "user.email=test@example.org"]
    done = subprocess.run(
        ["git", "-C", str(repository), *identity, *words],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    """A repository with a bot in two versions: 1 is tagged `old`, 2 is committed, 3 is not."""
    root = tmp_path / "repository"
    bot = root / "bots" / "mine"
    bot.mkdir(parents=True)
    git(root, "init", "-q")
    for version in (1, 2, 3):
        (bot / "bot.toml").write_text(MANIFEST.format(version))
        (bot / "bot.py").write_text(f"print({version})\n")
        if version < 3:
            git(root, "add", ".")
            git(root, "commit", "-q", "-m", f"version {version}")
        if version == 1:
            git(root, "tag", "old")
    return root


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


def resolved(text, place, repository):
    found = check_out(text, place, repository=repository)
    return resolve(found.text, Path("/nowhere"))


def test_a_folder_comes_out_as_it_was(repository, place):
    bot = resolved("git:old:bots/mine", place, repository)
    assert (bot.name, bot.id.version) == ("mine", "1")
    assert (bot.folder / "bot.py").read_text() == "print(1)\n"
    assert sorted(path.name for path in bot.folder.iterdir()) == ["bot.py", "bot.toml"]


def test_without_a_path_the_current_folder_is_compared_with_itself(repository, place):
    bot = resolved("git:HEAD", place, repository / "bots" / "mine")
    assert bot.id.version == "2"


def test_a_single_file_may_be_a_bot(repository, place):
    bot = resolved("git:old:bots/mine/bot.py", place, repository)
    assert (bot.name, bot.only) == ("bot", "bot.py")
    assert (bot.folder / "bot.py").read_text() == "print(1)\n"


def test_a_revision_may_be_renamed(repository, place):
    assert resolved("before=git:old:bots/mine", place, repository).name == "before"


def test_the_commit_is_told(repository, place):
    found = check_out("git:old:bots/mine", place, repository=repository)
    assert found.commit == git(repository, "rev-parse", "old")


def test_the_repository_and_its_index_are_left_alone(repository, place):
    before = git(repository, "status", "--porcelain"), git(repository, "ls-files", "--stage")
    check_out("git:old", place, repository=repository)
    after = git(repository, "status", "--porcelain"), git(repository, "ls-files", "--stage")
    assert before == after


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("git:nowhere:bots/mine", "Needed a single revision"),
        ("git:--help:bots/mine", "Needed a single revision"),
        ("git:old:bots/yours", "bots/yours"),
        ("git:old:../mine", "no path in the repository"),
        ("git:old:/etc", "no path in the repository"),
    ],
)
def test_what_is_not_there_is_refused_in_one_line(repository, place, text, words):
    with pytest.raises(ConfigError, match=words) as caught:
        check_out(text, place, repository=repository)
    assert "\n" not in str(caught.value)


def test_outside_a_repository_git_says_so(tmp_path, place):
    with pytest.raises(ConfigError, match="not a git repository"):
        check_out("git:main", place, repository=tmp_path)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("git:main", True),
        ("git:main:a/b", True),
        ("name=git:main", True),
        ("git", False),
        ("bots/git:main", False),
        ("a/b=git:main", False),
    ],
)
def test_only_texts_that_begin_with_git_are_revisions(text, is_one):
    assert is_revision(text) == is_one


def test_what_a_folder_above_says_of_line_ends_and_filters_holds(repository, place):
    (repository / ".gitattributes").write_text("*.py text eol=crlf\n")
    git(repository, "config", "filter.shout.smudge", "tr a-z A-Z")
    (repository / "bots/.gitattributes").write_text("*.txt filter=shout\n")
    (repository / "bots/mine/words.txt").write_text("words\n")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "attributes")
    git(repository, "rm", "-q", "--cached", "-r", ".")
    git(repository, "reset", "-q", "--hard")
    bot = resolved("git:HEAD:bots/mine", place, repository)
    assert (bot.folder / "bot.py").read_bytes() == b"print(3)\r\n"
    assert (bot.folder / "words.txt").read_text() == "WORDS\n"
    assert bot.id.digest == resolve(str(repository / "bots/mine"), Path("/nowhere")).id.digest


def test_the_attributes_are_those_of_the_revision(repository, place):
    (repository / ".gitattributes").write_text("*.py text eol=crlf\n")
    bot = resolved("git:old:bots/mine", place, repository)
    assert (bot.folder / "bot.py").read_bytes() == b"print(1)\n"


def test_in_a_hook_of_a_worktree_it_works(repository, place, monkeypatch):
    worktree = repository.with_name("worktree")
    git(repository, "worktree", "add", "-q", str(worktree), "old")
    monkeypatch.setenv("GIT_DIR", str(repository / ".git/worktrees/worktree"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository / ".git/worktrees/worktree/index"))
    monkeypatch.setenv("GIT_PREFIX", "")
    assert resolved("git:HEAD", place, worktree / "bots/mine").id.version == "1"


def test_a_revision_that_is_missing_is_named_with_a_remedy(repository, place):
    with pytest.raises(ConfigError, match=r"git:nowhere.*--unshallow"):
        check_out("git:nowhere:bots/mine", place, repository=repository)
