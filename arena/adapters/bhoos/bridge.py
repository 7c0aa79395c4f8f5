"""The bridge `arena-bhoos`: our protocol on stdin and stdout, an HTTP server of the bot behind it.

    python3 bridge.py '{"port": 7000}' COMMAND…

Theory of operation. The bridge starts COMMAND, waits until `GET /hi` answers, and then says hello.
Every request of the referee becomes one `POST /bid` or `POST /play` over one kept connection, and
the answer becomes the reply; nothing is translated but the notation. It judges nothing: a card that
is not legal is passed on as it came, for the referee to see, and what is no answer at all (an error
status, no JSON, no `value`) becomes a line that is no reply, which says what came instead. It keeps
no clock: a server that hangs lets the bridge hang, and the referee's deadline ends both. When the
server ends, the bridge ends in the same way, wherever it was: the signal handler raises.

The server writes to the bridge's stderr, which is the bot's log; so does the bridge itself.

This file runs inside the sandbox, beside the bot and started with it. It is one file, imports the
standard library alone, and of that only what starts quickly; it needs Python 3.9.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from typing import Any, NoReturn

SUITS = "SHCD"
RANKS = "AKQJT98765432"
THEIR_NAMES = {
    rank + suit: ("1" if rank == "A" else rank) + suit for suit in SUITS for rank in RANKS
}
"""Our name of a card to theirs, in their order: spades, hearts, clubs, diamonds, high to low."""

OUR_NAMES = {theirs: ours for ours, theirs in THEIR_NAMES.items()}
PLACES = {name: place for place, name in enumerate(THEIR_NAMES)}

LIMIT_BYTES = 64 * 1024
"""More than this is no answer, neither as headers nor as a body."""

SHOWN_CHARS = 120
POLL_S = 0.005
HI_TIMEOUT_S = 1.0
QUIET_S = 0.5
"""So long after its start, a server that does not answer yet is nothing to write home about."""

LEAVE_S = 0.1
LAST_BREATH_S = 0.2
"""How long a process may take to end after its connections have closed."""

HOSTS = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))

Message = dict[str, Any]


class ServerEndedError(Exception):
    """The server's process is over. `status` is what waitpid gave."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class NoAnswerError(Exception):
    """What came instead of an answer, in words."""


def log(text: str) -> None:
    """Writes a line into the bot's log."""
    os.write(2, f"arena-bhoos: {text}\n".encode("utf-8", "backslashreplace"))


# From our messages to theirs ----------------------------------------------------------------------


def their_hand(cards: list[str]) -> list[str]:
    """The cards in their notation and their order, on which bots rely."""
    return [THEIR_NAMES[card] for card in sorted(cards, key=PLACES.__getitem__)]


def their_cards(cards: list[str]) -> list[str]:
    """The cards in their notation, in the order given."""
    return [THEIR_NAMES[card] for card in cards]


def distinct(names: list[str]) -> list[str]:
    """The players' ids: their names, with the seat added where two are called the same."""
    return [
        name if names.count(name) == 1 else f"{name} #{seat}" for seat, name in enumerate(names)
    ]


def bid_body(state: Message, ids: list[str], budget_ms: int) -> Message:
    """What `POST /bid` tells, which is also the first part of what `POST /play` tells."""
    won = state.get("won") or [0] * len(ids)
    players = {
        name: {
            "totalPoints": state["scores"][seat],
            "bid": state["calls"][seat] or 0,
            "won": won[seat],
        }
        for seat, name in enumerate(ids)
    }
    return {
        "timeBudget": budget_ms,
        "playerId": ids[state["seat"]],
        "playerIds": ids,
        "cards": their_hand(state["hand"]),
        "context": {"round": state["deal"], "players": players},
    }


def play_body(state: Message, ids: list[str], budget_ms: int) -> Message:
    """What `POST /play` tells."""
    body = bid_body(state, ids, budget_ms)
    body["played"] = their_cards(state["trick"]["cards"])
    body["history"] = [
        [trick["leader"], their_cards(trick["cards"]), trick["winner"]] for trick in state["tricks"]
    ]
    return body


