"""Trees that are hard to remove are removed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.removal import remove_tree
from arena.scratch import scratch_folder


def test_a_tree_deeper_than_python_recurses_is_removed(tmp_path):
    deep(tmp_path / "tree", 3000)
    remove_tree(tmp_path / "tree")
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_removed_and_not_what_it_leads_to(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").touch()
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/link").symlink_to(tmp_path / "kept")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    remove_tree(tmp_path / "tree")
    remove_tree(tmp_path / "link")
    assert [path.name for path in tmp_path.rglob("*")] == ["kept", "file"]


def test_what_is_not_there_needs_no_removing(tmp_path):
    remove_tree(tmp_path / "nothing")
    remove_tree(tmp_path / "no/where")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become an ordinary user")
def test_folders_that_their_owner_may_not_even_enter_are_removed():
    code = "import os, sys; from pathlib import Path; from arena.removal import remove_tree\n"
    code += "os.setgid(12345); os.setuid(12345); remove_tree(Path(sys.argv[1]))"
    with scratch_folder("theirs") as name:
        name.chmod(0o755)
        inner = Path(name, "tree/shut/in")
        inner.mkdir(parents=True)
        (inner / "file").touch()
        inner.chmod(0)
        inner.parent.chmod(0)
        subprocess.run(["chown", "-R", "12345:12345", name], check=True)
        subprocess.run(
            [sys.executable, "-c", code, f"{name}/tree"],
            check=True,
            cwd="/",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert os.listdir(name) == []


def deep(folder, levels):
    """Nested folders, made from inside since the path is longer than the kernel takes."""
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("in", dir_fd=here)
        inner = os.open("in", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
