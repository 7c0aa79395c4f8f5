"""A server that misbehaves in one way, named by MISDEED."""

import json
import os
import signal
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from player import get_bid, get_card

MISDEED = os.environ["MISDEED"]

if MISDEED == "crash-at-start":
    raise ImportError("no module named magic")


def crash(body):
    raise RuntimeError("lost count")


def die(body):
    print("Traceback: giving up", file=sys.stderr)
    sys.stderr.flush()
    os._exit(3)


def held_by_another(body):
    every = [rank + suit for suit in "SHCD" for rank in "1KQJT98765432"]
    return next(card for card in every if card not in body["cards"])


DEEDS = {
    "crash-in-play": crash,
    "exit-in-play": die,
    "killed-in-play": lambda body: os.kill(os.getpid(), signal.SIGTERM) or time.sleep(60),
    "hang-in-play": lambda body: time.sleep(60),
    "not-held": held_by_another,
    "illegal": lambda body: (
        [c for c in body["cards"] if c[1] != body["played"][0][1]][-1]
        if body["played"]
        else get_card(body)
    ),
    "number": lambda body: 0,
    "object": lambda body: {"card": body["cards"][0]},
    "lower-case": lambda body: body["cards"][0].lower(),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        status = 503 if MISDEED == "never-ready" else 200
        self.answer(status, b"hello")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/bid":
            self.answer(
                200, self.valued({"call-9": 9, "call-text": "3"}.get(MISDEED, get_bid(body)))
            )
        elif MISDEED == "status-500":
            self.answer(500, b"<h1>Internal\nServer Error</h1>")
        elif MISDEED == "no-json":
            self.answer(200, b"QS\xff")
        elif MISDEED == "no-value":
            self.answer(200, b'{"card": "QS"}')
        elif MISDEED == "huge":
            self.answer(200, b"x" * 200_000)
        elif MISDEED == "no-http":
            self.wfile.write(b"QS\r\n\r\n")
        elif MISDEED == "hangs-up":
            self.close_connection = True
        else:
            self.answer(200, self.valued(DEEDS.get(MISDEED, get_card)(body)))

    def valued(self, value):
        return json.dumps({"value": value}).encode()

    def answer(self, status, data):
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


HTTPServer(("", 7000), Handler).serve_forever()
