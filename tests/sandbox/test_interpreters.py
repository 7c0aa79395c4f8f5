"""The real program is found behind whatever a version manager puts in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.sandbox.api import Limits, Program, Sandbox
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.interpreters import find
from arena.sandbox.landlock import Landlock

PYENV = """#!/bin/sh
[ "$1 $2" = "which python3" ] && echo "${0%/bin/pyenv}/versions/3.12/bin/python3.12"
"""


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def pyenv(tmp_path: Path) -> Path:
    """A home with pyenv's folders in it, and one version of Python."""
    root = tmp_path / "home" / ".pyenv"
    program(root / "bin/pyenv", PYENV)
    program(root / "shims/python3")
    program(root / "versions/3.12/bin/python3.12")
    return root


def test_a_shim_is_looked_through_wherever_links_to_it_lie(pyenv: Path, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "python3").symlink_to(pyenv / "shims/python3")
    (elsewhere / "snake").symlink_to("python3")
    (tmp_path / "folder").symlink_to(pyenv / "shims")
    real = pyenv / "versions/3.12"
    for command, folder in [
        ("python3", pyenv / "shims"),
        ("python3", elsewhere),
        ("snake", elsewhere),
        ("python3", tmp_path / "folder"),
        (str(elsewhere / "snake"), elsewhere),
        (str(pyenv / "shims/python3"), elsewhere),
    ]:
        found = find(command, str(folder))
        assert found.path == str(real / "bin/python3.12"), (command, folder)
        assert found.mounts == (real / "bin",)


def test_a_shim_that_leads_to_its_manager_is_asked_for_by_its_own_name(tmp_path: Path):
    rustup = '#!/bin/sh\n[ "$1 $2" = "which cargo" ] && echo "${0%/bin/rustup}/tools/bin/$2"\n'
    program(tmp_path / "rust/bin/rustup", rustup)
    cargo = program(tmp_path / "rust/tools/bin/cargo")
    (tmp_path / "rust/bin/cargo").symlink_to("rustup")
    (tmp_path / "freight").symlink_to("rust/bin/cargo")
    assert find("freight", str(tmp_path)).path == str(cargo)


def test_a_link_to_a_shim_of_an_unknown_manager_is_refused(tmp_path: Path):
    program(tmp_path / "managed/shims/python3")
    (tmp_path / "python3").symlink_to("managed/shims/python3")
    with pytest.raises(SandboxError, match=r"managed/shims/python3 is a shim of an unknown"):
        find("python3", str(tmp_path))


def test_a_program_that_a_full_path_names_is_not_looked_for_on_path():
    with pytest.raises(SandboxError, match=r"^/no/such: no such program \("):
        find("/no/such", "/usr/bin")


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """A program of an organiser, with what organisers keep beside theirs."""
    (tmp_path / "X/lib").mkdir(parents=True)
    (tmp_path / "X/credentials").write_text("s3cret")
    (tmp_path / "X/share").symlink_to("../home")
    (tmp_path / "home").mkdir()
    return program(tmp_path / "X/bin/tool")


def test_a_bot_cannot_name_a_program_of_the_organisers(tool: Path, tmp_path: Path):
    (tmp_path / "link").symlink_to(tool)
    for path in (tool, tmp_path / "link", Path("/usr/..", *tool.parts[1:])):
        with pytest.raises(SandboxError, match="lies in no toolchain of the organiser") as refused:
            find(str(path), "/usr/bin")
        assert str(path) in str(refused.value)
        assert "--toolchain" in refused.value.mend


def test_the_organisers_path_or_list_lets_a_bot_name_it(tool: Path, tmp_path: Path):
    beside = (tool.parent, tool.parent.with_name("lib"))
    assert find("tool", str(tool.parent)).mounts == beside
    assert find(str(tool), str(tool.parent)).mounts == beside
    assert find(str(tool), "/usr/bin", (tmp_path / "X",)).mounts == (tmp_path / "X",)


def test_of_an_installation_nothing_else_is_shown_and_links_lead_nowhere(tool: Path):
    names = {mount.name for mount in find("tool", str(tool.parent)).mounts}
    assert names == {"bin", "lib"}


def test_of_a_home_folder_only_the_program_is_shown(tool: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tool.parent.parent))
    assert find("tool", str(tool.parent)).mounts == (tool,)


@pytest.mark.parametrize("provider", [Bubblewrap, Landlock])
def test_what_an_adapter_asks_to_see_has_to_be_the_organisers_wish(
    folder: Path, tmp_path: Path, provider: type[Sandbox]
):
    wish = Program(folder, ("/usr/bin/true",), shows=(tmp_path,))
    with pytest.raises(SandboxError, match="lies in no toolchain of the organiser"):
        provider().launch(wish, Limits())
    provider().launch(wish, Limits(toolchains=(tmp_path,)))
