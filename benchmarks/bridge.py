"""What the bridge of the adapter `bhoos` costs a decision, over the same server asked directly.

    python benchmarks/bridge.py [SECONDS]

Two copies of one server run; one is asked over a kept connection by this process, the other through
`arena-bhoos`, both the same requests of matches, in short turns, so that a busy machine slows both.
Everything shares one core, as in a sandbox. At most 0.5 ms at the median is the aim.
"""

from __future__ import annotations

import json
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from arena.adapters.bhoos import bridge
from arena.games.callbreak.game import Callbreak

SERVER = """
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self):
        self.answer("hello")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(3 if self.path == "/bid" else body["cards"][0])

    def answer(self, value):
        data = json.dumps({"value": value}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass

HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""

IDS = ["a", "b", "c", "d"]
TURN = 50
"""Requests to one of the two before the other's turn."""

AIM_MS = 0.5


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    ports = _free_ports(2)
    servers = [[sys.executable, "-c", SERVER, str(port)] for port in ports]
    program = [sys.executable, "-I", "-S", str(Path(bridge.__file__))]
    direct = subprocess.Popen(servers[0])
    bridged = subprocess.Popen(
        [*program, json.dumps({"port": ports[1]}), *servers[1]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        times = _measure(_asker(ports[0]), _teller(bridged), seconds)
    finally:
        direct.kill()
        bridged.communicate(b'{"type":"quit"}\n')
    _tell(*times)


def _measure(
    ask: Callable[[dict], object], tell: Callable[[dict], object], seconds: float
) -> tuple[list[float], list[float]]:
    direct_ms: list[float] = []
    bridged_ms: list[float] = []
    messages = _messages()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        turn = [next(messages) for _ in range(TURN)]
        direct_ms += [_timed(ask, message) for message in turn]
        bridged_ms += [_timed(tell, message) for message in turn]
    return direct_ms, bridged_ms


def _timed(ask: Callable[[dict], object], message: dict) -> float:
    began = time.perf_counter()
    ask(message)
    return (time.perf_counter() - began) * 1000


def _asker(port: int) -> Callable[[dict], object]:
    connection = bridge.Connection(port)
    bridge.await_ready(connection)

    def ask(message: dict) -> object:
        is_call = message["kind"] == "call"
        body = (bridge.bid_body if is_call else bridge.play_body)(message["state"], IDS, 1000)
        path = "/bid" if is_call else "/play"
        return connection.ask("POST", path, json.dumps(body).encode())

    return ask


def _teller(process: subprocess.Popen) -> Callable[[dict], object]:
    def tell(message: dict) -> object:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        return process.stdout.readline()

    tell({"type": "hello", "id": 0})
    process.stdin.write(json.dumps({"type": "start", "players": IDS}).encode() + b"\n")
    return tell


def _messages() -> Iterator[dict]:
    """Requests of matches played at random, all but those for a last card."""
    game, chance = Callbreak(), random.Random(1)
    while True:
        state = game.new_match(str(chance.random()), game.variant("bhoos"))
        while not state.is_terminal():
            actions = state.legal_actions()
            seen = state.observation(state.current_player())
            if len(seen["hand"]) > 1:
                yield {
                    "type": "act",
                    "id": 1,
                    "kind": state.kind(),
                    "clock": {"move_ms": 1000, "match_ms": 60_000},
                    "state": seen,
                    "legal": [state.encode(action) for action in actions],
                }
            state.apply(chance.choice(actions))


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _tell(direct_ms: list[float], bridged_ms: list[float]) -> None:
    direct, bridged = statistics.median(direct_ms), statistics.median(bridged_ms)
    added = bridged - direct
    print(
        f"{len(direct_ms)} decisions each, median: direct {direct:.3f} ms, bridged {bridged:.3f} ms"
    )
    verdict = "within" if added <= AIM_MS else "above"
    print(f"the bridge adds {added:.3f} ms, {verdict} the aim of {AIM_MS} ms")
    sys.exit(added > AIM_MS)


if __name__ == "__main__":
    main()
