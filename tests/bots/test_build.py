"""A bot plays from a private copy, built once for each content, in the sandbox."""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.bots.build import BuildError, Workshop, build_bot
from arena.bots.compile import BuildLimits, run_build
from arena.bots.resolve import resolve
from arena.bots.toolchain import Host, missing_toolchain
from arena.errors import ConfigError
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.unconfined import Unconfined
from arena.scratch import scratch_folder
from arena.tournament.clock import SteadyClock

USER = 54321

SANDBOXES = {"bwrap": Bubblewrap, "none": Unconfined}


@pytest.fixture(params=SANDBOXES)
def workshop(request, tmp_path):
    return Workshop(SANDBOXES[request.param](), tmp_path / "cache", SteadyClock())


@pytest.fixture
def author(tmp_path):
    """Writes a bot whose build is a line of shell; returns it as resolved."""
    folder = tmp_path / "author"
    folder.mkdir()

    def write(shell, *, run="./made", env=""):
        lines = ['name = "plain"', 'version = "1"', f'run = ["{run}"]', env]
        if shell:
            (folder / "build.sh").write_text(shell)
            lines.append('build = ["sh", "build.sh"]')
        (folder / "bot.toml").write_text("\n".join(lines))
        return resolve(str(folder), tmp_path)

    return write


MAKES = "echo '#!/bin/sh' > made; chmod +x made\n"


def test_a_bot_without_build_plays_from_a_copy_of_exactly_its_files(author, workshop):
    bot = author("", run="sh")
    (bot.folder / "__pycache__").mkdir()
    ready = build_bot(bot, workshop)
    assert ready.ready
    assert ready.folder != bot.folder
    assert [path.name for path in ready.folder.iterdir()] == ["bot.toml"]
    assert ready.id == bot.id


def test_a_bot_of_one_file_gets_a_folder_of_its_own(workshop, tmp_path):
    (tmp_path / "secret").write_text("not the bot's")
    (tmp_path / "one.py").write_text("pass\n")
    ready = build_bot(resolve(str(tmp_path / "one.py"), tmp_path), workshop)
    assert [path.name for path in ready.folder.iterdir()] == ["one.py"]
    assert not ready.only


def test_a_build_runs_once_for_each_content(author, workshop):
    first = build_bot(author(MAKES + "date +%N > when\n"), workshop)
    again = build_bot(author(MAKES + "date +%N > when\n"), workshop)
    assert again == first
    other = build_bot(author(MAKES + "date +%N > when\n# changed\n"), workshop)
    assert other.folder != first.folder
    assert build_bot(first, workshop) == first


def test_a_build_command_or_its_environment_changed_is_another_build(author, workshop):
    bot = author(MAKES)
    first = build_bot(bot, workshop)
    assert build_bot(replace(bot, env={"A": "b"}), workshop).folder != first.folder
    assert build_bot(replace(bot, build=("sh", "./build.sh")), workshop).folder != first.folder


def test_a_build_leaves_the_authors_folder_alone(author, workshop):
    bot = author(MAKES)
    before = sorted(bot.folder.iterdir())
    ready = build_bot(bot, workshop)
    assert sorted(bot.folder.iterdir()) == before
    assert os.access(ready.folder / "made", os.X_OK)


def test_the_log_of_a_build_is_kept(author, workshop):
    ready = build_bot(author(MAKES + "echo said; echo complained >&2"), workshop)
    log = (ready.folder.parent / "build.log").read_text()
    assert "said" in log
    assert "complained" in log


def test_a_bot_that_changes_after_it_was_named_is_refused(author, workshop):
    bot = author(MAKES)
    (bot.folder / "build.sh").write_text(MAKES + "# later\n")
    with pytest.raises(ConfigError, match="changed after it was named"):
        build_bot(bot, workshop)


def test_a_broken_build_names_the_bot_and_the_end_of_its_log_in_one_line(author, workshop):
    with pytest.raises(BuildError) as caught:
        build_bot(author("echo first; echo 'bot.c:1: nonsense' >&2; exit 3"), workshop)
    said = str(caught.value)
    assert said.startswith("bot plain, sh build.sh: the build failed: exit status 3: ")
    assert "bot.c:1: nonsense" in said
    assert "\n" not in said
    [log] = workshop.cache.glob("*.failed.log")
    assert str(log) in said
    assert "first" in log.read_text()
    assert sorted(workshop.cache.iterdir()) == [log]


def test_a_build_that_makes_no_program_is_broken(author, workshop):
    with pytest.raises(BuildError, match=r"made no executable \./made"):
        build_bot(author("true"), workshop)


