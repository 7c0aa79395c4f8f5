"""One of our bots, served as that tournament expects it, answers every question legally."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from arena.adapters.bhoos import bridge
from arena.games.callbreak.cards import NAMES
from arena.games.callbreak.game import Callbreak

IDS = ["P0", "P1", "P2", "P3"]


@contextmanager
def served(bot, *options):
    """The server's process and a connection to it."""
    argv = [sys.executable, "-m", "arena", "serve-bhoos", bot, "--port", "0", *options]
    process = subprocess.Popen(argv, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stderr.readline()
        port = int(re.search(r"127\.0\.0\.1:(\d+)", line)[1])
        yield process, http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    finally:
        process.kill()
        process.communicate()


def post(connection, path, body):
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def play_match(connection, seed, seat, deals):
    """A whole match in which the served bot has a seat; the others play at random."""
    game, chance = Callbreak(), random.Random(seed)
    state = game.new_match(str(seed), game.variant("bhoos", {"deals": deals}))
    asked = 0
    while not state.is_terminal():
        actions = state.legal_actions()
        action = chance.choice(actions)
        if (
            state.current_player() == seat
            and len(actions) + len(state.observation(seat)["hand"]) > 2
        ):
            is_call = state.kind() == "call"
            make = bridge.bid_body if is_call else bridge.play_body
            path = "/bid" if is_call else "/play"
            status, answer = post(connection, path, make(state.observation(seat), IDS, 1500))
            assert status == 200
            value = answer["value"]
            action = value if is_call else NAMES.index(bridge.our_card(value))
            assert action in actions
            asked += 1
        state.apply(action)
    return asked


@pytest.mark.slow
def test_a_served_bot_plays_matches_in_any_seat_over_one_connection():
    with served("random") as (process, connection):
        connection.request("GET", "/hi")
        assert connection.getresponse().read()
        assert play_match(connection, 1, seat=2, deals=5) == 5 * 13
        assert play_match(connection, 2, seat=0, deals=5) == 5 * 13
        process.send_signal(signal.SIGINT)
        _, log = process.communicate(timeout=60)
    assert process.returncode == 130
    assert log.strip() == ""


VILLAINS = {
    "dies": "import os\nos._exit(3)",
    "is silent": "import time\ntime.sleep(60)",
    "is illegal": 'print(json.dumps({"id": m["id"], "action": "XX"}), flush=True)',
    "talks": 'print("let me see", flush=True)',
}
GREETS = (
    "import json, sys\nfor line in sys.stdin:\n m = json.loads(line)\n"
    ' if m["type"] == "hello": print(json.dumps({"id": 0}), flush=True)\n if m["type"] == "act":\n'
)


@pytest.mark.slow
@pytest.mark.parametrize("villain", VILLAINS)
def test_a_bot_that_fails_is_answered_for_and_told(tmp_path, villain):
    path = tmp_path / "villain.py"
    path.write_text(GREETS + "".join(f"  {line}\n" for line in VILLAINS[villain].splitlines()))
    game = Callbreak()
    state = game.new_match("1", game.variant("bhoos"))
    seat = state.current_player()
    with served(str(path)) as (process, connection):
        for _ in range(2):
            body = bridge.bid_body(state.observation(seat), IDS, 300)
            assert post(connection, "/bid", body) == (200, {"value": 1})
            assert "answered for it" in process.stderr.readline()


def test_questions_that_cannot_be_answered_are_refused_and_a_bot_that_cannot_start_is_told(
    tmp_path,
):
    path = tmp_path / "broken.py"
    path.write_text("import nothing_of_this_name\n")
    argv = [sys.executable, "-m", "arena", "serve-bhoos", str(path), "--port", "0"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "No module named 'nothing_of_this_name'" in done.stderr
    with served("random") as (_, connection):
        for body in ({}, {"playerId": "x"}, [], "7"):
            status, answer = post(connection, "/bid", body)
            assert (status, list(answer)) == (400, ["error"])
        assert post(connection, "/nothing", {})[0] == 404


def test_a_port_that_is_taken_is_one_line():
    with served("random") as (_, connection):
        argv = [
            sys.executable,
            "-m",
            "arena",
            "serve-bhoos",
            "random",
            "--port",
            str(connection.port),
        ]
        done = subprocess.run(
            argv, capture_output=True, text=True, check=False, env=dict(os.environ)
        )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot listen" in done.stderr


@pytest.mark.slow
def test_a_served_bot_answers_odd_lengths_and_no_page_of_a_stranger():
    with served("random", "--allow-origin", "http://ours") as (process, connection):
        for length in ("\u00b2", "-1", "", "9" * 30):
            connection.putrequest("POST", "/bid")
            connection.putheader("Content-Length", length.encode("latin-1"))
            connection.endheaders()
            assert connection.getresponse().status == 411
            connection.close()
        for origin, status in (("http://evil", 403), ("http://ours", 200)):
            connection.request("GET", "/hi", headers={"Origin": origin})
            answer = connection.getresponse()
            assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (
                status,
                "http://ours",
            )
            answer.read()
            connection.close()
        process.kill()
        assert "Traceback" not in process.stderr.read()
