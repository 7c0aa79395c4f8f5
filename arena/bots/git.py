"""Bots at a revision: `git:REV` and `git:REV:PATH` in the repository of the current folder.

The files come out of git's objects through an index of our own: neither the working tree nor the
repository is touched. The index holds the `.gitattributes` of the folders above as well, so that
line ends and filters (LFS) are those of a checkout of that commit. Without a path it is the place
of the current folder in the repository that is taken, so that `git:main` beside `.` compares a
folder with itself on main.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from arena.errors import ConfigError
from arena.process import Answer, ask

TIMEOUT_S = 120
_OF_A_HOOK = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")
"""Git sets these where it runs a hook; they are for another folder than the one we ask about."""

_FORM = re.compile(r"(?P<name>[^=/:]+=)?git:(?P<rev>[^:]+)(?::(?P<path>.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CheckedOut:
    """What to resolve instead of the text that was typed, and the commit that it came from."""

    text: str
    commit: str


def is_revision(text: str) -> bool:
    """Whether a text names a bot at a revision, under a name of its own or not."""
    return bool(_FORM.fullmatch(text))


def check_out(text: str, folder: Path, *, repository: Path) -> CheckedOut:
    """The bot's files at that revision, written into `folder`, which must be empty.

    `repository` is any folder inside it. Raises ConfigError.
    """
    match = _FORM.fullmatch(text)
    if not match:
        raise ConfigError(f"`{text}` is no revision", mend="write git:REV or git:REV:PATH")
    git = _Git(repository.absolute(), text)
    top = Path(git.tell("rev-parse", "--show-toplevel"))
    place = git.tell("rev-parse", "--show-prefix") if match["path"] is None else match["path"]
    commit = git.tell("rev-parse", "--verify", "--end-of-options", f"{match['rev']}^{{commit}}")
    path = _inside(place, text)
    found = _Git(top, text).write(commit, path, folder)
    return CheckedOut(f"{match['name'] or ''}{found}", commit)


def _inside(place: str, text: str) -> str:
    """The path from the root of the repository, "" for the root itself."""
    path = PurePosixPath(place)
    if path.is_absolute() or ".." in path.parts:
        raise ConfigError(f"`{place}` is no path in the repository", where=text)
    return "" if path == PurePosixPath(".") else str(path)


@dataclass(frozen=True, slots=True)
class _Git:
    """Git in one folder; `text` is what a person typed, for messages."""

    folder: Path
    text: str

    def tell(self, *words: str, index: Path | None = None) -> str:
        """What git prints. Raises ConfigError with git's own first line if it refuses."""
        env = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
        if index:
            # Without files of its own beside it, git takes all attributes from the index.
            env |= {"GIT_INDEX_FILE": str(index), "GIT_WORK_TREE": str(index.parent)}
            env |= {"GIT_DIR": self.tell("rev-parse", "--absolute-git-dir")}
        answer = ask(["git", "-C", str(self.folder), *words], timeout_s=TIMEOUT_S, env=env)
        if answer.status:
            raise ConfigError(_complaint(answer), where=self.text, mend=self._remedy(answer))
        return answer.out

    def write(self, commit: str, path: str, folder: Path) -> Path:
        """Writes a folder or one file of a commit; returns where it lies."""
        kind = self.tell("cat-file", "-t", f"{commit}:{path}")
        parent, name = (path, "") if kind == "tree" else _split(path)
        index = folder / ".index"
        self.tell("read-tree", *_under(parent), f"{commit}:{parent}", index=index)
        self._add_attributes(commit, parent, index)
        # A name of its own, so that a bot without bot.toml is still called after its folder.
        target = folder / self.folder.name
        found = PurePosixPath(parent, name)
        wanted = ("--", str(found)) if name else ("--all",)
        self.tell("checkout-index", f"--prefix={target}/", *wanted, index=index)
        index.unlink()
        return target / found

    def _add_attributes(self, commit: str, parent: str, index: Path) -> None:
        """The index holds what the folders above `parent` say of the files in it."""
        for above in PurePosixPath(parent).parents if parent else ():
            path = str(above / ".gitattributes")
            listed = self.tell("ls-tree", commit, "--", f":(top,literal){path}", index=index)
            if listed:
                mode, _, blob = listed.split()[:3]
                entry = f"{mode},{blob},{path}"
                self.tell("update-index", "--add", "--cacheinfo", entry, index=index)

    def _remedy(self, answer: Answer) -> str:
        if "dubious ownership" in answer.err:
            return f"git config --global --add safe.directory {self.folder}"
        if "single revision" in answer.err:
            return "`git log` names revisions; in a shallow clone, `git fetch --unshallow` first"
        return ""


def _under(parent: str) -> tuple[str, ...]:
    """Where in the index a folder's files go, so that they are where they are in the commit."""
    return (f"--prefix={parent}/",) if parent else ()


def _split(path: str) -> tuple[str, str]:
    whole = PurePosixPath(path)
    return ("" if str(whole.parent) == "." else str(whole.parent)), whole.name


def _complaint(answer: Answer) -> str:
    if answer.status == 127:
        return "git is not installed"
    lines = (answer.err or "git refused").splitlines()
    return lines[0].removeprefix("fatal: ")