@pytest.mark.parametrize(
    ("shell", "limits", "said"),
    [
        ("sleep 60", BuildLimits(time_s=1), "longer than 1 s"),
        (
            "while :; do head -c 100000 /dev/urandom >> big; done",
            BuildLimits(disk_mb=4),
            "exit status|4 MB",
        ),
        ("i=0; while :; do i=$((i+1)); : > file$i; done", BuildLimits(disk_mb=4), "4 MB"),
        ("kill -9 $$", BuildLimits(), "signal 9"),
    ],
)
def test_a_build_is_stopped_at_its_limits(author, workshop, shell, limits, said):
    with pytest.raises(BuildError, match=said):
        build_bot(author(shell), replace(workshop, limits=limits))
    assert [path.suffix for path in workshop.cache.iterdir()] == [".log"]


def as_ordinary_user(act: Callable[[], object]) -> str:
    """What `act` gives, as text, done by a process without root's rights."""
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        if os.getuid() == 0:
            os.setgroups([])
            os.setresgid(USER, USER, USER)
            os.setresuid(USER, USER, USER)
        try:
            os.write(write, str(act()).encode())
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read, "rb") as file:
        return file.read().decode()


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize(
    "hide",
    [
        "mkdir d; exec 3> d/x 4> d/y; chmod 0 d; fill >&3; fill >&4",
        "mkdir d; fill > d/x; fill > d/y; chmod 0400 d",
        "mkdir -p d/e; fill > d/e/x; fill > d/e/y; chmod 0 d/e",
    ],
)
def test_a_build_hides_no_disk_use_in_a_folder_that_cannot_be_read(author, sandbox, hide):
    bot = author(f"fill() {{ head -c 3000000 /dev/zero; }}\n{hide}")
    limits = BuildLimits(disk_mb=4, scratch_mb=0)
    with scratch_folder("build") as place:
        folder = place / "bot"
        folder.mkdir()
        shutil.copy(bot.folder / "build.sh", folder)
        for path in (place, folder, folder / "build.sh"):
            path.chmod(0o755)
            if os.getuid() == 0:
                os.chown(path, USER, USER)
        complaint = as_ordinary_user(
            lambda: run_build(bot, folder, SANDBOXES[sandbox](), SteadyClock(), limits).complaint
        )
        assert "cannot be looked into: d" in complaint or "more than 4 MB" in complaint


def test_a_flood_of_output_is_kept_in_bounded_memory(author, workshop):
    flood = "head -c 5000000 /dev/urandom | tr -c x x; echo; echo end\n"
    ready = build_bot(author(MAKES + flood), workshop)
    log = (ready.folder.parent / "build.log").read_bytes()
    assert len(log) < 600_000
    assert log.endswith(b"end\n")


def test_what_a_build_leaves_is_readable_and_nothing_but_files(author, workshop):
    shell = "mkdir d; mkfifo pipe; echo x > d/x; ln -s d/x link; chmod 0 d/x; chmod 0500 d\n"
    ready = build_bot(author(MAKES + shell), workshop)
    assert not (ready.folder / "pipe").exists()
    assert (ready.folder / "link").read_text() == "x\n"
    assert (ready.folder / "d" / "x").stat().st_mode & 0o777 == 0o644
    assert (ready.folder / "d").stat().st_mode & 0o777 == 0o755
    assert (ready.folder / "made").stat().st_uid == os.getuid()


def test_a_sandboxed_build_has_no_network_and_writes_nowhere_else(author, tmp_path):
    workshop = Workshop(Bubblewrap(), tmp_path / "cache", SteadyClock())
    secret = tmp_path / "secret"
    secret.write_text("secret")
    script = f"""
test ! -e {secret} || echo FOUND
(echo x > /usr/x) 2>/dev/null && echo WROTE
echo x > /tmp/scratch || echo NO SCRATCH
cat /proc/net/dev | grep -v lo: | grep : && echo NETWORK
"""
    ready = build_bot(author(MAKES + script + "true\n"), workshop)
    log = (ready.folder.parent / "build.log").read_text()
    for word in ("FOUND", "WROTE", "NO SCRATCH", "NETWORK"):
        assert word not in log


def test_a_missing_toolchain_is_named_with_its_remedy(author, tmp_path):
    bot = author(MAKES)
    assert missing_toolchain(bot) is None
    lack = missing_toolchain(replace(bot, build=("go", "build")), Host(search_path=str(tmp_path)))
    assert lack == "go: no such program on PATH (apt install golang-go)"
    lack = missing_toolchain(replace(bot, run=("nosuch",)), Host(search_path=os.environ["PATH"]))
    assert lack is not None
    assert lack.startswith("nosuch: no such program on PATH (")
    assert missing_toolchain(replace(bot, run=(sys.executable,))) is None


def test_a_bot_that_is_built_needs_its_compiler_no_more(author, tmp_path):
    bot = replace(author(MAKES), build=("nosuch",))
    assert missing_toolchain(bot) is not None
    assert missing_toolchain(replace(bot, ready=True)) is None
