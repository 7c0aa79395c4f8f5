"""A bot's environment exists from the bot's own exec on: it never reaches our helpers.

A loader runs a library that LD_PRELOAD names in whatever it starts. Here the library writes down
who it runs as. Each line must be the bot's: its uid, without capabilities, in its control group.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.process import spawn
from arena.sandbox.api import Limits, Program, Sandbox
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.landlock import Landlock
from arena.sandbox.unconfined import Unconfined

SPY = r"""
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void spy(void) {
    char text[4096], name[64] = "";
    int fd = open("/proc/self/comm", O_RDONLY);
    if (fd >= 0) { name[read(fd, name, 63)] = 0; close(fd); name[strcspn(name, "\n")] = 0; }
    fd = open("/proc/self/status", O_RDONLY);
    int size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    text[size] = 0;
    char *caps = strstr(text, "CapPrm:");
    unsigned long long held = 0;
    if (caps) sscanf(caps + 7, "%llx", &held);
    int forks = 0;
    for (int i = 0; i < CHILDREN; i++) {
        int child = fork();
        if (child == 0) { for (;;) pause(); }
        if (child > 0) forks++;
    }
    dprintf(2, "spy %s %d %llx %d\n", name, getuid(), held, forks);
}
"""

QUIT = "#include <unistd.h>\n__attribute__((constructor)) static void quit(void) { _exit(7); }\n"

PROVIDERS = (Bubblewrap, Landlock, Unconfined)


def library(folder: Path, source: str, *options: str) -> None:
    (folder / "evil.c").write_text(source)
    command = ("gcc", "-shared", "-fPIC", *options, "-o", "evil.so", "evil.c")
    subprocess.run(command, cwd=folder, check=True)
    (folder / "evil.so").chmod(0o755)


def preloading(sandbox: Sandbox, folder: Path) -> Program:
    inside = "/bot" if isinstance(sandbox, Bubblewrap) else str(folder)
    env = {"LD_PRELOAD": f"{inside}/evil.so"}
    return Program(folder, ("/usr/bin/sleep", "0"), env=env)


def told(fd: int, wait_s: float = 0.5) -> list[list[str]]:
    """The lines of the spy, by words."""
    time.sleep(wait_s)
    text = os.read(fd, 65536).decode()
    return [line.split()[1:] for line in text.splitlines() if line.startswith("spy ")]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_bots_environment_never_reaches_our_helpers(folder: Path, provider: type[Sandbox]):
    library(folder, SPY, "-DCHILDREN=0")
    sandbox = provider()
    with spawn(sandbox.launch(preloading(sandbox, folder), Limits())) as process:
        assert process.exit(20_000) is not None
        (spy,) = told(process.stderr, 0)
    assert spy[0] == "sleep"
    if not isinstance(sandbox, Unconfined):
        assert spy[2] == "0", "it holds capabilities"
        assert spy[1] != "0"


def test_what_a_bots_environment_starts_counts_as_the_bots_processes(folder: Path):
    library(folder, SPY, "-DCHILDREN=150")
    sandbox = Bubblewrap()
    program = preloading(sandbox, folder)
    with spawn(sandbox.launch(program, Limits(processes=64))) as process:
        process.exit(20_000)
        (spy,) = told(process.stderr, 0)
    assert 0 < int(spy[3]) < 64


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_library_that_ends_its_process_ends_the_bot_and_nothing_of_ours(
    folder: Path, provider: type[Sandbox]
):
    library(folder, QUIT)
    sandbox = provider()
    with spawn(sandbox.launch(preloading(sandbox, folder), Limits())) as process:
        end = process.exit(20_000)  # a SandboxError would make the match void
    assert end is not None
    assert end.status == 7


@pytest.mark.parametrize("name", ["OPTIND", "IFS", "PPID", "UID", "ENV", "BASH_ENV", "PATH"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_variable_that_a_shell_reads_is_the_bots_alone(
    folder: Path, provider: type[Sandbox], name: str
):
    program = Program(folder, ("/usr/bin/env",), env={name: "e; exit 3", "OTHER": "a b\n=c"})
    with spawn(provider().launch(program, Limits())) as process:
        end = process.exit(20_000)
        said = os.read(process.stdout, 65536).decode()
    assert end is not None
    assert end.status == 0
    assert f"\n{name}=e; exit 3\n" in "\n" + said
    assert "\nOTHER=a b\n=c\n" in said


@pytest.mark.parametrize("provider", [Bubblewrap, Unconfined])
def test_a_program_with_an_equals_sign_is_refused_where_it_would_pass_for_a_variable(
    folder: Path, provider: type[Sandbox]
):
    (folder / "a=b").write_text("#!/bin/sh\n")
    (folder / "a=b").chmod(0o755)
    provider().launch(Program(folder, ("./a=b",)), Limits())
    with pytest.raises(SandboxError, match="="):
        provider().launch(Program(folder, ("./a=b",), env={"X": "1"}), Limits())


OPENS_AGAIN = """
import os
open("/dev/stderr", "w").write("log\\n")
open("/dev/stdout", "w").write(open("/dev/stdin").readline())
others = {"/dev/stdin": os.O_WRONLY, "/dev/stdout": os.O_RDONLY, "/dev/stderr": os.O_RDONLY}
for path, mode in others.items():
    try:
        os.open(path, mode)
        print(path)
    except PermissionError:
        pass
"""


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_bot_may_open_its_standard_streams_again_but_no_other_end_of_them(
    folder: Path, provider: type[Sandbox]
):
    (folder / "bot.py").write_text(OPENS_AGAIN)
    with spawn(provider().launch(Program(folder, ("python3", "bot.py")), Limits())) as process:
        os.write(process.stdin, b"hello\n")
        assert process.exit(20_000).status == 0
        log, output = os.read(process.stderr, 4096), os.read(process.stdout, 4096)
    assert log == b"log\n"
    if os.getuid() == 0 and provider is not Unconfined:  # else its uid is that of the pipes
        assert output == b"hello\n"
    assert output.startswith(b"hello\n")