# From their answers to ours -----------------------------------------------------------------------


def read_value(status: int, body: bytes) -> object:
    """The `value` of an answer. Raises NoAnswerError if it has none that could be an action."""
    if not 200 <= status < 300:
        raise NoAnswerError(f"status {status}: {_shown(body)}")
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise NoAnswerError("no JSON: " + _shown(body)) from None
    if not isinstance(answer, dict) or "value" not in answer:
        raise NoAnswerError("no object with a `value`: " + _shown(body))
    value = answer["value"]
    unfit = isinstance(value, (dict, list)) or (isinstance(value, str) and len(value) > SHOWN_CHARS)
    if unfit or (isinstance(value, float) and value - value != 0):  # not finite
        raise NoAnswerError("a `value` that is no action: " + _shown(body))
    return value


def our_call(value: object, legal: list[int], clamp: bool) -> tuple[object, str]:
    """The call that a value means, and a note if it was raised to the least legal one.

    A whole number with a fraction of zero is that number: theirs is a server in JavaScript.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if clamp and type(value) is int and 1 <= value < legal[0]:
        return legal[0], f"clamp_call: {value} raised to {legal[0]}"
    return value, ""


def our_card(value: object) -> object:
    """The card that a value means; what is no card of theirs stays as it is."""
    return OUR_NAMES.get(value, value) if isinstance(value, str) else value


def _shown(body: bytes) -> str:
    text = body[: 4 * SHOWN_CHARS].decode("utf-8", "backslashreplace")
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARS else line[:SHOWN_CHARS] + "…"


# The connection -----------------------------------------------------------------------------------


class Connection:
    """One kept HTTP/1.1 connection to the server, made again when the server closes it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None
        self._held = b""
        self.connects = 0

    def ask(
        self, method: str, path: str, body: bytes = b"", timeout_s: float | None = None
    ) -> tuple[int, bytes]:
        """The status and the body of the answer. Raises NoAnswerError.

        A kept connection may have been closed a moment ago; then, and only if nothing of an answer
        has come, the request is sent once more over a new one.
        """
        request = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode() + body
        if self._is_stale():
            self.close()
        was_kept = self._socket is not None
        try:
            return self._exchange(request, timeout_s)
        except (OSError, NoAnswerError) as error:
            again = was_kept and not self._held and not isinstance(error, socket.timeout)
            self.close()
            if again:
                return self.ask(method, path, body, timeout_s)
            raise NoAnswerError(str(error)) from None

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._held = b""

    def _is_stale(self) -> bool:
        """True if the server has closed the kept connection, or said what nobody asked for."""
        if self._socket is None:
            return False
        try:
            self._socket.settimeout(None)  # with one, Python itself would wait for it here
            self._socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def _exchange(self, request: bytes, timeout_s: float | None) -> tuple[int, bytes]:
        connection = self._socket or self._connect()
        connection.settimeout(timeout_s)
        self._held = b""
        connection.sendall(request)
        status, headers = self._read_head()
        while 100 <= status < 200:
            status, headers = self._read_head()
        body = self._read_body(status, headers)
        if headers.get("connection", "").lower() == "close" or not headers.get("", "").endswith(
            "1.1"
        ):
            self.close()
        return status, body

    def _connect(self) -> socket.socket:
        refusal: OSError | None = None
        for family, host in HOSTS:
            try:
                made = socket.socket(family, socket.SOCK_STREAM)
                try:
                    made.connect((host, self._port))
                    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                except OSError:
                    made.close()
                    raise
            except OSError as error:
                refusal = refusal or error
            else:
                self._socket = made
                self.connects += 1
                return made
        assert refusal is not None
        raise refusal

    def _receive(self) -> None:
        """Reads a piece. Raises NoAnswerError at its end or its limit."""
        assert self._socket is not None
        if hasattr(socket, "TCP_QUICKACK"):
            # A server that sends headers and body apart waits for this acknowledgement in between.
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        piece = self._socket.recv(LIMIT_BYTES)
        if not piece:
            raise NoAnswerError("the connection was closed before an answer came")
        self._held += piece
        if len(self._held) > 2 * LIMIT_BYTES:
            raise NoAnswerError(f"more than {LIMIT_BYTES} bytes")

    def _read_head(self) -> tuple[int, dict[str, str]]:
        """The status, and the headers by lower-case name; the protocol stands under ""."""
        while b"\r\n\r\n" not in self._held:
            self._receive()
        head, _, self._held = self._held.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        protocol, _, rest = lines[0].partition(" ")
        code = rest[:3]
        if not protocol.startswith("HTTP/") or not code.isdigit():
            raise NoAnswerError("no HTTP: " + _shown(head))
        headers = {"": protocol}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        return int(code), headers

    def _read_body(self, status: int, headers: dict[str, str]) -> bytes:
        if status in (204, 304):
            return b""
        if headers.get("transfer-encoding", "").lower() == "chunked":
            return self._read_chunks()
        length = headers.get("content-length")
        if length is None:
            return self._read_to_end(headers)
        if not length.isdigit() or int(length) > LIMIT_BYTES:
            raise NoAnswerError(f"a body of {length[:20]} bytes")
        return self._take(int(length))

    def _read_chunks(self) -> bytes:
        body = b""
        while True:
            while b"\r\n" not in self._held:
                self._receive()
            size, _, self._held = self._held.partition(b"\r\n")
            try:
                length = int(size.split(b";")[0], 16)
            except ValueError:
                raise NoAnswerError("a broken chunk: " + _shown(size)) from None
            if not 0 <= length <= LIMIT_BYTES - len(body):
                raise NoAnswerError(f"a body of more than {LIMIT_BYTES} bytes")
            body += self._take(length)
            self._take(2)
            if not length:
                return body

    def _read_to_end(self, headers: dict[str, str]) -> bytes:
        """A body without a length ends with the connection."""
        headers["connection"] = "close"
        while True:
            try:
                self._receive()
            except NoAnswerError:
                if len(self._held) > LIMIT_BYTES:
                    raise
                return self._held

    def _take(self, length: int) -> bytes:
        while len(self._held) < length:
            self._receive()
        taken, self._held = self._held[:length], self._held[length:]
        return taken


