"""Tab completes commands and options in real shells, by what `arena` itself installs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

BIN = Path(sys.executable).parent
ENOUGH_S = 60
SHELLS = {
    "bash": ["bash", "--noprofile", "-i"],
    "zsh": ["zsh", "-i"],
    "fish": ["fish", "--private"],
}


def environment(home: Path) -> dict[str, str]:
    """What a person with this home and our `arena` on PATH has."""
    return {
        "HOME": str(home),
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
        "PS1": "$ ",
    }


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes_commands_and_options_once_completion_is_installed(shell, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"this machine lacks {shell}")
    # Without this folder fish reads every manual page of the machine when it starts first.
    (tmp_path / ".local/share/fish/generated_completions").mkdir(parents=True)
    # Typer looks which shell it was started by; so the shell itself installs it, as for a person.
    install = [*SHELLS[shell][:1], "-c", "arena --install-completion; true"]
    subprocess.run(install, env=environment(tmp_path), check=True, capture_output=True)
    terminal = pexpect.spawn(
        SHELLS[shell][0],
        SHELLS[shell][1:],
        env=environment(tmp_path),
        cwd=str(tmp_path),
        encoding="utf-8",
        timeout=ENOUGH_S,
        dimensions=(24, 200),
    )
    try:
        terminal.sendline("echo rea''dy")
        terminal.expect("ready")
        terminal.send("arena verif\t")
        terminal.expect("arena verify")
        terminal.send("\x15arena match --transc\t")
        terminal.expect("--transcript")
    finally:
        terminal.close(force=True)


def test_completing_an_option_reads_the_file_of_its_command_alone(tmp_path):
    program = (
        "import os, sys, arena.cli.app as app, arena.cli.commands as known\n"
        "try: app.main([])\n"
        "except SystemExit: pass\n"
        "print(*sorted(m for m in sys.modules if m in set(known.COMMANDS.values())))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={
            **environment(tmp_path),
            "_ARENA_COMPLETE": "complete_bash",
            "COMP_WORDS": "arena schema --he",
            "COMP_CWORD": "2",
        },
    )
    assert done.stdout.split() == ["--help", "arena.cli.schema"]


def test_a_broken_plugin_says_nothing_into_the_line_that_is_completed(tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("raise ValueError('broken')\n")
    done = subprocess.run(
        [BIN / "arena"],
        capture_output=True,
        text=True,
        check=False,
        env={
            **environment(tmp_path),
            "ARENA_PLUGINS": str(broken),
            "_ARENA_COMPLETE": "complete_bash",
            "COMP_WORDS": "arena verif",
            "COMP_CWORD": "1",
        },
    )
    assert (done.stdout, done.stderr) == ("verify\n", "")
