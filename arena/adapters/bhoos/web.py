"""The HTTP side of a served bot: threads that talk, and one queue to the thread that answers.

A sandboxed bot has to be started from the main thread, so the handlers only put what they were
asked into a queue and wait; `serve` empties it. A page in a browser may ask only if the listener
was told its origin (the tournament's own testing page asked so). Any other page is refused: every
site that somebody visits can send requests to this machine.
"""

from __future__ import annotations

import json
import queue
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer

from arena.adapters.bhoos.question import Asked, read_question
from arena.adapters.bhoos.served import ServedBot
from arena.errors import ArenaError, ConfigError
from arena.games.callbreak.variants import Variant

KINDS = {"/bid": "call", "/play": "play"}
BODY_LIMIT_BYTES = 1024 * 1024
_LENGTH = re.compile("[0-9]{1,9}")  # `isdigit` also takes a superscript two
IDLE_TIMEOUT_S = 600

CROSS_ORIGIN = {
    "Vary": "Origin",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
}


@dataclass(slots=True)
class Job:
    """A question on its way to the main thread, and its answer on its way back."""

    kind: str
    body: bytes
    done: threading.Event = field(default_factory=threading.Event)
    status: int = 500
    answer: dict[str, object] = field(default_factory=dict)


class Listener(ThreadingHTTPServer):
    """Listens at an address; questions go into `jobs`. `origin` is whose pages may ask."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, host: str, port: int, origin: str = "") -> None:
        self.origin = origin
        self.jobs: queue.Queue[Job | None] = queue.Queue()
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            raise ConfigError(
                f"cannot listen: {error.strerror}",
                where=f"{host}:{port}",
                mend="choose another --port or --host",
            ) from None

    def server_bind(self) -> None:
        # Not HTTPServer's, which asks a name server for our name.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = IDLE_TIMEOUT_S
    server: Listener

    def parse_request(self) -> bool:
        """Also False, and answered, if a page asks that may not."""
        if not super().parse_request():
            return False
        origin = self.headers.get("Origin")
        if origin is None or origin == self.server.origin:
            return True
        self.close_connection = True
        self._answer(403, {"error": "pages of this origin may not ask"})
        return False

    def do_GET(self) -> None:
        known = self.path.endswith("/hi")
        self._answer(200 if known else 404, {"value": "hello"} if known else _UNKNOWN)

    def do_OPTIONS(self) -> None:
        self._answer(200, {})

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not _LENGTH.fullmatch(length) or int(length) > BODY_LIMIT_BYTES:
            self.close_connection = True
            self._answer(411, {"error": "a body with a Content-Length is needed"})
            return
        body = self.rfile.read(int(length))
        kind = next((KINDS[path] for path in KINDS if self.path.endswith(path)), None)
        if kind is None:
            self._answer(404, _UNKNOWN)
            return
        job = Job(kind, body)
        self.server.jobs.put(job)
        job.done.wait()
        self._answer(job.status, job.answer)

    def _answer(self, status: int, value: dict[str, object]) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if self.server.origin:
            self.send_header("Access-Control-Allow-Origin", self.server.origin)
            for name, text in CROSS_ORIGIN.items():
                self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        """Nothing: a match makes hundreds of requests."""


_UNKNOWN: dict[str, object] = {"error": "GET /hi, POST /bid and POST /play are known"}


def serve(listener: Listener, bot: ServedBot, rules: Variant, log: Callable[[str], None]) -> None:
    """Answers questions, one after another, until `None` is put into the queue or it is
    interrupted. Must be called from the main thread."""
    talking = threading.Thread(target=listener.serve_forever, daemon=True)
    talking.start()
    try:
        while (job := listener.jobs.get()) is not None:
            _settle(job, bot, rules, log)
    finally:
        listener.shutdown()
        listener.server_close()
        talking.join()


def _settle(job: Job, bot: ServedBot, rules: Variant, log: Callable[[str], None]) -> None:
    asked: Asked | None = None
    try:
        asked = read_question(job.kind, job.body, rules)
        job.status, job.answer = 200, {"value": bot.answer(asked)}
    except ConfigError as error:
        log(f"a question that cannot be answered: {error}")
        job.status, job.answer = 400, {"error": str(error)}
    finally:
        job.done.set()
    if asked is not None:
        try:
            bot.rest(asked)
        except ArenaError as error:
            log(str(error))
