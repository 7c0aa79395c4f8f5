"""`arena new` says what it wrote, and refuses in one line."""

import os

import pytest


@pytest.fixture
def arena(commands):
    return lambda folder, *words: commands.run(["new", *words], cwd=folder, env=os.environ)


def test_it_lists_the_files_and_what_to_do_next(arena, tmp_path):
    done = arena(tmp_path, "my-bot", "--lang", "js")
    assert done.returncode == 0, done.stderr
    for file in (tmp_path / "my-bot").iterdir():
        assert f"my-bot/{file.name}\n" in done.stdout
    assert "arena check my-bot\n" in done.stdout


def test_a_mistake_is_one_line_and_status_2(arena, tmp_path):
    for words in (["My Bot"], ["my-bot", "--lang", "cobol"], ["x", "--folder", "."]):
        (tmp_path / "something").touch()
        done = arena(tmp_path, *words)
        assert done.returncode == 2
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1
