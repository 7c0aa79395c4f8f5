"""Bridged servers where containers are the sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.adapters.bhoos.adapter import BRIDGE_FILE
from arena.bots.build import Workshop, build_bot
from arena.bots.resolve import resolve
from arena.plugins import adapters
from arena.sandbox.api import Limits
from arena.sandbox.container import Container
from arena.sandbox.layout import LOOPBACK_HOSTS
from arena.tournament.clock import SteadyClock

IMAGE = "docker.io/library/python:3.12"


@pytest.fixture
def container() -> Container:
    sandbox = Container()
    if (why := sandbox.unavailable()) is not None:
        pytest.skip(f"containers are not tried here: {why.reason} ({why.remedy})")
    return sandbox


@pytest.mark.slow
def test_a_server_in_a_container_plays_a_whole_match(container, play, server):
    bots = [server("theirs"), "random", "random", "random"]
    limits = {"start_ms": 60_000, "move_ms": 20_000, "match_ms": 120_000}
    record = play(bots, sandbox={"name": container.name}, limits=limits)
    assert record.faults == ()
    assert record.timing[0].decisions == 14


@pytest.mark.slow
def test_the_image_of_a_manifest_is_what_bridge_and_server_run_in(
    container, manager, server, tmp_path
):
    folder = Path(server("theirs"))
    manifest = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(f'image = "{IMAGE}"\n{manifest}')
    workshop = Workshop(container, tmp_path / "cache", SteadyClock(), adapters=adapters(manager))
    bot = build_bot(resolve(str(folder), tmp_path), workshop)
    words = container.launch(bot.program(), Limits()).argv
    inside = words[words.index(IMAGE) + 1 :]
    assert (inside[0], inside[-2:]) == ("python3", ("python3", "plain_app.py"))
    assert BRIDGE_FILE in inside
    assert f"--volume={LOOPBACK_HOSTS}:/etc/hosts:ro" in words
    assert "--network=none" in words
    assert not any(word.startswith("--volume=/usr") for word in words)
