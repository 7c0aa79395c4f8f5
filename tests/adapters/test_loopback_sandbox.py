"""A bridged bot has TCP and UDP on its own loopback interface; all else stays forbidden."""

from __future__ import annotations

import dataclasses
import os
import select
import socket

import pytest

from arena.process import Launch, spawn
from arena.sandbox.api import Limits, Program
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.trial import ATTACKS, CHANNELS, HEAVY, Trial

OWN_LOOPBACK = "listen"
"""The one attack that is allowed to come through: it listens to nobody but itself."""


class Relaxed(Bubblewrap):
    """Every program is given what a bridged bot is given."""

    def launch(self, program: Program, limits: Limits) -> Launch:
        return super().launch(dataclasses.replace(program, loopback=True), limits)


def test_light_attacks_come_to_nothing_but_for_listening_on_the_own_interface():
    with Trial(Relaxed()) as trial:
        outcomes = trial.run([a.name for a in ATTACKS if a.capability not in HEAVY])
    assert [outcome.attack for outcome in outcomes if outcome.won] == [OWN_LOOPBACK]


SERVERS_TUNE = "enlarge-socket"
"""Web servers set the buffers of their sockets, so a bridged bot may too: docs/guide/sandbox.md."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack", [a.name for a in ATTACKS if a.capability in HEAVY and a.name != SERVERS_TUNE]
)
def test_a_heavy_attack_comes_to_nothing(attack):
    with Trial(Relaxed()) as trial:
        outcome = trial.run([attack])[0]
    assert not outcome.won, outcome.detail


@pytest.mark.slow
@pytest.mark.parametrize("channel", CHANNELS)
def test_no_channel_joins_two_such_bots(channel):
    with Trial(Relaxed()) as trial:
        outcome = trial.run_channel(channel)
    assert not outcome.won, outcome.detail


SOCKETS = """
import socket, sys
def tried(*kind):
    try:
        socket.socket(*kind).close()
        return "made"
    except OSError as error:
        return error.strerror
S = socket
print(*{tried(family, kind) for family in (S.AF_INET, S.AF_INET6)
        for kind in (S.SOCK_STREAM, S.SOCK_DGRAM, S.SOCK_STREAM | S.SOCK_NONBLOCK)})
print(*{tried(*kind) for kind in [
    (S.AF_INET, S.SOCK_RAW, 1), (S.AF_INET6, S.SOCK_RAW, 58), (S.AF_INET, S.SOCK_RDM),
    (S.AF_INET, S.SOCK_STREAM, 262), (S.AF_INET, S.SOCK_STREAM, 132), (S.AF_INET, S.SOCK_SEQPACKET),
    (S.AF_UNIX, S.SOCK_STREAM), (S.AF_NETLINK, S.SOCK_RAW), (S.AF_PACKET, S.SOCK_RAW),
    (S.AF_VSOCK, S.SOCK_STREAM)]})
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 2)
    print("reached the outside")
except OSError as error:
    print(error.strerror)
print(socket.gethostbyname("localhost"))
"""


def test_its_sockets_are_tcp_and_udp_alone_and_reach_no_other_network(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "sockets.py").write_text(SOCKETS)
    with socket.create_server(("127.0.0.1", 0)) as outside:
        port = str(outside.getsockname()[1])
        program = Program(tmp_path, ("python3", "sockets.py", port))
        with spawn(Relaxed().launch(program, Limits())) as process:
            process.exit(20_000)
            said = read(process.stdout)
    assert said.splitlines() == [
        "made",
        "Permission denied",
        "Connection refused",
        "127.0.0.1",
    ]


def read(descriptor: int) -> str:
    with open(descriptor, closefd=False) as stream:
        return stream.read()


def test_two_such_bots_each_have_the_same_port_for_themselves(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "serve.py").write_text(
        "import socket\ns = socket.create_server(('', 7000))\nprint('up', flush=True)\ns.accept()"
    )
    program = Program(tmp_path, ("python3", "serve.py"))
    sandbox = Relaxed()
    with (
        spawn(sandbox.launch(program, Limits())) as one,
        spawn(sandbox.launch(program, Limits())) as two,
    ):
        assert [first_line(one), first_line(two)] == ["up", "up"]


def first_line(process) -> str:
    readable, _, _ = select.select([process.stdout], [], [], 20)
    return os.read(process.stdout, 100).decode().strip() if readable else "nothing"