# The server's process -----------------------------------------------------------------------------


class Server:
    """The bot's own program. Its end is raised as ServerEndedError, wherever the bridge is."""

    def __init__(self, command: list[str], path: str) -> None:
        if path:
            os.environ["PATH"] = path + os.pathsep + os.environ.get("PATH", os.defpath)
        self.pid = 0
        signal.signal(signal.SIGCHLD, self._child_ended)
        self.pid = os.posix_spawnp(
            command[0],
            command,
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, 2, 1),
            ],
        )
        self._child_ended(0, None)  # it may have ended before its pid was known

    def _child_ended(self, number: int, frame: object) -> None:
        if not self.pid:
            return
        ended, status = os.waitpid(self.pid, os.WNOHANG)
        if ended:
            self.pid = 0
            raise ServerEndedError(status)

    def stop(self) -> None:
        """No server is left: asked to leave, and killed if it does not."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if not self.pid:
            return
        os.kill(self.pid, signal.SIGTERM)
        deadline = time.monotonic() + LEAVE_S
        while time.monotonic() < deadline:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                return
            time.sleep(POLL_S)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def await_ready(connection: Connection) -> None:
    """The server answers `GET /hi`. The referee's `start_ms` is the only limit."""
    began = time.monotonic()
    told = ""
    while True:
        try:
            status, _ = connection.ask("GET", "/hi", timeout_s=HI_TIMEOUT_S)
            if status < 400:
                return
            reason = f"status {status}"
        except NoAnswerError as error:
            reason = str(error)
        if reason != told and time.monotonic() - began > QUIET_S:
            log("no answer to GET /hi yet: " + reason)
            told = reason
        time.sleep(POLL_S)


