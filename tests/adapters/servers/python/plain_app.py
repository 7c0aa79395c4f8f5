"""The player behind Python's own HTTP server, which sends headers and body apart."""

import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from player import get_bid, get_card

DEBUG = int(os.getenv("DEBUG"))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer({"value": "hello"})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        print("asked for", self.path, body["cards"])
        self.answer({"value": get_bid(body) if self.path == "/bid" else get_card(body)})

    def answer(self, value):
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


HTTPServer(("localhost", 7000), Handler).serve_forever()
