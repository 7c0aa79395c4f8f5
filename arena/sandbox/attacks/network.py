"""Talking to anything outside, or waiting to be talked to."""

from __future__ import annotations

import os
import socket
from typing import Any

from .weapons import RefusedError, attack, first_success, targets


def _connect(family: int, kind: int, address: Any) -> str:
    with socket.socket(family, kind) as link:
        link.settimeout(1.0)
        link.connect(address)
        link.send(b"hello from inside")
        return f"connected to {address!r}"


def _address(path: str) -> str:
    """A socket's path as an address, which holds 107 bytes: a longer one by way of its folder."""
    if len(os.fsencode(path)) < 108:
        return path
    folder = os.open(os.path.dirname(path), os.O_PATH)
    return f"/proc/self/fd/{folder}/{os.path.basename(path)}"


@attack
def connect_tcp4() -> str:
    return _connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", targets().tcp4))


@attack
def connect_tcp6() -> str:
    return _connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", targets().tcp6))


@attack
def send_udp4() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.settimeout(1.0)
        link.connect(("127.0.0.1", targets().udp4))
        link.send(b"ping")
        return f"the harness answered {link.recv(10)!r}"


@attack
def connect_abstract_socket() -> str:
    return _connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + targets().abstract)


@attack
def connect_socket_file() -> str:
    return _connect(socket.AF_UNIX, socket.SOCK_STREAM, _address(targets().socket_path))


@attack
def send_to_socket_file() -> str:
    """One of a pair of datagram sockets reaches every socket that has a name, without `socket`."""

    def attempt(kind: int) -> str:
        ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
        with ours, theirs:
            ours.sendto(b"hello from inside", _address(targets().datagram_path))
        return f"sent to {targets().datagram_path}"

    return first_success(attempt, (socket.SOCK_DGRAM, socket.SOCK_RAW))


@attack
def read_connections() -> str:
    """Who on this machine talks with whom, and the names of all its sockets."""
    own = ("/proc/self/net", f"/proc/self/task/{os.getpid()}/net", "/proc/net")
    sought = {
        "tcp": f":{targets().tcp4:04X} ",
        "unix": os.path.basename(targets().datagram_path),
    }

    def attempt(path: str) -> str:
        with open(path) as table:
            if sought[os.path.basename(path)] not in table.read():
                raise RefusedError("another network's")
        return f"{path} tells of the host's sockets"

    return first_success(attempt, [f"{folder}/{name}" for folder in own for name in sought])


@attack
def open_vsock() -> str:
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as link:
        return f"a vsock socket, descriptor {link.fileno()}"


@attack
def open_netlink() -> str:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as link:
        link.bind((0, 0))
        return "a netlink socket"


@attack
def listen() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as link:
        link.bind(("127.0.0.1", 0))
        link.listen()
        return f"listening at {link.getsockname()}"