# The dialogue -------------------------------------------------------------------------------------


class Bridge:
    """Answers the referee's messages by asking the server. `settings` are the manifest's."""

    def __init__(self, connection: Connection, settings: Message) -> None:
        self._connection = connection
        self._clamp = bool(settings.get("clamp_call"))
        self._deal_ms = settings.get("deal_ms")
        self._ids: list[str] = []
        self._used_s = 0.0

    def start(self, players: list[str]) -> None:
        """A match begins."""
        self._ids = distinct(players)

    def decide(self, message: Message) -> Message:
        """The reply to a request, or what is no reply and says why."""
        state, legal = message["state"], message["legal"]
        is_call = message["kind"] == "call"
        if is_call:
            self._used_s = 0.0
        elif len(state["hand"]) == 1:
            return {"id": message["id"], "action": legal[0]}  # there, nobody is asked for it
        path = "/bid" if is_call else "/play"
        body = (bid_body if is_call else play_body)(state, self._ids, self._budget_ms(message))
        try:
            value = read_value(*self._ask(path, body))
        except NoAnswerError as error:
            log(f"POST {path}: {error}")
            return {"error": f"POST {path}: {error}"}
        if not is_call:
            return {"id": message["id"], "action": our_card(value)}
        call, note = our_call(value, legal, self._clamp)
        reply: Message = {"id": message["id"], "action": call}
        if note:
            reply["note"] = note
        return reply

    def _ask(self, path: str, body: Message) -> tuple[int, bytes]:
        began = time.monotonic()
        try:
            return self._connection.ask("POST", path, json.dumps(body).encode())
        except NoAnswerError:
            time.sleep(LAST_BREATH_S)  # if the server has ended, this raises ServerEndedError
            raise
        finally:
            self._used_s += time.monotonic() - began

    def _budget_ms(self, message: Message) -> int:
        """What the server is told to have left for the deal, never more than for this answer."""
        clock, state = message["clock"], message["state"]
        deals_left = state["deals"] - state["deal"] + 1
        budget_ms: int = min(clock["move_ms"], clock["match_ms"] // deals_left)
        if self._deal_ms is not None:
            budget_ms = min(budget_ms, self._deal_ms - int(self._used_s * 1000))
        return max(0, budget_ms)


def converse(bridge: Bridge) -> None:
    """Answers line by line until the referee says quit or is gone."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        kind = message["type"]
        if kind == "act":
            reply = bridge.decide(message)
        elif kind == "hello":
            reply = {"id": message["id"]}
        elif kind == "start":
            bridge.start(message["players"])
            continue
        elif kind == "quit":
            return
        else:
            continue
        os.write(1, json.dumps(reply).encode() + b"\n")


def end_as(status: int) -> NoReturn:
    """Ends as the server did: with its exit status, or by its signal."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        log(f"the server ended by signal {number}")
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    log(f"the server ended with exit status {os.WEXITSTATUS(status)}")
    sys.exit(os.WEXITSTATUS(status))


def main() -> None:
    """Bridges between the referee and the server until either leaves."""
    if len(sys.argv) < 3:
        sys.exit("usage: arena-bhoos '{\"port\": 7000}' COMMAND…")
    settings, command = json.loads(sys.argv[1]), sys.argv[2:]
    server: Server | None = None
    try:
        server = Server(command, settings.get("path", ""))
        connection = Connection(settings["port"])
        await_ready(connection)
        converse(Bridge(connection, settings))
        server.stop()
    except ServerEndedError as end:
        end_as(end.status)
    except OSError as error:
        if server is not None:
            raise
        log(f"cannot start {command[0]}: {error.strerror}")
        sys.exit(127)


if __name__ == "__main__":
    main()
