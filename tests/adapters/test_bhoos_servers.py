"""Servers of the 2022 tournament play here unchanged, and their misdeeds are theirs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena.errors import ConfigError, SandboxError
from arena.records import FaultKind

NATIVE = "random"


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["bhoos", "master"])
def test_servers_of_every_kind_meet_a_native_bot_without_a_fault(server, play, variant):
    clamp = "clamp_call = true"
    bots = [server(kind, kind, settings=clamp) for kind in ("plain", "node", "flask")]
    record = play([*bots, NATIVE], variant, deals=2)
    assert record.faults == ()


@pytest.mark.slow
def test_a_call_below_the_least_is_raised_and_the_record_says_so(server, play):
    record = play(
        [server("low", "node", settings="clamp_call = true")] + [NATIVE] * 3, "master", 12
    )
    raised = [note for note in record.notes if note.text == "clamp_call: 1 raised to 2"]
    assert record.faults == ()
    assert {(note.seat, note.trick) for note in raised} == {(0, None)}
    assert all(record.deals[note.deal - 1]["calls"][0] == 2 for note in raised)


def test_without_clamp_call_it_is_an_illegal_action(server, play):
    record = play([server("low", "node")] + [NATIVE] * 3, "master", 12)
    (fault,) = record.faults
    assert (fault.kind, fault.arrived) == (FaultKind.ILLEGAL_ACTION, "1")


MISDEEDS = {
    "crash-at-start": (FaultKind.EXITED, "exit status 1", "ImportError: no module named magic"),
    "never-ready": (FaultKind.START_TIMEOUT, "", "no answer to GET /hi yet: status 503"),
    "crash-in-play": (FaultKind.MALFORMED, "the connection was closed", "RuntimeError: lost count"),
    "exit-in-play": (FaultKind.EXITED, "exit status 3", "Traceback: giving up"),
    "killed-in-play": (FaultKind.EXITED, "signal 15", "ended by signal 15"),
    "hang-in-play": (FaultKind.TIMEOUT, "nothing came", ""),
    "hangs-up": (FaultKind.MALFORMED, "the connection was closed", ""),
    "status-500": (FaultKind.MALFORMED, "status 500: <h1>Internal Server", "POST /play: status"),
    "no-json": (FaultKind.MALFORMED, "no JSON: QS", ""),
    "no-value": (FaultKind.MALFORMED, "no object with a `value`", ""),
    "no-http": (FaultKind.MALFORMED, "no HTTP: QS", ""),
    "huge": (FaultKind.MALFORMED, "a body of 200000 bytes", ""),
    "object": (FaultKind.MALFORMED, "that is no action", ""),
    "number": (FaultKind.ILLEGAL_ACTION, "the action is 0", ""),
    "not-held": (FaultKind.ILLEGAL_ACTION, "the action is", ""),
    "illegal": (FaultKind.ILLEGAL_ACTION, "the action is", ""),
    "lower-case": (FaultKind.ILLEGAL_ACTION, "the action is", ""),
    "call-9": (FaultKind.ILLEGAL_ACTION, "the action is 9", ""),
    "call-text": (FaultKind.ILLEGAL_ACTION, 'the action is "3"', ""),
}
"""Misdeed -> the fault, words of its detail or what arrived, words of the log."""


@pytest.mark.slow
@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_misdeed_of_the_server_is_its_own_fault_with_the_evidence(server, play, misdeed):
    kind, words, logged = MISDEEDS[misdeed]
    villain = server("villain", "villain", env=f'env = {{ MISDEED = "{misdeed}" }}')
    limits = {
        "start_ms": 4_000 if misdeed == "never-ready" else 30_000,
        "move_ms": 1_500 if misdeed == "hang-in-play" else 10_000,
    }
    record = play([NATIVE, villain, NATIVE, NATIVE], limits=limits)
    (fault,) = record.faults
    assert (fault.seat, fault.kind) == (1, kind)
    assert words in f"{fault.detail} {fault.arrived}"
    assert logged in fault.stderr
    assert record.ranks[1] == 4


def test_a_crash_shows_its_whole_traceback(server, play):
    villain = server("villain", "villain", env='env = { MISDEED = "crash-in-play" }')
    (fault,) = play([villain, NATIVE, NATIVE, NATIVE]).faults
    assert "Traceback (most recent call last)" in fault.stderr
    assert 'raise RuntimeError("lost count")' in fault.stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("prot = 7", "unknown key `prot`"),
        ("port = 80", "`port`"),
        ('venv = "nowhere"', "is no virtual environment"),
        ('python_packages = ["absent"]', "absent is not among the bot's files"),
    ],
)
def test_a_wrong_setting_is_named(server, play, settings, words):
    with pytest.raises(ConfigError, match=words):
        play([server("plain", settings=settings)] + [NATIVE] * 3)


def test_an_unknown_adapter_is_named(server, play, tmp_path):
    path = server("plain")
    manifest = tmp_path / "plain" / "bot.toml"
    manifest.write_text(manifest.read_text().replace("bhoos", "bhoo"))
    with pytest.raises(ConfigError, match="there is no adapter 'bhoo'"):
        play([path] + [NATIVE] * 3)


def test_without_a_private_loopback_interface_it_is_refused(server, play):
    with pytest.raises(SandboxError, match="private loopback"):
        play([server("plain")] + [NATIVE] * 3, sandbox={"name": "none"})


def test_a_server_of_a_listed_virtual_environment_plays_a_match(server, play, tmp_path):
    venv = tmp_path / "venv"
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", venv], check=True)
    (packages,) = venv.glob("lib/python3*/site-packages")
    (packages / "only_there.py").write_text("")
    folder = Path(server("its", settings=f'venv = "{venv}"'))
    app = folder / "plain_app.py"
    app.write_text("import only_there\n" + app.read_text())
    bots = [str(folder)] + [NATIVE] * 3
    assert play(bots, sandbox={"toolchains": [str(venv)]}).faults == ()
    with pytest.raises(SandboxError, match="lies in no toolchain of the organiser"):
        play(bots)
